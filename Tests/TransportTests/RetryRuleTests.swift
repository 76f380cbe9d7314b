import HTTP
import Testing

@testable import Transport

@Suite struct RetryRuleTests {
  @Test(arguments: [
    (200, false, false), (304, false, false), (400, false, false), (401, false, false), (403, false, false),
    (404, false, false), (418, false, false), (429, false, true), (451, false, false), (500, true, true),
    (502, true, true), (503, true, true), (504, true, true), (599, true, true), (600, false, false),
  ])
  func statuses(_ status: Int, _ mayFailOver: Bool, _ mayRetry: Bool) {
    let response = HTTPResponse(status: status, body: [])
    #expect(
      RetryRule.verdict(on: .success(response))
        == RetryRule.Verdict(mayFailOver: mayFailOver, mayRetry: mayRetry))
  }

  /// A key that has been refused is not sent again, to any host. Whatever did not come from the exchange's own program,
  /// or says when to come again, is as for other requests.
  @Test(
    arguments: [
      (401, "{}", nil, false, false), (429, "", nil, false, false), (429, "", "2", false, true),
      (500, #"["error",10100,"apikey: invalid"]"#, nil, false, false), (503, " {}", nil, false, false),
      (503, "{}", "2", true, true), (502, "<html>", nil, true, true), (504, "", nil, true, true),
      (429, "", "1.5", false, true), (429, "", "soon", false, false), (429, "", "60s", false, false),
      (503, "{}", "-5", false, false),
    ] as [(Int, String, String?, Bool, Bool)])
  func signedRequests(_ status: Int, _ body: String, _ retryAfter: String?, _ mayFailOver: Bool, _ mayRetry: Bool) {
    let headers = retryAfter.map { [HTTPHeader(name: "Retry-After", value: $0)] } ?? []
    let response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
    #expect(
      RetryRule.verdict(on: .success(response), isSigned: true)
        == RetryRule.Verdict(mayFailOver: mayFailOver, mayRetry: mayRetry))
  }

  static let errors: [(TransportError, Bool, Bool)] = [
    (.timeout, true, true), (.cannotResolve("x"), true, true), (.cannotConnect("x"), true, true),
    (.tooManyFiles, false, true), (.brokenOff("x"), true, true), (.tls("x"), true, false),
    (.tooLarge(limit: 1), false, false),
    (.redirectRefused("x"), false, false), (.badEncoding, false, false), (.cancelled, false, false),
    (.other("x"), false, false), (.notInCassette("x"), false, false),
  ]

  @Test(arguments: errors) func failures(_ error: TransportError, _ mayFailOver: Bool, _ mayRetry: Bool) {
    #expect(RetryRule.verdict(on: .failure(error)) == RetryRule.Verdict(mayFailOver: mayFailOver, mayRetry: mayRetry))
  }

  @Test(arguments: [
    (0, 0.0, 100), (0, 0.5, 150), (1, 0.0, 200), (1, 0.5, 300), (2, 0.0, 400), (4, 0.0, 1_600), (5, 0.0, 2_500),
    (5, 0.5, 3_750), (1_000, 0.0, 2_500), (-1, 0.0, 100),
  ])
  func delayDoublesUpToItsLimit(_ retry: Int, _ chance: Double, _ milliseconds: Int64) {
    #expect(RetryRule().delay(before: retry, chance: chance) == milliseconds * 1_000_000)
  }
}
