import JSON
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

@Suite struct OrderBookReportTests {
  @Test func one() {
    let report = OrderBookReport(
      [SampleResponses.binance], depth: 9, identity: .standard, at: SampleResponses.now, zone: .seoul)
    Golden.expect(report.forms(widths: [80, 60, 40]), matches: "orderbook-one.txt")
    #expect(!report.isEmpty)
  }

  /// Two side by side at 160 columns, one below the other at 80; an order of a given size, and what remains of it.
  @Test func two() {
    let order = OrderBookReport.Order(
      size: Decimal(1).scaledByPowerOfTen(-1), takerFees: [Decimal("0.1"), Decimal("0.3")])
    let report = OrderBookReport(
      [SampleResponses.binance, SampleResponses.indodax], depth: 4, order: order, identity: .standard,
      at: SampleResponses.now, zone: .utc)
    Golden.expect(report.forms(widths: [160, 80]), matches: "orderbook-two.txt")
  }

  /// A side that has something is never nothing, and the other not all.
  @Test(arguments: [
    ("50", "50.0 : 50.0"), ("99.9900009999", "99.9 : 0.1"), ("0.0001", "0.1 : 99.9"), ("99.94", "99.9 : 0.1"),
    ("99.95", "99.9 : 0.1"), ("0.05", "0.1 : 99.9"), ("100", "100.0 : 0.0"), ("0", "0.0 : 100.0"),
    ("33.35", "33.4 : 66.6"),
  ])
  func shares(_ share: String, _ text: String) throws {
    #expect(OrderBookReport.ratio(try #require(Decimal(share))) == text)
  }

