package import Config

/// What may be written in the place of a path that leads nowhere any more.
package struct Replacement: Sendable, Hashable {
  /// A place of the answer that may be meant.
  package struct Candidate: Sendable, Hashable {
    /// As a config would write it.
    package let path: String
    /// The first value there, cut where it is long. Text of an exchange.
    package let example: String
    /// From 0 to 1.
    package let score: Double
    /// Each a few words: `40 of 40 rows within 3 points of the recorded value`.
    package let evidence: [String]
    /// Whether it stands in the rows; else in the answer around them.
    package let isInRow: Bool
    /// Whether more than the path has to change: the unit of a time.
    package let needsMore: Bool

    package init(
      path: String, example: String, score: Double, evidence: [String], isInRow: Bool, needsMore: Bool = false
    ) {
      self.needsMore = needsMore
      self.path = path
      self.example = example
      self.score = score
      self.evidence = evidence
      self.isInRow = isInRow
    }
  }

  /// The path that leads nowhere, as it is written.
  package let lost: String
  /// Where it is written, in the order of the mapping; one at least.
  package let places: [Place]
  /// Whether it was read in the rows.
  package let isInRow: Bool
  /// The best first. One alone is proposed; several are too near to each other to choose; none: nothing fits.
  package let candidates: [Candidate]

  package init(lost: String, places: [Place], isInRow: Bool, candidates: [Candidate]) {
    self.lost = lost
    self.places = places
    self.isInRow = isInRow
    self.candidates = candidates
  }

  /// From this score on a candidate is proposed.
  static let certain = 0.5
  /// The score of one that may do, and that nothing proves.
  static let doubtful = 0.4

  /// The one that is proposed.
  package var chosen: Candidate? { candidates.count == 1 && candidates[0].score >= Self.certain ? candidates[0] : nil }

  /// One sentence of what to write.
  package var help: String {
    guard let first = candidates.first else { return "nothing in the answer fits what was recorded there" }
    func evidence(_ candidate: Candidate) -> String { candidate.evidence.joined(separator: ", ") }
    guard candidates.count > 1 else {
      guard chosen != nil else {
        return "perhaps \"\(first.path)\" (\(first.example)): \(evidence(first)); look whether it means the same"
      }
      let source = first.isInRow == isInRow ? "" : first.isInRow ? " of the row" : " with \"from\": \"response\""
      return "use \"\(first.path)\"\(source) (\(first.example)): \(evidence(first))"
    }
    let list = candidates.map { "\"\($0.path)\" (\($0.example)): \(evidence($0))" }.joined(separator: "; or ")
    return "these fit alike, look which is meant: \(list)"
  }

  /// The text that the edit of the config writes; nil where more than the path has to change, or nothing is chosen.
  package var written: String? { chosen.flatMap { $0.isInRow == isInRow && !$0.needsMore ? $0.path : nil } }
}
