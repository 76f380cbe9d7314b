import Config
import Inference
import Quotes
import Terminal

/// A proposal for a person: what each role would be, how sure that is, and why.
struct ProposalText {
  let answers: AddingAnswers

  private var proposal: ExchangeProposal { answers.proposal }

  func text(width: Int?, palette: Palette) -> String {
    var lines: [String] = []
    let count = proposal.rowCount == 1 ? "1 row" : "\(proposal.rowCount) rows"
    lines.append("rows    \(proposal.rows)  (\(count), \(proposal.shape))")
    for other in proposal.otherRows { lines.append("        \(other) would do, too") }
    if let symbol = answers.symbol ?? proposal.symbol { lines += symbolLines(symbol) }
    if let path = proposal.success.path { lines.append("good    \(path) \(test)") }
    var text = lines.map { TerminalText.sanitized($0) + "\n" }.joined()
    text += "\n" + tableText(width, palette)
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

  /// Where the evidence has no room beside the fields it stands below them: it is what the reader has to judge by.
  private func tableText(_ width: Int?, _ palette: Palette) -> String {
    let whole = table(withEvidence: true)
    guard let width, whole.rendered(width: nil, palette: .plain).isWider(than: width) else {
      return whole.rendered(width: width, palette: palette)
    }
    var text = table(withEvidence: false).rendered(width: width, palette: palette) + "\n"
    for found in proposal.roles {
      let role = answers.roles.first { $0.role == found.role } ?? found
      let sentence = TerminalText.sanitized("\(role.role.field.rawValue): \(evidence(of: role))")
      for (index, line) in TerminalText.wrapped(sentence, cells: max(20, width - 2)).enumerated() {
        text += palette.paint((index == 0 ? "" : "  ") + line, as: .dim) + "\n"
      }
    }
    return text
  }

  private func table(withEvidence: Bool) -> Table {
    let columns = [
      TableColumn("field"), TableColumn("path"), TableColumn("example", shortening: 3, dropping: 2),
      TableColumn("sure", .right), TableColumn("else", shortening: 2, dropping: 1),
    ]
    var table = Table(columns: columns + (withEvidence ? [TableColumn("evidence")] : []))
    for found in proposal.roles {
      let settled = answers.roles.first { $0.role == found.role }
      let isIn = settled != nil
      let role = settled ?? found
      let other = role.runnerUp.map { "\($0.path) \(Self.percent($0.confidence))" } ?? ""
      let cells = [
        StyledText(role.role.field.rawValue, isIn ? .neutral : .dim),
        StyledText((role.isFromResponse ? "response " : "") + role.path), StyledText(role.example, .dim),
        StyledText(role.isSure ? Self.percent(role.confidence) : "unsure \(Self.percent(role.confidence))"),
        StyledText(other, .dim),
      ]
      table.addRow(cells + (withEvidence ? [StyledText(evidence(of: role), .dim)] : []))
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

extension String {
  /// Whether one of its lines takes more cells.
  fileprivate func isWider(than cells: Int) -> Bool {
    split(separator: "\n").contains { TerminalText.width(of: String($0)) > cells }
  }
}