  /// If one direction exceeds a book, the report says so instead of showing a figure.
  @Test func insufficientDepthInOneDirection() {
    let report = OrderBookReport(
      [SampleResponses.binance, SampleResponses.indodax], depth: 4,
      order: .init(size: Decimal(2).scaledByPowerOfTen(-1), takerFees: [Decimal("0.1"), nil]), identity: .standard,
      at: SampleResponses.now,
      zone: .utc)
    let lines = report.text(on: SampleResponses.page(160)).split(separator: "\n").suffix(2)
    #expect(
      lines == [
        "  buy Binance, sell Indodax: +0.044 % before fees, - after fees  (Binance 0.1 %, Indodax not known; "
          + "transfers: not known)",
        "  buy Indodax, sell Binance: -  a book ends before the whole order",
      ])
  }

  /// A stale book, and one of another coin or of a thousand units, are never the best: each says why.
  @Test func excludedBooksHaveReasons() {
    let order = OrderBookReport.Order(size: Decimal(1).scaledByPowerOfTen(-1), takerFees: [])
    let answers = [
      SampleResponses.binance, SampleResponses.dayOld, SampleResponses.thousandfold, SampleResponses.indodax,
    ]
    let report = OrderBookReport(
      answers, depth: 1, order: order, identity: .standard, at: SampleResponses.now, zone: .utc)
    Golden.expect(report.forms(widths: [160, 80]), matches: "orderbook-left-out.txt")
  }

  /// With two books, the odd one cannot be identified: there is no round trip, and both say why.
  @Test(arguments: [Language.english, .korean]) func noRoundTripBetweenTwoCoins(_ language: Language) {
    let order = OrderBookReport.Order(size: Decimal(1).scaledByPowerOfTen(-1), takerFees: [])
    func lines(_ identity: IdentityCheck) -> [String] {
      let report = OrderBookReport(
        [SampleResponses.binance, SampleResponses.thousandfold], depth: 1, order: order, identity: identity,
        at: SampleResponses.now, zone: .utc)
      return report.orderLines(order, on: Page(palette: .plain, width: nil, language: language)).map(\.plainText)
    }
    #expect(
      lines(.standard).suffix(3) == [
        language(
          "  Binance: left out, identity: price 91542.35 is about 0.001 times Bitso's 91541500: a multiplier or another coin",
          "  Binance: 제외, identity: 현재가 91542.35, Bitso 91541500의 약 0.001배: 단위가 다르거나 다른 코인"),
        language(
          "  Bitso: left out, identity: price 91541500 is about 1000 times Binance's 91542.35: a multiplier or another coin",
          "  Bitso: 제외, identity: 현재가 91541500, Binance 91542.35의 약 1000배: 단위가 다르거나 다른 코인"),
        language("  no two books can be compared", "  비교할 수 있는 두 호가창 없음"),
      ])
  }

  /// Where not all lines about an order fit, those that do are kept, the most useful first: the best trip, the fills it
  /// consists of, its terms, the others, the way back.
  @Test(
    arguments: [
      (15, nil), (14, Array(0...9)), (10, Array(0...9)), (9, Array(0...7)), (8, Array(0...7)),
      (7, [0, 1, 2, 4, 5, 6, 7]), (6, [0, 1, 4, 5, 6, 7]), (5, [0, 1, 4, 5, 6]), (4, [0, 1, 5, 6]), (3, [0, 5, 6]),
      (2, [0, 1]), (1, [0]),
    ] as [(Int, [Int]?)])
  func orderOnFewLines(_ most: Int, _ places: [Int]?) {
    let lines = """
      order of 0.1 BTC
        buy Binance  average 91542.4  slippage 0 %  1 level
          9154.24 USDT
        sell Binance  average 91542.3  slippage 0 %  1 level
          9154.23 USDT
        buy Indodax  average 91613.419  slippage 0.002 %  2 levels
          9161.3419 USDT
        sell Indodax  average 91584.72  slippage 0.002 %  3 levels
          9158.472 USDT
        buy Binance, sell Indodax: +0.046 % before fees, -0.51 %
        after fees
          (Binance 0.26 %, Indodax 0.3 %; transfers: not known)
        buy Indodax, sell Binance: -0.078 % before fees, -0.64 %
        after fees
          (Indodax 0.3 %, Binance 0.26 %; transfers: not known)
      """.split(separator: "\n").map(String.init)
    let order = OrderBookReport.Order(
      size: Decimal(1).scaledByPowerOfTen(-1), takerFees: [Decimal("0.26"), Decimal("0.3")])
    let report = OrderBookReport(
      [SampleResponses.binance, SampleResponses.indodax], depth: 1, order: order, identity: .standard,
      at: SampleResponses.now, zone: .utc)
    let shown = report.orderLines(order, on: Page(palette: .plain, width: 60), upTo: most).map(\.plainText)
    // Without the amounts, which are the first to go.
    let brief = lines.filter { !($0.hasPrefix("    ") && $0.hasSuffix(" USDT")) }
    #expect(shown == places.map { $0.map { brief[$0] } } ?? lines)
  }

  /// A fill from a book that is left out says so, even if there is no line for the reason.
  @Test func leftOutOnFewLines() {
    let order = OrderBookReport.Order(size: Decimal(1).scaledByPowerOfTen(-1), takerFees: [])
    let report = OrderBookReport(
      [SampleResponses.binance, SampleResponses.thousandfold], depth: 1, order: order, identity: .standard,
      at: SampleResponses.now,
      zone: .utc)
    let lines = report.orderLines(order, on: Page(palette: .plain, width: 60), upTo: 5).map(\.plainText)
    #expect(lines[1] == "  buy Binance  average 91542.4  identity  slippage 0 %")
    #expect(lines.count == 5 && lines.dropFirst().allSatisfy { $0.contains("  identity") })
  }

  /// The reason is shown in place of what an exchange lacks; unknown fees are labelled as such.
  @Test func failures() {
    let answers = [
      SampleResponses.binance, SampleResponses.failed("Bitvavo", .http(451), "not available in your location"),
      SampleResponses.oneSided, SampleResponses.failed("Luno", .notListed),
    ]
    let report = OrderBookReport(
      answers, depth: 2, step: Decimal("0.5"), order: .init(size: 5, takerFees: []), identity: .standard,
      at: SampleResponses.now, zone: .utc
    )
    Golden.expect(report.forms(widths: [160, 80]), matches: "orderbook-failures.txt")
    #expect(answers.failureLines(isVerbose: false) == ["Bitvavo spot: http-451 (not available in your location)"])
  }

  /// The status of an exchange without an answer tells what it lacks from what has failed.
  @Test(
    arguments: [
      (.notListed, "not-listed"), (.halted, "halted"), (.notOffered, "not-offered"), (.timeout, "failed"),
    ] as [(Missing, String)])
  func statusWithoutAnswer(_ reason: Missing, _ status: String) throws {
    let books = OrderBookReport(
      [SampleResponses.failed("Luno", reason)], depth: 2, step: nil, order: nil, identity: .standard,
      at: SampleResponses.now, zone: .utc)
    let trades = TradesReport([SampleResponses.failed("Luno", reason)], at: SampleResponses.now, zone: .utc)
    for json in [books.json(), trades.json()] {
      let venues = try JSONDocument(parsing: json).root["venues"]?.elements
      #expect(venues?.map { $0["status"]?.string } == [status])
    }
  }

  /// A side without levels is called that.
  @Test(arguments: [(Language.english, "  no asks  bid 91000"), (.korean, "  매도 호가 없음  최우선 매수 91000")])
  func oneSidedBook(_ language: Language, _ line: String) throws {
    let book = try #require(SampleResponses.oneSided.value)
    let drawing = OrderBookDrawing(
      SampleResponses.oneSided, book, step: nil, at: SampleResponses.now, zone: .utc,
      on: Page(palette: .plain, width: 80, language: language))
    let lines = OrderBookDrawing.beside([drawing], 80)[0]?.lines ?? []
    #expect(lines.contains { $0.painted(with: .plain) == line })
  }

  /// Nothing is wider than the page as long as its figures fit.
  @Test func widths() {
    let report = OrderBookReport(
      [SampleResponses.binance, SampleResponses.indodax], depth: 9, identity: .standard, at: SampleResponses.now,
      zone: .utc)
    for width in 62...200 {
      let lines = report.text(on: SampleResponses.page(width)).split(separator: "\n").dropFirst(2)
      #expect(lines.allSatisfy { TerminalText.width(of: String($0)) <= width }, "\(width)")
    }
  }

  /// No width traps, and a page without colours has no escape sequence.
  @Test func everyWidth() {
    let order = OrderBookReport.Order(size: 5, takerFees: [nil, Decimal("0.1")])
    let answers = [SampleResponses.binance, SampleResponses.oneSided, SampleResponses.failed("Luno", .timeout)]
    let report = OrderBookReport(
      answers, depth: 3, order: order, identity: .standard, at: SampleResponses.now, zone: .utc)
    for width in Array(1...60) + [120, 200] {
      #expect(!report.text(on: SampleResponses.page(width)).contains("\u{1B}"))
    }
  }

  @Test(
    arguments: [
      ("0.000109", "0.0001"), ("0.0273", "0.027"), ("0.000546", "0.0005"), ("0.00197", "0.002"), ("1.2345", "1.23"),
      ("0", "0"), ("12", "12"),
    ])
  func smallPercents(_ value: String, _ text: String) throws {
    #expect(try #require(Decimal(value)).finePercentText == text)
  }
}
