import Config
import Inference
package import Quotes

/// Finds what may stand in the place of a path that leads nowhere any more: a member of a similar name that nothing
/// reads, and the member whose numbers play the same part in the rows.
package struct ReplacementFinder: Sendable {
  private let shape: AnswerShape?
  private let proposal: ExchangeProposal?

  /// - Parameters:
  ///   - body: the answer as JSON.
  ///   - shape: what it has; nil where it has no rows at the place where they were.
  package init(_ body: [UInt8], shape: AnswerShape?) {
    self.shape = shape
    proposal = try? ExchangeInference(body).proposal()
  }

  /// Where the rows seem to be, for an answer that has none where they were.
  package var rows: String? { proposal?.rows }

  /// One sentence of what could be written; nil where nothing suggests itself.
  ///
  /// - Parameter path: the path that leads nowhere, as it is written.
  package func help(for field: TickerField, path: String) -> String? {
    let near = nearName(path)
    guard let role = role(of: field), role.path != path, role.confidence >= 0.5 else {
      return near.map { "did you mean \"\($0)\"? Its name is near, its numbers prove nothing" }
    }
    let relations = role.evidence.filter { $0 != "its name" }.prefix(3)
    let evidence = ([near == role.path ? "its name is near" : "its name fits"] + relations).joined(separator: ", ")
    let other = near.flatMap { $0 == role.path ? nil : "; the nearest name is \"\($0)\"" } ?? ""
    return "use \"\(role.path)\" (\(role.example)): \(evidence)\(other)"
  }

  /// The member of a row whose name is nearest to that of the path, among those that nothing reads.
  package func nearName(_ path: String) -> String? {
    guard let shape else { return nil }
    let unread = shape.members.filter { $0.isInRow && !$0.isRead }
    let name = String(path.drop { $0 == "$" || $0 == "." })
    let names = unread.map { String($0.path.dropFirst(2)) }
    return Spelling.suggestion(for: name, among: names).map { "$.\($0)" }
  }

  private func role(of field: TickerField) -> RoleProposal? {
    guard let role = Role.allCases.first(where: { $0.field == field }), let found = proposal?[role],
      !found.isFromResponse
    else { return nil }
    return found
  }
}
