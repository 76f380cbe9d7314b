import TestSupport
import Testing

@testable import Shell

/// The answer about one pair beside the table of all pairs.
struct AddExchangeOneTickerTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  private static let table = """
    [{"s":"BTC_KRW","last":"103","high":"104","low":"99","change24h":"3"},
    {"s":"ETH_KRW","last":"49","high":"51","low":"48","change24h":"-2"},
    {"s":"XRP_KRW","last":"10.5","high":"10.6","low":"9.9","change24h":"5"},
    {"s":"SOL_KRW","last":"19","high":"20.4","low":"18.8","change24h":"-5"},
    {"s":"ADA_KRW","last":"4.1","high":"4.2","low":"3.9","change24h":"2.5"}]
    """

  private func add(one: String, _ words: [String] = []) async throws -> AddingWorld.Outcome {
    let file = try world.save(one, as: "one.json")
    return try await world.add(
      Self.table,
      [
        "--ticker", "/one?s={asset}_{payment}", "--from-sample", "ticker=\(file)", "--symbol", "BTC/KRW",
      ] + words)
  }

  /// A change in another unit is no move between the two answers; one that follows the price is.
  @Test(
    arguments: [
      ("103", "0.03", "changePricePercent24 is 0.03 here and 3 in the table of all pairs"),
      ("103.2", "0.032", "changePricePercent24 is 0.032 here and 3 in the table of all pairs"),
      ("103", "3.1", nil), ("102.4", "2.4", nil), ("103", "2.1", nil),
    ] as [(String, String, String?)])
  func aChangeInAnotherUnitIsRefused(_ price: String, _ change: String, _ problem: String?) async throws {
    let done = try await add(
      one: #"{"s":"BTC_KRW","last":"\#(price)","high":"104","low":"99","change24h":"\#(change)"}"#)
    #expect((done.code == .answer) == (problem == nil), "\(done.everything)")
    guard let problem else { return }
    #expect(
      done.errorOutput.hasSuffix(
        "error: the answer about one pair is not that of the table: \(problem); give another --ticker, or none, or say "
          + "how its fields differ with --set markets.MARKET.ticker.fields.FIELD=…\n"), "\(done.errorOutput)")
    let cured = try await add(
      one: #"{"s":"BTC_KRW","last":"\#(price)","high":"104","low":"99","change24h":"\#(change)"}"#,
      [
        "--set",
        "markets.spot.ticker.fields.changePricePercent24="
          + #"{"path":"$.change24h","scale":100,"basis":"rolling24h"}"#,
      ])
    #expect(cured.code == .answer, "\(cured.everything)")
  }

  /// What the answer calls by other names is read there, if it proves where that is.
  @Test(
    arguments: [
      (#"{"s":"BTC_KRW","lastPrice":"103","highPrice":"104","lowPrice":"99","change24h":"3"}"#, #""rows": "$""#),
      (#"[{"s":"BTC_KRW","lastPrice":"103","highPrice":"104","lowPrice":"99","change24h":"3"}]"#, ""),
    ])
  func otherNamesAreFound(_ one: String, _ rows: String) async throws {
    let done = try await add(one: one)
    #expect(done.code == .answer, "\(done.everything)")
    let fields = #""fields": { "price": "$.lastPrice", "high": "$.highPrice", "low": "$.lowPrice" } }"#
    let request = #""ticker": { "request": { "path": "/one", "query": { "s": "{asset}_{payment}" } }, "#
    let text = try world.written()
    #expect(text.contains(request + (rows.isEmpty ? "" : rows + ", ") + fields), "\(text)")
    #expect(done.output.contains("1 of 1 row passes the meaning checks\n"))
  }

  /// A row without any value passes no check, and an answer without a price is none of a table that has one.
  @Test(arguments: [
    (#"{"s":"BTC_KRW","x":"a"}"#, "0 of 1 row pass"), (#"{"s":"BTC_KRW","high":"104"}"#, "1 of 1 row passes"),
  ])
  func anUnreadPriceIsRefused(_ one: String, _ verdict: String) async throws {
    let done = try await add(one: "[\(one)]")
    #expect(done.code == .noAnswer && !world.folder.names.contains("exchanges.json"), "\(done.everything)")
    #expect(done.output.contains("\n\(verdict) the meaning checks\n"), "\(done.output)")
    #expect(
      done.errorOutput.hasSuffix(
        "market: cannot read the answer about one pair: its price is path-miss; say where its fields are with --set "
          + "markets.spot.ticker.fields.price=PATH, and so for each that differs, or how the row is found with --set "
          + "markets.spot.ticker.rows=…\n"), "\(done.errorOutput)")
  }

  /// An address that names only the payment currency is about one pair, whatever stands there.
  @Test func anAddressOfOneAssetCoversOnePair() async throws {
    let done = try await world.add(
      from: "https://api.newex.example/data/eur/ticker", ["--symbol", "BTC/EUR"],
      answer: #"{"last":"91000","high":"92000","low":"90000","bid":"90990","ask":"91010"}"#)
    #expect(done.code == .answer, "\(done.everything)")
    let text = try world.written()
    #expect(text.contains(#""path": "/data/eur/ticker""#), "\(text)")
    #expect(text.contains(#""symbol": { "asset": "BTC", "payment": "EUR" }"#), "\(text)")
  }

  /// A change of the day says nothing of the range beside it, unless that is said to be of the day as well.
  @Test(arguments: [("utcDay", [], true), ("rolling24h", [], false), ("utcDay", ["high", "low"], false)])
  func theRangeMayBeOfTheDayToo(_ basis: String, _ fields: [String], _ isNoted: Bool) async throws {
    let done = try await world.add(
      Self.table,
      (["changePricePercent24"] + fields).flatMap { ["--set", "fields.\($0).basis=\(basis)"] } + ["--dry-run"])
    #expect(
      done.errorOutput.contains(
        "high and low are taken for those of the last 24 hours; if they are of the day that the change is of, add --set "
          + "fields.high.basis=utcDay --set fields.low.basis=utcDay\n") == isNoted, "\(done.everything)")
  }
}
