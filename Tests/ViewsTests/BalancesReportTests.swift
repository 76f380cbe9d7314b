import Mapping
import Quotes
import Testing

@testable import MarketData
@testable import Views

/// What programs read of accounts: each form says what is not in the sum.
@Suite struct BalancesReportTests {
  /// Two exchanges: one with a row that names no asset, and with an account of which a part failed.
  private static var report: BalancesReport {
    var upbit = BalanceReport(exchange: "Upbit")
    upbit.rows = [Balance(account: "spot", asset: "KRW", free: .value(7), locked: .value(0), total: .value(7))]
    upbit.incomplete = 1
    upbit.answered = 1
    var gate = BalanceReport(exchange: "Gate")
    gate.failures = [.init(account: "futures", part: "usdt", failure: TableFailure(.http(429), "too many requests"))]
    let now = Instant(nanoseconds: 0)
    let valuation = Valuation(in: "KRW", [], asked: [], rateOfDollar: nil, dollarTokens: [], at: now)
    return BalancesReport([upbit, gate], assets: [], in: "KRW", valuation, at: now)
  }

  /// What is there is never worth nothing.
  @Test(
    arguments: [
      ("0.4", "KRW", "<1"), ("0.5", "KRW", "1"), ("0", "KRW", "0"), ("-0.3", "JPY", ">-1"), ("0.004", "USD", "<0.01"),
      ("0.005", "USD", "0.01"), ("0", "USD", "0.00"), ("1234.5", "USD", "1234.50"),
      ("0.000000004", "BTC", "<0.00000001"),
      ("0.5", "BTC", "0.5"), ("1234.5", "USDT", "1234.50"),
    ])
  func money(_ value: String, _ currency: String, _ text: String) throws {
    #expect(BalancesReport.money(try #require(Decimal(value)), currency, .short) == text)
    #expect(BalancesReport.money(try #require(Decimal(value)), currency, .full) == Decimal(value)?.shortest)
  }

  @Test func jsonLines() {
    let row =
      #"{"type":"balance","exchange":"Upbit","account":"spot","asset":"KRW","free":"7","locked":"0","total":"7","#
      + #""value":"7","by":"itself","price":"1"}"#
    let failure =
      #"{"type":"failure","exchange":"Gate","account":"futures","part":"usdt","reason":"http-429","#
      + #""message":"too many requests","advice":"wait a few minutes and try again"}"#
    let lines = [
      row, #"{"type":"exchange","exchange":"Upbit","withoutAsset":1}"#,
      #"{"type":"exchange","exchange":"Gate","withoutAsset":0}"#, failure,
    ]
    #expect(String(decoding: Self.report.ndjson(), as: UTF8.self) == lines.map { $0 + "\n" }.joined())
  }

  @Test func banHasAnEnd() {
    var gate = BalanceReport(exchange: "Gate")
    let ban = TableFailure(.http(418), "banned").pausing(.seconds(240), from: Instant(nanoseconds: 0))
    gate.failures = [.init(account: "spot", part: "", failure: ban)]
    let report = BalancesReport([gate], assets: [], in: nil, nil, at: Instant(nanoseconds: 0))
    #expect(
      report.notes == ["Gate spot: http-418: banned, until 00:04 UTC; wait a few minutes and try again"])
  }

  @Test func line() {
    #expect(Self.report.line == "7 KRW  1 row without an asset  1 account without an answer\n")
  }
}
