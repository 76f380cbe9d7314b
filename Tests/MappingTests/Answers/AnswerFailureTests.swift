import HTTP
import Mapping
import Quotes
import Testing

/// What is said of an answer that cannot be used.
@Suite struct AnswerFailureTests {
  private static func paused(_ seconds: Int) -> AnswerFailure {
    AnswerFailure.status(418).pausing(.seconds(seconds), from: Instant(nanoseconds: 0))
  }

  @Test(
    arguments: [
      (AnswerFailure(.notListed), "not-listed"), (.status(451), "http-451: blocked in this region"),
      (.status(400), "http-400"), (AnswerFailure(.http(400), "bad symbol"), "http-400: bad symbol"),
      (AnswerFailure(.timeout, TransportError.timeout), "timeout: no answer in time"),
      (AnswerFailure(.timeout).ofLookup("contracts"), "lookup-failed contracts: timeout"),
      (.status(451).ofLookup("contracts"), "lookup-failed contracts: blocked in this region"),
      (paused(60), "http-418: banned for too many requests, until 00:01 UTC"),
      // A minute that has begun is not over.
      (paused(61), "http-418: banned for too many requests, until 00:02 UTC"),
      (
        paused(60).adding("only HMAC keys work"),
        "http-418: banned for too many requests; only HMAC keys work, until 00:01 UTC"
      ),
      (AnswerFailure(.http(400)).adding("a").adding("b"), "http-400: a; b"),
      (paused(43_200), "http-418: banned for too many requests, until 1970-01-01 12:00 UTC"),
    ] as [(AnswerFailure, String)])
  func saysWhatIsKnown(_ failure: AnswerFailure, _ words: String) {
    #expect(failure.words == words)
  }

  @Test(
    arguments: [
      (AnswerFailure(.http(500), "x"), .theirs("x")), (AnswerFailure(.exchangeError("7"), "x"), .theirs("x")),
      (AnswerFailure(.emptyAnswer, "x"), .ours("x")), (AnswerFailure(.http(200), ours: "x"), .ours("x")),
      (AnswerFailure(.http(500)), .none), (.status(500), .status),
    ] as [(AnswerFailure, AnswerFailure.Detail)])
  func tellsWhoSaysIt(_ failure: AnswerFailure, _ detail: AnswerFailure.Detail) {
    #expect(failure.detail == detail)
  }
}
