package import Config
package import HTTP
package import Mapping
package import Quotes

/// The purpose of a sequence of connections: one channel of one part of a market, with fixed pairs.
package struct StreamSubject: Sendable {
  package let exchange: String
  package let market: Market
  package let channel: StreamChannel
  /// nil if the exchange has no such stream, and its pairs are only polled by REST.
  package let spec: StreamSpec?
  package private(set) var pairs: [StreamPair]
  /// The interval of candles.
  package let interval: CandleInterval?
  /// By name; those that failed are renewed.
  package internal(set) var lookups: [String: LookupState]
  package let options: Interpretation
  /// The polling interval of a pair without a stream.
  package var refreshMilliseconds: Int
  /// The row fields that the table has and the stream lacks.
  package var unsaid: TickerFields = []
  /// Whether pairs are polled by REST while no stream provides them; otherwise another component polls, and needs signs
  /// of life.
  package var pollsWhenOffline = true
  /// The maximum number of pairs in one message, if fewer than the config allows.
  package var pairsInMessage = Int.max

  /// - Parameter spec: nil if the pairs are only polled by REST.
  package init(
    exchange: String, market: Market, channel: StreamChannel, spec: StreamSpec?, pairs: [StreamPair],
    interval: CandleInterval? = nil, lookups: [String: LookupState] = [:], options: Interpretation,
    refreshMilliseconds: Int
  ) {
    self.exchange = exchange
    self.market = market
    self.channel = channel
    self.spec = spec
    self.pairs = pairs
    self.interval = interval
    self.lookups = lookups
    self.options = options
    self.refreshMilliseconds = refreshMilliseconds
  }

  /// Returns the same subject for some of the pairs, with one pair per message.
  func singly(_ places: [Int]) -> StreamSubject {
    var subject = self
    subject.pairs = places.map { pairs[$0] }
    subject.pairsInMessage = 1
    return subject
  }

  /// Notes the group of futures of a pair's first data if no table has told it: later requests are about that group
  /// alone.
  mutating func note(_ product: String?, of pair: Int) {
    guard let product, !pairs[pair].isListed, pairs[pair].row.product == nil else { return }
    var row = pairs[pair].row
    row.product = product
    pairs[pair] = StreamPair(row: row, spelling: pairs[pair].spelling)
  }

  /// The field of a row that represents its price; nil if the stream has none. Where the table has a price, so has a
  /// channel of rows: see ``StreamSpec``.
  var headlineField: TickerField? { TickerField.headlines.first { hasField($0) } }

  /// The figures of a row that the stream should have; none if it is not of rows.
  var rowFields: TickerFields {
    guard channel.feedsRows else { return [] }
    return TickerFields(TickerField.allCases.filter { $0 != .time && hasField($0) })
  }

  private func hasField(_ field: TickerField) -> Bool { spec?.table.fields[field.rawValue] != nil }

  var intervalWord: IntervalWord? { spec?.intervals.first { $0.interval == interval }?.word }

  /// The purpose of its connections: `futures-ticker-BTC-USDT`, with the number of pairs if there are several.
  package var name: String {
    let first = pairs.first.map { "-\($0.pair.asset)-\($0.pair.payment)" } ?? ""
    return "\(market.rawValue)-\(channel.rawValue)" + first + (pairs.count > 1 ? "-of-\(pairs.count)" : "")
  }
}

extension StreamPair {
  /// Whether its row is from a table; otherwise none was requested.
  var isListed: Bool { !row.symbol.isEmpty }
}

/// A command to carry out for a link.
package enum StreamCommand: Sendable {
  /// Request by REST what the address needs.
  case ask(HTTPRequest)
  /// Signals of this connection carry its generation; those of an earlier one are ignored.
  case open(StreamRequest, generation: Int)
  case send(OutgoingMessage)
  case ping
  case close(code: Int)
  /// Poll these pairs by REST.
  ///
  /// - Parameter isAgain: Whether there was earlier data for them.
  case poll(pairs: [Int], isAgain: Bool)
}

extension StreamSpec {
  /// Returns the row fields that a table has and the stream lacks. A stream without volumes lacks the time of the last
  /// trade, too, as no message tells another one at the same price.
  func unsaid(of part: TableSpec) -> TickerFields {
    let own = table.fields
    var unsaid = TickerFields(part.fields.keys.filter { own[$0] == nil }.compactMap(TickerField.init(rawValue:)))
    func isOfTrade(_ fields: [String: ValueSpec]) -> Bool {
      fields[TickerField.time.rawValue]?.basis == TimeBasis.trade.rawValue
    }
    if isOfTrade(part.fields), !isOfTrade(own), own[TickerField.volume24.rawValue] == nil {
      unsaid.insert(TickerFields(.time))
    }
    return unsaid
  }
}
