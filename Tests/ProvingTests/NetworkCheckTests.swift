import Config
import HTTP
import Quotes
import Testing
import Transport

@testable import Proving

/// The interpretation of responses by `market doctor --live`.
@Suite struct NetworkCheckTests {
  private static let arrival: Int64 = 1_794_978_727_000_000_000

  private static let config = """
    {"version": 1, "exchanges": {\(["Alpha", "Beta", "Gamma"].map { name in
      """
      "\(name)": {"baseUrls": ["https://\(name.lowercased()).example", "https://second.example"], "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
        "success": {"where": [{"path": "$.code", "notIn": [5]}], "code": "$.code", "message": ["$.msg"]},
        "markets": {"spot": {"tickers": {"request": {"path": "/all"}}}}}
      """
    }.joined(separator: ","))}}
    """

  private func findings(
    _ reply: @escaping @Sendable (_ exchange: String) -> Result<HTTPResponse, TransportError>
  ) async throws -> [Finding] {
    let file = try ConfigFile(name: "c.json", bytes: Array(Self.config.utf8))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    let visits = ReachabilityCheck(
      configuration, by: { request throws(TransportError) in try reply(request.exchange).get() },
      now: { Instant(nanoseconds: Self.arrival) })
    return await visits.findings()
  }

  private func lines(
    _ reply: @escaping @Sendable (_ exchange: String) -> Result<HTTPResponse, TransportError>
  ) async throws -> [String] {
    try await findings(reply).map { line in
      // The duration varies.
      "\(line.severity == .error ? "problem" : line.severity.rawValue): \(line.message.replacing(#/[0-9]+ ms/#, with: "N ms"))"
    }
  }

  private static func answer(
    _ status: Int = 200, host: String, date: String = "Wed, 18 Nov 2026 05:12:07 GMT", age: String? = nil,
    _ body: String = "[]"
  ) -> Result<HTTPResponse, TransportError> {
    let headers = [HTTPHeader(name: "date", value: date)] + (age.map { [HTTPHeader(name: "age", value: $0)] } ?? [])
    return .success(
      HTTPResponse(
        status: status, headers: headers, body: Array(body.utf8), arrival: Instant(nanoseconds: arrival + 500_000_000),
        url: "https://\(host)/all"))
  }

