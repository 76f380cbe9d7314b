package import Config
import Inference
import Quotes

/// Possible replacements for a path that no longer finds anything.
package struct Replacement: Sendable, Hashable {
  /// A place in the answer that may be meant.
  package struct Candidate: Sendable, Hashable {
    /// In config form.
    package let path: String
    /// The first value there, truncated if long. Text from an exchange.
    package let example: String
    /// From 0 to 1, in hundredths.
    package let score: Double
    /// Each a few words: `40 of 40 rows within 3 points of the recorded value`.
    package let evidence: [String]
    /// Whether it is in the rows; otherwise in the answer around them.
    package let isInRow: Bool
    /// Whether more than the path must change: the unit of a time.
    package let needsMore: Bool

    init(path: String, example: String, score: Double, evidence: [String], isInRow: Bool, needsMore: Bool = false) {
      (self.path, self.example, self.evidence) = (path, example, evidence)
      self.score = (score * 100).rounded() / 100
      (self.isInRow, self.needsMore) = (isInRow, needsMore)
    }

    fileprivate var reasons: String { "(\(example)): \(evidence.joined(separator: ", "))" }
  }

  /// The path that finds nothing, as written.
  package let lost: String
  /// Where it is written, in the order of the mapping; at least one place.
  package let places: [Place]
  /// Whether it was read in the rows.
  let isInRow: Bool
  /// The best first. A single one is proposed; several are too close to choose; none means nothing fits.
  package internal(set) var candidates: [Candidate]

  /// The score from which a candidate is proposed.
  static let certain = 0.5
  /// The score of a possible candidate that nothing proves.
  static let doubtful = 0.4

  /// The proposed candidate.
  package var chosen: Candidate? { candidates.count == 1 && candidates[0].score >= Self.certain ? candidates[0] : nil }

  /// A sentence about what to write.
  package var help: String {
    guard let first = candidates.first else { return "nothing in the answer matches what was recorded there" }
    guard candidates.count == 1 else {
      let list = candidates.map { "\"\($0.path)\" \($0.reasons)" }.joined(separator: "; or ")
      return "these fit equally well, check which is right: \(list)"
    }
    guard chosen != nil else { return "perhaps \"\(first.path)\" \(first.reasons); check whether it means the same" }
    let source = first.isInRow == isInRow ? "" : first.isInRow ? " of the row" : " with \"from\": \"response\""
    return "use \"\(first.path)\"\(source) \(first.reasons)"
  }

  /// The same for rows that have moved.
  var rowsHelp: String { chosen.map { "the rows seem to be at \"\($0.path)\" \($0.reasons)" } ?? help }

  /// The edits of the config; empty if more than the path must change, or nothing is chosen.
  var edits: [Finding.Edit] {
    guard let chosen, chosen.isInRow == isInRow, !chosen.needsMore else { return [] }
    return places.map { Finding.Edit($0, ConfigValue.quoted(chosen.path)) }
  }
}

/// Finds replacements for a path without a recording to compare with: an unread member with a similar name, and the
/// member whose numbers have the same role in the rows.
struct ReplacementGuess {
  /// The likely location of the rows, for an answer without rows at their usual place.
  var rows: String? { proposal?.rows }

  private let unread: [AnswerColumns.Column]
  private let proposal: ExchangeProposal?

  /// - Parameters:
  ///   - body: The answer as JSON.
  ///   - unread: Its members that nothing reads.
  init(_ body: [UInt8], unread: [AnswerColumns.Column]) {
    self.unread = unread.filter(\.isInRow)
    proposal = try? ExchangeInference(body).proposal()
  }

  /// Returns a sentence about what could be written; nil if nothing suggests itself.
  ///
  /// - Parameter path: The path that finds nothing, as written.
  func help(for field: TickerField, path: String) -> String? {
    let name = String(path.drop { $0 == "$" || $0 == "." })
    let near = Spelling.suggestion(for: name, among: unread.map { String($0.path.dropFirst(2)) }).map { "$.\($0)" }
    guard let role = role(of: field), role.path != path, role.confidence >= 0.5 else {
      return near.map { "did you mean \"\($0)\"? Its name is similar, but its numbers prove nothing" }
    }
    let relations = role.evidence.filter { $0 != "its name" }.prefix(3)
    let evidence = ([near == role.path ? "its name is similar" : "its name fits"] + relations).joined(separator: ", ")
    let other = near.flatMap { $0 == role.path ? nil : "; the most similar name is \"\($0)\"" } ?? ""
    return "use \"\(role.path)\" (\(role.example)): \(evidence)\(other)"
  }

  /// Returns a sentence about where the symbols of the rows are instead; nil if nothing suggests itself.
  ///
  /// - Parameter path: The path that finds none, as written.
  func symbolHelp(insteadOf path: String) -> String? {
    guard let symbol = proposal?.symbol, case .path(let found) = symbol.source, found != path else { return nil }
    return "use \"\(found)\" (\(symbol.example))"
  }

  private func role(of field: TickerField) -> RoleProposal? {
    guard let role = Role.allCases.first(where: { $0.field == field }), let found = proposal?[role],
      !found.isFromResponse
    else { return nil }
    return found
  }
}
