import HTTP
import JSON
import Quotes
import Testing

@testable import Cassettes
@testable import Transport

@Suite struct CassetteJSONTests {
  static let arrival = Instant(nanoseconds: 1_767_225_600_123_456_789)

  @Test func responseRoundTrips() throws {
    let cassette = Cassette(
      key: Cassette.Key(method: "POST", url: "https://a.com/x?key=REDACTED", body: "{\"id\":1}"),
      outcome: .answer(
        status: 404, headers: [HTTPHeader(name: "content-type", value: "application/json")], body: "01-x.body"),
      arrival: Self.arrival)
    let text = #"""
      {
        "method": "POST",
        "url": "https://a.com/x?key=REDACTED",
        "requestBody": "{\"id\":1}",
        "status": 404,
        "headers": {
          "content-type": "application/json"
        },
        "arrival": "2026-01-01T00:00:00.123456789Z",
        "body": "01-x.body"
      }

      """#
    #expect(String(decoding: cassette.json, as: UTF8.self) == text)
    #expect(try Cassette(parsing: cassette.json, file: "01-x.json") == cassette)
  }

  @Test func failureRoundTrips() throws {
    let cassette = Cassette(
      key: Cassette.Key(method: "GET", url: "https://a.com/", body: nil), outcome: .failure(.cannotResolve("a.com")),
      arrival: Self.arrival)
    let text = #"""
      {
        "method": "GET",
        "url": "https://a.com/",
        "arrival": "2026-01-01T00:00:00.123456789Z",
        "failure": "cannot-resolve a.com"
      }

      """#
    #expect(String(decoding: cassette.json, as: UTF8.self) == text)
    #expect(try Cassette(parsing: cassette.json, file: "x.json") == cassette)
  }

  @Test func urlAndArrivalAreSufficient() throws {
    let text = #"{"url": "https://a.com/", "arrival": "2026-01-01T00:00:00.123456789Z", "note": "by hand"}"#
    #expect(
      try Cassette(parsing: Array(text.utf8), file: "tapes/Some/ticker.json")
        == Cassette(
          key: Cassette.Key(method: "GET", url: "https://a.com/", body: nil),
          outcome: .answer(status: 200, headers: [], body: "ticker.body"), arrival: Self.arrival))
  }

  @Test func headersWithSameNameAreJoined() throws {
    let headers = [("Vary", "a"), ("X", "1"), ("vary", "b")].map { HTTPHeader(name: $0.0, value: $0.1) }
    let cassette = Cassette(
      key: Cassette.Key(method: "GET", url: "u", body: nil),
      outcome: .answer(status: 200, headers: headers, body: nil), arrival: Instant(nanoseconds: 0))
    let read = try Cassette(parsing: cassette.json, file: "x.json")
    #expect(
      read.outcome
        == .answer(
          status: 200, headers: [HTTPHeader(name: "vary", value: "a, b"), HTTPHeader(name: "x", value: "1")],
          body: nil))
  }

  /// The text, and the error with its position.
  static let damaged: [(String, String)] = [
    ("", "x.json:1:1: the text has no value"),
    ("[]", "x.json:1:1: expected an object"),
    ("{}", "x.json:1:1: missing member 'url'"),
    ("{\"url\": \"u\"}", "x.json:1:1: missing member 'arrival'"),
    ("{\n  \"url\": 5}", "x.json:2:10: expected a string"),
    ("{\"url\": \"u\", \"url\": \"v\"}", "x.json:1:14: duplicate member 'url'"),
    (
      "{\"url\": \"u\",\n\"arrival\": \"today\"}",
      "x.json:2:12: invalid time 'today'; expected one like 2026-01-01T00:00:00.123Z"
    ),
    (full("\"status\": \"200\""), "x.json:2:11: expected a status of three digits"),
    (full("\"status\": 20"), "x.json:2:11: expected a status of three digits"),
    (full("\"headers\": []"), "x.json:2:12: expected an object of strings"),
    (full("\"headers\": {\"a\": 1}"), "x.json:2:18: expected a string"),
    (full("\"body\": \"../x\""), "x.json:2:9: expected the name of a file in the same folder"),
    (full("\"body\": 1"), "x.json:2:9: expected a file name or null"),
    (
      full("\"failure\": \"lunch\""),
      "x.json:2:12: unknown failure 'lunch'; expected timeout, cannot-resolve, cannot-connect, "
        + "too-many-files, tls, too-large, redirect-refused, bad-encoding, broken-off, not-in-cassette, cancelled, not-sent, other"
    ),
    (full("\"failure\": \"timeout\", \"status\": 200"), "x.json:2:33: a failure cannot have a status"),
    (
      full("\"stauts\": 200"),
      "x.json:2:1: unknown member 'stauts'; expected method, url, requestBody, status, headers, arrival, "
        + "behind, body, failure, note"
    ),
  ]

  private static func full(_ member: String) -> String {
    "{\"url\": \"u\", \"arrival\": \"2026-01-01T00:00:00Z\",\n\(member)}"
  }

  @Test(arguments: damaged) func damagedCassettesAreRefused(_ text: String, _ complaint: String) {
    var found: CassetteError?
    do throws(CassetteError) {
      _ = try Cassette(parsing: Array(text.utf8), file: "x.json")
    } catch {
      found = error
    }
    #expect(found?.description == complaint)
  }
}
