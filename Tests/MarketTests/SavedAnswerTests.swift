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

  /// A market with a request for one pair has no table that a file could be the answer of.
  @Test func marketWithoutTableSaysSo() throws {
    let folder = try TemporaryFolder()
    let config = """
      {"version": 1, "exchanges": {"Alpha": {"baseUrls": ["https://alpha.example"], "rows": "$",
        "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
        "markets": {"spot": {"ticker": {"request": {"path": "/{asset}-{payment}"}}}}}}}
      """
    try FileSystem.writeAtomically(Array(config.utf8), to: folder.path + "/c.json")
    try FileSystem.writeAtomically(Array(#"{"s": "BTC-USDT", "p": 1}"#.utf8), to: folder.path + "/a.json")
    let run = try Subprocess(
      market: ["tickers", "Alpha", "-c", folder.path + "/c.json", "-r", folder.path + "/a.json"])
    #expect(run.code == 1)
    #expect(run.output == "")
    #expect(
      run.errorOutput
        == "market: Alpha spot has no request for all pairs; ask for one with: market show BTC USDT -e Alpha\n")
  }

  /// A name before the file is that of a lookup.
  @Test func unknownLookupIsNamed() throws {
    let run = try Self.run(["trades", "A", "B", "-e", "Alpha", "-r", "foo=@b.json"], ["b.json": "[]"])
    #expect(run.code == 2)
    #expect(
      run.errorOutput == "error: unknown lookup 'foo' in '--response'; expected contracts or tickers\n"
        + "help: market trades --help\n")
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

  private static func candles(_ rows: [(minute: Int, open: Int, close: Int)]) -> String {
    let rows = rows.map { minute, open, close in
      "[\(1_709_218_800 + minute * 60), \(open), \(max(open, close)), \(min(open, close)), \(close)]"
    }
    return "[\(rows.joined(separator: ", "))]"
  }

  /// What built candles are made of is checked, and what they lack is named, as for candles that were requested. 2024-02-29
  /// 15:00 UTC is the first minute.
  @Test(
    arguments: [
      (
        "open and close are swapped", [candles((0..<8).map { ($0 * 5, 101 + $0, 100 + $0) })], "10m", "4",
        [
          "2024-02-29T15:00:00Z,101", "2024-02-29T15:10:00Z,103", "2024-02-29T15:20:00Z,105",
          "2024-02-29T15:30:00Z,107",
        ],
        "built from candles of 5m; candle-chain: candles close where the previous one opened, rather than open where it closed: "
          + "are open and close swapped?"
      ),
      (
        "the newest is half of one", [candles((0..<3).map { ($0 * 5, 100, 100) })], "10m", "2",
        ["2024-02-29T15:00:00Z,100", "2024-02-29T15:10:00Z,100"],
        "built from candles of 5m, of which 1 is missing: 1 from 2024-02-29 15:15 (UTC)"
      ),
      (
        "first parts are missing", [candles([5, 15, 25, 30, 35].map { ($0, 100, 100) })], "10m", "9",
        ["2024-02-29T15:10:00Z,100", "2024-02-29T15:20:00Z,100", "2024-02-29T15:30:00Z,100"],
        "built from candles of 5m, of which 2 are missing: 1 from 2024-02-29 15:10, 1 from 2024-02-29 15:20 (UTC)"
      ),
      (
        "hours", [candles((0..<8).map { ($0 * 60, 100, 100) })], "5m", "2",
        ["2024-02-29T21:00:00Z,100", "2024-02-29T22:00:00Z,100"],
        "11 intervals have no candle: 11 from 2024-02-29 21:05 (UTC); candle-step: 8 5m candles start multiples of 3600 s "
          + "apart: check the name configured for this interval, and the unit of the time"
      ),
      (
        "two files of two pairs",
        [candles((0..<4).map { ($0 * 5, 200, 200) }), candles((2..<6).map { ($0 * 5, 100, 100) })],
        "5m", "3", ["2024-02-29T15:15:00Z,100", "2024-02-29T15:20:00Z,100", "2024-02-29T15:25:00Z,100"],
        "candle-twice: two candles start at 2024-02-29T15:10:00Z and differ: close 200 and 100: are rows of another pair, "
          + "market or interval mixed in?"
      ),
    ] as [(String, [String], String, String, [String], String)])
  func savedCandles(
    _ name: String, _ files: [String], _ interval: String, _ count: String, _ lines: [String], _ notes: String
  ) throws {
    let answers = Dictionary(uniqueKeysWithValues: files.enumerated().map { ("\($0).json", $1) })
    let run = try Self.run(
      ["candles", "A", "B", "-e", "Alpha", "-i", interval, "-n", count]
        + files.indices.flatMap { ["-r", "@\($0).json"] }, answers)
    #expect(run.code == 0)
    let found = run.output.split(whereSeparator: \.isNewline).dropFirst().map {
      $0.split(separator: ",")[4...5].joined(separator: ",")
    }
    #expect(found == lines)
    let said = run.errorOutput.split(separator: "\n").map { $0.replacing("market: Alpha spot: ", with: "") }
      .filter { !$0.hasPrefix("the newest candle ended ") && !$0.hasPrefix("volume: ") }
    #expect(said.joined(separator: "; ") == notes)
  }

  /// The candle that is explained is the last one shown, and of two with one start that which is kept.
  @Test(arguments: [("", "101"), ("--until 2024-02-29T15:10Z", "102")])
  func explainedCandleIsShown(_ span: String, _ close: String) throws {
    let rows = [(0, 100, 103), (5, 100, 104), (5, 100, 102), (10, 100, 105), (10, 100, 101)]
    let run = try Self.run(
      ["candles", "A", "B", "-e", "Alpha", "-i", "5m", "--explain", "-r", "@a.json"]
        + span.split(separator: " ").map(String.init), ["a.json": Self.candles(rows.map { ($0.0, $0.1, $0.2) })],
      format: "text")
    #expect(run.output.contains("  close                \(close)  <- row $[4] = \(close)\n"), "\(run.output)")
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
