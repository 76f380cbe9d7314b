import Mapping
import Quotes
import Terminal
import Testing

@testable import MarketData
@testable import Views

/// The table of one exchange: its order, its columns, its lines of JSON, and what a narrow terminal leaves of it.
@Suite struct TickerTableReportTests {
  private static func row(
    _ asset: String, _ payment: String, _ price: Decimal, _ change: Decimal, _ turnover: Decimal,
    since basis: ChangeBasis = .utcDay, flags: [Flag] = []
  ) -> Ticker {
    var ticker = Ticker(
      exchange: "Alpha", market: .spot, symbol: asset + payment, pair: Pair(asset: asset, payment: payment),
      price: .value(price), changePricePercent24: .value(change), turnover24: .value(turnover), timeMissing: .notOffered
    )
    ticker.changeBasis = basis
    ticker.flags = flags
    return ticker
  }

  private static func report(
    _ order: RowSelection<ListSort> = RowSelection(), columns: [SnapshotColumn]? = nil, failures: [AnswerFailure] = []
  ) -> TickerTableReport {
    let rows = [
      row("ETH", "KRW", 4_477_000, -1, 130_000_000_000),
      row("BTC", "KRW", 134_512_000, 2, 191_000_000_000),
      row("BTC", "USDT", 91_542, 1, 2_000_000, flags: [Flag(.range, .repeatedMember)]),
      row("XRP", "KRW", 3165, -2, 61_000_000_000),
      row("ETH", "USDT", 3046, -3, 1_000_000, since: .rolling24h),
    ]
    let report = ExchangeReport("Alpha", rows, of: nil, failures: failures)
    return TickerTableReport(exchange: "Alpha", reports: [report], order: order, columns: columns)
  }

