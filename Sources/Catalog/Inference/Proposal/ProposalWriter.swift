import JSON
import JSONPath
import Quotes

/// Puts what was found about one place of rows together.
struct ProposalWriter {
  private let rows: SampleRows
  private let root: JSONNode
  private let symbol: SymbolProposal?
  private let columns: [SampleColumn]
  private let forced: [Role: Int]
  /// Where somebody says the time of all rows stands in the response.
  private let timePath: String?

  /// - Parameter forced: the columns of roles that somebody gave.
  init(_ scored: RowsScore, root: JSONNode, forced: [Role: Int], timePath: String? = nil) {
    self.forced = forced
    self.timePath = timePath
    rows = scored.rows
    self.root = root
    symbol = scored.symbol
    columns = rows.columns
  }

  func proposal(otherRows: [String]) -> VenueProposal {
    let prices = PriceRoles(columns, forced: forced)
    var findings = PriceRoles.roles.compactMap { prices.decided($0) }
    let positional = findings.isEmpty ? PositionalRoles(columns) : nil
    if let positional { findings = positional.findings }
    let chosen = Dictionary(findings.map { ($0.role, $0.column) }, uniquingKeysWith: { first, _ in first })
    let reserved = Set(forced.filter { ![.volume, .turnover].contains($0.key) }.values)
    let volumes = VolumeRoles(
      columns, prices: chosen, taken: reserved, groups: .init(symbol, rows: rows.nodes.count),
      paymentFirst: symbol?.isPaymentFirst ?? false)
    findings += [volumes.volume, volumes.turnover].compactMap(\.self)
    var taken = Set(findings.filter { $0.role != .open }.map(\.column)).union(forced.values)
    let hasChange = findings.contains { $0.role == .change }
    let change = ChangeRole(columns, prices: chosen, taken: taken, only: forced[.change])
    if let open = change.verdict?.open, change.verdict?.isVoted == true, forced[.open] == nil {
      settleOpen(&findings, open, prices)
    }
    if let finding = change.finding, !hasChange { findings.append(finding) }
    taken = Set(findings.map(\.column)).union(forced.values)
    let time = TimeRole(columns, taken: taken, only: forced[.time])
    if let finding = time.finding { findings.append(finding) }
    force(&findings)

    var roles = findings.map { role(of: $0, change: change, time: time) }
    if hasChange, forced[.change] == nil, let index = roles.firstIndex(where: { $0.role == .change }) {
      roles[index].scale = positional?.changeIsRatio == true ? 100 : nil
    }
    if let timePath {
      roles.removeAll { $0.role == .time }
      if let given = responseTime(at: timePath) { roles.append(given) }
    } else if time.finding == nil, let responseTime = responseTime() {
      roles.append(responseTime)
    }
    let contradictions = Contradictions(columns, findings).sentences
    let order = Role.allCases
    roles.sort { (order.firstIndex(of: $0.role) ?? 0) < (order.firstIndex(of: $1.role) ?? 0) }
    let envelope = rows.path.names.first
    return VenueProposal(
      rows: rows.pathText, shape: rows.shape.rawValue, rowCount: rows.nodes.count, keys: rows.keys,
      isSingle: rows.shape == .single,
      rowKind: rows.strays == 0 ? nil : rows.nodes.first?.kind == .array ? "array" : "object", symbol: symbol,
      roles: roles,
      success: SuccessProposal(root, taken: rows.shape == .single && rows.path.steps.isEmpty ? nil : envelope),
      otherRows: otherRows, contradictions: contradictions, futuresSign: futuresSign)
  }

  /// Futures in the place of spot would be compared with it in silence.
  private var futuresSign: String? {
    let rules = symbol?.rules ?? []
    let affixes = rules.map { rule in
      [rule.prefix, rule.suffix].first { Self.futuresWords.contains($0.uppercased().filter(\.isLetter)) }
    }
    if let affix = affixes.first ?? nil, affixes.allSatisfy({ $0 != nil }) { return "every symbol has '\(affix)'" }
    let funding = columns.first { $0.leafName.has(.funding) && $0.filledShare >= 0.5 }
    return funding.map { "\($0.path.text) is a funding rate" }
  }

