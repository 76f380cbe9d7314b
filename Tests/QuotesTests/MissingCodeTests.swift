import Quotes
import Testing

/// A reason stored as its code is restored as the same reason.
@Suite struct MissingCodeTests {
  static let reasons: [Missing] =
    Missing.Plain.allCases.map { .plain($0) } + withDetails + NotSent.allCases.map { .notSent($0) }
    + NoAnswer.allCases.map { .noAnswer($0) }

  private static let withDetails: [Missing] = [
    .lookupFailed("contracts"), .http(451), .stream("stream-closed 1006"),
    .exchangeError("40034"), .exchangeError(""),
  ]

  @Test(arguments: reasons)
  func codesRoundTrip(_ reason: Missing) { #expect(Missing(code: reason.code) == reason) }

  /// Cells are copied by the thousand: without counting references, and in three words.
  @Test func cellIsPlainBytes() {
    #expect(_isPOD(Cell.self))
    #expect(MemoryLayout<Cell>.stride == 24)
  }

  /// No two reasons have one code.
  @Test func codesAreDistinct() { #expect(Set(Self.reasons.map(\.code)).count == Self.reasons.count) }

  @Test(arguments: ["over-budget", "http-x", "no-answer", "no-answer because", "not-sent", ""])
  func otherTextsAreNoReasons(_ text: String) { #expect(Missing(code: text) == nil) }
}
