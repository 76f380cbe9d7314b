package import Config
import JSON
import JSONPath
package import Quotes

/// The result of reading a message.
package enum StreamReading: Sendable {
  /// A ping that needs a reply with these values.
  case ping(values: [String: MessageValue])
  case updates([StreamUpdate])
  /// An error of the exchange, which usually names no pair.
  case refused(AnswerFailure)
  /// Changes of a book are missing, or it is crossed: it has to start from the beginning. `pair` is the pair's index.
  case gap(pair: Int, String)
  /// A message with the conditions of the channel and without its rows, and why: one in an unknown form, or an
  /// acknowledgement.
  case rowless(AnswerFailure)
  /// Rows of the channel, none of a pair of the connection.
  case foreign
  /// Changes of these pairs, none of which has had a complete message that they could apply to.
  case baseless(pairs: [Int])
  /// Just a sign of life.
  case other
}

/// The results of reading a message, in its order. Nearly all have one, which takes no memory of its own.
package enum StreamReadings: Sendable, Sequence {
  case one(StreamReading)
  case several([StreamReading])

  package struct Iterator: IteratorProtocol {
    fileprivate let readings: StreamReadings
    private var index = 0

    fileprivate init(_ readings: StreamReadings) { self.readings = readings }

    package mutating func next() -> StreamReading? {
      defer { index += 1 }
      return switch readings {
      case .one(let reading): index == 0 ? reading : nil
      case .several(let readings): index < readings.count ? readings[index] : nil
      }
    }
  }

  package func makeIterator() -> Iterator { Iterator(self) }
}

/// A message's data for one pair.
package struct StreamUpdate: Sendable {
  package enum Value: Sendable {
    /// The complete row, updated with the message.
    case ticker(Ticker)
    /// Oldest first.
    case trades([Trade])
    case orderbook(OrderBook)
    /// An answer also has the candle before: its last state comes only after the next one has begun.
    case candle(Candle, previous: Candle? = nil)
    /// The data is unusable: there is no order book until the next snapshot; some trades or candles are missing.
    case unusable(AnswerFailure)
  }

  /// The index of the pair on the connection.
  package let pair: Int
  package let value: Value
  /// The explanation; nil if not requested.
  package var explained: ExplainedMessage?
  /// Whether it contains the headline price; otherwise the row keeps the previous one.
  package var updatesPrice = true
  /// The fields of the row that the message mentions; empty for anything but a row.
  package var fields = TickerFields()
  /// The time in a message about a row; nil if it has none. The row may have another: that of its last trade.
  package var sent: Instant?
}

