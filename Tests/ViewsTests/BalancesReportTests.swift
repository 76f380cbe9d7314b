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
    let valuation = Valuation(in: "KRW", [], rateOfDollar: nil, dollarTokens: [], at: now)
    return BalancesReport([upbit, gate], assets: [], in: "KRW", valuation, at: now)
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

  @Test func line() {
    #expect(Self.report.line == "7 KRW  1 row without an asset  1 account without an answer\n")
  }
}
