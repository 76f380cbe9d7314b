import Adapters
import Quotes

/// What has changed since the recording.
extension TrialReviewer {
  /// Mapped members that were in every row and are in none, with what may stand in their place; and members that are new.
  ///
  /// A field that no row has any more is told of by itself.
  func drift(of table: TrialTable) -> [TrialFinding] {
    guard let shape = table.shape, let old = baseShape(of: table) else { return [] }
    let lost = table.trial.fields.filter { $0.reasonForAll(of: table.trial.rowCount) != nil }.map(\.field)
    let gone = old.members(missingIn: shape).filter { member in
      let fields = member.isInRow ? table.spec.fields(reading: member) : []
      let isTold = !fields.isEmpty && fields.allSatisfy { lost.contains($0) }
      return member.isRead && member.rows == (member.isInRow ? old.rowCount : 1) && !isTold
    }
    let finder = gone.isEmpty ? nil : table.body(hooks).map { ReplacementFinder($0, shape: shape) }
    var findings = gone.map { member in
      let fields = member.isInRow ? table.spec.fields(reading: member) : []
      let help =
        fields.first.map { finder?.help(for: $0, path: member.path) }
        ?? finder?.nearName(member.path)
        .map { "did you mean \"\($0)\"?" }
      let use = fields.isEmpty ? "" : " (\(fields.map(\.rawValue).joined(separator: ", ")))"
      return TrialFinding(
        .problem, "\(member.path)\(use) was in every row of the recording and is in none now", help: help)
    }
    let new = shape.members(missingIn: old).filter { !$0.isRead }
    if !new.isEmpty {
      let names = new.map { "\($0.path) \($0.example)" }.joined(separator: ", ")
      findings.append(TrialFinding(.note, "new since the recording: \(names)"))
    }
    return findings
  }

  /// Whether every row of the recording had what the field reads.
  func wasInEveryRow(_ field: TickerField, of table: TrialTable) -> Bool {
    guard let old = baseShape(of: table) else { return false }
    return old.members.contains { member in
      member.isInRow && member.rows == old.rowCount && table.spec.fields(reading: member).contains(field)
    }
  }

  private func baseShape(of table: TrialTable) -> AnswerShape? {
    base?.tables.first { $0.isSameTable(as: table) }?.shape
  }
}

extension TrialTable {
  fileprivate func isSameTable(as other: TrialTable) -> Bool {
    market == other.market && part == other.part && (pair == nil) == (other.pair == nil)
  }
}
