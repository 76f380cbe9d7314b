import HTTP
import Mapping
import Quotes
import Testing

/// What is said of an answer that cannot be used.
@Suite struct AnswerFailureTests {
  private static func paused(_ seconds: Int) -> TableFailure {
    TableFailure.status(418).pausing(.seconds(seconds), from: Instant(nanoseconds: 0))
  }

  @Test(
    arguments: [
      (TableFailure(.notListed), "not-listed"), (.status(451), "http-451: blocked in this region"),
      (.status(400), "http-400"), (TableFailure(.http(400), "bad symbol"), "http-400: bad symbol"),
      (TableFailure(.timeout, TransportError.timeout), "timeout: no answer in time"),
      (TableFailure(.timeout).ofLookup("contracts"), "lookup-failed contracts: timeout"),
      (.status(451).ofLookup("contracts"), "lookup-failed contracts: blocked in this region"),
      (paused(60), "http-418: banned for too many requests, until 00:01 UTC"),
      // A minute that has begun is not over.
      (paused(61), "http-418: banned for too many requests, until 00:02 UTC"),
      (paused(43_200), "http-418: banned for too many requests, until 1970-01-01 12:00 UTC"),
    ] as [(TableFailure, String)])
  func saysWhatIsKnown(_ failure: TableFailure, _ words: String) {
    #expect(failure.words == words)
  }

  @Test(
    arguments: [
      (TableFailure(.http(500), "x"), .theirs("x")), (TableFailure(.exchangeError("7"), "x"), .theirs("x")),
      (TableFailure(.emptyAnswer, "x"), .ours("x")), (TableFailure(.http(200), ours: "x"), .ours("x")),
      (TableFailure(.http(500)), .none), (.status(500), .status),
    ] as [(TableFailure, TableFailure.Detail)])
  func tellsWhoSaysIt(_ failure: TableFailure, _ detail: TableFailure.Detail) {
    #expect(failure.detail == detail)
  }
}
