import Files
import Quotes
import Synchronization
import TestSupport
import Testing

/// The built program against an exchange with an order book, trades, and candles paged in various ways.
@Suite struct PairAskingTests {
  private static let span = "candles BTC USDT -i 5m --since 2024-02-29T15:00Z --until 2024-02-29T16:40Z -f csv"
  /// The twenty candles of the span.
  private static let wanted = PairExchange.starts(
    from: PairExchange.start, to: PairExchange.start + 19 * PairExchange.seconds)

  // MARK: Pages

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let paging: PairExchange.Paging
    let answer: @Sendable (PairExchange.Query) -> [LoopbackServer.Step]
    /// The number of candles received, the newest of the span.
    var count = 20
    var requests: Int
    var code: Int32 = 0
    var errorOutput = ""

    init(
      _ name: String, _ paging: PairExchange.Paging, requests: Int, count: Int = 20, code: Int32 = 0,
      errorOutput: String = "",
      _ answer: @escaping @Sendable (PairExchange.Query) -> [LoopbackServer.Step]
    ) {
      (testDescription, self.paging, self.answer) = (name, paging, answer)
      (self.requests, self.count, self.code, self.errorOutput) = (requests, count, code, errorOutput)
    }
  }

  /// Returns the newest candles that begin up to a moment.
  @Sendable private static func upTo(_ query: PairExchange.Query) -> [Int] {
    let last = (query.to ?? 0) / PairExchange.seconds * PairExchange.seconds
    return (0..<query.count).map { last - (query.count - 1 - $0) * PairExchange.seconds }
  }

  /// Five per request; an exchange's pages overlap by one.
  static let cases = [
    Case("windows, edges counted in", .windows, requests: 5) {
      PairExchange.answer(PairExchange.starts(from: $0.from ?? 0, to: $0.to ?? 0))
    },
    Case("windows, newest first, the start left out", .windows, requests: 5) {
      PairExchange.answer(PairExchange.starts(from: ($0.from ?? 0) + 1, to: $0.to ?? 0).reversed())
    },
    Case("windows, more than was asked for", .windows, requests: 5) {
      PairExchange.answer(PairExchange.starts(from: ($0.from ?? 0) - 3000, to: ($0.to ?? 0) + 3000))
    },
    Case("backwards", .backwards, requests: 5) { PairExchange.answer(upTo($0)) },
    Case("backwards, newest first, the end left out", .backwards, requests: 5) {
      PairExchange.answer(upTo($0).reversed())
    },
    Case(
      "one answer alone", .newestOnly, requests: 1, count: 5,
      errorOutput: "market: Alpha spot: older candles are not offered; these begin at 2024-02-29 16:15 UTC\n"
    ) { _ in PairExchange.answer(wanted.suffix(5)) },
    Case(
      "the newest whatever is asked for, windows", .windows, requests: 2, count: 5,
      errorOutput: "market: Alpha spot: older candles are not offered; these begin at 2024-02-29 16:15 UTC\n"
    ) { _ in PairExchange.answer(wanted.suffix(5)) },
    Case(
      "the newest whatever is asked for, backwards", .backwards, requests: 2, count: 5,
      errorOutput: "market: Alpha spot: older candles are not offered; these begin at 2024-02-29 16:15 UTC\n"
    ) { _ in PairExchange.answer(wanted.suffix(5)) },
    Case(
      "the oldest page again and again", .backwards, requests: 4, count: 10,
      errorOutput: "market: Alpha spot: older candles are not offered; these begin at 2024-02-29 15:50 UTC\n"
    ) { query in
      let oldest = wanted[10]
      return PairExchange.answer(upTo(query)[0] < oldest ? wanted[10..<15].map(\.self) : upTo(query))
    },
    Case(
      "an older page that fails each time", .backwards, requests: 4, count: 5, code: 1,
      errorOutput:
        "market: Alpha spot, in part: http-503 (the candles before 2024-02-29 16:15 UTC are missing: the "
        + "exchange's server failed; the answer says 'busy')\n"
    ) { query in
      (query.to ?? 0) >= wanted[16]
        ? PairExchange.answer(upTo(query))
        : [.bytes(Answer.ok(#"{"error":"busy"}"#, status: "503 Busy", headers: ["Retry-After: 0"]))]
    },
    Case("an older page that fails once", .backwards, requests: 6) { query in
      query.repetition == 0 && (query.to ?? 0) < wanted[15]
        && (query.to ?? 0) > wanted[10]
        ? [.bytes(Answer.ok("{}", status: "503 Busy", headers: ["Retry-After: 0"]))]
        : PairExchange.answer(upTo(query))
    },
  ]

  @Test(arguments: cases) func pagesOfCandles(_ sample: Case) throws {
    let exchange = try PairExchange(sample.paging, candles: sample.answer)
    defer { exchange.server.stop() }
    let run = try exchange.market(Self.span)
    #expect(PairExchange.lines(run) == Self.wanted.suffix(sample.count).map(PairExchange.line))
    #expect(run.code == sample.code)
    #expect(run.errorOutput == sample.errorOutput)
    #expect(exchange.server.received.count == sample.requests)
  }

  /// The number holds for a moment between two starts, too.
  @Test func untilBetweenTwoStartsKeepsTheNumber() throws {
    let exchange = try PairExchange(.windows) {
      PairExchange.answer(PairExchange.starts(from: $0.from ?? 0, to: $0.to ?? 0))
    }
    defer { exchange.server.stop() }
    let run = try exchange.market("candles BTC USDT -i 5m --until 2024-02-29T16:38Z -n 2 -f csv")
    #expect(PairExchange.lines(run) == Self.wanted.suffix(2).map(PairExchange.line))
  }

  /// A clock that is wrong by the date of the answer is named; one that is behind only by that decides.
  @Test(arguments: [
    (
      "Sun, 06 Nov 1994",
      "before it was requested: this machine's clock is ahead, or the answer is an old copy; candles that had ended by "
        + "that date"
    ),
    (
      "Fri, 06 Nov 2150",
      "after it arrived: this machine's clock is behind, or the exchange's is ahead; candles that have ended by this "
        + "machine's clock"
    ),
  ])
  func wrongClockIsNamed(_ day: String, _ words: String) throws {
    let exchange = try PairExchange(.windows) { query in
      let rows = PairExchange.starts(from: query.from ?? 0, to: query.to ?? 0).map(PairExchange.row)
      return [.bytes(Answer.ok("[\(rows.joined(separator: ","))]", headers: ["Date: \(day) 08:49:37 GMT"]))]
    }
    defer { exchange.server.stop() }
    let run = try exchange.market("candles BTC USDT -i 5m --until 2024-02-29T16:38Z -n 2 -f csv")
    #expect(
      run.errorOutput.replacing(#/\d+d/#, with: "Nd")
        == "market: Alpha spot: the answer is dated Nd \(words) count as complete\n")
  }

  /// Missing candles are reported in every form.
  @Test func missingPageIsNamed() throws {
    let exchange = try PairExchange(.windows) { query in
      (query.to ?? 0) > Self.wanted[16]
        ? PairExchange.answer(PairExchange.starts(from: query.from ?? 0, to: query.to ?? 0))
        : [.bytes(Answer.ok("{}", status: "403 No"))]
    }
    defer { exchange.server.stop() }
    let words = Self.span.replacing(" -f csv", with: "")
    let missing = "the candles before 2024-02-29 16:15 UTC are missing"
    for form in ["text", "json", "ndjson"] {
      let run = try exchange.market("\(words) -f \(form)")
      #expect(run.code == 1)
      #expect((run.output + run.errorOutput).contains(missing), "\(form)")
      #expect(run.errorOutput.hasPrefix("market: Alpha spot, in part: http-403 (\(missing)"))
    }
  }

  /// A recording that is played in place of another does not make it the exchange that sent nothing.
  @Test(
    arguments: [
      (
        "--until 2024-02-29T15:30Z -n 5", 1, 0,
        "no-answer not-recorded (no candle in the requested time; the answer's are from 2024-02-29T16:15:00Z to "
          + "2024-02-29T16:35:00Z)"
      ),
      (
        "--until 2024-02-29T16:30Z -n 4", 0, 3,
        "older candles are not recorded; these begin at 2024-02-29 16:15 UTC"
      ),
      ("--until 2024-02-29T16:40Z -n 4", 0, 4, nil),
    ] as [(String, Int32, Int, String?)])
  func replayOfAnotherTime(_ span: String, _ code: Int32, _ count: Int, _ message: String?) throws {
    let exchange = try PairExchange(.windows) {
      PairExchange.answer(PairExchange.starts(from: $0.from ?? 0, to: $0.to ?? 0))
    }
    defer { exchange.server.stop() }
    let folder = "\(exchange.folder.path)/recordings"
    #expect(try exchange.market("\(Self.span) --record \(folder)").code == 0)
    let run = try exchange.market("candles BTC USDT -i 5m \(span) -f csv --replay \(folder)")
    #expect(run.code == code)
    #expect(PairExchange.lines(run).count == count)
    let said = run.errorOutput.split(separator: "\n").filter { !$0.hasPrefix("market: replay of ") }.map(String.init)
    #expect(said == [message.map { "market: Alpha spot: \($0)" }].compactMap(\.self))
  }

  /// How many candles a chart asks for follows the terminal, so a replay may lack them; it says what to do.
  @Test(arguments: [("-n 3", true), ("", false)])
  func replayOfChartOfAnotherWidth(_ count: String, _ isSame: Bool) throws {
    let exchange = try PairExchange(.windows) {
      PairExchange.answer(PairExchange.starts(from: $0.from ?? 0, to: $0.to ?? 0))
    }
    defer { exchange.server.stop() }
    let folder = "\(exchange.folder.path)/recordings"
    #expect(try exchange.market("chart BTC USDT -i 5m -n 3 --record \(folder)").code == 0)
    let run = try exchange.market("chart BTC USDT -i 5m \(count) -f csv --replay \(folder)")
    #expect(run.code == (isSame ? 0 : 1))
    let hint =
      "market: the recording may lack this --interval, or this number of candles, which follows the width of the terminal: give the --interval and --number that it was made with\n"
    #expect(run.errorOutput.contains(hint) == !isSame)
  }

  // MARK: Order books and trades

  private static let bodies = [
    "/book": #"{"t":1709222400000,"b":[["99.5","2"],["100","1.5"]],"a":[["101","3"],["100.5","0.25"],["0","9"]]}"#,
    "/trades": #"""
    [{"i":3,"t":1709222402500,"p":"100.5","q":"0.2","m":false},{"i":2,"t":1709222401000,"p":"100","q":"0.1","m":true},
     {"i":2,"t":1709222401000,"p":"100","q":"0.1","m":true},{"i":1,"t":1709222400000,"q":"0.1","m":true}]
    """#,
    "/book?s=PEPE-USDT": #"{"error":"unknown"}"#, "/trades?s=PEPE-USDT": #"{"error":"unknown"}"#,
    "/book?s=1000PEPE-USDT": #"{"t":1709222400000,"b":[["0.02","5"]],"a":[["0.03","4"]]}"#,
    "/trades?s=1000PEPE-USDT": #"[{"i":1,"t":1709222400000,"p":"0.02","q":"5","m":true}]"#,
    "/all": #"[{"s":"BTC-USDT","p":100},{"s":"1000PEPE-USDT","p":0.02}]"#,
  ]

  private struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: String
  }

  private static let samples = [
    Sample(testDescription: "asking-book.txt", words: "orderbook BTC USDT --size 2"),
    Sample(testDescription: "asking-trades.txt", words: "trades BTC USDT"),
    Sample(testDescription: "asking-book-of-many.txt", words: "orderbook PEPE USDT --explain"),
    Sample(testDescription: "asking-trades-of-many.txt", words: "trades PEPE USDT --explain"),
  ]

  /// An order book's age depends on the wall clock, so it is not compared, and neither is the port.
  @Test(arguments: samples) private func booksAndTrades(_ sample: Sample) throws {
    let exchange = try PairExchange(bodies: Self.bodies)
    defer { exchange.server.stop() }
    let run = try exchange.market(sample.words)
    #expect(run.code == 0)
    let lines = (run.output + run.errorOutput).split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("UTC ") }
      .map { line in
        line.replacing(#/\d+ ?d old/#, with: "(age)").replacing(exchange.server.url(""), with: "http://alpha")
      }
    Golden.expect(lines.joined(separator: "\n"), matches: sample.testDescription)
  }

  // MARK: Names

  /// The name of a coin is recognised where an earlier run has kept the names; nothing is requested for it. Two coins of one
  /// name are both named.
  @Test func namesAreRecognised() throws {
    let server = try LoopbackServer { request in
      let body =
        switch request.target {
        case "/all": #"[{"s":"BTC-USD","p":"100"}]"#
        case "/names":
          #"[{"s":"BTC-USD","e":"Bitcoin"},{"s":"XBC-USD","e":"Bitcoin"},{"s":"ETH-USD","e":"Ether"},"#
            + #"{"s":"SUI-USD","e":"Sui"}]"#
        default: #"{"error":"unknown"}"#
        }
      return [.bytes(Answer.ok(body))]
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let config = """
      { "version": 1, "exchanges": { "Alpha": {
        "baseUrls": ["\(server.url(""))"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "success": { "where": [{ "path": "$.error", "is": "absent" }],
          "unlisted": [{ "path": "$.error", "equals": "unknown" }] },
        "fields": { "price": "$.p" },
        "markets": { "spot": {
          "tickers": { "request": { "path": "/all" } },
          "names": { "request": { "path": "/names" }, "rows": "$[*]", "fields": { "english": "$.e" } },
          "trades": { "request": { "path": "/trades", "query": { "s": "{asset}-{payment}" } }, "rows": "$[*]",
            "fields": { "price": "$.p", "size": "$.q", "time": { "path": "$.t", "unit": "ms" } } } } } } } }
      """
    try FileSystem.writeAtomically(Array(config.utf8), to: "\(folder.path)/config.json")
    func market(_ words: String) throws -> Subprocess {
      try Subprocess(
        market: words.split(separator: " ").map(String.init)
          + ["-e", "alpha", "-c", "\(folder.path)/config.json", "--timeout", "60"],
        environment: ["HOME": folder.path, "no_proxy": "*"])
    }
    let unknown = try market("trades bitcoin USD")
    #expect(unknown.code == 1 && unknown.errorOutput == "")
    #expect(try market("search bitcoin").code == 0)
    for words in ["trades bitcoin USD", "trades Bitcoin USD"] {
      let run = try market(words)
      #expect(run.code == 1)
      #expect(
        run.errorOutput
          == "market: Alpha does not list BITCOIN/USD; did you mean BTC (Bitcoin) or XBC (Bitcoin)?\n")
    }
    let show = try market("show ether USD --no-rate")
    #expect(show.errorOutput == "market: Alpha does not list ETHER/USD; did you mean ETH (Ether)?\n")
    // The symbol of a coin that is named like it is no other word for it.
    #expect(try market("trades sui USD").errorOutput == "")
    #expect(server.received.count { $0.target == "/names" } == 1)
  }

  // MARK: Recordings

  /// A folder with recordings of another time is named, as a replay would mix the two. Runs that follow one another may be
  /// meant as one; what is not in a folder of an exchange is not a recording.
  @Test func earlierRecordingsAreNamed() throws {
    let exchange = try PairExchange(bodies: Self.bodies)
    defer { exchange.server.stop() }
    let (fresh, tape) = ("\(exchange.folder.path)/fresh", "\(exchange.folder.path)/tape")
    func note(_ tape: String) throws -> String? {
      let run = try exchange.market("orderbook BTC USDT --record \(tape)")
      #expect(run.code == 0)
      return run.errorOutput.split(separator: "\n").first { $0.contains("recordings") }.map(String.init)
    }
    for _ in 1...2 { #expect(try note(fresh) == nil) }
    try FileSystem.createFolder("\(tape)/notes/old")
    try FileSystem.writeAtomically(Array("{}".utf8), to: "\(tape)/package.json")
    try FileSystem.writeAtomically(Array("{}".utf8), to: "\(tape)/notes/old/x.json")
    let earlier = """
      {"method": "GET", "url": "https://a.test/t", "status": 200, "headers": {}, "arrival": "2024-11-18T05:12:07Z",
        "body": "01-t.body"}
      """
    try FileSystem.createFolder("\(tape)/Alpha")
    try FileSystem.writeAtomically(Array(earlier.utf8), to: "\(tape)/Alpha/01-t.json")
    try FileSystem.writeAtomically([], to: "\(tape)/Alpha/01-t.body")
    #expect(
      try note(tape) == "market: \(tape) has recordings of 2024-11-18 05:12:07 UTC; a replay plays the older first")
  }

  // MARK: A million rows

  private static func rows(_ row: String) -> String {
    "[" + String(repeating: row + ",", count: 999_999) + row + "]"
  }

  /// Any such response is refused with a reason, long before it fills the memory: the program has 400 MB of address
  /// space, of which it uses 256 at the start.
  @Test(arguments: ["orderbook BTC USDT", "trades BTC USDT", span])
  func millionRowsAreRefused(_ words: String) throws {
    // Too many rows, and too many bytes of rows.
    for (row, reason) in [
      ("[1]", "the answer has more than 30000 rows"),
      ("[1709218800,\"1\"]", "the answer is longer than 16777216 bytes"),
    ] {
      let rows = Self.rows(row)
      let exchange = try PairExchange(
        bodies: ["/book": #"{"b":\#(rows),"a":[]}"#, "/trades": rows],
        candles: { _ in [.bytes(Answer.ok(rows))] })
      defer { exchange.server.stop() }
      let run = try exchange.market(words, kilobytesOfAddresses: 400_000)
      #expect(run.code == 1)
      let said = run.errorOutput.split(separator: "\n").first { $0.hasPrefix("market: Alpha") }
      #expect(said == "market: Alpha spot: no-answer too-large (\(reason))", "\(run.errorOutput)")
    }
  }
}
