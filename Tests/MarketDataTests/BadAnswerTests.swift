import HTTP
import Mapping
import MarketData
import Quotes
import Testing
import Transport

/// A bad response gives a reason for its exchange and leaves the others untouched.
@Suite struct BadAnswerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var status = 200
    let body: [UInt8]
    let reason: String
    var message: String?

    init(_ name: String, status: Int = 200, _ body: String, _ reason: String, _ message: String? = nil) {
      self.init(name, status: status, bytes: Array(body.utf8), reason, message)
    }

    init(_ name: String, status: Int = 200, bytes: [UInt8], _ reason: String, _ message: String? = nil) {
      testDescription = name
      self.status = status
      body = bytes
      self.reason = reason
      self.message = message
    }
  }

  static let cases = [
    Case(
      "truncated", #"{"ok":true,"list":[{"s":"BTC-US"#, "not-json", "the text ends inside a string at line 1, column 32"
    ),
    Case("empty", "", "not-json", "the answer is empty"),
    Case("blank", " \n ", "not-json", "the answer is empty"),
    Case("a page", "<!doctype html><html>…", "not-json", "the answer is an HTML or XML page"),
    Case("a page with an error status", status: 502, "<html>", "http-502", "the exchange's server failed"),
    Case("blocked by region", status: 451, #"{"ok":false,"code":0,"message":"not here"}"#, "http-451", "0: not here"),
    Case("blocked, no body", status: 403, "", "http-403", "refused, usually a regional or IP block"),
    Case("too many requests", status: 429, "{}", "http-429", "too many requests"),
    Case("banned", status: 418, "{}", "http-418", "banned for too many requests"),
    Case(
      "wrong type", #"[1, 2, 3]"#, "venue-error",
      "the response does not meet the success conditions; $.ok: expected 'true', found nothing"),
    Case("rows of a wrong type", #"{"ok":true,"list":"none"}"#, "path-miss", "the path of the rows leads to a string"),
    Case("rows gone", #"{"ok":true}"#, "path-miss", "the path of the rows leads to nothing"),
    Case(
      "symbols in another spelling", #"{"ok":true,"list":[{"s":"BTC|USDT","p":"1"},{"s":"ETH|USDT","p":"1"}]}"#,
      "unsplit",
      #"no rule of the config splits "BTC|USDT""#),
    Case("no rows", #"{"ok":true,"list":[]}"#, "empty-answer"),
    Case(
      "the exchange's own error", #"{"ok":false,"code":"E7","message":"maintenance"}"#, "venue-error E7", "maintenance"),
    Case(
      "too deep", String(repeating: "[", count: 1_000_000), "not-json", "nesting deeper than 512 at line 1, column 513"),
    Case(
      "another encoding", bytes: [0xFF, 0xFE, 0x5B, 0x00], "not-json", "expected a value at line 1, column 1"),
    Case(
      "invalid UTF-8 in a string",
      bytes: Array(#"{"ok":true,"list":[{"s":"BTC"#.utf8) + [0xC3, 0x28] + Array(#""}]}"#.utf8),
      "not-json", "invalid UTF-8 at line 1, column 29"),
  ]

  @Test(arguments: cases) func givesAReason(_ bad: Case) async throws {
    let snapshot = try await StubExchanges().snapshot { host, _ in
      switch host {
      case "alpha": StubExchanges.good("100.5")
      case "beta": .success((bad.status, bad.body))
      default: StubExchanges.good("101")
      }
    }
    #expect(snapshot.spot.map(\.ticker.exchange) == ["alpha", "gamma"])
    #expect(snapshot.spot.map { $0.ticker.text(.price) } == ["100.5", "101"])
    #expect(try snapshot.premium.get().percentText == "0.50")
    let report = try #require(snapshot.failures.first)
    #expect(snapshot.failures.count == 1)
    #expect(report.exchange == "beta")
    #expect(report.status == .failed)
    #expect(report.reason == bad.reason)
    #expect(report.message == bad.message)
  }

  static let wireFailures: [(TransportError, String)] = [
    (.timeout, "timeout"), (.cannotResolve("beta.example"), "no-answer unreachable"),
    (.cannotConnect("beta.example"), "no-answer unreachable"), (.tls("expired"), "no-answer tls"),
    (.tooLarge(limit: 64 << 20), "no-answer too-large"), (.redirectRefused("http"), "no-answer redirect"),
    (.badEncoding, "no-answer encoding"), (.brokenOff("reset"), "no-answer unreachable"),
    (.tooManyFiles, "no-answer too-many-files"),
  ]

  @Test(arguments: wireFailures) func namesTransportFailures(_ error: TransportError, _ reason: String) async throws {
    let snapshot = try await StubExchanges().snapshot { host, _ in
      host == "beta" ? .failure(error) : StubExchanges.good("100")
    }
    #expect(snapshot.spot.map(\.ticker.exchange) == ["alpha", "gamma"])
    #expect(snapshot.failures.map(\.reason) == [reason])
  }

  @Test func unlistedPairIsNotAFailure() async throws {
    let snapshot = try await StubExchanges().snapshot { host, _ in
      host == "beta" ? .success((404, Array(#"{"ok":false,"code":404}"#.utf8))) : StubExchanges.good("100")
    }
    #expect(snapshot.failures.isEmpty)
    #expect(snapshot.reports.map(\.status) == [.ok, .notListed, .ok])
  }

  /// An exchange's text is kept unchanged until shown: sanitizing it is up to the terminal's room.
  @Test func hostileTextArrivesUnchanged() async throws {
    let body = #"{"ok":false,"code":"\u001b[2J","message":"\u202eevil\u0007"}"#
    let snapshot = try await StubExchanges().snapshot { _, _ in .success((200, Array(body.utf8))) }
    #expect(snapshot.failures.map(\.reason) == Array(repeating: "venue-error \u{1B}[2J", count: 3))
    #expect(snapshot.failures.map(\.message) == Array(repeating: "\u{202E}evil\u{7}", count: 3))
  }
}
