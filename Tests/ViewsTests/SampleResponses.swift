import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport

@testable import Views

/// Fictitious responses of exchanges.
enum SampleResponses {
  static let now = SampleCandles.moment("2026-11-18T05:12:07Z")
  static let pair = Pair(asset: "BTC", payment: "USDT")

  static func page(_ width: Int?, _ digits: Page.Digits = .short) -> Page {
    Page(palette: .plain, width: width, digits: digits)
  }

  static func failed<Value>(_ exchange: String, _ reason: Missing, _ message: String? = nil) -> PairAnswer<Value> {
    PairAnswer(exchange: exchange, market: .spot, pair: pair, .failure(AnswerFailure(reason, message)))
  }

  // MARK: Order books

  /// Returns levels that fall or rise from a price by a step, with the given sizes.
  private static func levels(_ price: String, _ step: String, _ sizes: [String]) -> [OrderBook.Level] {
    let (price, step) = (Decimal(price) ?? 0, Decimal(step) ?? 0)
    return sizes.enumerated().map { index, size in
      OrderBook.Level(price: price + Decimal(index) * step, size: Decimal(size) ?? 0)
    }
  }

  static let binance = PairAnswer(
    exchange: "Binance", market: .spot, pair: pair,
    .success(
      OrderBook(
        bids: levels(
          "91542.30", "-0.10",
          ["0.45860", "1.06330", "0.66070", "0.66590", "0.53560", "0.46170", "0.54590", "0.35290", "0.15890", "12.5"]),
        asks: levels(
          "91542.40", "0.10",
          ["0.38050", "0.70400", "0.09320", "0.63190", "0.28140", "0.28080", "0.88590", "0.39810", "0.34200"]),
        time: SampleCandles.moment("2026-11-18T05:12:06.500Z"), sequence: "8812345")))

  static let indodax = PairAnswer(
    exchange: "Indodax", market: .spot, pair: pair,
    .success(
      OrderBook(
        bids: levels("91587.00", "-3", ["0.0467", "0.0306", "0.1202", "0.0469"]),
        asks: levels("91612.00", "3", ["0.0527", "0.0656", "0.0159", "0.0134"]),
        time: SampleCandles.moment("2026-11-18T05:11:47Z"))))

  /// A book from another day, at today's prices.
  static let dayOld = PairAnswer(
    exchange: "Luno", market: .spot, pair: pair,
    .success(
      OrderBook(
        bids: levels("91540.00", "-3", ["1", "2"]), asks: levels("91541.00", "3", ["1", "2"]),
        time: SampleCandles.moment("2026-11-17T05:12:07Z"),
        flags: [Flag(.stale, .old(.orderBook, nanoseconds: Instant.day, limitMilliseconds: 60_000))])))

  /// A book of a thousand units at once.
  static let thousandfold = PairAnswer(
    exchange: "Bitso", market: .spot, pair: pair,
    .success(OrderBook(bids: levels("91541000", "-3000", ["1"]), asks: levels("91542000", "3000", ["1"]))))

  static let oneSided = PairAnswer(
    exchange: "Gopax", market: .spot, pair: pair,
    .success(OrderBook(bids: levels("91000", "-1", ["1"]), asks: [])))

  // MARK: Trades

  private static func trade(_ time: String, _ side: TradeSide?, _ price: String, _ size: String?, _ id: String) -> Trade
  {
    Trade(
      time: SampleCandles.moment("2026-11-18T\(time)Z"), price: Decimal(price) ?? 0,
      size: size.flatMap { Decimal($0) }.map { .value($0) } ?? .missing(.lookupMiss), side: side, id: id)
  }

  static let upbit = PairAnswer(
    exchange: "Upbit", market: .spot, pair: Pair(asset: "BTC", payment: "KRW"),
    .success([
      trade("05:11:56.423", .buy, "134511000", "0.0291", "1"), trade("05:11:57.007", .buy, "134511000", "0.0102", "2"),
      trade("05:11:58.484", .buy, "134511000", "0.0119", "3"), trade("05:12:00.088", .sell, "134511000", "0.0129", "4"),
      trade("05:12:02.296", .sell, "134511000", "0.0045", "5"), trade("05:12:04.848", .buy, "134511000", "0.8125", "6"),
      trade("05:12:05.846", .buy, "134512000", "0.0161", "7"), trade("05:12:06.819", nil, "134512000", "0.0125", "8"),
      trade("05:12:07.092", .buy, "134512000", nil, "9"),
    ]), notes: ["1 of 10 rows left out: no price"])

  static let gate = PairAnswer(
    exchange: "Gate", market: .futures, pair: pair,
    .success([
      trade("05:12:06.000", .sell, "91542.3", "0.0021", "a"), trade("05:12:07.000", .buy, "91542.4", "1.204", "b"),
    ]))

  // MARK: Candles

  static func candles(
    _ exchange: String, _ interval: CandleInterval, from start: String, count: Int, price: Decimal = 91000,
    zoneSeconds: Int = 0, missing: Set<Int> = [], seed: UInt64 = 7
  ) -> PairAnswer<CandleSeries> {
    PairAnswer(
      exchange: exchange, market: .spot, pair: pair,
      .success(
        SampleCandles.series(
          interval, from: start, count: count, price: price, zoneSeconds: zoneSeconds, missing: missing, seed: seed)))
  }
}

extension TickerRow {
  /// Creates a row of which nothing else is known.
  init(_ ticker: Ticker) { self.init(ticker: ticker, rank: ProductRank(), traces: []) }
}

extension ExchangeReport {
  /// Creates the report of an exchange that has sent these rows.
  ///
  /// - Parameter pair: the requested one; nil for a whole table.
  init(
    _ exchange: String, _ rows: [Ticker], on market: Market = .spot, of pair: Pair?, failures: [AnswerFailure] = [],
    requests: [RequestReport] = []
  ) {
    var table = TickerTable()
    table.rows = rows.map { TickerRow($0) }
    table.failures = failures.map { .init(part: "", failure: $0) }
    self.init(exchange: exchange, market: market, GatheredTable(table, of: pair, requests: requests))
  }
}

extension Report {
  /// Returns all forms of the report as one text.
  func forms(widths: [Int]) -> String {
    var text = ""
    for width in widths { text += "--- \(width) columns\n" + self.text(on: SampleResponses.page(width)) }
    text += "--- json\n" + String(decoding: json(), as: UTF8.self) + "\n"
    text += "--- csv\n"
    text += String(decoding: csv(), as: UTF8.self).split(separator: "\r\n").map { $0 + "\n" }.joined()
    if let report = self as? any LineReport {
      text += "--- ndjson\n" + String(decoding: report.ndjson(), as: UTF8.self)
    }
    return text
  }
}
