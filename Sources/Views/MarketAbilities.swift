import Config
import HTTP
import JSON
import Quotes

/// What one market of an exchange offers, according to its config.
struct MarketAbilities: Hashable {
  /// How a figure is obtained.
  enum Offer: String, Hashable {
    case yes
    /// Computed from other figures of the same row.
    case computed
    /// Needs a second request, made only if the figure is wanted.
    case apart
    /// Only available by requesting a single pair.
    case onePair = "one-pair"
    case notOffered = "not-offered"

    /// The text of a matrix cell.
    var word: String {
      switch self {
      case .notOffered: "-"
      case .onePair: "pair"
      default: rawValue
      }
    }
  }

  let isEnabled: Bool
  /// Whether a single pair can be requested, rather than looked up in the full table.
  let hasOnePair: Bool
  /// nil if the exchange sends no change.
  let change: ChangeBasis?
  let bidAsk: Offer
  let volume: Offer
  let turnover: Offer
  let time: Offer
  let limit: RateLimit?
  /// The date of the recorded answer with all pairs that passed the checks; nil if only based on documentation.
  let verified: String?
  /// The same for the single-pair answer.
  let verifiedOnePair: String?
  let book: Offer
  let trades: Offer
  /// The candle intervals, shortest first; empty if none.
  let intervals: [CandleInterval]
  let channels: [StreamChannel]

  init(_ exchange: Exchange, _ market: ExchangeMarket) {
    let table = market.firstTable
    isEnabled = exchange.isEnabled && market.isEnabled
    hasOnePair = !market.ticker.isEmpty
    change = table?.fields[TickerField.changePricePercent24.rawValue]?.basis.flatMap { ChangeBasis(rawValue: $0) }
    bidAsk = Self.offer(of: .bid, in: table, market.ticker)
    volume = Self.offer(of: .volume24, in: table, market.ticker)
    turnover = Self.offer(of: .turnover24, in: table, market.ticker)
    time = Self.offer(of: .time, in: table, market.ticker)
    limit = table?.limit
    verified = market.tickers.compactMap(\.verified).min()
    verifiedOnePair = market.ticker.compactMap(\.verified).min()
    book = market.orderbooks.isEmpty ? .notOffered : .yes
    trades = market.trades.isEmpty ? .notOffered : .yes
    intervals = market.intervals
    channels = StreamChannel.allCases.filter { channel in market.streams.contains { $0[channel] != nil } }
  }

  /// - Parameter ticker: the single-pair tables.
  private static func offer(of field: TickerField, in table: TableSpec?, _ ticker: [TableSpec]) -> Offer {
    guard let table, let value = table.fields[field.rawValue] else {
      return ticker.contains { $0.fields[field.rawValue] != nil } ? .onePair : .notOffered
    }
    if table.lookups.contains(where: { value.lookupNames.contains($0.name) && $0.timeToLiveSeconds == 0 }) {
      return .apart
    }
    switch value.origin {
    case .product, .sum, .quotient, .difference: return .computed
    default: return .yes
    }
  }

  /// The fields of a CSV record, after exchange and market.
  var words: [String] {
    func word(_ number: Int?) -> String { number.map { String($0) } ?? "" }
    let figures = [bidAsk, volume, turnover, time].map(\.rawValue)
    let proofs = [word(limit?.requests), word(limit?.perMilliseconds), verified ?? "", verifiedOnePair ?? ""]
    let pair = [book.rawValue, trades.rawValue, intervalsWord, channelsWord]
    return [String(isEnabled), String(hasOnePair), change?.rawValue ?? ""] + figures + proofs + pair
  }

  /// `24h`, `UTC day`; `-` if there is no change.
  var changeWord: String { change.map { $0.label ?? "24h" } ?? "-" }

  /// `1m 5m 1h`, `ticker trades`; `not-offered` for none.
  var intervalsWord: String { Self.list(intervals.map(\.rawValue)) }
  var channelsWord: String { Self.list(channels.map(\.rawValue)) }

  private static func list(_ words: [String]) -> String {
    words.isEmpty ? Offer.notOffered.rawValue : words.joined(separator: " ")
  }

  /// The shortest to the longest interval: `1m-1w`; `-` if there are none.
  var candlesWord: String {
    guard let first = intervals.first, let last = intervals.last else { return "-" }
    return first == last ? first.rawValue : "\(first.rawValue)-\(last.rawValue)"
  }

  /// `all` for prices, trades, books and candles, otherwise those available: `price trades`; `-` for none.
  var streamWord: String {
    let words = [
      (channels.contains(.ticker) || channels.contains(.tickers), "price"), (channels.contains(.trades), "trades"),
      (channels.contains(.orderbook), "book"), (channels.contains(.candles), "candles"),
    ]
    if words.allSatisfy(\.0) { return "all" }
    let there = words.filter(\.0).map(\.1)
    return there.isEmpty ? "-" : there.joined(separator: " ")
  }

  /// `20 in 1s`; `-` if no limit is known.
  var limitWord: String {
    guard let limit else { return "-" }
    let window = limit.perMilliseconds
    let text = window % 60_000 == 0 ? "\(window / 60_000)m" : window % 1000 == 0 ? "\(window / 1000)s" : "\(window)ms"
    return "\(limit.requests) in \(text)"
  }

  var json: JSONValue {
    [
      "enabled": .bool(isEnabled),
      "onePair": .bool(hasOnePair),
      "changeBasis": .text(change?.rawValue),
      "bidAsk": .string(bidAsk.rawValue),
      "volume": .string(volume.rawValue),
      "turnover": .string(turnover.rawValue),
      "time": .string(time.rawValue),
      "limit": limit.map { ["requests": .integer($0.requests), "perMilliseconds": .integer($0.perMilliseconds)] }
        ?? nil,
      "verified": .text(verified),
      "verifiedOnePair": .text(verifiedOnePair),
      "orderbook": .string(book.rawValue),
      "trades": .string(trades.rawValue),
      "candles": intervals.isEmpty ? .string(Offer.notOffered.rawValue) : .texts(intervals.map(\.rawValue)),
      "streams": channels.isEmpty ? .string(Offer.notOffered.rawValue) : .texts(channels.map(\.rawValue)),
    ]
  }
}
