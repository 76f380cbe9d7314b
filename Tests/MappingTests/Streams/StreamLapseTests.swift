import Mapping
import Quotes
import Testing

/// What a stream that fails says of it.
@Suite struct StreamLapseTests {
  private static let hundred = Decimal(100)

  @Test(
    arguments: [
      (.silent(.unheard), "stream-silent: no message since it was subscribed"),
      (.silent(.unnamed), "stream-silent: messages arrive, none of which names the pair"),
      (.closed(1006, ""), "stream-closed 1006"), (.closed(1000, "bye"), "stream-closed 1000: bye"),
      (.refused("", nil), "stream-refused"),
      (.refused("30004", "no such channel"), "stream-refused 30004: no such channel"),
      (.differs(hundred, polled: Decimal(1), figure: nil), "stream-differs: 100 by stream, 1 by REST"),
      (
        .differs(hundred, polled: Decimal(1), figure: "turnover24"),
        "stream-differs: turnover24 100 by stream, 1 by REST"
      ),
      (.jumped(hundred, from: Decimal(1)), "stream-differs: 100 by stream, after 1"),
      (.repeated, "duplicate: the exchange sends this pair more than once"),
      (.unreadablePrice(.jsonNull), "stream-bad: the price of its messages cannot be read: json-null"),
      (.bad("odd"), "stream-bad: odd"),
    ] as [(StreamLapse, String)])
  func saysCodeAndSentence(_ lapse: StreamLapse, _ words: String) {
    let failure = AnswerFailure.stream(lapse)
    #expect(failure.words == words)
    #expect(failure.lapse == lapse)
  }

  /// What differs only in words is still told apart.
  @Test func equalWordsAreNotEqualLapses() {
    #expect(AnswerFailure.stream(.unpriced) != .stream(.bad("no message contained a price for a minute")))
  }
}