  private static func pairs(_ report: TickerTableReport) -> [String] {
    report.text(on: Page(palette: .plain, width: nil)).split(separator: "\n").dropFirst()
      .compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0.contains("/") && !$0.hasSuffix(":") }
  }

  /// Rows are sorted within what can be compared: prices and turnovers by payment currency, changes by span. Behind them is
  /// a row whose change or turnover enters no headline.
  @Test(
    arguments: [
      (nil, false, nil, ["ETH/KRW", "BTC/KRW", "BTC/USDT", "XRP/KRW", "ETH/USDT"]),
      (nil, false, 2, ["ETH/KRW", "BTC/KRW"]),
      (.pair, false, nil, ["BTC/KRW", "BTC/USDT", "ETH/KRW", "ETH/USDT", "XRP/KRW"]),
      (.price, false, nil, ["BTC/KRW", "ETH/KRW", "XRP/KRW", "BTC/USDT", "ETH/USDT"]),
      (.turnover, true, 4, ["XRP/KRW", "ETH/KRW", "BTC/KRW", "ETH/USDT"]),
      (.change, false, nil, ["ETH/USDT", "BTC/KRW", "ETH/KRW", "XRP/KRW", "BTC/USDT"]),
    ] as [(ListSort?, Bool, Int?, [String])])
  func order(_ sort: ListSort?, _ isReversed: Bool, _ top: Int?, _ pairs: [String]) {
    let order = RowSelection(key: sort, isReversed: isReversed, top: top)
    #expect(Self.pairs(Self.report(order)) == pairs)
  }

  /// The requested columns, in text and CSV, and how many rows are not shown.
  @Test func chosenColumns() {
    let report = Self.report(.init(key: .turnover, top: 4), columns: [.symbol, .turnover, .since, .objection])
    #expect(
      report.text(on: Page(palette: .plain, width: nil)) == """
        symbol   turnover 24h  since    objection
        BTCKRW           191B  UTC day
        ETHKRW           130B  UTC day
        XRPKRW          61.0B  UTC day
        ETHUSDT         1.00M
        1 more row
        sorted by turnover, each payment currency separately

        """)
    #expect(
      String(decoding: report.csv(), as: UTF8.self).replacing("\r\n", with: "\n") == """
        symbol,turnover24,changeBasis,excludedBecause
        BTCKRW,191000000000,utcDay,
        ETHKRW,130000000000,utcDay,
        XRPKRW,61000000000,utcDay,
        ETHUSDT,1000000,rolling24h,

        """)
  }

  /// Titles, spans, amounts and remarks are in the language of the page.
  @Test func korean() {
    let high = Flag(.range, .figure(.price, 110, .clearlyAbove, .high, 100))
    let rows = [
      Self.row("BTC", "KRW", 134_512_000, 2, 191_000_000_000),
      Self.row("ETH", "USDT", 3046, -3, 1_000_000, since: .rolling24h, flags: [high]),
      Self.row("XRP", "KRW", 3165, -2, 61_000_000_000),
    ]
    func text(_ columns: [SnapshotColumn]?) -> String {
      TickerTableReport(
        exchange: "Alpha", reports: [ExchangeReport("Alpha", rows, of: nil)], order: .init(top: 2), columns: columns
      ).text(on: Page(palette: .plain, width: nil, language: .korean))
    }
    let remarks = "ETH/USDT: 제외, range: 현재가 110, 고가 100보다 0.5% 넘게 높음\n외 1행\n"
    #expect(
      text(nil) == """
        종목      시장     현재가  24h %  기준      거래대금 24h   거래량 24h     매수호가     매도호가  경과  비고
        BTC/KRW   현물  134512000  +2.00  UTC 당일        1910억  not-offered  not-offered  not-offered     -
        ETH/USDT  현물       3046  -3.00                   100만  not-offered  not-offered  not-offered     -  range

        """ + remarks)
    #expect(
      text([.asset, .market, .turnover]) == """
        코인  시장  거래대금 24h
        BTC   현물        1910억
        ETH   현물         100만

        """ + remarks)
  }

  /// A line per row, as in the document, and one for what is missing.
  @Test func lines() {
    let report = Self.report(.init(key: .price, top: 1), failures: [AnswerFailure(.http(503))])
    let lines = String(decoding: report.ndjson(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix(#"{"type":"row","exchange":"Alpha","market":"spot","product":null,"symbol":"BTCKRW""#))
    #expect(lines[1].hasPrefix(#"{"type":"failure","exchange":"Alpha","market":"spot""#))
  }

  /// A change since midnight is not shown without what it is measured from, and no line is wider than the terminal.
  @Test(arguments: 24...120) func narrow(_ width: Int) {
    let lines = Self.report().text(on: Page(palette: .plain, width: width)).split(separator: "\n").map(String.init)
    #expect(lines.filter { TerminalText.width(of: $0) > width } == [])
    #expect(lines[0].contains("24h %") == lines[0].contains("since"))
    #expect(lines[0].contains("price") && lines.contains { $0.contains("134512000") })
  }

  /// The age of an old price outlasts the columns that usually outlast it: the remark about it is cut.
  @Test(
    arguments: [
      (
        60,
        [
          "pair         price  24h %  since    age  remarks",
          "BTC/KRW  134512000  +2.00  UTC day   3m  last trade 3m ago",
        ]
      ),
      (
        50,
        [
          "pair         price  24h %  since    age  remarks", "BTC/KRW  134512000  +2.00  UTC day   3m  last tra…",
        ]
      ),
    ])
  func oldPrice(_ width: Int, _ lines: [String]) {
    var old = Self.row("BTC", "KRW", 134_512_000, 2, 191_000_000_000)
    old.time = SampleResponses.now.advanced(by: .seconds(-180))
    old.arrival = SampleResponses.now
    old.timeBasis = .trade
    let report = ExchangeReport("Alpha", [old], of: nil)
    let text = TickerTableReport(exchange: "Alpha", reports: [report]).text(on: SampleResponses.page(width))
    #expect(text.split(separator: "\n").prefix(2).map(String.init) == lines)
  }

  /// A pair that the exchange lacks is told from one that it does not trade now, and from a failure, which is named
  /// elsewhere.
  @Test(
    arguments: [
      (.notListed, nil, "Alpha does not list BTC/USDT"),
      (.notListed, .spot, "Alpha does not list BTC/USDT on its spot market"),
      (.halted, nil, "Alpha has BTC/USDT, but does not trade it now"),
      (.halted, .spot, "Alpha has BTC/USDT on its spot market, but does not trade it now"),
      (.timeout, .spot, nil),
    ] as [(Missing, Market?, String?)])
  func absence(_ reason: Missing, _ market: Market?, _ sentence: String?) {
    let pair = SampleResponses.pair
    let report = ExchangeReport("Alpha", [], of: pair, failures: [AnswerFailure(reason)])
    #expect(TickerTableReport(exchange: "Alpha", reports: [report]).absence(of: pair, on: market) == sentence)
  }

  /// The codes among the remarks are explained below the table: a few rows of each.
  @Test func flagsAreExplained() {
    func row(_ asset: String, _ flags: [Flag]) -> Ticker {
      Ticker(
        exchange: "Alpha", market: .spot, symbol: asset, pair: Pair(asset: asset, payment: "KRW"), price: .value(1),
        time: SampleResponses.now, arrival: SampleResponses.now, flags: flags)
    }
    func report(_ market: Market, _ rows: [Ticker]) -> ExchangeReport {
      ExchangeReport("Alpha", rows, on: market, of: nil)
    }
    let rows =
      [row("BTC", [Flag(.range, .repeatedMember)])]
      + (1...5).map { row("A\($0)", [Flag(.offers, .repeatedPair)]) }
    func remarks(_ reports: [ExchangeReport]) -> [String] {
      TickerTableReport(exchange: "Alpha", reports: reports).text(on: SampleResponses.page(nil))
        .split(separator: "\n").dropFirst(1 + reports.reduce(0) { $0 + $1.table.rows.count }).map(String.init)
    }
    #expect(
      remarks([report(.spot, rows)]) == [
        "BTC/KRW: left out, range: a member of the row is repeated",
        "A1/KRW: left out, offers: the exchange sends this pair more than once",
        "A2/KRW: left out, offers: the exchange sends this pair more than once",
        "A3/KRW: left out, offers: the exchange sends this pair more than once", "2 more rows: offers",
      ])
    #expect(
      remarks([report(.spot, [rows[0]]), report(.futures, [])]) == [
        "BTC/KRW spot: left out, range: a member of the row is repeated"
      ])
    #expect(remarks([report(.spot, [row("BTC", [])])]) == [])
  }
}
