import Mapping
import Quotes
import Terminal
import Testing

@testable import MarketData
@testable import Views

/// What programs read of accounts: each form says what is not in the sum.
@Suite struct BalancesReportTests {
  /// Two exchanges: one with rows that name no asset or belong to no account, and one with an account of which a part
  /// failed.
  private static var report: BalancesReport {
    var upbit = BalanceReport(exchange: "Upbit")
    upbit.rows = [Balance(account: "spot", asset: "KRW", free: .value(7), locked: .value(0), total: .value(7))]
    upbit.incomplete = 1
    upbit.unknownKinds = ["earn", "earn", "null"]
    upbit.answered = 1
    var gate = BalanceReport(exchange: "Gate")
    gate.failures = [.init(account: "futures", part: "usdt", failure: AnswerFailure(.http(429), "too many requests"))]
    let now = Instant(nanoseconds: 0)
    let valuation = Valuation(
      in: "KRW", [], asked: [], rateOfDollar: nil, dollarTokens: [], identity: .standard, at: now)
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
      row, #"{"type":"exchange","exchange":"Upbit","withoutAsset":1,"unknownKinds":["earn","null"]}"#,
      #"{"type":"exchange","exchange":"Gate","withoutAsset":0,"unknownKinds":[]}"#, failure,
    ]
    #expect(String(decoding: Self.report.ndjson(), as: UTF8.self) == lines.map { $0 + "\n" }.joined())
  }

  /// A total of an account of which a part failed is marked wherever it stands: there may be more.
  @Test func partialAccountIsMarked() {
    var binance = BalanceReport(exchange: "Binance")
    binance.rows = ["BTC", "ETH"].map {
      Balance(
        account: $0 == "BTC" ? "margin" : "spot", asset: $0, free: .value(2), locked: .value(0), total: .value(2))
    }
    binance.answered = 2
    binance.failures = [.init(account: "margin", part: "", failure: AnswerFailure(.http(403), "no"))]
    let now = Instant(nanoseconds: 0)
    let report = BalancesReport([binance], assets: [], in: nil, nil, at: now)
    #expect(
      report.text(on: Page(palette: .plain, width: nil)) == """
        exchange  account  asset  total  free  locked
        Binance   margin   BTC       *2     2       0
        Binance   spot     ETH        2     2       0
        * part of the account could not be read

        """)
    let rows = String(decoding: report.csv(), as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
    #expect(
      rows.map(String.init) == [
        "Binance,margin,BTC,2,0,2,,,,,total partial; value not-asked", "Binance,spot,ETH,2,0,2,,,,,value not-asked",
      ])
    let lines = String(decoding: report.ndjson(), as: UTF8.self).split(separator: "\n").prefix(2)
    #expect(
      lines.map(String.init) == [
        #"{"type":"balance","exchange":"Binance","account":"margin","asset":"BTC","partial":true,"free":"2","#
          + #""locked":"0","total":"2"}"#,
        #"{"type":"balance","exchange":"Binance","account":"spot","asset":"ETH","free":"2","locked":"0","total":"2"}"#,
      ])
    // Balances that are kept are whole.
    var earlier = binance
    earlier.failures = []
    var later = binance
    (later.rows, later.answered) = ([], 0)
    let kept = BalancesReport([later.keeping(earlier)], assets: [], in: nil, nil, at: now)
    #expect(!kept.isEmpty && kept.legend(.english) == nil)
  }

  /// Anyone can send a coin with a name of any length.
  @Test func longNamesAreShortened() throws {
    var upbit = BalanceReport(exchange: "Upbit")
    let name = String(repeating: "A", count: 5000)
    upbit.rows = [Balance(account: "spot", asset: name, free: .value(1), locked: .value(0), total: .value(1))]
    let now = Instant(nanoseconds: 0)
    let valuation = Valuation(
      in: "KRW", [], asked: ["Upbit"], rateOfDollar: nil, dollarTokens: [], identity: .standard, at: now)
    let report = BalancesReport([upbit], assets: [], in: "KRW", valuation, at: now)
    let excluded = try #require(report.excluded(.english)).plainText
    #expect(excluded.hasPrefix("not in it: 1 without a price (AAAA") && excluded.hasSuffix("…)"))
    #expect(excluded.count < 150)
  }

  @Test func banHasAnEnd() {
    var gate = BalanceReport(exchange: "Gate")
    let ban = AnswerFailure(.http(418), "banned").pausing(.seconds(240), from: Instant(nanoseconds: 0))
    gate.failures = [.init(account: "spot", part: "", failure: ban)]
    let report = BalancesReport([gate], assets: [], in: nil, nil, at: Instant(nanoseconds: 0))
    #expect(
      report.notes == ["Gate spot: http-418: banned, until 00:04 UTC; wait a few minutes and try again"])
  }

  @Test func line() {
    #expect(
      Self.report.line == "7 KRW  1 row without an asset  3 rows of an unknown kind  1 account without an answer\n")
  }

  /// What is in no account is missing from the sum, which says so.
  @Test func whatIsMissingIsNamed() {
    #expect(
      Self.report.excluded(.english)?.plainText
        == "not in it: 1 row without an asset (Upbit), 3 rows of an unknown kind (Upbit earn, Upbit null), "
        + "1 account without an answer (Gate futures)")
    #expect(
      Self.report.notes == [
        "Upbit: 1 row without an asset", "Upbit: 3 rows of an unknown kind: earn, null",
        "Gate futures usdt: http-429: too many requests; wait a few minutes and try again",
      ])
  }

  /// The commands that advice names find the config of the run, and an exchange whose name has a blank.
  @Test(
    arguments: [
      (.noSecret, "add a read-only key with: market keys add 'Alpha B' -c my.json"),
      (.noAnswer(.config), "run: market validate-config -c my.json"),
      (
        .http(401),
        "check the key with: market keys test 'Alpha B' -c my.json; add another with: market keys add 'Alpha B' -c my.json"
      ),
      (.exchangeError("EAPI:Rate limit exceeded"), "if it is about the key: market keys test 'Alpha B' -c my.json"),
      (
        .notSent(.nonceAhead),
        "start from the current time again with: market keys test 'Alpha B' -c my.json --forget-nonce"
      ),
      (.notSent(.noRequest), nil),
    ] as [(Missing, String?)])
  func adviceKeepsTheConfig(_ reason: Missing, _ advice: String?) {
    #expect(AccountAdvice.words(for: reason, of: "Alpha B", " -c my.json") == advice)
  }
}
