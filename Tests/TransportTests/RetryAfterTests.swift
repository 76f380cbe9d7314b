import HTTP
import Quotes
import Testing

@testable import Transport

@Suite struct RetryAfterTests {
  /// A Thursday.
  static let wall = Instant.at("2026-01-01T00:00:00Z")

  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("120", 120),
      ("Thu, 01 Jan 2026 00:00:10 GMT", 10),
      ("Thursday, 01-Jan-26 00:00:10 GMT", 10),
      ("Thu Jan  1 00:00:10 2026", 10),
      ("Wed, 31 Dec 2025 23:59:59 GMT", 0),
      ("", nil), ("soon", nil), ("-5", nil), ("7 s", nil), ("60s", nil),
      ("2026-01-01T00:00:10Z", nil), ("1.5", 2), ("2.0", 2), (".5", nil), ("1.", nil), ("1.5.2", nil),
      ("5, 10", 5), ("1.2 ,3", 2), (", 5", nil),
    ] as [(String, Int64?)])
  func forms(_ value: String, _ seconds: Int64?) {
    let headers = [HTTPHeader(name: "retry-after", value: value)]
    #expect(RetryAfter.pause(headers, wall: Self.wall) == seconds.map { $0 * 1_000_000_000 })
  }

  /// A date is one of the host's clock, and so is that of its answer.
  @Test(
    arguments: [("Thu, 01 Jan 2026 01:00:04 GMT", 4), ("Wed, 31 Dec 2025 23:00:04 GMT", 0), ("7", 7)]
      as [(String, Int64)])
  func hostsOwnClock(_ value: String, _ seconds: Int64) {
    let headers = [
      HTTPHeader(name: "date", value: "Thu, 01 Jan 2026 01:00:00 GMT"), HTTPHeader(name: "Retry-After", value: value),
    ]
    #expect(RetryAfter.pause(headers, wall: Self.wall) == seconds * 1_000_000_000)
  }

  @Test(arguments: ["99999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
  func valueBeyondIntegerRange(_ value: String) throws {
    let headers = [HTTPHeader(name: "Retry-After", value: value)]
    #expect(try #require(RetryAfter.pause(headers, wall: Self.wall)) > 200 * 365 * 86_400 * 1_000_000_000)
  }

  @Test func absent() {
    #expect(RetryAfter.pause([], wall: Self.wall) == nil)
  }
}
