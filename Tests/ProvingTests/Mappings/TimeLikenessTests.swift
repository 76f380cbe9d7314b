import Config
import JSON
import Quotes
import Testing

@testable import Mapping
@testable import Proving

/// Times of answers may lie anywhere, and are compared without a trap.
@Suite struct TimeLikenessTests {
  private static let arrival = Instant(nanoseconds: 1_790_000_000_000_000_000)

  struct Case: Sendable, CustomTestStringConvertible {
    let recorded: String
    let current: String
    let score: Double
    var testDescription: String { "\(recorded) -> \(current)" }
  }

  @Test(arguments: [
    Case(recorded: #""2026-09-21T14:13:20Z""#, current: #""2026-09-21T14:13:10Z""#, score: 1),
    Case(recorded: #""1900-01-01T00:00:00Z""#, current: #""2026-09-21T14:13:10Z""#, score: 1),
    Case(recorded: #""1900-01-01T00:00:00Z""#, current: #""1901-01-01T00:00:00Z""#, score: 1),
    Case(recorded: #""2013-01-01T00:00:00Z""#, current: #""1970-01-01T00:00:00Z""#, score: 0.6),
    Case(recorded: #""2026-09-21T14:13:20Z""#, current: #""1700-01-01T00:00:00Z""#, score: 0),
    Case(recorded: #""2026-09-21T14:13:20Z""#, current: #""2250-01-01T00:00:00Z""#, score: 0),
  ])
  func age(_ sample: Case) throws {
    func value(_ text: String) throws -> AnswerValue {
      try #require(AnswerValue(try JSONDocument(parsing: Array(text.utf8)).root))
    }
    let pairs = [(try value(sample.recorded), try value(sample.current))]
    let likeness = TimeLikeness(pairs, .iso8601(offsetSeconds: 0), (Self.arrival, Self.arrival))
    #expect(likeness.score == sample.score)
  }
}
