import Config
import JSON
import JSONPath
import Quotes

/// Combines the findings about one place of rows.
struct ProposalWriter {
  private let rows: SampleRows
  private let root: JSONNode
  private let symbol: SymbolProposal?
  private let columns: [SampleColumn]
  private let forced: [Role: Int]
  private let hints: SampleHints
  /// What beside its own name says that a figure is of the last 24 hours; nil if nothing does.
  private let windowEvidence: String?

  init(_ scored: RowsScore, root: JSONNode, forced: [Role: Int], _ hints: SampleHints) {
    (rows, symbol, columns) = (scored.rows, scored.symbol, scored.rows.columns)
    (self.root, self.forced, self.hints) = (root, forced, hints)
    let name = scored.rows.path.names.first(where: SampleHints.saysWindow)
    windowEvidence =
      hints.addressSaysWindow
      ? "the address says 24 hours" : name.map { "it is in '\($0)'" } ?? RowSpan(columns)?.windowEvidence
  }

  func proposal(otherRows: [String]) -> ExchangeProposal {
    let futures = FuturesSign(symbol, columns)
    let decision = RoleDecision(
      rows, symbol, root: root, forced: forced, isFutures: hints.isFutures || futures.proof != nil,
      arrival: hints.arrival)
    let time = decision.time
    var roles = decision.findings.map { role(of: $0, change: decision.change, time: time) }
    if let isRatio = decision.provedRatio, let index = roles.firstIndex(where: { $0.role == .change }) {
      (roles[index].scale, roles[index].priceRatio, roles[index].isUnitOpen) = (isRatio ? 100 : nil, nil, false)
    }
    // A given time that is in no row is that of all rows.
    if forced[.time] == nil, let timePath = hints.paths[.time] {
      roles.removeAll { $0.role == .time }
      if let given = responseTime(at: timePath) { roles.append(given) }
    } else if time.finding == nil, let responseTime = responseTime() {
      roles.append(responseTime)
    }
    if let change = changeFromOpen(roles) { roles.append(change) }
    let unused = unused(roles)
    let contradictions = Contradictions(decision.live, decision.findings).sentences
    roles = Role.allCases.flatMap { role in roles.filter { $0.role == role } }
    let envelope = rows.path.names.first
    return ExchangeProposal(
      rows: rows.pathText, shape: rows.shape.rawValue, rowCount: rows.count, totalRowCount: rows.total,
      keys: rows.keys,
      isSingle: rows.shape == .single,
      rowKind: rows.strays == 0 ? nil : rows.nodes.first?.kind == .array ? "array" : "object", symbol: symbol,
      unreadSymbol: symbol == nil ? unreadSymbol(unused) : nil, roles: roles,
      success: SuccessProposal(root, taken: rows.shape == .single && rows.path.steps.isEmpty ? nil : envelope),
      otherRows: otherRows, contradictions: contradictions, unused: unused.map { ($0.path.text, $0.example ?? "") },
      changeInMoney: decision.change.inMoney.map { (columns[$0.column].path.text, $0.evidence) },
      unreadTime: roles.contains { $0.role == .time } ? nil : unreadTime(unused),
      states: unused.compactMap { PairStates($0) }, market: rows.market,
      repeats: MarketColumn.Repeats(rows, symbol, hints.isFutures ? .futures : .spot),
      futuresSign: futures.evidence, mayBeOneCandle: RowsKind(rows, symbol).mayBeOneCandle)
  }

  /// Returns the change since an open of 24 hours ago, if rows have that but no change.
  private func changeFromOpen(_ roles: [RoleProposal]) -> RoleProposal? {
    guard forced[.change] == nil, !roles.contains(where: { $0.role == .change }),
      let open = roles.first(where: { $0.role == .open && $0.isSure }),
      let column = columns.first(where: { $0.path.text == open.path }),
      column.saysWindow || windowEvidence != nil && column.namedBasis == nil && column.leafName.has(.open)
    else { return nil }
    var change = RoleProposal(
      role: .change, path: open.path, example: open.example, confidence: open.confidence,
      evidence: ["computed from the open, as no member is the change"]
        + (column.saysWindow ? [] : [windowEvidence].compactMap(\.self)))
    (change.isFromOpen, change.basis) = (true, .rolling24h)
    return change
  }

  private func unused(_ roles: [RoleProposal]) -> [SampleColumn] {
    var used = Set(roles.filter { !$0.isFromResponse }.map(\.path))
    switch symbol?.source {
    case .path(let path)?: used.insert(path)
    case .own(let asset, let payment, let symbol)?: used.formUnion([asset, payment, symbol ?? asset])
    default: break
    }
    return columns.filter { !used.contains($0.path.text) && $0.example != nil }
  }

  private func unreadSymbol(_ unused: [SampleColumn]) -> (path: String, example: String)? {
    let column = unused.first { column in
      column.leafName.has(.symbol) && !column.hasNumbers && Set(column.texts).count == column.texts.count
        && column.example?.contains(where: \.isLetter) == true
    }
    return column.map { ($0.path.text, $0.example ?? "") }
  }

