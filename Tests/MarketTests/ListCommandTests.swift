import TestSupport
import Testing

/// `market list` and `market search` as users see them, on the shipped recordings.
@Suite(.waitsForPrograms) struct ListCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The name of the golden file.
    let testDescription: String
    let words: [String]
    var environment: [String: String] = [:]
    var code: Int32 = 0
  }

  @Test(arguments: [
    Case(testDescription: "list-upbit.txt", words: ["list", "upbit"]),
    Case(testDescription: "list-bithumb-ko.txt", words: ["list", "빗썸", "--lang", "ko", "--no-rate"]),
    // Names come from elsewhere; rows without the figure come last.
    Case(testDescription: "list-kraken-change.txt", words: ["list", "kraken", "--sort", "change", "--no-trend"]),
    Case(testDescription: "list-all.txt", words: ["list", "--top", "15", "--no-trend"]),
    Case(testDescription: "list-filter.txt", words: ["list", "--filter", "krw ㅂㅌ|리플", "--sort", "pair"]),
    Case(testDescription: "list-futures.txt", words: ["list", "bybit", "-m", "futures", "--no-trend", "--no-rate"]),
    // Rows that are in no headline are sorted, too.
    Case(testDescription: "list-left-out.txt", words: ["list", "hyperliquid", "--no-rate"]),
    // Two contracts of one pair are told apart.
    Case(
      testDescription: "list-products.txt", words: ["list", "kraken", "-m", "futures", "--no-trend", "--no-rate"]),
    Case(testDescription: "list-upbit.csv", words: ["list", "upbit", "-f", "csv", "--sort", "name"]),
    Case(testDescription: "list-all.csv", words: ["list", "-f", "csv", "--sort", "premium", "--top", "5"]),
    Case(testDescription: "list-upbit.json", words: ["list", "upbit", "-f", "json", "--top", "2", "--reverse"]),
    Case(testDescription: "list-all.ndjson", words: ["list", "-e", "upbit,binance", "-f", "ndjson", "--top", "3"]),
    Case(testDescription: "list-no-market.txt", words: ["list", "upbit", "-m", "futures"], code: 2),
    Case(testDescription: "list-twice.txt", words: ["list", "upbit", "-e", "binance"], code: 2),
    Case(testDescription: "list-unknown-column.txt", words: ["list", "upbit", "--sort", "fit"], code: 2),
    // A single exchange has no premium, and no number of exchanges.
    Case(testDescription: "list-column-of-many.txt", words: ["list", "upbit", "--sort", "premium"], code: 2),
    Case(testDescription: "list-watch.txt", words: ["list", "upbit", "-w", "--once", "--screen", "80x24"]),
    Case(
      testDescription: "list-watch-all-ko.txt",
      words: ["list", "-w", "--once", "--screen", "160x30", "--sort", "premium", "--filter", "usdt", "--lang", "ko"]),
    Case(
      testDescription: "list-watch-futures.txt",
      words: ["list", "bybit", "-m", "futures", "-w", "--once", "--screen", "100x20", "--no-trend", "--reverse"]),
    // Without a screen it is the list.
    Case(testDescription: "list-upbit.txt", words: ["list", "upbit", "-w"]),
    Case(testDescription: "list-upbit.txt", words: ["list", "upbit", "--filter", " "]),
    Case(testDescription: "list-upbit.txt", words: ["list", "upbit", "-w", "--plain"]),
    Case(testDescription: "list-watch-top.txt", words: ["list", "upbit", "-w", "--top", "3"], code: 2),
    Case(testDescription: "list-watch-csv.txt", words: ["list", "upbit", "-w", "-f", "csv"], code: 2),
    Case(testDescription: "list-watch-no-market.txt", words: ["list", "upbit", "-w", "-m", "futures"], code: 2),
    Case(
      testDescription: "list-filter-broken.txt",
      words: ["list", "upbit", "-w", "--once", "--filter", "krw premum > 1"],
      code: 2),
    Case(testDescription: "list-once-alone.txt", words: ["list", "upbit", "--once"], code: 2),
    Case(testDescription: "search-korean.txt", words: ["search", "비트코인", "krw"]),
    Case(testDescription: "search-halfway.txt", words: ["search", "빝", "--top", "3", "--no-rate"]),
    Case(testDescription: "search-wrong-keyboard.txt", words: ["search", "qlxm", "--top", "2", "--no-rate"]),
    Case(testDescription: "search-sorted.txt", words: ["search", "doge|shib", "--sort", "turnover", "--no-rate"]),
    Case(testDescription: "search-nothing.txt", words: ["search", "ethereun", "--no-rate"], code: 1),
    Case(testDescription: "search-bundle.txt", words: ["search", "1000doge", "--no-rate"], code: 1),
    Case(testDescription: "search-blank.txt", words: ["search", " "], code: 2),
  ])
  func prints(_ sample: Case) throws {
    let run = try Subprocess(
      market: sample.words + [
        "--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json"),
      ], environment: sample.environment)
    #expect(run.code == sample.code)
    let text = run.output + (run.errorOutput.isEmpty ? "" : "--- stderr\n" + run.errorOutput)
    Golden.expect(
      text.replacing(Checkout.path("Tests/Cassettes"), with: "CASSETTES").replacing(
        Checkout.path("exchanges.json"), with: "CONFIG"), matches: sample.testDescription)
  }
}
