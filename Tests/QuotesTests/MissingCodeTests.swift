import Quotes
import Testing

/// A reason stored as its code is restored as the same reason.
@Suite struct MissingCodeTests {
  @Test(arguments: [
    Missing.notOffered, .notListed, .pathMiss, .pathMany, .jsonNull, .notANumber, .zero, .stale, .noSecret,
    .lookupFailed("contracts"), .lookupMiss, .lookupAmbiguous, .emptyAnswer, .notJSON, .http(451), .timeout,
    .noAnswer("unreachable"), .noAnswer(""), .exchangeError("40034"), .exchangeError(""), .hookMissing, .notRequested,
    .openUnknown, .contradictory, .noPrice, .identity,
  ])
  func codesRoundTrip(_ reason: Missing) { #expect(Missing(code: reason.code) == reason) }

  @Test func unknownTextIsAReason() {
    #expect(Missing(code: "over-budget") == .noAnswer("over-budget"))
    #expect(Missing(code: "http-x").code == "no-answer http-x")
  }
}
