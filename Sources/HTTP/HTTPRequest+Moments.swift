extension HTTPRequest {
  /// A text filled in from the clock, and the mark that replaces it in recordings.
  package struct Moment: Sendable, Hashable {
    /// If moments have the same text, the mark that comes first here is written.
    package enum Mark: String, Sendable, CaseIterable {
      case now = "NOW"
      /// The start of the requested range.
      case from = "FROM"
      /// The end of the requested range.
      case to = "TO"
    }

    package let text: String
    package let mark: Mark

    package init(_ text: String, _ mark: Mark) {
      self.text = text
      self.mark = mark
    }
  }

  /// Returns the text with `NOW`, `FROM` and `TO` in place of what the clock filled in.
  package func withoutMoments(_ text: String) -> String {
    pieces(of: text).map { $0.marks.first?.rawValue ?? $0.text }.joined()
  }

  /// Returns every way in which a recording may spell a text. Moments that differ today may have been equal when it was
  /// recorded, as the end of the newest candles equals now, and vice versa: so a mark here may be any earlier mark in
  /// the recording, as far as the request has such moments.
  ///
  /// The first spelling is the same for all of them.
  package func spellings(of text: String) -> [String] {
    if moments.isEmpty { return [text] }
    let own = Set(moments.map(\.mark))
    let order = Moment.Mark.allCases.filter(own.contains)
    let choices = pieces(of: text).map { piece -> [String] in
      guard let end = piece.marks.last.flatMap(order.firstIndex) else { return [piece.text] }
      return order[...end].map(\.rawValue)
    }
    // Requests have few moments. For one with many, only the first spelling is tried.
    let count = choices.reduce(1) { $0 > Self.mostSpellings ? $0 : $0 * $1.count }
    guard count <= Self.mostSpellings else { return [choices.compactMap(\.first).joined()] }
    return choices.reduce([""]) { texts, choice in texts.flatMap { text in choice.map { text + $0 } } }
  }

  private static let mostSpellings = 1000

  /// A part of a text.
  private struct Piece {
    let text: String
    /// The moments that it may be, in order; empty for text that the clock did not fill in.
    var marks: [Moment.Mark] = []
  }

  /// Splits a text at the moments in it. If one contains another, the longer one wins.
  private func pieces(of text: String) -> [Piece] {
    let texts = Set(moments.map(\.text)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    return texts.reduce([Piece(text: text)]) { pieces, moment in
      let marks = Moment.Mark.allCases.filter { moments.contains(Moment(moment, $0)) }
      return pieces.flatMap { piece -> [Piece] in
        guard piece.marks.isEmpty else { return [piece] }
        return Redaction([moment], inBase64: false).parts(of: piece.text).enumerated().flatMap { index, part in
          (index == 0 ? [] : [Piece(text: moment, marks: marks)]) + [Piece(text: part)]
        }
      }
    }
  }
}
