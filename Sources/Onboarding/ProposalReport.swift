import Config
import Inference
import JSON
import Quotes
import Terminal

/// A human- or machine-readable proposal: each role with its path, confidence and evidence.
struct ProposalReport {
  let answers: SettledProposal

  private var proposal: ExchangeProposal { answers.proposal }
  private static let unusedLimit = 12

  func text(width: Int?, palette: Palette) -> String {
    var lines: [String] = []
    let count = proposal.rowCount.counted("row")
    let part =
      proposal.totalRowCount > ExchangeProposal.maximumExaminedRows
      ? "; the first \(ExchangeProposal.maximumExaminedRows) of \(proposal.totalRowCount) are examined" : ""
    lines.append("rows    \(proposal.rows)  (\(count), \(proposal.shape)\(part))")
    for other in proposal.otherRows { lines.append("        \(other) also fits") }
    if let symbol = answers.symbol ?? proposal.symbol, !symbol.pairs.isEmpty { lines += symbolLines(symbol) }
    if let path = proposal.success.path { lines.append("good    \(path) \(test)") }
    var text = lines.map { TerminalText.sanitized($0) + "\n" }.joined()
    text += "\n" + tableText(width, palette)
    text += Self.text(unused: proposal.unused, width, palette)
    let invented = "this looks like a documentation sample; its numbers contradict each other and prove nothing: "
    for contradiction in proposal.contradictions {
      text += palette.paint(TerminalText.sanitized(invented + contradiction), as: .warning) + "\n"
    }
    return text
  }

  /// Returns the unused columns; empty if there are none.
  static func text(unused: [(path: String, example: String)], _ width: Int?, _ palette: Palette) -> String {
    guard !unused.isEmpty else { return "" }
    let sentence = "not used: " + unused.map { "\($0.path) \($0.example.prefix(24))" }.named(upTo: unusedLimit)
    return TerminalText.wrapped(TerminalText.sanitized(sentence), cells: width.map { max(20, $0) })
      .map { palette.paint($0, as: .dim) + "\n" }.joined()
  }

  private var test: String {
    switch proposal.success.test {
    case .equals(let json): "is \(json)"
    case .absent: "is absent or null"
    case .empty: "is empty"
    }
  }

  private func symbolLines(_ symbol: SymbolProposal) -> [String] {
    let pair = symbol.pairs.compactMap(\.self).first
    let source =
      switch symbol.source {
      case .key: "the name of the row"
      case .keys: "the names of the row and of what contains it"
      case .path(let path): path
      case .own(let asset, let payment, let symbol):
        "\(asset) and \(payment)" + (symbol.map { "; the exchange's own name is \($0)" } ?? "")
      case .request: "the requested pair"
      case .constant: "always"
      }
    let percent = ConfidenceText(min(symbol.assetConfidence, symbol.paymentConfidence))
    return ["pair    \(source)  '\(symbol.example)' = \(pair.map { "\($0)  \(percent)" } ?? "?")"]
      + symbol.evidence.map { "        \($0)" }
  }

  /// If there is no room for the evidence beside the fields, it goes below: readers must judge by it.
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
      TableColumn("confidence", .right), TableColumn("alternative", shortening: 2, dropping: 1),
    ]
    var table = Table(columns: columns + (withEvidence ? [TableColumn("evidence")] : []))
    for found in proposal.roles {
      let settled = answers.roles.first { $0.role == found.role }
      let isIn = settled != nil
      let role = settled ?? found
      let other = role.runnerUp.map { "\($0.path) \(ConfidenceText($0.confidence))" } ?? ""
      let confidence = ConfidenceText(role.confidence)
      let cells = [
        StyledText(role.role.field.rawValue, isIn ? .neutral : .dim),
        StyledText((role.isFromResponse ? "response " : "") + role.path), StyledText(role.example, .dim),
        StyledText(role.isSure ? "\(confidence)" : "unsure \(confidence)"),
        StyledText(other, .dim),
      ]
      table.addRow(cells + (withEvidence ? [StyledText(evidence(of: role), .dim)] : []))
    }
    return table
  }

  private func evidence(of role: RoleProposal) -> String {
    var words: [String] = []
    if let scale = role.scale { words.append("times \(scale)") }
    if let basis = role.basis?.rawValue ?? role.priceBasis?.rawValue { words.append(basis) }
    return (words + role.evidence).joined(separator: "; ")
  }

  // MARK: JSON

  /// Returns the block, and for each role its path, confidence and runner-up.
  ///
  /// - Parameter placeholder: The address in the block that is made up; nil if none is.
  func json(_ name: String, _ block: ConfigValue, _ preview: SamplePreview?, placeholder: String?) -> JSONValue {
    var value: JSONValue = [
      "exchange": .string(name), "block": JSONValue(block),
      "rows": [
        "path": .string(proposal.rows), "shape": .string(proposal.shape), "count": .string("\(proposal.rowCount)"),
      ],
    ]
    if let placeholder { value += ["placeholder": .string(placeholder)] }
    if let symbol = proposal.symbol { value += ["symbol": Self.value(of: symbol)] }
    value += ["roles": .list(proposal.roles, self.value(of:)), "contradictions": .texts(proposal.contradictions)]
    if let preview {
      value += [
        "checks": [
          "rows": .string("\(preview.rows)"), "clean": .string("\(preview.clean)"), "verdict": .texts(preview.verdict),
        ]
      ]
    }
    return value
  }

  private static func value(of symbol: SymbolProposal) -> JSONValue {
    var value: JSONValue = ["example": .string(symbol.example)]
    if let pair = symbol.pairs.compactMap(\.self).first { value += ["pair": .string("\(pair)")] }
    value += [
      "assetConfidence": .string(ConfidenceText(symbol.assetConfidence).decimal),
      "paymentConfidence": .string(ConfidenceText(symbol.paymentConfidence).decimal),
      "evidence": .texts(symbol.evidence),
    ]
    return value
  }

  private func value(of role: RoleProposal) -> JSONValue {
    var value: JSONValue = [
      "role": .string(role.role.rawValue), "field": .string(role.role.field.rawValue),
      "from": .string(role.isFromResponse ? "response" : "row"), "path": .string(role.path),
      "example": .string(role.example), "confidence": .string(ConfidenceText(role.confidence).decimal),
      "sure": .bool(role.isSure), "used": .bool(answers.roles.contains { $0.role == role.role }),
    ]
    if let left = answers.left.first(where: { $0.role.role == role.role }) { value += ["reason": .string(left.reason)] }
    if let other = role.runnerUp {
      value += [
        "runnerUp": ["path": .string(other.path), "confidence": .string(ConfidenceText(other.confidence).decimal)]
      ]
    }
    value += ["evidence": .texts(role.evidence)]
    return value
  }
}

extension String {
  /// Returns whether any line is wider.
  fileprivate func isWider(than cells: Int) -> Bool {
    split(separator: "\n").contains { TerminalText.width(of: String($0)) > cells }
  }
}
