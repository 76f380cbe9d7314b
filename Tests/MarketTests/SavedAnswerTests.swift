import Files
import JSON
import Testing

/// What `market tickers --response` says of a file.
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
}
