import HTTP
import Mapping
import Quotes
import Testing

/// Responses that are errors or empty, each with its own reason.
struct FailureCase: Sendable, CustomTestStringConvertible {
  let body: String
  let status: Int
  let pair: Pair?
  let line: String

  init(_ body: String, status: Int = 200, pair: Pair? = nil, is line: String) {
    self.body = body
    self.status = status
    self.pair = pair
    self.line = line
  }

  var testDescription: String { "\(status) \(body.prefix(80))" }
}

@Suite struct AnswerTests {
  static let members = #"""
    "success": {"where": [{"path": "$.code", "in": [0, null]}], "code": "$.code", "message": ["$.msg", "$.error.text"],
      "unlisted": [{"path": "$.code", "in": [-1121, 404]}, {"path": "$.data", "is": "empty"}]},
    "rows": "$.data[*]", "fields": {"price": "$.p"}
    """#

  /// The body is checked first, then the status.
  static let failures = [
    FailureCase(#"{"code": 0, "data": [{"s": "A-B", "p": 1}]}"#, is: "A/B 1"),
    FailureCase(#"{"data": [{"s": "A-B", "p": 1}]}"#, status: 206, is: "A/B 1"),
    FailureCase(#"{"code": "50001", "msg": "too many"}"#, is: "failed: venue-error 50001 (too many)"),
    FailureCase(#"{"code": "50001", "msg": "wrong"}"#, status: 400, is: "failed: venue-error 50001 (wrong)"),
    // Blocks, rate limits and broken servers are identified by the status, whatever the body says.
    FailureCase(#"{"code": "50001", "msg": "too many"}"#, status: 429, is: "failed: http-429 (50001: too many)"),
    FailureCase(#"{"code": 429, "msg": "too many"}"#, status: 429, is: "failed: http-429 (too many)"),
    FailureCase(
      #"{"code": 1, "msg": "10 requests per second"}"#, status: 429, is: "failed: http-429 (1: 10 requests per second)"),
    FailureCase(#"{"code": "E7", "msg": "E7: closed"}"#, status: 503, is: "failed: http-503 (E7: closed)"),
    // A code that is the message is said once.
    FailureCase(
      #"{"code": "EAPI:Invalid key", "msg": "EAPI:Invalid key"}"#, is: "failed: venue-error EAPI:Invalid key"),
    FailureCase(#"{"code": "20001", "msg": "20001"}"#, status: 400, is: "failed: venue-error 20001"),
    FailureCase(#"{"code": 7, "msg": "\n\n too many\n"}"#, is: "failed: venue-error 7 (too many)"),
    FailureCase(#"{"code": 7, "msg": "\n", "error": {"text": "nested"}}"#, is: "failed: venue-error 7 (nested)"),
    FailureCase(#"{"detail": "\n\nbad market"}"#, status: 400, is: "failed: http-400 (the answer says 'bad market')"),
    FailureCase(#"{"code": 7, "error": {"text": "nested"}}"#, is: "failed: venue-error 7 (nested)"),
    FailureCase(#"{"code": 7, "msg": "", "error": {"text": "nested"}}"#, is: "failed: venue-error 7 (nested)"),
    FailureCase(
      #"{"code": 7}"#,
      is: "failed: venue-error 7 (the response does not meet the success conditions; $.code: expected one of '0', "
        + "null, found '7')"),
    FailureCase(
      #"{"code": []}"#,
      is: "failed: venue-error (the response does not meet the success conditions; $.code: expected one of '0', "
        + "null, found an array)"),
    // Only a pair can be unlisted.
    FailureCase(
      #"{"code": -1121, "msg": "Invalid symbol."}"#, status: 400, is: "failed: venue-error -1121 (Invalid symbol.)"),
    FailureCase(
      #"{"code": -1121, "msg": "Invalid symbol."}"#, status: 400, pair: Pair(asset: "A", payment: "B"),
      is: "failed: not-listed"),
    FailureCase(#"{"code": 404, "data": []}"#, pair: Pair(asset: "A", payment: "B"), is: "failed: not-listed"),
    // An exchange that is down may answer with an empty list, but not with the code for an unknown pair.
    FailureCase(#"{"code": 7, "data": []}"#, pair: Pair(asset: "A", payment: "B"), is: "failed: not-listed"),
    FailureCase(
      #"{"code": 7, "data": []}"#, status: 503, pair: Pair(asset: "A", payment: "B"),
      is: "failed: http-503 (the exchange's server failed)"),
    FailureCase(#"{"code": 404}"#, status: 500, pair: Pair(asset: "A", payment: "B"), is: "failed: not-listed"),
    FailureCase(#"{"msg": "closed"}"#, status: 503, is: "failed: http-503 (closed)"),
    FailureCase("{}", status: 503, is: "failed: http-503 (the exchange's server failed)"),
    FailureCase("{}", status: 451, is: "failed: http-451 (blocked in this region)"),
    FailureCase("{}", status: 302, is: "failed: http-302 (a redirect without a target)"),
    FailureCase("{}", status: 511, is: "failed: http-511 (this network requires a login)"),
    FailureCase("{}", status: 400, is: "failed: http-400"),
    // Words where no config looks for them.
    FailureCase(#"{"detail": "bad market"}"#, status: 400, is: "failed: http-400 (the answer says 'bad market')"),
    FailureCase(
      #"{"error": {"message": "go away"}}"#, status: 403,
      is: "failed: http-403 (refused, usually a regional or IP block; the answer says 'go away')"),
    FailureCase(#"{"data": []}"#, is: "failed: empty-answer"),
    FailureCase(#"{"data": {}}"#, is: "failed: empty-answer"),
    FailureCase("{}", is: "failed: path-miss (the path of the rows leads to nothing)"),
    // One byte order mark is ignored (RFC 8259 §8.1).
    FailureCase("\u{FEFF}{}", is: "failed: path-miss (the path of the rows leads to nothing)"),
    FailureCase("null", is: "failed: path-miss (the path of the rows leads to nothing)"),
    FailureCase("5", is: "failed: path-miss (the path of the rows leads to nothing)"),
  ]

  /// Bodies that are not JSON are described as what they are.
  static let broken = [
    FailureCase("", is: "failed: not-json (the answer is empty)"),
    FailureCase(" \n", is: "failed: not-json (the answer is empty)"),
    FailureCase("<!DOCTYPE html><html>", is: "failed: not-json (the answer is an HTML or XML page)"),
    FailureCase("<html>", status: 403, is: "failed: http-403 (refused, usually a regional or IP block)"),
    FailureCase("", status: 502, is: "failed: http-502 (the exchange's server failed)"),
    FailureCase(
      #"{"data": [{"s": "A-B""#, is: "failed: not-json (the text ends inside an object at line 1, column 22)"),
    FailureCase("{\"data\":\n[1,]}", is: "failed: not-json (expected a value after ',' at line 2, column 4)"),
    FailureCase("\u{FEFF}\u{FEFF}{}", is: "failed: not-json (a byte order mark is not allowed at line 1, column 1)"),
    // Half of a surrogate pair is valid JSON (RFC 8259 §8.2) and becomes U+FFFD.
    FailureCase(#"{"data": [{"s": "\ud800-B", "p": 1}]}"#, is: "\u{FFFD}/B 1"),
    FailureCase(#"{"data": [NaN]}"#, is: "failed: not-json (expected a value at line 1, column 11)"),
    FailureCase("{} {}", is: "failed: not-json (expected nothing after the value at line 1, column 4)"),
  ]

  @Test(arguments: failures + broken) func failure(_ answer: FailureCase) throws {
    var asked = Asked(pair: answer.pair)
    asked.status = answer.status
    let lines = try TestTable(Self.members).lines(answer.body, asked)
    #expect(lines == [answer.line])
  }

  /// The members of an object that explains an error are no rows whose symbols need a rule.
  @Test(arguments: [
    (#"{"error": "Service temporarily unavailable", "code": -1}"#, "venue-error (Service temporarily unavailable)"),
    (#"{"code": 500, "msg": "system busy", "data": null}"#, "venue-error (system busy)"),
    (#"{"error": {"message": "closed"}, "code": 1}"#, "venue-error (closed)"),
    (#"{"error": "1", "code": -1}"#, "unsplit (symbol: $.s leads nowhere in any of 2 rows)"),
    (#"["error", "closed"]"#, "unsplit (symbol: $.s leads nowhere in any of 2 rows)"),
    (#"{"XY": {"description": "A"}, "CD": {}}"#, "unsplit (symbol: $.s leads nowhere in any of 2 rows)"),
  ])
  func errorInsteadOfRows(_ body: String, _ line: String) throws {
    let table = try TestTable(#""rows": "$[*]", "fields": {"price": "$.p"}"#)
    #expect(try table.lines(body, Asked(pair: Pair(asset: "A", payment: "B"))) == ["failed: \(line)"])
  }

  /// A wrong path in `symbol`, and rows that are one list, are said to be that, whether or not a pair is requested.
  @Test(arguments: [
    ("$.d[*]", #"{"d": [{"x": "A-B"}, {"x": "C-B"}]}"#, "symbol: $.s leads nowhere in any of 2 rows"),
    ("$.d[*]", #"{"d": [{"x": "A-B"}]}"#, "symbol: $.s leads nowhere in the row"),
    ("$.d", #"{"d": {"x": "A-B"}}"#, "symbol: $.s leads nowhere in the row"),
    ("$.d[*]", #"{"d": [{"x": 1}, {"s": null}]}"#, "symbol: expected a text at $.s in 1 of 2 rows, found null"),
    ("$.d[*]", #"{"d": [{"s": {"a": "A"}}, {"s": []}]}"#, "symbol: expected a text at $.s in 2 rows, found an object"),
    ("$.d", #"{"d": [{"s": "A-B"}, {"s": "C-B"}]}"#, #"rows: $.d is one array of 2; write "$.d[*]""#),
    ("$.d", #"{"d": [["A-B", 1]]}"#, #"rows: $.d is one array of 1; write "$.d[*]""#),
    ("$", #"["A-B", 1]"#, "symbol: $.s leads nowhere in the row"),
  ])
  func rowsWithoutSymbols(_ rows: String, _ body: String, _ words: String) throws {
    let table = try TestTable(#""rows": "\#(rows)", "fields": {"price": "$.p"}"#)
    for pair in [nil, Pair(asset: "A", payment: "B")] {
      #expect(try table.lines(body, Asked(pair: pair)) == ["failed: unsplit (\(words))"])
    }
  }

  /// The words beside rows are not about these.
  @Test func unsplitRowsBesideWords() throws {
    let table = try TestTable(#""rows": "$.data[*]", "fields": {"price": "$.p"}"#)
    let asked = Asked(pair: Pair(asset: "A", payment: "B"), namesUnsplit: true)
    let lines = try table.lines(#"{"msg": "success", "data": [{"s": "X"}]}"#, asked)
    #expect(lines == ["failed: unsplit (no rule of the config finds a pair in the row)"])
  }

  /// Nobody asks for a part of an answer.
  @Test func partOfAnAnswer() throws {
    let answer = HTTPResponse(
      status: 206, headers: [HTTPHeader(name: "content-range", value: "bytes 0-9/20")], body: [])
    #expect(!answer.isSuccessful)
    #expect(HTTPResponse(status: 206, body: []).isSuccessful)
  }

  /// Bytes that are not text at all, and oversized texts.
  @Test func hostileBodiesAreRefused() throws {
    let table = try TestTable(Self.members)
    func reasons(_ body: [UInt8]) throws -> [String] {
      try table.table(body).failures.map(\.failure.reason.code)
    }
    let utf16 = Array("{\"data\": []}".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(try reasons([0xFF, 0xFE] + utf16) == ["not-json"])
    #expect(try reasons(utf16) == ["not-json"])
    #expect(try reasons(Array(#"{"data": ["#.utf8) + [0xC3, 0x28]) == ["not-json"])
    #expect(try reasons([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)) == ["not-json"])
    let deep = Array(#"{"code": 0, "x": "#.utf8) + [UInt8](repeating: UInt8(ascii: "{"), count: 1_000_000)
    #expect(try reasons(deep) == ["not-json"])
    let long = Array(#"{"code": 0, "data": [], "x": ""#.utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 2_000_000)
    #expect(try reasons(long) == ["not-json"])
    #expect(try reasons(long + Array("\"}".utf8)) == ["empty-answer"])
  }

  /// A response that is too large in some way. Its text is made by the test: it would fill the log of a run.
  struct Oversized: Sendable, CustomTestStringConvertible {
    let members: String
    let body: @Sendable () -> String
    let message: String

    init(_ members: String, _ message: String, _ body: @escaping @Sendable () -> String) {
      (self.members, self.body, self.message) = (members, body, message)
    }

    var testDescription: String { message }
  }

  /// A response is limited in bytes, rows and values, however it is read.
  @Test(arguments: [
    Oversized(Self.members, "the answer has more than 30000 rows") { #"{"data": [\#(list("[]", 30_001))]}"# },
    Oversized(#""rows": "$.data[?@.s]", "fields": {"price": "$.p"}"#, "the answer has more than 2000000 values") {
      #"{"data": [\#(list("[]", 1_000_001))]}"#
    },
    Oversized(Self.members, "the answer has more than 16777216 bytes") {
      String(repeating: " ", count: 16 << 20) + "{}"
    },
    Oversized(
      #""rows": "$..*..*..*", "fields": {"price": "$.p"}"#,
      "the path of the rows: it would select more than 11000 values at once"
    ) { String(repeating: "[", count: 500) + String(repeating: "]", count: 500) },
  ])
  func oversizedResponsesAreRefused(_ response: Oversized) throws {
    let lines = try TestTable(response.members).lines(response.body())
    #expect(lines == ["failed: no-answer too-large (\(response.message))"])
  }

  private static func list(_ element: String, _ count: Int) -> String {
    [String](repeating: element, count: count).joined(separator: ",")
  }

  /// A row path that visits its values over and over leaves its cell empty.
  @Test func costlyRowPathLeavesCellEmpty() throws {
    let table = try TestTable(#""rows": "$[*]", "fields": {"price": "$.x..[?@..[?@..*]]"}"#)
    let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    #expect(try table.lines(#"[{"s": "A-B", "x": \#(deep)}]"#) == ["A/B no-answer too-large"])
  }

  /// After the deadline, no large response is started and none is read for long; a small one that came in time is read.
  @Test(arguments: [
    (Self.members, 1, 0, true), (Self.members, 1, 2 << 20, false), (Self.members, 1024, 0, true),
    (Self.members, 1025, 0, false), (#""rows": "$.data[?@.s]", "fields": {"price": "$.p"}"#, 1, 0, true),
    (#""rows": "$.data[?@.s]", "fields": {"price": "$.p"}"#, 2, 0, false),
  ])
  func lateResponsesAreNotRead(_ members: String, rows: Int, blanks: Int, isRead: Bool) throws {
    let table = try TestTable(members)
    var context = RequestContext(now: Asked().now)
    context.isLate = { true }
    let body = #"{"data": ["# + Self.list(#"{"s": "A-B", "p": 1}"#, rows) + "]}" + String(repeating: " ", count: blanks)
    let read = TablePlan(try table.part(), market: .spot).interpret(
      HTTPResponse(body: Array(body.utf8)), request: context, lookups: [:], Interpretation(check: MeaningCheck()))
    #expect(read.rows.count == (isRead ? rows : 0))
    #expect(
      read.failures.map(\.failure)
        == (isRead
          ? [] : [AnswerFailure(.timeout, "the run's time limit expired before the answer was read")]))
  }

  /// An answer that a cache has kept for long is old, even if its rows have no time.
  @Test(arguments: [("60", 0), ("61", 1), ("99999999999999", 1), ("-61", 0), ("old", 0)])
  func answersOfCachesAreOld(_ age: String, flags: Int) throws {
    let table = try TestTable(#""rows": "$[*]", "fields": {"price": "$.p"}"#)
    let answer = HTTPResponse(
      headers: [HTTPHeader(name: "age", value: age)], body: Array(#"[{"s": "A-B", "p": 1}]"#.utf8),
      arrival: Asked().now)
    let read = TablePlan(try table.part(), market: .spot).interpret(
      answer, request: RequestContext(now: Asked().now), lookups: [:], Interpretation(check: MeaningCheck()))
    #expect(read.rows.map { $0.ticker.flags.map(\.code) } == [Array(repeating: "stale", count: flags)])
  }

  /// Success is a rule on the response, at any depth of its values.
  @Test(arguments: [
    (#"{"first": ["$.code", "$.status"], "equals": 0}"#, #"{"status": 0, "data": []}"#, "empty-answer"),
    (#"{"first": ["$.code", "$.status"], "equals": 0}"#, #"{"status": 5, "data": []}"#, "venue-error"),
    (#"{"path": "$.error", "is": "empty"}"#, #"{"error": [], "data": []}"#, "empty-answer"),
    (#"{"path": "$.error", "is": "empty"}"#, #"{"error": ["no"]}"#, "venue-error"),
    (#"{"path": "$", "is": "object"}"#, "[]", "venue-error"),
  ])
  func success(_ condition: String, _ body: String, _ reason: String) throws {
    let table = try TestTable(
      #""success": {"where": [\#(condition)]}, "rows": "$.data[*]", "fields": {"price": "$.p"}"#)
    #expect(try table.table(Array(body.utf8)).failures.map(\.failure.reason.code) == [reason])
  }

  /// A code extracted from a text, and conditions for "unlisted" that must all hold.
  @Test(arguments: [
    (#"{"error": "QUERY:unknown pair"}"#, "failed: not-listed"),
    (#"{"error": "QUERY:too many"}"#, "failed: venue-error QUERY (QUERY:too many)"),
    (#"{"error": "API:no such pair"}"#, "failed: venue-error API (API:no such pair)"),
    (#"{"error": "down"}"#, "failed: venue-error (down)"),
    (#"{"error": 404}"#, "failed: not-listed"),
  ])
  func codeAndUnlistedConditionsCombine(_ body: String, _ line: String) throws {
    let table = try TestTable(
      #"""
      "success": {"where": [{"path": "$.error", "is": "absent"}],
        "code": {"path": "$.error", "capture": "(?<value>[A-Z]+):.*"}, "message": ["$.error"],
        "unlisted": [[{"path": "$.error", "prefix": "QUERY:"}, {"path": "$.error", "match": ".*pair"}],
          {"path": "$.error", "equals": 404}]},
      "rows": "$.data[*]", "fields": {"price": "$.p"}
      """#)
    #expect(try table.lines(body, Asked(pair: Pair(asset: "A", payment: "B"))) == [line])
  }

  /// The signs of a halted pair are those of an unlisted one, and go first; they say nothing of a table of all pairs.
  @Test(arguments: [
    (#"{"code": 415}"#, 200, true, "failed: halted"), (#"{"code": 425}"#, 200, true, "failed: not-listed"),
    (#"{"code": 415}"#, 400, true, "failed: halted"), (#"{"code": 404}"#, 404, true, "failed: not-listed"),
    (#"{"code": 415, "msg": "paused"}"#, 200, false, "failed: venue-error 415 (paused)"),
    (#"{"code": 0, "data": [], "state": "closed"}"#, 200, true, "failed: halted"),
    ("<html>", 423, true, "failed: halted"),
  ])
  func haltedPair(_ body: String, _ status: Int, isForPair: Bool, _ line: String) throws {
    let table = try TestTable(
      #"""
      "success": {"where": [{"path": "$.code", "equals": 0}], "code": "$.code", "message": ["$.msg"],
        "unlisted": [{"path": "$.code", "in": [415, 425]}, {"status": 404}],
        "halted": [{"path": "$.code", "equals": 415}, {"status": 423}, {"path": "$.state", "equals": "closed"}]},
      "rows": "$.data[*]", "fields": {"price": "$.p"}
      """#)
    var asked = Asked(pair: isForPair ? Pair(asset: "A", payment: "B") : nil)
    asked.status = status
    #expect(try table.lines(body, asked) == [line])
  }

  /// Some exchanges answer an unknown pair with an HTML page, so only the status can tell.
  @Test(arguments: [
    ("<html>", 404, true, "failed: not-listed"), ("{}", 404, true, "failed: not-listed"),
    ("<html>", 404, false, "failed: http-404 (page not found)"),
    ("<html>", 500, true, "failed: http-500 (the exchange's server failed)"),
    (#"{"code": 7}"#, 400, true, "failed: not-listed"), (#"{"code": 8}"#, 400, true, "failed: http-400"),
    ("[]", 500, true, "failed: not-listed"),
    (#"{"code": []}"#, 500, true, "failed: http-500 (the exchange's server failed)"),
    ("[]", 200, true, "failed: empty-answer"),
  ])
  func unlistedByStatus(_ body: String, _ status: Int, isForPair: Bool, _ line: String) throws {
    let table = try TestTable(
      #"""
      "success": {"unlisted": [{"status": 404}, [{"status": 400}, {"path": "$.code", "equals": 7}],
        [{"status": 500}, {"path": "$", "is": "array"}], {"path": "$.code", "is": "empty"}]},
      "fields": {"price": "$.p"}
      """#)
    var asked = Asked(pair: isForPair ? Pair(asset: "A", payment: "B") : nil)
    asked.status = status
    #expect(try table.lines(body, asked) == [line])
  }

  /// A failing part loses only its own rows, and is identified by its `set`.
  @Test func failingPartLosesOnlyItsRows() throws {
    let table = try TestTable(
      #""forEach": [{"set": {"type": "usdt", "n": 1}}, {"set": {"type": "coin"}}], "fields": {"price": "$.p"}"#)
    var gathered = try table.table(Array(#"[{"s": "A-B", "p": 1}]"#.utf8), part: 0)
    gathered.append(try table.table(Array("{}".utf8), part: 1))
    gathered.append(try table.table(Array("[]".utf8), part: 0))
    let lines = TableText.lines(of: gathered, fields: try table.fields())
    #expect(
      lines == [
        "A/B 1", "failed [type=coin]: empty-answer",
        "failed [type=usdt n=1]: empty-answer",
      ])
    #expect(gathered.answered == 1)
  }

  /// An optional part may have no pairs; without a list of them its answer is a failure still.
  @Test(
    arguments: [
      (#"{"data": []}"#, []), (#"{"data": [{"s": "A-B", "p": 1}]}"#, ["A/B 1"]),
      (#"{"rows": []}"#, ["failed [n=1]: path-miss (the path of the rows leads to nothing)"]),
    ] as [(body: String, lines: [String])], [nil, Pair(asset: "A", payment: "B")])
  func optionalPartMayHaveNoRows(_ answer: (body: String, lines: [String]), _ pair: Pair?) throws {
    let table = try TestTable(
      #""rows": "$.data[*]", "forEach": [{"set": {"n": 1}, "optional": true}], "fields": {"price": "$.p"}"#)
    #expect(try table.lines(answer.body, Asked(pair: pair)) == answer.lines)
  }

  /// A hook turns bytes into JSON; without it nothing can be read.
  @Test func hooks() throws {
    struct Lines: Hook {
      static let name = "Lines"
      func json(from body: [UInt8]) throws(HookError) -> [UInt8] {
        guard !body.isEmpty else { throw HookError("no lines") }
        let words = String(decoding: body, as: UTF8.self).split(separator: " ")
        return Array(#"[{"s": "\#(words[0])", "p": \#(words[1])}]"#.utf8)
      }
    }
    let table = try TestTable(#""hook": "Lines", "fields": {"price": "$.p"}"#)
    #expect(try table.lines("A-B 1.50", Asked(hooks: HookRegistry([Lines.self]))) == ["A/B 1.50"])
    #expect(try table.lines("", Asked(hooks: HookRegistry([Lines.self]))) == ["failed: not-json (no lines)"])
    #expect(try table.lines("A-B 1.50") == ["failed: hook-missing (Lines)"])
  }
}