  private static let futuresWords: Set = ["PERP", "SWAP", "PERPETUAL", "FUTURES"]

  /// What somebody gave is taken, whatever was found; the sample says how far it leads.
  private func force(_ findings: inout [RoleFinding]) {
    findings.removeAll { finding in forced.contains { $0.key != finding.role && $0.value == finding.column } }
    for (role, column) in forced {
      let filled = columns[column].texts.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
      let reasons =
        findings.first { $0.role == role && $0.column == column }?.evidence.filter { $0 != "its name" } ?? []
      findings.removeAll { $0.role == role }
      let evidence = ["given; filled in \(filled) of \(columns[column].texts.count) rows"] + reasons
      findings.append(RoleFinding(role: role, column: column, confidence: 1, evidence: evidence))
    }
  }

  /// The open that the change is measured from is the open, whatever the names say.
  private func settleOpen(_ findings: inout [RoleFinding], _ open: Int, _ prices: PriceRoles) {
    guard !findings.contains(where: { $0.column == open && $0.role != .open }) else { return }
    let index = findings.firstIndex { $0.role == .open }
    var finding = RoleFinding(
      role: .open, column: open, confidence: 0.96, evidence: ["the change is measured from it", "its name"])
    if let index, findings[index].column != open {
      finding.runnerUp = .init(column: findings[index].column, confidence: findings[index].confidence * 0.6)
    }
    if let index { findings[index] = finding } else { findings.append(finding) }
  }

  private func role(of finding: RoleFinding, change: ChangeRole, time: TimeRole) -> RoleProposal {
    let column = columns[finding.column]
    var role = RoleProposal(
      role: finding.role, path: column.path.text, example: column.example ?? "",
      confidence: finding.confidence >= 1 ? 1 : min(0.99, max(0, finding.confidence)), evidence: finding.evidence)
    role.runnerUp = finding.runnerUp.map {
      .init(path: columns[$0.column].path.text, confidence: min(0.99, $0.confidence))
    }
    if finding.role == .time {
      role.timeForm = time.form
      role.isTradeTime = time.isTrade
      role.missing = column.texts.contains("0") ? ["", "0"] : []
      return role
    }
    role.strip = column.strip
    role.missing = column.missingMarkers.filter { !ValueSpec.defaultMissing.contains($0) }
    if [.change, .high, .low].contains(finding.role), column.wholeName.has(.rolling) { role.basis = .rolling24h }
    if finding.role == .change, change.verdict?.kind == .ratio { role.scale = 100 }
    return role
  }

  private func responseTime(at path: String) -> RoleProposal? {
    guard let text = (try? JSONPathQuery(path))?.nodes(in: root).first?.scalarText else { return nil }
    var role = RoleProposal(
      role: .time, path: path, example: text, confidence: 1, evidence: ["given", "one time for all rows"])
    role.isFromResponse = true
    role.timeForm = TimeRole.form(of: [text])
    return role
  }

  /// A time beside the rows is that of them all.
  private func responseTime() -> RoleProposal? {
    guard root.kind == .object else { return nil }
    var container = root
    var path = SamplePath()
    for step in [nil] + rows.path.steps.map(Optional.some) {
      if let step {
        guard case .member(let name) = step, let next = container[name] else { return nil }
        container = next
        path = path.appending(step)
      }
      for member in container.members {
        let name = FieldName(member.name)
        guard FieldLexicon.score(.time, name) >= 0.9, let text = member.value.scalarText,
          let form = TimeRole.form(of: [text])
        else { continue }
        var role = RoleProposal(
          role: .time, path: path.appending(.member(member.name)).text, example: text,
          confidence: form == .iso8601(saysZone: false) ? 0.6 : 0.85,
          evidence: ["its name", TimeRole.evidence(form), "one time for all rows"])
        role.isFromResponse = true
        role.timeForm = form
        return role
      }
    }
    return nil
  }
}
