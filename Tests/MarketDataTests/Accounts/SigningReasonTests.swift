import HTTP
import Mapping
import Quotes
import Testing

@testable import MarketData

/// A problem of signing has one reason, whether it is found before a request or while it is sent.
@Suite struct SigningReasonTests {
  @Test(
    arguments: [
      (.noSecret(name: "apiKey"), "no-secret"), (.badSecret(name: "apiKey", why: "it is not base64"), "bad-secret"),
      // A hole in the config is no reason to store the key again.
      (.noValue(placeholder: "symbol"), "no-answer no-request"),
      (.crypto(CryptographyProblem("no libcrypto")), "no-crypto"),
    ] as [(SigningProblem, String)])
  func problems(_ problem: SigningProblem, _ code: String) {
    #expect(problem.failure.reason.code == code)
    #expect(AnswerFailure(problem.transportError).reason.code == code)
  }
}