  @Test func goodResponsesAndCorrectClock() async throws {
    #expect(
      try await lines { Self.answer(host: "\($0.lowercased()).example") } == [
        "ok: the local clock is correct to 0 s, by the dates of 3 exchanges",
        "ok: Alpha: HTTP 200 in N ms from alpha.example", "ok: Beta: HTTP 200 in N ms from beta.example",
        "ok: Gamma: HTTP 200 in N ms from gamma.example",
      ])
  }

  /// A good status alone is no answer of the exchange.
  @Test(arguments: [
    ("<!DOCTYPE html>", "problem", "not with JSON (the answer is an HTML or XML page)"),
    ("", "problem", "not with JSON (the answer is empty)"),
    (#"{"code": 5, "msg": "maintenance"}"#, "warning", "with an error: venue-error 5 (maintenance)"),
  ])
  func goodStatusWithoutAnAnswer(_ body: String, _ severity: String, _ words: String) async throws {
    let lines = try await lines {
      Self.answer(host: "\($0.lowercased()).example", $0 == "Alpha" ? body : #"{"code": 4}"#)
    }
    #expect(
      lines.dropFirst() == [
        "\(severity): Alpha: HTTP 200 in N ms from alpha.example, but \(words)",
        "ok: Beta: HTTP 200 in N ms from beta.example", "ok: Gamma: HTTP 200 in N ms from gamma.example",
      ])
  }

  /// The median counts, since a single exchange may be wrong.
  @Test(arguments: [
    ("Wed, 18 Nov 2026 05:11:25 GMT", "problem: the local clock is 42 s ahead, by the dates of 3 exchanges"),
    ("Wed, 18 Nov 2026 05:12:10 GMT", "warning: the local clock is 3 s behind, by the dates of 3 exchanges"),
    ("Wed, 18 Nov 2026 01:12:07 GMT", "problem: the local clock is 4 h ahead, by the dates of 3 exchanges"),
    ("Wednesday, 18-Nov-26 05:13:07 GMT", "problem: the local clock is 60 s behind, by the dates of 3 exchanges"),
  ])
  func wrongClockIsReported(_ date: String, _ line: String) async throws {
    let lines = try await lines { exchange in
      Self.answer(host: "x.example", date: exchange == "Beta" ? "Wed, 18 Nov 2026 05:12:07 GMT" : date)
    }
    #expect(lines.first == line)
  }

  /// Impossible dates are ignored.
  @Test(arguments: [
    "yesterday", "", "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0001 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT",
    "Wed, 99 Foo 2026 99:99:99 GMT", String(repeating: "9", count: 4000),
  ])
  func impossibleDatesDoNotTellTheTime(_ date: String) async throws {
    let lines = try await lines { _ in Self.answer(host: "x.example", date: date) }
    #expect(lines.first == "warning: no exchange reported the time")
  }

  @Test func exchangeWithWrongClockIsNamed() async throws {
    let lines = try await lines { exchange in
      Self.answer(
        host: "x.example", date: exchange == "Gamma" ? "Wed, 18 Nov 2026 04:00:07 GMT" : "Wed, 18 Nov 2026 05:12:07 GMT"
      )
    }
    #expect(
      lines.prefix(2) == [
        "ok: the local clock is correct to 0 s, by the dates of 3 exchanges",
        "warning: the clock of Gamma is 72 min behind those of the others",
      ])
  }

  /// A cached response has the date at which it was stored.
  @Test func cachedResponsesDoNotTellTheTime() async throws {
    let lines = try await lines { _ in
      Self.answer(host: "x.example", date: "Wed, 18 Nov 2026 05:00:00 GMT", age: "727")
    }
    #expect(lines.first == "warning: no exchange reported the time")
  }

  @Test func unreachableExchangesAreReported() async throws {
    let lines = try await lines { exchange in
      switch exchange {
      case "Alpha": Self.answer(451, host: "alpha.example")
      case "Beta": Self.answer(host: "second.example")
      default: .failure(.cannotResolve("gamma.example"))
      }
    }
    #expect(
      lines.dropFirst() == [
        "problem: Alpha: HTTP 451 in N ms from alpha.example",
        "warning: Beta: HTTP 200 in N ms from second.example, an alternate",
        "problem: Gamma: cannot resolve 'gamma.example' after N ms (gamma.example, second.example)",
      ])
  }

  /// What to do follows from the kind of the failure.
  @Test(
    arguments: [
      (.timeout, "allow more time with --timeout, or check the network"),
      (.cannotResolve("a"), "unknown host name: check DNS, or whether the exchange has moved"),
      (
        .tls("a.example:80: the server does not speak TLS at this port"),
        "check this machine's clock and certificate authorities, and the exchange's port in the config"
      ),
      (.redirectRefused("to http"), "the exchange has moved, or a login page of this network answers"),
      (
        .other("the proxy 127.0.0.1:8601 refused to connect to a.example:443: HTTP 407"),
        "check the proxy (https_proxy), and the exchange's host and port in the config"
      ),
      (.notSent(reason: .ownLimit, "not sent"), "try again"),
    ] as [(TransportError, String)])
  func failuresHaveRemedies(_ error: TransportError, _ help: String) async throws {
    let findings = try await findings { $0 == "Alpha" ? .failure(error) : Self.answer(host: "b.example") }
    #expect(findings.compactMap(\.help) == [help])
  }

  @Test func missingNetworkIsReportedInOneLine() async throws {
    #expect(
      try await lines { _ in .failure(.timeout) } == [
        "problem: none of 3 exchanges answers; Alpha: no answer in time"
      ])
  }
}
