import Files
import JSON
import Testing

/// What `--response` says of a file.
@Suite struct SavedAnswerTests {
  /// A file does not say when it arrived, so its rows have no age; the empty cell says so.
  @Test func anAgeThatNobodyKnowsHasItsReason() throws {
    let folder = try TemporaryFolder()
    let config = """
      {"version": 1, "exchanges": {"Alpha": {"baseUrls": ["https://alpha.example"], "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"},
        "fields": {"price": "$.p", "time": {"path": "$.t", "unit": "ms"}},
        "markets": {"spot": {"tickers": {"request": {"path": "/all"}}}}}}}
      """
    let answer = #"[{"s": "A-B", "p": 1, "t": 1763442727000}, {"s": "C-B", "p": 1, "t": null}]"#
    try FileSystem.writeAtomically(Array(config.utf8), to: folder.path + "/c.json")
    try FileSystem.writeAtomically(Array(answer.utf8), to: folder.path + "/a.json")
    let run = try Subprocess(
      market: ["tickers", "Alpha", "-f", "json", "-c", folder.path + "/c.json", "-r", folder.path + "/a.json"])
    #expect(run.code == 0)
    let rows = try #require(try JSONDocument(parsing: Array(run.output.utf8)).root["rows"])
    #expect(rows.elements.map { $0["ageSeconds"]?.isNull } == [true, true])
    #expect(rows.elements.map { $0["reasons"]?["ageSeconds"]?.string } == ["arrival-unknown", "json-null"])
  }

  private static let pairConfig = """
    {"version": 1, "exchanges": {"Alpha": {"baseUrls": ["https://alpha.example"], "rows": "$[*]",
      "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
      "lookups": {"contracts": {
        "request": {"path": "/contracts"}, "rows": "$[*]", "key": "$.s", "match": {"first": ["$.s", "{asset}-{payment}"]}}},
      "orderbook": {"request": {"path": "/book"}, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]",
        "size": {"product": ["$[1]", {"from": "contracts", "path": "$.size"}]}},
      "trades": {"request": {"path": "/trades"}, "rows": "$[*]",
        "fields": {"price": "$.p", "size": "$.q", "time": {"path": "$.t", "unit": "ms"}}},
      "candles": {"request": {"path": "/candles", "query": {"i": "{interval}"}}, "intervals": {"5m": 5}, "rows": "$[*]",
        "fields": {"time": {"path": "$[0]", "unit": "s"}, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]"}},
      "markets": {"spot": {"tickers": {"request": {"path": "/all"}}}}}}}
    """

  private static func run(_ words: [String], _ answers: [String: String]) throws -> Subprocess {
    let folder = try TemporaryFolder()
    try FileSystem.writeAtomically(Array(pairConfig.utf8), to: folder.path + "/c.json")
    for (name, text) in answers { try FileSystem.writeAtomically(Array(text.utf8), to: folder.path + "/" + name) }
    let files = words.map { $0.hasSuffix(".json") ? $0.replacing("@", with: folder.path + "/") : $0 }
    return try Subprocess(market: files + ["-f", "csv", "-c", folder.path + "/c.json"])
  }

  @Test func aBookOfAFileIsReadWithItsLookup() throws {
    let answers = ["b.json": #"{"b": [[10, 3]], "a": [[11, 2]]}"#, "l.json": #"[{"s": "A-B", "size": "0.5"}]"#]
    let run = try Self.run(
      ["orderbook", "A", "B", "-e", "Alpha", "-r", "@b.json", "--response", "contracts=@l.json"], answers)
    #expect(run.code == 0, "\(run.errorOutput)")
    #expect(
      run.output.split(whereSeparator: \.isNewline).dropFirst().map {
        $0.split(separator: ",").prefix(7).joined(separator: " ")
      } == [
        "Alpha spot A/B bid 1 10 1.5", "Alpha spot A/B ask 1 11 1.0",
      ])
  }

  /// The cell says how the missing answer is given.
  @Test func aBookWithoutItsLookupSaysHowToGiveIt() throws {
    let run = try Self.run(
      ["orderbook", "A", "B", "-e", "Alpha", "-r", "@b.json"], ["b.json": #"{"b": [[10, 3]], "a": [[11, 2]]}"#])
    #expect(run.code == 1)
    #expect(run.errorOutput.contains("lookup-failed"))
  }

  @Test func tradesAndCandlesOfAFileAreTheNewestThatItHolds() throws {
    let answers = [
      "t.json": #"[{"p": 2, "q": 1, "t": 1709220601500}, {"p": 1, "q": 4, "t": 1709220600250}]"#,
      "k.json": "[[1709220600, 1, 3, 1, 2], [1709220900, 2, 4, 2, 3], [1709221200, 3, 5, 3, 4]]",
    ]
    let trades = try Self.run(["trades", "A", "B", "-e", "Alpha", "-n", "1", "-r", "@t.json"], answers)
    #expect(trades.code == 0, "\(trades.errorOutput)")
    #expect(trades.output.split(whereSeparator: \.isNewline).dropFirst().count == 1)
    #expect(trades.output.contains("2024-02-29T15:30:01.5Z,2,1"))
    let candles = try Self.run(["candles", "A", "B", "-e", "Alpha", "-i", "10m", "-n", "2", "-r", "@k.json"], answers)
    #expect(candles.code == 0, "\(candles.errorOutput)")
    #expect(candles.output.contains("2024-02-29T15:30:00Z,1,4,1,3"))
  }

  @Test func aFileIsOfOneExchange() throws {
    let run = try Self.run(["trades", "A", "B", "-r", "@t.json"], ["t.json": "[]"])
    #expect(run.code == 2)
    #expect(run.errorOutput.contains("'--response' is the answer of one exchange; name it with --exchange"))
  }
}