/// A reader of the messages of one connection. It is pure, so that a recording yields the same as the network.
package struct StreamReader: Sendable {
  // Exactly one of these four is set. Each is changed in place, since a copy would cost more than a message.
  private var tickers: TickerMessages?
  private var trades: TradeMessages?
  private var candles: CandleMessages?
  private var books: BookMessages?
  private let lookups: MessageLookups
  /// nil if no text in messages holds JSON.
  private let unwrapping: MessageUnwrapping?
  /// The lookups, in the order of the channel's plan.
  private var scope = ValueScope.empty
  /// The lookups that are built from messages, in the order of `lookups`.
  private var lookupTables: [LookupTable]
  /// A pair needs one row of a lookup, and an exchange may number several channels.
  private let maximumLookupRows: Int

  /// - Parameters:
  ///   - pairs: the pairs of the connection; updates refer to them by index.
  ///   - interval: the interval of candles.
  ///   - lookups: the state of each lookup of the table, by name.
  ///   - usesScan: false reads every message through a tree: see ``RecordPlan``.
  package init(
    _ spec: StreamSpec, market: Market, _ pairs: [StreamPair], interval: CandleInterval? = nil,
    lookups: [String: LookupState] = [:], _ options: Interpretation, usesScan: Bool = true
  ) {
    self.lookups = MessageLookups(spec)
    unwrapping = MessageUnwrapping(spec)
    lookupTables = spec.messageLookups.map { _ in LookupTable() }
    maximumLookupRows = 100 + 4 * pairs.count
    let planned: [LookupPlan]
    switch spec.channel {
    case .ticker, .tickers, .offers:
      let messages = TickerMessages(spec, market, pairs, options, usesScan: usesScan)
      (tickers, planned) = (messages, messages.plan.record.lookups)
    case .trades:
      let messages = TradeMessages(spec, market, pairs, options, usesScan: usesScan)
      (trades, planned) = (messages, messages.plan.record.lookups)
    case .candles:
      let messages = CandleMessages(spec, market, pairs, interval ?? .oneMinute, options, usesScan: usesScan)
      (candles, planned) = (messages, messages.plan.record.lookups)
    case .orderbook:
      let messages = BookMessages(spec, market, pairs, options, usesScan: usesScan)
      (books, planned) = (messages, messages.plan.record.lookups)
    }
    scope = ValueScope(planned, states: lookups)
  }

  /// Replaces the row of a pair after the table has been polled again.
  package mutating func replaceRow(of pair: Int, by row: Ticker) {
    tickers?.replaceRow(of: pair, by: row)
  }

  /// Replaces the state of lookups, by name.
  package mutating func renew(_ states: [String: LookupState]) {
    scope = ValueScope(
      lookups: scope.lookups.map { lookup in
        states[lookup.plan.name].map { ResolvedLookup(plan: lookup.plan, state: $0) } ?? lookup
      })
  }

  /// Sets whether updates of rows come with an explanation.
  package mutating func explain(_ isWanted: Bool) { tickers?.explain(isWanted) }

  /// Returns a message as it is read: with the JSON that its texts hold in their place. It can be read like the message.
  package func unwrapped(_ message: [UInt8]) -> [UInt8] { unwrapping?.unwrapped(message) ?? message }

  /// Reads one message, which holds one JSON text, or several, one per line. A message that is not JSON is treated as a
  /// string, unless it starts like an object or array.
  package mutating func read(_ message: [UInt8], arrival: Instant) -> StreamReadings {
    guard let unwrapping else { return readTexts(of: message, arrival: arrival) }
    guard let message = unwrapping.unwrapped(message) else { return .one(Self.notJSON) }
    return readTexts(of: message, arrival: arrival)
  }

  private static let notJSON = StreamReading.refused(AnswerFailure(.notJSON, "a message is not valid JSON"))

  private mutating func readTexts(of message: [UInt8], arrival: Instant) -> StreamReadings {
    if let readings = readText(message, arrival) { return readings }
    // A byte order mark may be ignored (RFC 8259 §8.1).
    let rest = message.withoutByteOrderMark
    if rest.count < message.count { return readTexts(of: rest, arrival: arrival) }
    // Text with more lines than any exchange sends is treated as one, and is not JSON.
    let lines = message.split(separator: UInt8(ascii: "\n"), maxSplits: 10_000).filter { $0.contains { $0 > 0x20 } }
    let readings = (lines.count > 1 ? lines.map(Array.init) : [message]).flatMap { line -> [StreamReading] in
      if let readings = readText(line, arrival) { return Array(readings) }
      // `Ping` is a plain text. Anything that starts like an object or array was meant to be one, and is truncated or
      // broken.
      if line.beginsLikeContainer { return [Self.notJSON] }
      return readText(line.asJSONString, arrival).map { Array($0) } ?? [.other]
    }
    return .several(readings)
  }

  /// Returns nil if the text is not JSON.
  private mutating func readText(_ text: [UInt8], _ arrival: Instant) -> StreamReadings? {
    do throws(AnswerFailure) {
      switch try reading(of: text, arrival) {
      case nil: return nil
      case .read(let reading, let gaps)?: return gaps.isEmpty ? .one(reading) : .several([reading] + gaps)
      case .refused?: return .one(.refused(lookups.refusal(text)))
      case .lookup(let place)?:
        take(text, for: place)
        return .one(.other)
      }
    } catch {
      return .one(.refused(error))
    }
  }

  private mutating func reading(of text: [UInt8], _ arrival: Instant) throws(AnswerFailure) -> MessageReading? {
    if tickers != nil { return try tickers?.read(text, scope, arrival) }
    if books != nil { return try books?.read(text, scope, arrival) }
    if trades != nil { return try trades?.read(text, scope, arrival) }
    return try candles?.read(text, scope)
  }

  private mutating func take(_ text: [UInt8], for place: Int) {
    let name = lookups.ofMessages[place].lookup.name
    // While the scope has the table too, a row could only be added to a copy of it.
    renew([name: .notRequested])
    lookups.add(text, to: &lookupTables[place], place, most: maximumLookupRows)
    renew([name: lookups.state(of: lookupTables[place])])
  }
}

/// The result of reading one message of a channel.
enum MessageReading {
  /// What was read, and the gaps of other pairs.
  case read(StreamReading, gaps: [StreamReading] = [])
  case refused
  /// Rows for a lookup that is built from messages, by its index.
  case lookup(Int)

  /// Whether it has data for a pair.
  func updates(_ pair: Int) -> Bool {
    guard case .read(.updates(let updates), _) = self else { return false }
    return updates.contains { $0.pair == pair }
  }

  /// Returns the same with the gaps of pairs that it has no updates of.
  func with(_ gaps: [StreamReading]) -> MessageReading {
    guard case .read(let reading, let others) = self, !gaps.isEmpty else { return self }
    if case .other = reading { return .read(gaps[0], gaps: others + gaps.dropFirst()) }
    return .read(reading, gaps: others + gaps)
  }

  /// Returns nil for the channel's own rows.
  init?<Field>(_ kind: MessagePlan<Field>.Kind) {
    switch kind {
    case .ping(let values): self = .read(.ping(values: values))
    case .lookup(let place): self = .lookup(place)
    case .refused: self = .refused
    case .rowless(let failure): self = .read(.rowless(failure))
    case .other: self = .read(.other)
    case .rows: return nil
    }
  }
}
