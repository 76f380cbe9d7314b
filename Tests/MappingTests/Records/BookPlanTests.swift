import HTTP
import Mapping
import Quotes
import Testing

@testable import Config

/// An order book is read completely or not at all: half of one would give a wrong price.
@Suite struct BookPlanTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var body: String
    var status = 200
    /// `bids | asks`, each level `price x size`; or the failure's reason.
    var expected: String

    init(_ name: String, _ body: String, status: Int = 200, _ expected: String) {
      (testDescription, self.body, self.status, self.expected) = (name, body, status, expected)
    }
  }

  static let cases = [
    Case("both sides", #"{"bids": [["99", "2"]], "asks": [["101", 3]]}"#, "99x2 | 101x3"),
    Case(
      "levels in any order", #"{"bids": [["98", "1"], ["99", "2"]], "asks": [["102", "4"], ["101", "3"]]}"#,
      "99x2 98x1 | 101x3 102x4"),
    Case(
      "levels of nothing are padding", #"{"bids": [["99", "2"], ["0", "0"]], "asks": [["101", "3"], ["102", "0"]]}"#,
      "99x2 | 101x3"),
    Case("a size below nothing", #"{"bids": [["99", "2"], ["98", "-1"]], "asks": [["101", "3"]]}"#, "not-a-number"),
    Case("a price below nothing", #"{"bids": [["99", "2"]], "asks": [["-101", "3"], ["101", "3"]]}"#, "not-a-number"),
    Case(
      "a side that is repeated", #"{"bids": [["99", "2"]], "asks": [["101", "3"]], "asks": [["580", "9"]]}"#,
      "path-many"),
    Case(
      "a side that is repeated with nothing", #"{"bids": [], "bids": [["99", "2"]], "asks": [["101", "3"]]}"#,
      "path-many"),
    Case(
      "a member that nothing reads is repeated", #"{"x": 1, "bids": [["99", "2"]], "asks": [["101", "3"]], "x": 2}"#,
      "99x2 | 101x3"),
    Case("one side is empty", #"{"bids": [["99", "2"]], "asks": []}"#, "99x2 | "),
    Case("both sides are empty", #"{"bids": [], "asks": []}"#, "empty-answer"),
    Case("a side is missing", #"{"bids": [["99", "2"]]}"#, "path-miss"),
    Case("a side is null", #"{"bids": [["99", "2"]], "asks": null}"#, "path-miss"),
    Case("a side is a string", #"{"bids": [["99", "2"]], "asks": "none"}"#, "path-miss"),
    Case("a level without a size", #"{"bids": [["99", "2"], ["98"]], "asks": [["101", "3"]]}"#, "not-a-number"),
    Case("a price of null", #"{"bids": [["99", "2"]], "asks": [[null, "3"]]}"#, "not-a-number"),
    Case("a price that is a word", #"{"bids": [["99", "2"]], "asks": [["n/a", "3"]]}"#, "not-a-number"),
    Case("a price with commas", #"{"bids": [["1,099", "2"]], "asks": [["1101", "3"]]}"#, "not-a-number"),
    Case("both sides meet", #"{"bids": [["100", "2"]], "asks": [["100", "3"]]}"#, "100x2 | 100x3"),
    Case("a bid above an ask", #"{"bids": [["102", "2"]], "asks": [["101", "3"]]}"#, "no-answer book-crossed"),
    Case(
      "sides that are swapped", #"{"bids": [["101", "2"], ["102", "1"]], "asks": [["99", "3"]]}"#,
      "no-answer book-crossed"),
    Case("an error", #"{"code": -1121, "msg": "bad symbol"}"#, "venue-error -1121"),
    Case("an error of the server's", #"{"code": 5, "msg": "down"}"#, status: 503, "http-503"),
    Case("an error without a body", "", status: 502, "http-502"),
    Case("a pair that is not listed", #"{"code": 404, "msg": "no such market"}"#, "not-listed"),
    Case("not listed, by its status as well", #"{"code": 404}"#, status: 404, "not-listed"),
    Case("a page", "<html><body>Sorry</body></html>", "not-json"),
    Case("nothing", "", "not-json"),
    Case("an answer that was cut off", #"{"bids": [["99", "2"]"#, "not-json"),
    Case("an answer of another shape", "[]", "path-miss"),
  ]

  static let config = #"""
    {"version": 1, "exchanges": {"Exchange": {
      "baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
      "success": {"where": [{"path": "$.code", "is": "absent"}], "code": "$.code", "message": ["$.msg"],
                  "unlisted": [{"path": "$.code", "equals": 404}]},
      "fields": {"price": "$.p"},
      "markets": {"spot": {
        "tickers": {"request": {"path": "/tickers"}},
        "orderbook": {"request": {"path": "/book", "query": {"symbol": "{asset}{payment}"}},
                      "bids": "$.bids[*]", "asks": "$.asks[*]", "price": "$[0]", "size": "$[1]"}}}}}}
    """#

  @Test(arguments: cases) func reads(_ example: Case) throws {
    let exchange = try TestTable(config: Self.config).exchange
    let spec = try #require(exchange.market(.spot)?.orderbooks.first)
    let answer = HTTPResponse(status: example.status, body: Array(example.body.utf8), arrival: Instant(nanoseconds: 0))
    #expect(text(of: answer, spec) == example.expected)
  }

  /// An order book's age is measured at its response's arrival, against the limit set by its exchange or its own block.
  @Test(arguments: [
    ("60000", "null", "", nil), ("-1", "null", "", "its order book is 60.001 s old, more than 60 s"),
    ("-1", #""2m""#, "", nil), ("-60001", #""2m""#, "", "its order book is 2 min 1 s old, more than 120 s"),
    ("-60001", #""2m""#, #""staleAfter": "3m", "#, nil),
    ("-1", #""2m""#, #""staleAfter": null, "#, "its order book is 60.001 s old, more than 60 s"),
    ("9999999999999999", "null", "", "its timestamp cannot be parsed: check unit and zone"),
    ("null", "null", "", nil),
  ])
  func bookAgeIsMeasuredAtArrival(time: String, ofExchange: String, ofBook: String, message: String?) throws {
    let config = Self.config.replacing(
      #""bids": "$.bids[*]""#, with: #"\#(ofBook)"time": {"path": "$.t", "unit": "ms"}, "bids": "$.bids[*]""#
    ).replacing(#""baseUrls""#, with: #""staleAfter": \#(ofExchange), "baseUrls""#)
    let spec = try #require(try TestTable(config: config).exchange.market(.spot)?.orderbooks.first)
    let body = #"{"bids": [["1", "2"]], "asks": [["2", "2"]], "t": \#(time)}"#
    func said(_ check: MeaningCheck?, _ arrival: Instant?) throws -> String? {
      let request = RequestContext(pair: Pair(asset: "A", payment: "B"), now: Instant(nanoseconds: 0))
      let answer = HTTPResponse(status: 200, body: Array(body.utf8), arrival: arrival)
      let book = try BookPlan(spec).book(in: answer, ReadingContext(request), check: check)
      #expect(book.best(1).stepped(by: 1).scaled(by: 10).flags == book.flags)
      return book.flags.first?.message
    }
    let arrival = Instant(nanoseconds: 60_000_000_000)
    #expect(try said(MeaningCheck(), arrival) == message)
    #expect(try said(nil, arrival) == nil)
    // A file has no known arrival time, so only unreadable times are reported.
    #expect(try said(MeaningCheck(), nil) == (time.count > 8 ? message : nil))
  }

  /// Of levels with the same price, whose sizes are added up, all are explained, in whatever unit they are shown.
  @Test(
    arguments: [
      (nil, ["price 99 <- $[0] 99", "size 9.5 <- sum $[1] 2 $[1] 7.5"]),
      (1000, ["price 0.099 <- $[0] 99", "size 9500.0 <- sum $[1] 2 $[1] 7.5"]),
    ] as [(Decimal?, [String])])
  func addedLevelsAreExplained(_ multiplier: Decimal?, _ lines: [String]) throws {
    let spec = try #require(try TestTable(config: Self.config).exchange.market(.spot)?.orderbooks.first)
    let body = #"{"bids": [["99", "2"], ["98", "1"], ["99", "7.5"], ["99", "0"]], "asks": [["101", "3"]]}"#
    let request = RequestContext(pair: Pair(asset: "A", payment: "B"), now: Instant(nanoseconds: 0))
    let answer = HTTPResponse(body: Array(body.utf8))
    let plan = BookPlan(spec)
    let book = try plan.book(in: answer, ReadingContext(request))
    let explained = try plan.explained(
      book, in: answer, ReadingContext(request), multiplier: multiplier)
    #expect(explained.map(\.subject) == [.bestBid, .bestAsk])
    let found = explained.first?.fields.map { field in
      let sources = field.sources.map { "\($0.path ?? "") \($0.raw ?? "")" }
      return (["\(field.name) \(field.result) <-", field.operation].compactMap(\.self) + sources).joined(separator: " ")
    }
    #expect(found == lines)
    #expect(explained.last?.fields.map(\.operation) == [nil, nil])
  }

  /// Which of two prices of a level is meant is unknown.
  @Test func levelThatRepeatsAMember() throws {
    let config = Self.config.replacing(#""price": "$[0]", "size": "$[1]""#, with: #""price": "$.p", "size": "$.q""#)
    let spec = try #require(try TestTable(config: config).exchange.market(.spot)?.orderbooks.first)
    let body = #"{"bids": [{"p": 1, "q": 2}], "asks": [{"p": 3, "q": 2}, {"p": 4, "q": 2, "p": 5}]}"#
    #expect(text(of: HTTPResponse(body: Array(body.utf8)), spec) == "path-many")
  }

  private func text(of answer: HTTPResponse, _ spec: BookSpec) -> String {
    func side(_ levels: [OrderBook.Level]) -> String {
      levels.map { "\($0.price)x\($0.size)" }.joined(separator: " ")
    }
    let request = RequestContext(pair: Pair(asset: "A", payment: "B"), now: Instant(nanoseconds: 0))
    let texts = [true, false].map { usesScan in
      do throws(AnswerFailure) {
        let book = try BookPlan(spec, usesScan: usesScan).book(in: answer, ReadingContext(request))
        return "\(side(book.bids)) | \(side(book.asks))"
      } catch {
        return error.reason.code
      }
    }
    #expect(texts[0] == texts[1], "the scan and the tree read the answer differently")
    return texts[0]
  }
}
