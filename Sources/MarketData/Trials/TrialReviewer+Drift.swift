import Adapters
import Quotes

/// What has changed since the recording.
extension TrialReviewer {
  /// Mapped members that were in every row and are in none, with what may stand in their place; and members that are new.
  func drift(of table: TrialTable) -> [TrialFinding] {
    guard let base, let shape = table.shape,
      let old = base.tables.first(where: { $0.isSameTable(as: table) })?.shape
    else { return [] }
    let gone = old.members(missingIn: shape).filter { $0.isRead && $0.rows == ($0.isInRow ? old.rowCount : 1) }
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
}

extension TrialTable {
  fileprivate func isSameTable(as other: TrialTable) -> Bool {
    market == other.market && part == other.part && (pair == nil) == (other.pair == nil)
  }
}
