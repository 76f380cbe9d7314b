package import Config
import Formats
import JSON
import Quotes
import Terminal

/// A table of exchanges and what each offers.
package struct ExchangeMatrix: Report {
  private struct Row {
    let exchange: Exchange
    let markets: [(market: Market, abilities: MarketAbilities)]

    init(_ exchange: Exchange) {
      self.exchange = exchange
      markets = exchange.markets.map { ($0.market, MarketAbilities(exchange, $0)) }
    }

    func abilities(of market: Market) -> MarketAbilities? { markets.first { $0.market == market }?.abilities }

    /// `both`, `spot`, `spot, futures off`
    var marketsWord: String {
      if markets.count == 2, markets.allSatisfy(\.abilities.isEnabled) { return "both" }
      let words = markets.map { $0.market.rawValue + ($0.abilities.isEnabled ? "" : " off") }
      return words.isEmpty ? "-" : words.joined(separator: ", ")
    }
  }

  private let rows: [Row]
  private let retired: [RetiredExchange]
  private let proofs: [String: String]

  /// - Parameter proofs: the dates on which exchanges last passed every check on this machine, keyed by exchange name.
  package init(_ exchanges: [Exchange], retired: [RetiredExchange], provedHere proofs: [String: String] = [:]) {
    rows = exchanges.map { Row($0) }
    self.retired = retired
    self.proofs = proofs
  }

  package var isEmpty: Bool { rows.isEmpty }

  private static let titles = [
    "exchange", "markets", "pair", "bid/ask", "change", "book", "trades", "candles", "stream", "limit", "proof",
  ]
  /// The columns to drop on narrow terminals, in order.
  private static let dropping = [
    "limit": 0, "pair": 1, "bid/ask": 2, "change": 3, "stream": 4, "candles": 5, "trades": 6, "book": 7,
  ]

  /// Returns the cells of a row. If the markets differ, spot comes before futures.
  private func cells(of row: Row) -> [String] {
    func both(_ word: (MarketAbilities) -> String) -> String {
      let words = row.markets.map { word($0.abilities) }
      return Set(words).count == 1 ? words[0] : words.joined(separator: ", ")
    }
    return [
      row.exchange.name, row.marketsWord, both { $0.hasOnePair ? "yes" : "-" }, both(\.bidAsk.word), both(\.changeWord),
      both(\.book.word), both(\.trades.word), both(\.candlesWord), both(\.streamWord), both(\.limitWord),
      Self.proof(of: row.exchange, provedHere: proofs[row.exchange.name]),
    ]
  }

  /// Returns the date since which all of it is proved, or else which parts are; failing that, the date of the last
  /// proof on this machine, or `documented`.
  static func proof(of exchange: Exchange, provedHere: String?) -> String {
    let row = Row(exchange)
    let unproved = provedHere.map { "here \($0)" } ?? "documented"
    let days = row.markets.compactMap(\.abilities.verified)
    if days.count == row.markets.count { return days.min() ?? unproved }
    let tables = row.markets.compactMap { market, abilities in
      abilities.verified.map { "\(market.rawValue) \($0)" }
    }
    // One date for the pairs of both markets; two do not fit in 80 columns.
    let pairs = row.markets.map(\.abilities).filter { $0.verified == nil }.compactMap(\.verifiedOnePair)
    let proofs = tables + (pairs.min().map { ["pair \($0)"] } ?? [])
    return proofs.isEmpty ? unproved : proofs.joined(separator: ", ")
  }

  package func text(on page: Page) -> String {
    var table = Table(columns: Self.titles.map { TableColumn($0, dropping: Self.dropping[$0]) })
    for row in rows { table.addRow(cells(of: row).map { StyledText($0) }) }
    let closed = retired.flatMap { TerminalText.wrapped(TerminalText.sanitized($0.sentence), cells: page.width) }
    return page.table(table) + closed.map { $0 + "\n" }.joined()
  }

  /// Returns a Markdown table.
  package func markdown() -> String {
    let lines = [Self.titles, Self.titles.map { _ in "---" }] + rows.map { cells(of: $0) }
    return lines.map { cells in
      "| \(cells.map { TerminalText.sanitized($0).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }.joined(separator: " | ")) |\n"
    }.joined()
  }

  /// Returns one record per market, with everything known about it.
  package func csv() -> [UInt8] {
    var writer = CSVWriter(titles: [
      "exchange", "market", "enabled", "onePair", "changeBasis", "bidAsk", "volume", "turnover", "time", "requests",
      "perMilliseconds", "verified", "verifiedOnePair", "orderbook", "trades", "candles", "streams",
    ])
    for row in rows {
      for (market, abilities) in row.markets {
        let words = [row.exchange.name, market.rawValue] + abilities.words
        writer.addRecord(words.map { .text($0) })
      }
    }
    return writer.finished()
  }

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "exchanges": .list(rows) { row in
        [
          "exchange": .string(row.exchange.name),
          "names": .texts(row.exchange.names),
          "docs": .text(row.exchange.documentation),
          "note": .text(row.exchange.note),
          "provedHere": .text(proofs[row.exchange.name]),
          "markets": .members(row.markets.map { ($0.market.rawValue, $0.abilities.json) }),
        ]
      },
      "retired": .list(retired) {
        ["exchange": .string($0.name), "since": .string($0.since), "reason": .text($0.reason)]
      },
    ]
    return value.document
  }
}

extension RetiredExchange {
  /// The message shown when the exchange is requested.
  package var sentence: String { "\(name) is closed since \(since)" + (reason.map { ": \($0)" } ?? "") }
}

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
  let limit: LimitSpec?
  /// The date of the recorded answer with all pairs that passed the checks; nil if only based on documentation.
  let verified: String?
  /// The same for the single-pair answer.
  let verifiedOnePair: String?
  let book: Offer
  let trades: Offer
  /// The candle intervals, shortest first; empty if none.
  let intervals: [CandleInterval]
  /// The channels that the exchange streams.
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
  fileprivate var words: [String] {
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
    let text =
      window % 60_000 == 0 ? "\(window / 60_000)m" : window % 1000 == 0 ? "\(window / 1000)s" : "\(window)ms"
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
