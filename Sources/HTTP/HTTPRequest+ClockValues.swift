extension HTTPRequest {
  /// A text filled in from the clock, and the mark that replaces it in recordings.
  package struct ClockValue: Sendable, Hashable {
    /// If clock values have the same text, the mark that comes first here is written.
    package enum Mark: String, Sendable, CaseIterable {
      case now = "NOW"
      /// The start of the requested range.
      case from = "FROM"
      /// The end of the requested range.
      case to = "TO"
    }

    package let text: String
    package let mark: Mark

    package init(_ text: String, _ mark: Mark) { (self.text, self.mark) = (text, mark) }
  }

  /// Returns the text with `NOW`, `FROM` and `TO` in place of what the clock filled in.
  package func replacingClockValues(_ text: String) -> String {
    pieces(of: text).map { $0.marks.first?.rawValue ?? $0.text }.joined()
  }

  /// Returns every way in which a recording may spell a text. Moments that differ today may have been equal when it was
  /// recorded, as the end of the newest candles equals now, and vice versa: so a mark here may be any earlier mark in
  /// the recording, as far as the request has such values.
  ///
  /// The first spelling is the same for all of them.
  package func spellings(of text: String) -> [String] {
    if clockValues.isEmpty { return [text] }
    let own = Set(clockValues.map(\.mark))
    let order = ClockValue.Mark.allCases.filter(own.contains)
    let choices = pieces(of: text).map { piece -> [String] in
      guard let end = piece.marks.last.flatMap(order.firstIndex) else { return [piece.text] }
      return order[...end].map(\.rawValue)
    }
    // Requests have few clock values. For one with many, only the first spelling is tried.
    let count = choices.reduce(1) { $0 > Self.maximumSpellings ? $0 : $0 * $1.count }
    guard count <= Self.maximumSpellings else { return [choices.compactMap(\.first).joined()] }
    return choices.reduce([""]) { texts, choice in texts.flatMap { text in choice.map { text + $0 } } }
  }

  package static let maximumSpellings = 1000

  /// A part of a text.
  private struct Piece {
    let text: String
    /// The clock values that it may be, in order; empty for text that the clock did not fill in.
    var marks: [ClockValue.Mark] = []
  }

  /// Splits a text at the clock values in it. If one contains another, the longer one wins.
  private func pieces(of text: String) -> [Piece] {
    let texts = Set(clockValues.map(\.text)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    return texts.reduce([Piece(text: text)]) { pieces, value in
      let marks = ClockValue.Mark.allCases.filter { clockValues.contains(ClockValue(value, $0)) }
      return pieces.flatMap { piece -> [Piece] in
        guard piece.marks.isEmpty else { return [piece] }
        return Redaction([value], inEncodings: false).parts(of: piece.text).enumerated().flatMap { index, part in
          (index == 0 ? [] : [Piece(text: value, marks: marks)]) + [Piece(text: part)]
        }
      }
    }
  }
}
