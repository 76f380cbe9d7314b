extension HTTPRequest {
  /// A text that the clock filled in, and what a recording writes in its place.
  package struct Moment: Sendable, Hashable {
    /// Of moments with one text the mark that stands first here is written.
    package enum Mark: String, Sendable, CaseIterable {
      case now = "NOW"
      /// The start of what was asked for.
      case from = "FROM"
      /// The end of what was asked for.
      case to = "TO"
    }

    package let text: String
    package let mark: Mark

    package init(_ text: String, _ mark: Mark) {
      self.text = text
      self.mark = mark
    }
  }

  /// A text with `NOW`, `FROM` and `TO` for what the clock filled in.
  package func withoutMoments(_ text: String) -> String {
    pieces(of: text).map { $0.marks.first?.rawValue ?? $0.text }.joined()
  }

  /// Every way in which a recording may spell a text. Moments that are two today may have been one when it was made, as the
  /// end of the newest candles is now, and the other way round: so what is written with one mark here may have any there that
  /// stands before it, as far as the request has such moments.
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
    // A request names a few moments. Of one that names many, only the first spelling is looked for.
    let count = choices.reduce(1) { $0 > Self.mostSpellings ? $0 : $0 * $1.count }
    guard count <= Self.mostSpellings else { return [choices.compactMap(\.first).joined()] }
    return choices.reduce([""]) { texts, choice in texts.flatMap { text in choice.map { text + $0 } } }
  }

  private static let mostSpellings = 1000

  /// A part of a text.
  private struct Piece {
    let text: String
    /// Which moments it may be, in their order; none for what the clock did not fill in.
    var marks: [Moment.Mark] = []
  }

  /// A text cut at the moments in it. Where one is a part of another, the longer one counts.
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
