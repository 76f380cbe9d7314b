package import Config
import Inference
import Quotes

/// What may be written in the place of a path that leads nowhere any more.
package struct Replacement: Sendable, Hashable {
  /// A place of the answer that may be meant.
  package struct Candidate: Sendable, Hashable {
    /// As a config would write it.
    package let path: String
    /// The first value there, cut where it is long. Text of an exchange.
    package let example: String
    /// From 0 to 1, in hundredths.
    package let score: Double
    /// Each a few words: `40 of 40 rows within 3 points of the recorded value`.
    package let evidence: [String]
    /// Whether it stands in the rows; else in the answer around them.
    package let isInRow: Bool
    /// Whether more than the path has to change: the unit of a time.
    package let needsMore: Bool

    init(path: String, example: String, score: Double, evidence: [String], isInRow: Bool, needsMore: Bool = false) {
      (self.path, self.example, self.evidence) = (path, example, evidence)
      self.score = (score * 100).rounded() / 100
      (self.isInRow, self.needsMore) = (isInRow, needsMore)
    }

    fileprivate var reasons: String { "(\(example)): \(evidence.joined(separator: ", "))" }
  }

  /// The path that leads nowhere, as it is written.
  package let lost: String
  /// Where it is written, in the order of the mapping; one at least.
  package let places: [Place]
  /// Whether it was read in the rows.
  let isInRow: Bool
  /// The best first. One alone is proposed; several are too near to each other to choose; none: nothing fits.
  package internal(set) var candidates: [Candidate]

  /// From this score on a candidate is proposed.
  static let certain = 0.5
  /// The score of one that may do, and that nothing proves.
  static let doubtful = 0.4

  /// The one that is proposed.
  package var chosen: Candidate? { candidates.count == 1 && candidates[0].score >= Self.certain ? candidates[0] : nil }

  /// One sentence of what to write.
  package var help: String {
    guard let first = candidates.first else { return "nothing in the answer fits what was recorded there" }
    guard candidates.count == 1 else {
      let list = candidates.map { "\"\($0.path)\" \($0.reasons)" }.joined(separator: "; or ")
      return "these fit alike, look which is meant: \(list)"
    }
    guard chosen != nil else { return "perhaps \"\(first.path)\" \(first.reasons); look whether it means the same" }
    let source = first.isInRow == isInRow ? "" : first.isInRow ? " of the row" : " with \"from\": \"response\""
    return "use \"\(first.path)\"\(source) \(first.reasons)"
  }

  /// The same for rows that have moved.
  var rowsHelp: String { chosen.map { "the rows seem to be at \"\($0.path)\" \($0.reasons)" } ?? help }

  /// The edits of the config; empty where more than the path has to change, or nothing is chosen.
  var edits: [Finding.Edit] {
    guard let chosen, chosen.isInRow == isInRow, !chosen.needsMore else { return [] }
    return places.map { Finding.Edit($0, ConfigValue.quoted(chosen.path)) }
  }
}

/// Finds what may stand in the place of a path where there is nothing recorded to compare with: a member of a similar name
/// that nothing reads, and the member whose numbers play the same part in the rows.
struct ReplacementGuess {
  /// Where the rows seem to be, for an answer that has none where they were.
  var rows: String? { proposal?.rows }

  private let unread: [AnswerColumns.Column]
  private let proposal: ExchangeProposal?

  /// - Parameters:
  ///   - body: the answer as JSON.
  ///   - unread: its members that nothing reads.
  init(_ body: [UInt8], unread: [AnswerColumns.Column]) {
    self.unread = unread.filter(\.isInRow)
    proposal = try? ExchangeInference(body).proposal()
  }

  /// One sentence of what could be written; nil where nothing suggests itself.
  ///
  /// - Parameter path: the path that leads nowhere, as it is written.
  func help(for field: TickerField, path: String) -> String? {
    let name = String(path.drop { $0 == "$" || $0 == "." })
    let near = Spelling.suggestion(for: name, among: unread.map { String($0.path.dropFirst(2)) }).map { "$.\($0)" }
    guard let role = role(of: field), role.path != path, role.confidence >= 0.5 else {
      return near.map { "did you mean \"\($0)\"? Its name is near, its numbers prove nothing" }
    }
    let relations = role.evidence.filter { $0 != "its name" }.prefix(3)
    let evidence = ([near == role.path ? "its name is near" : "its name fits"] + relations).joined(separator: ", ")
    let other = near.flatMap { $0 == role.path ? nil : "; the nearest name is \"\($0)\"" } ?? ""
    return "use \"\(role.path)\" (\(role.example)): \(evidence)\(other)"
  }

  private func role(of field: TickerField) -> RoleProposal? {
    guard let role = Role.allCases.first(where: { $0.field == field }), let found = proposal?[role],
      !found.isFromResponse
    else { return nil }
    return found
  }
}
