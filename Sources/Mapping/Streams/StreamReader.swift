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
  }

  /// The place of the pair on the connection.
  package let pair: Int
  package let value: Value

  package init(pair: Int, value: Value) {
    self.pair = pair
    self.value = value
  }
}

/// Reads the messages of one connection: pure, so that a recording gives the same as the network.
package struct StreamReader: Sendable {
  private enum Channel: Sendable {
    /// While a message is read.
    case idle
    case tickers(TickerMessages)
    case trades(TradeMessages)
    case candles(CandleMessages)
    case orderbook(BookMessages)
  }

  private var channel: Channel
  private let lookups: MessageLookups
  /// What is known of them, in the order of the channel's plan.
  private var states: [ResolvedLookup] = []
  /// The rows of lookups that are made of messages, as they came.
  private var lookupRows: [[[UInt8]]] = []

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
    switch spec.channel {
    case .ticker, .tickers, .offers:
      channel = .tickers(TickerMessages(spec, market, pairs, options, usesScan: usesScan))
    case .trades: channel = .trades(TradeMessages(spec, market, pairs, options, usesScan: usesScan))
    case .candles:
      channel = .candles(
        CandleMessages(spec, market, pairs, interval ?? .oneMinute, options, usesScan: usesScan))
    case .orderbook: channel = .orderbook(BookMessages(spec, market, pairs, options, usesScan: usesScan))
    }
    states = self.lookups.resolved(channelLookups)
  }

  private var channelLookups: [LookupPlan] {
    switch channel {
    case .idle: []
    case .tickers(let messages): messages.plan.record.lookups
    case .trades(let messages): messages.plan.record.lookups
    case .candles(let messages): messages.plan.record.lookups
    case .orderbook(let messages): messages.plan.record.lookups
    }
  }

  /// What is known of a pair from elsewhere since: the table that was asked again.
  package mutating func replaceRow(of pair: Int, by row: Ticker) {
    if case .tickers(var messages) = channel {
      messages.rows[pair] = row
      channel = .tickers(messages)
    }
  }

  /// Reads one message, which holds one JSON text, or several, one a line; what is no JSON is taken for the text of itself.
  package mutating func read(_ message: [UInt8], arrival: Instant) -> [StreamReading] {
    if let reading = readText(message, arrival) { return [reading] }
    let lines = message.split(separator: UInt8(ascii: "\n")).filter { $0.contains { $0 > 0x20 } }
    return (lines.count > 1 ? lines.map(Array.init) : [message]).map { line in
      if let reading = readText(line, arrival) { return reading }
      var writer = JSONWriter()
      writer.string(String(decoding: line, as: UTF8.self))
      return readText(writer.bytes, arrival) ?? .other
    }
  }

  /// nil where the text is not JSON.
  private mutating func readText(_ text: [UInt8], _ arrival: Instant) -> StreamReading? {
    do throws(TableFailure) {
      let reading: MessageReading?
      switch channel {
      case .idle: return .other
      case .tickers(var messages):
        // Taken out for the time of the change, so that nothing is copied.
        channel = .idle
        defer { channel = .tickers(messages) }
        reading = try messages.read(text, states, arrival)
      case .trades(let messages): reading = try messages.read(text, states, arrival)
      case .candles(let messages): reading = try messages.read(text, states, arrival)
      case .orderbook(var messages):
        channel = .idle
        defer { channel = .orderbook(messages) }
        reading = try messages.read(text, states, arrival)
      }
      switch reading {
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

  private mutating func take(_ text: [UInt8], for place: Int) {
    if lookupRows.isEmpty { lookupRows = lookups.ofMessages.map { _ in [] } }
    lookupRows[place] += lookups.rows(of: text, place)
    let (name, state) = lookups.state(of: lookupRows[place], place)
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
