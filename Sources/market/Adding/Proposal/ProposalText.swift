import Catalog
import Quotes
import Terminal

/// A proposal for a person: what each role would be, how sure that is, and why.
struct ProposalText {
  let answers: AddingAnswers

  private var proposal: VenueProposal { answers.proposal }

  func text(width: Int?, palette: Palette) -> String {
    var lines: [String] = []
    let count = proposal.rowCount == 1 ? "1 row" : "\(proposal.rowCount) rows"
    lines.append("rows    \(proposal.rows)  (\(count), \(proposal.shape))")
    for other in proposal.otherRows { lines.append("        \(other) would do, too") }
    if let symbol = answers.symbol ?? proposal.symbol { lines += symbolLines(symbol) }
    if let path = proposal.success.path { lines.append("good    \(path) \(test)") }
    var text = lines.map { TerminalText.sanitized($0) + "\n" }.joined()
    text += "\n" + table.rendered(width: width, palette: palette)
    for contradiction in proposal.contradictions {
      text +=
        palette.paint(
          TerminalText.sanitized(
            "a documentation sample, it seems: its numbers contradict each other, so they prove nothing: \(contradiction)"
          ),
          as: .warning) + "\n"
    }
    return text
  }

  private var test: String {
    switch proposal.success.test {
    case .equals(let json): "is \(json)"
    case .absent: "is absent or null"
    case .empty: "is empty"
    }
  }

  private func symbolLines(_ symbol: SymbolProposal) -> [String] {
    let pair = symbol.pairs.compactMap(\.self).first.map { "\($0.asset)/\($0.payment)" } ?? "?"
    let source: String
    switch symbol.source {
    case .key: source = "the name of the row"
    case .path(let path): source = path
    case .own(let asset, let payment, _): source = "\(asset) and \(payment)"
    case .request: source = "the pair asked for"
    case .constant: source = "always"
    }
    let percent = ProposalText.percent(min(symbol.assetConfidence, symbol.paymentConfidence))
    var lines = ["pair    \(source)  '\(symbol.example)' = \(pair)  \(percent)"]
    lines += symbol.evidence.map { "        \($0)" }
    return lines
  }

  private var table: Table {
    var table = Table(columns: [
      TableColumn("field"), TableColumn("path"), TableColumn("example", shortening: 3, dropping: 2),
      TableColumn("sure", .right), TableColumn("else", shortening: 2, dropping: 1),
      TableColumn("evidence", minimumWidth: 12, shortening: 1, dropping: 0),
    ])
    for found in proposal.roles {
      let settled = answers.roles.first { $0.role == found.role }
      let isIn = settled != nil
      let role = settled ?? found
      let other = role.runnerUp.map { "\($0.path) \(Self.percent($0.confidence))" } ?? ""
      table.addRow([
        StyledText(role.role.field.rawValue, isIn ? .neutral : .dim),
        StyledText((role.isFromResponse ? "response " : "") + role.path), StyledText(role.example, .dim),
        StyledText(role.isSure ? Self.percent(role.confidence) : "unsure \(Self.percent(role.confidence))"),
        StyledText(other, .dim), StyledText(evidence(of: role), .dim),
      ])
    }
    return table
  }

  private func evidence(of role: RoleProposal) -> String {
    var words: [String] = []
    if let scale = role.scale { words.append("times \(scale)") }
    if let basis = role.basis { words.append(basis.rawValue) }
    return (words + role.evidence).joined(separator: "; ")
  }

  static func percent(_ confidence: Double) -> String { "\(Int((confidence * 100).rounded()))%" }
}
