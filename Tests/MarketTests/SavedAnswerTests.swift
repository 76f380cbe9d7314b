import Files
import JSON
import TestSupport
import Testing

/// What `--response` reports about a file.
@Suite(.waitsForPrograms) struct SavedAnswerTests {
  /// A file has no arrival time, so its rows have no age; the empty cell says so.
  @Test func unknownAgeHasItsReason() throws {
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

  private static func run(
    _ words: [String], _ answers: [String: String], format: String = "csv"
  ) throws -> Subprocess {
    let folder = try TemporaryFolder()
    try FileSystem.writeAtomically(Array(pairConfig.utf8), to: folder.path + "/c.json")
    for (name, text) in answers { try FileSystem.writeAtomically(Array(text.utf8), to: folder.path + "/" + name) }
    let files = words.map { $0.hasSuffix(".json") ? $0.replacing("@", with: folder.path + "/") : $0 }
    return try Subprocess(market: files + ["-f", format, "-c", folder.path + "/c.json"])
  }

  @Test func savedBookIsReadWithItsLookup() throws {
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

  /// A book that is longer than what was requested is counted, and measured, with all its levels.
  @Test func bookKeepsEveryLevel() throws {
    let sides = [("b", 1000, -1), ("a", 1001, 1)].map { name, best, step in
      #""\#(name)": [\#((0..<150).map { "[\(best + step * $0), 1]" }.joined(separator: ", "))]"#
    }
    let answers = ["b.json": "{\(sides.joined(separator: ", "))}", "l.json": #"[{"s": "A-B", "size": "1"}]"#]
    let words = [
      "orderbook", "A", "B", "-e", "Alpha", "--depth", "2", "-r", "@b.json", "--response", "contracts=@l.json",
    ]
    let run = try Self.run(words, answers, format: "text")
    #expect(run.code == 0, "\(run.errorOutput)")
    #expect(run.output.contains("2 + 2 of 150 + 150 levels"), "\(run.output)")
  }

  /// The cell says how to provide the missing response.
  @Test func bookWithoutLookupSaysHowToProvideIt() throws {
    let run = try Self.run(
      ["orderbook", "A", "B", "-e", "Alpha", "-r", "@b.json"], ["b.json": #"{"b": [[10, 3]], "a": [[11, 2]]}"#])
    #expect(run.code == 1)
    #expect(run.errorOutput.contains("lookup-failed"))
  }

  /// An order book whose contracts are looked up by the exchange's own name of the pair, which no row contains.
  @Test(
    arguments: [
      (
        "orderbook BTC USDT --depth 1 --explain", ["BTC-USDT-SWAP"],
        ["size                 2.05  <- first of: product: row $[1] = 205; linear $.ctVal = 0.01"]
      ),
      ("orderbook BTC USD --depth 1 --explain", ["BTC-USD-SWAP"], ["first of: quotient"]),
    ] as [(String, [String], [String])])
  func nameIsFoundInTableOfAllPairs(_ words: String, _ symbols: [String], _ parts: [String]) throws {
    let folder = try TemporaryFolder()
    for (name, text) in Self.okx(symbols[0]) {
      try FileSystem.writeAtomically(Array(text.utf8), to: "\(folder.path)/\(name)")
    }
    func run(_ files: [String]) throws -> Subprocess {
      try Subprocess(
        market: words.split(separator: " ").map(String.init) + ["-e", "okx", "-m", "futures"]
          + files.flatMap { ["--response", $0.replacing("@", with: folder.path + "/")] }
          + ["-c", Checkout.path("exchanges.json")])
    }
    let lookups = ["@book.json", "linear=@contracts.json", "inverse=@contracts.json"]
    let whole = try run(lookups + ["tickers=@tickers.json"])
    #expect(whole.code == 0, "\(whole.errorOutput)")
    for part in parts { #expect(whole.output.contains(part), "\(whole.output)") }
    let partial = try run(lookups)
    #expect(partial.code == 1)
    #expect(
      partial.errorOutput
        == "market: Okx futures: lookup-miss (the unit of the sizes is unknown; give the table of all pairs, which "
        + "names the pair, with --response tickers=FILE)\n")
    let other = try run(["@book.json", "tickers=@none.json"])
    #expect(other.code == 1)
    #expect(other.output.contains("not-listed"), "\(other.output)")
  }

  /// Okx's responses in the documented shape.
  private static func okx(_ symbol: String) -> [String: String] {
    let isInverse = symbol == "BTC-USD-SWAP"
    return [
      "book.json":
        #"{"code":"0","data":[{"bids":[["91585.2","205","0","3"]],"asks":[["91585.3","213","0","2"]],"ts":"1794978727177","seqId":9}]}"#,
      "contracts.json":
        #"{"code":"0","data":[{"instId":"\#(symbol)","ctType":"\#(isInverse ? "inverse" : "linear")","ctVal":"\#(isInverse ? "100" : "0.01")"}]}"#,
      "tickers.json":
        #"{"code":"0","data":[{"instId":"ETH-\#(symbol.dropFirst(4))","last":"1"},{"instId":"\#(symbol)","last":"1"}]}"#,
      "none.json": #"{"code":"0","data":[{"instId":"ETH-USDT-SWAP","last":"1"}]}"#,
    ]
  }

  @Test func savedTradesAndCandlesAreTheNewestInTheFile() throws {
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
    // Nothing else in the file says how old they are.
    let text = try Self.run(
      ["candles", "A", "B", "-e", "Alpha", "-i", "5m", "-r", "@k.json"], answers, format: "text")
    #expect(text.output.contains("the newest candle ended ") && text.output.contains(" ago\n"), "\(text.output)")
  }

  @Test func savedResponseNeedsAnExchange() throws {
    let run = try Self.run(["trades", "A", "B", "-r", "@t.json"], ["t.json": "[]"])
    #expect(run.code == 2)
    #expect(run.errorOutput.contains("'--response' is the answer of one exchange; name it with --exchange"))
  }
}
