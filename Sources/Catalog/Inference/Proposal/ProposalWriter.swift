import JSON
import Quotes

/// Puts what was found about one place of rows together.
struct ProposalWriter {
  private let rows: SampleRows
  private let root: JSONNode
  private let symbol: SymbolProposal?
  private let columns: [SampleColumn]

  init(_ scored: RowsScore, root: JSONNode, pair: Pair?) {
    rows = scored.rows
    self.root = root
    symbol = scored.symbol
    columns = rows.columns
  }

  func proposal(otherRows: [String]) -> VenueProposal {
    let prices = PriceRoles(columns)
    var findings = PriceRoles.roles.compactMap { prices.decided($0) }
    if findings.isEmpty { findings = PositionalRoles(columns).findings }
    let chosen = Dictionary(findings.map { ($0.role, $0.column) }, uniquingKeysWith: { first, _ in first })
    let groups = symbol?.groups ?? Array(repeating: 0, count: rows.nodes.count)
    let volumes = VolumeRoles(columns, prices: chosen, groups: groups, paymentFirst: symbol?.isPaymentFirst ?? false)
    findings += [volumes.volume, volumes.turnover].compactMap(\.self)
    var taken = Set(findings.filter { $0.role != .open }.map(\.column))
    let change = ChangeRole(columns, prices: chosen, taken: taken)
    if let open = change.verdict?.open, change.verdict?.isVoted == true { settleOpen(&findings, open, prices) }
    if let finding = change.finding { findings.append(finding) }
    taken = Set(findings.map(\.column))
    let time = TimeRole(columns, taken: taken)
    if let finding = time.finding { findings.append(finding) }

    var roles = findings.map { role(of: $0, change: change, time: time) }
    if time.finding == nil, let responseTime = responseTime() { roles.append(responseTime) }
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
      otherRows: otherRows, contradictions: contradictions)
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
      confidence: min(0.99, max(0, finding.confidence)), evidence: finding.evidence)
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
