package import Config
import JSON
import JSONPath
package import Quotes

/// What a message came to.
package enum StreamReading: Sendable {
  /// A ping that wants this answer.
  case ping(values: [String: MessageValue])
  case updates([StreamUpdate])
  /// An error of the exchange, which names no pair as a rule.
  case refused(TableFailure)
  /// Changes of a book are missing, or it is crossed: it has to begin anew. The place of the pair.
  case gap(pair: Int, String)
  /// A sign of life and no more.
  case other
}

/// What a message says of one pair.
package struct StreamUpdate: Sendable {
  package enum Value: Sendable {
    /// The whole row, with what the message says laid over it.
    case ticker(Ticker)
    /// Oldest first.
    case trades([Trade])
    case orderbook(OrderBook)
    case candle(Candle)
    /// What was sent cannot be used: of an order book there is none until the next whole one, of trades and candles some are
    /// missing.
    case unusable(TableFailure)
  }

  /// The place of the pair on the connection.
  package let pair: Int
  package let value: Value
  /// How it came to be; nil where nobody asked.
  package let explained: ExplainedMessage?
  /// Whether it says the price that rows are held by, or does not speak of it: then the row has the one from before.
  package let saysPrice: Bool

  package init(pair: Int, value: Value, explained: ExplainedMessage? = nil, saysPrice: Bool = true) {
    self.pair = pair
    self.value = value
    self.explained = explained
    self.saysPrice = saysPrice
  }
}

/// Reads the messages of one connection: pure, so that a recording gives the same as the network.
package struct StreamReader: Sendable {
  // Of these four exactly one is there: each is changed where it lies, for a copy would cost more than a message.
  private var tickers: TickerMessages?
  private var trades: TradeMessages?
  private var candles: CandleMessages?
  private var books: BookMessages?
  private let lookups: MessageLookups
  /// What is known of them, in the order of the channel's plan.
  private var states: [ResolvedLookup] = []
  /// The rows of lookups that are made of messages, as they came.
  private var lookupRows: [[MessageLookups.Row]]
  /// A pair needs one row of a lookup, and an exchange may number several channels.
  private let mostLookupRows: Int

  /// - Parameters:
  ///   - pairs: those of the connection; an update names them by their place here.
  ///   - interval: of candles.
  ///   - lookups: what is known of each lookup of the table, by name.
  ///   - usesScan: false reads every message through a tree: see ``RecordPlan``.
  package init(
    _ spec: StreamSpec, market: Market, _ pairs: [StreamPair], interval: CandleInterval? = nil,
    lookups: [String: LookupState] = [:], _ options: Interpretation, usesScan: Bool = true
  ) {
    self.lookups = MessageLookups(spec, lookups)
    lookupRows = spec.messageLookups.map { _ in [] }
    mostLookupRows = 100 + 4 * pairs.count
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
    states = self.lookups.resolved(planned)
  }

  /// What is known of a pair from elsewhere since: the table that was asked again.
  package mutating func replaceRow(of pair: Int, by row: Ticker) {
    tickers?.replaceRow(of: pair, by: row)
  }

  /// Reads one message, which holds one JSON text, or several, one a line; what is no JSON is taken for the text of itself,
  /// unless it begins as an object or a list.
  package mutating func read(_ message: [UInt8], arrival: Instant) -> [StreamReading] {
    if let reading = readText(message, arrival) { return [reading] }
    // More lines than any exchange sends are one text, and none of JSON.
    let lines = message.split(separator: UInt8(ascii: "\n"), maxSplits: 10_000).filter { $0.contains { $0 > 0x20 } }
    return (lines.count > 1 ? lines.map(Array.init) : [message]).map { line in
      if let reading = readText(line, arrival) { return reading }
      // `Ping` is a text. What begins as an object or a list was meant to be one, and is cut or broken.
      if let first = line.first(where: { $0 > 0x20 }), [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) {
        return .refused(TableFailure(.notJSON, "a message is not valid JSON"))
      }
      var writer = JSONWriter()
      writer.string(String(decoding: line, as: UTF8.self))
      return readText(writer.bytes, arrival) ?? .other
    }
  }

  /// nil where the text is not JSON.
  private mutating func readText(_ text: [UInt8], _ arrival: Instant) -> StreamReading? {
    do throws(TableFailure) {
      switch try reading(of: text, arrival) {
      case nil: return nil
      case .read(let reading)?: return reading
      case .refused?: return .refused(lookups.refusal(text))
      case .lookup(let place)?:
        take(text, for: place)
        return .other
      }
    } catch {
      return .refused(error)
    }
  }

  private mutating func reading(of text: [UInt8], _ arrival: Instant) throws(TableFailure) -> MessageReading? {
    if tickers != nil { return try tickers?.read(text, states, arrival) }
    if books != nil { return try books?.read(text, states, arrival) }
    if trades != nil { return try trades?.read(text, states, arrival) }
    return try candles?.read(text, states)
  }

  private mutating func take(_ text: [UInt8], for place: Int) {
    lookups.add(text, to: &lookupRows[place], place, most: mostLookupRows)
    let state = lookups.state(of: lookupRows[place].map(\.text), place)
    let name = lookups.ofMessages[place].lookup.name
    for index in states.indices where states[index].plan.name == name {
      states[index] = ResolvedLookup(plan: states[index].plan, state: state)
    }
  }
}

/// What one message of a channel came to.
enum MessageReading {
  case read(StreamReading)
  case refused
  /// Rows for a lookup that is made of messages, by its place.
  case lookup(Int)

  /// nil for the channel's own.
  init?<Field>(_ kind: MessagePlan<Field>.Kind) {
    switch kind {
    case .ping(let values): self = .read(.ping(values: values))
    case .lookup(let place): self = .lookup(place)
    case .refused: self = .refused
    case .other: self = .read(.other)
    case .rows: return nil
    }
  }
}