  private func unreadTime(
    _ unused: [SampleColumn]
  ) -> (path: String, example: String, format: String?, unit: TimeUnit?)? {
    let column = unused.first { column in
      column.nameScore(.time) >= 0.8
        && column.example.map { TimeRole.form(of: [$0]) == nil && $0.utf8.count >= 10 } == true
        && column.example.map { RequestMoment.isNamed(in: $0) || $0.contains(":") } == true
    }
    guard let column, let example = column.example else { return nil }
    // `/Date(1795823436383)/`
    let digits = String(example.drop { !$0.isNumber }.prefix { $0.isNumber })
    var unit: TimeUnit?
    if case .unit(let found)? = TimeRole.form(of: [digits]) { unit = found }
    return (column.path.text, example, TimeRole.writtenFormat(of: column.presentTexts), unit)
  }

  private func role(of finding: RoleFinding, change: ChangeRole, time: TimeRole) -> RoleProposal {
    let column = columns[finding.column]
    var role = RoleProposal(
      role: finding.role, path: column.path.text, example: column.example ?? "",
      confidence: finding.confidence >= 1 ? 1 : min(0.99, max(0, finding.confidence)), evidence: finding.evidence)
    (role.doubts, role.unitDoubt) = (finding.doubts, finding.unitDoubt)
    role.runnerUp = finding.runnerUp.map {
      // What speaks against the chosen column does not speak for the other.
      .init(
        path: columns[$0.column].path.text, confidence: min(role.confidence, $0.confidence), isLikelier: $0.isLikelier)
    }
    if finding.role == .time {
      role.timeForm = time.form
      role.isTradeTime = time.isTrade
      role.zone = time.form.flatMap { form in
        hints.arrival.flatMap { TimeRole.zoneSeconds(of: column.presentTexts, form, at: $0) }
      }.map { ClockZone(offsetSeconds: $0).offset }
      role.missing = column.texts.contains("0") ? ["", "0"] : []
      return role
    }
    role.strip = column.strip
    role.missing = column.missingMarkers.filter { !ValueSpec.defaultMissing.contains($0) }
    if [.change, .high, .low].contains(finding.role) {
      role.basis = column.namedBasis
    }
    if finding.role == .change, let verdict = change.verdict {
      if verdict.kind == .ratio { role.scale = 100 }
      role.priceRatio = verdict.priceRatio
      role.isUnitOpen = verdict.isUnitOpen
      // A change is of the span of the open that the rows prove it to be measured from.
      if finding.column == change.finding?.column, finding.confidence >= RoleProposal.threshold {
        role.basis = role.basis ?? verdict.open.flatMap { columns[$0].namedBasis }
      }
      if role.basis == nil, let windowEvidence {
        role.basis = .rolling24h
        role.evidence.append(windowEvidence)
      }
    }
    return role
  }

  private func responseTime(at path: String) -> RoleProposal? {
    guard let text = root.scalar(at: path) else { return nil }
    var role = RoleProposal(
      role: .time, path: path, example: text, confidence: 1, evidence: ["given", "one time for all rows"])
    role.isFromResponse = true
    role.timeForm = TimeRole.form(of: [text])
    return role
  }

  /// A time beside the rows.
  private struct TimeBeside {
    let path: SamplePath
    let text: String
    let form: TimeRole.Form
    /// How strongly the name says that it is one.
    let score: Double
    let isClock: Bool

    var moment: Instant? { TimeRole.moment(text, form) }
  }

  /// Returns the times beside the rows and what contains them, the outermost first.
  private func timesBeside() -> [TimeBeside] {
    guard root.kind == .object else { return [] }
    var found: [TimeBeside] = []
    var container = root
    var path = SamplePath()
    for step in [nil] + rows.path.steps.map(Optional.some) {
      if let step {
        guard case .member(let name) = step, let next = container[name] else { return found }
        container = next
        path = path.appending(step)
      }
      for member in container.members {
        let name = FieldName(member.name)
        let score = FieldLexicon.score(.time, name)
        guard score >= 0.3, let text = member.value.scalarText, let form = TimeRole.form(of: [text]) else { continue }
        let own = path.appending(.member(member.name))
        found.append(
          TimeBeside(path: own, text: text, form: form, score: score, isClock: FieldLexicon.isClock(name)))
      }
    }
    return found
  }

  /// Returns a time beside the rows, which applies to all of them: rather an older one than that of a clock.
  private func responseTime() -> RoleProposal? {
    let found = timesBeside()
    let named = found.filter { $0.score >= 0.9 }
    guard let first = named.first(where: { !$0.isClock }) ?? named.first else { return nil }
    let older = found.filter { one in
      !one.isClock && bothKnown([one.moment], [first.moment]).contains { $0 < $1 }
    }
    let best = first.isClock ? older.max { $0.score < $1.score } ?? first : first
    var role = RoleProposal(
      role: .time, path: best.path.text, example: best.text,
      confidence: best.form == .iso8601(saysZone: false) ? 0.6 : best.score >= 0.9 ? 0.85 : 0.7,
      evidence: ["its name", TimeRole.evidence(best.form), "one time for all rows"])
    if best.isClock {
      role.confidence = 0.5
      role.evidence.append(TimeRole.clock)
      role.doubts = [TimeRole.clock]
    }
    role.isFromResponse = true
    role.timeForm = best.form
    return role
  }
}
