import JSON
import Quotes

/// Assigns columns to roles: names and relations propose, numerical proof decides, and where the two contradict each
/// other nothing is certain.
struct RoleDecision {
  private(set) var findings: [RoleFinding]
  let change: ChangeRole
  let time: TimeRole
  /// Whether the rows prove the change to be a fraction or a percentage; nil if they prove neither.
  let provedRatio: Bool?

  /// The columns with only those rows whose prices have a vote.
  let live: [SampleColumn]
  private let columns: [SampleColumn]
  private let relations: RowRelations
  private let forced: [Role: Int]

  /// - Parameters:
  ///   - root: the whole answer.
  ///   - forced: the columns with given roles.
  ///   - isFutures: whether a volume may be a number of contracts.
  ///   - arrival: when the answer arrived; nil if unknown.
  init(
    _ rows: SampleRows, _ symbol: SymbolProposal?, root: JSONNode, forced: [Role: Int], isFutures: Bool,
    arrival: Instant?
  ) {
    columns = rows.columns.map { $0.beside(symbol?.pairs ?? []) }
    let liveRows = Self.liveRows(columns, of: rows.nodes.count)
    live = columns.map { $0.kept(liveRows) }
    relations = RowRelations(columns: live)
    self.forced = forced
    let columns = columns
    let proof = NumberProof(columns)
    var findings = Self.prices(live, columns, proof, forced: forced)
    Self.doubt(&findings, columns, relations, proof.equation)

    let chosen = findings.columns
    let reserved = Set(forced.filter { ![.volume, .turnover].contains($0.key) }.values)
    let volumes = VolumeRoles(
      columns, prices: chosen.filter { PriceRoles.roles.contains($0.key) },
      taken: reserved.union([chosen[.change]].compactMap(\.self)),
      groups: .init(symbol, rows: rows.nodes.count), paymentFirst: symbol?.isPaymentFirst ?? false,
      isFutures: isFutures)
    findings += Self.volumes([volumes.volume, volumes.turnover].compactMap(\.self), proof, columns, findings, forced)
    for index in findings.indices where PriceRoles.roles.contains(findings[index].role) {
      if let unit = volumes.unitOfPrices { findings[index].doubt(unit) }
      if let reason = volumes.doubtOfPrices { findings[index].doubt(because: reason) }
    }
    let taken = Set(findings.filter { $0.role != .open && $0.role != .change }.map(\.column)).union(forced.values)
    change = ChangeRole(columns, prices: chosen, taken: taken, only: forced[.change])
    provedRatio = Self.settleChange(&findings, change, proof, columns, taken: taken, forced: forced)
    let used = Set(findings.map(\.column)).union(forced.values)
    time = TimeRole(columns, taken: used, only: forced[.time], arrival: arrival)
    if let finding = time.finding { findings.append(finding) }
    FindingDoubts(columns, symbol, isFutures: isFutures).apply(to: &findings)
    LonePrice(rows, root: root).apply(to: &findings, columns)
    self.findings = findings
    force()
  }

  /// Settles the change, and the open that it is measured from.
  ///
  /// - Returns: whether the rows prove the change to be a fraction or a percentage; nil if they prove neither.
  private static func settleChange(
    _ findings: inout [RoleFinding], _ change: ChangeRole, _ proof: NumberProof, _ columns: [SampleColumn],
    taken: Set<Int>, forced: [Role: Int]
  ) -> Bool? {
    if let open = change.verdict?.open, change.verdict?.settlesOpen == true, forced[.open] == nil {
      settleOpen(&findings, open)
    }
    let proved = findings.first { $0.role == .change && $0.confidence >= RoleProposal.threshold }
    let isOutweighed = proved.map {
      $0.column == change.finding?.column && $0.confidence <= change.finding?.confidence ?? 0
        || $0.column == change.ofAnotherSpan?.column
    }
    doubtOpen(&findings, change, columns)
    if isOutweighed ?? true, let finding = change.finding {
      findings.removeAll { $0.role == .change }
      findings.append(finding)
    }
    var isRatio = isOutweighed == false && forced[.change] == nil ? proof.equation?.isRatio : nil
    if forced[.change] == nil, let found = namelessChange(change, findings, columns, taken: taken) {
      findings.append(found.finding)
      isRatio = found.isRatio
    }
    doubtChange(&findings, change, isRatio: isRatio ?? (change.verdict?.kind == .ratio), columns)
    return isRatio
  }

  /// Returns the rows with trades. Without trades, exchanges fill the range with initial values such as a high of 0 and
  /// a low of 100000000, so those rows contradict the others and have no vote unless hardly any others are left.
  private static func liveRows(_ columns: [SampleColumn], of count: Int) -> [Int] {
    func named(_ roles: [Role]) -> [[Double?]] {
      columns.filter { column in column.hasNumbers && roles.contains { column.nameScore($0) >= 0.5 } }.map(\.numbers)
    }
    let (volumes, highs, lows) = (named([.volume, .turnover]), named([.high]), named([.low]))
    guard !volumes.isEmpty, let highs = highs.first, let lows = lows.first else { return Array(0..<count) }
    let live = (0..<count).filter { row in
      guard volumes.allSatisfy({ $0[row] == 0 }), let high = highs[row], let low = lows[row] else { return true }
      return low > 0 && low <= high
    }
    return live.count >= 2 ? live : Array(0..<count)
  }

  // MARK: Names and proof

  /// Returns the prices by name, and as the numbers prove them.
  private static func prices(
    _ live: [SampleColumn], _ columns: [SampleColumn], _ proof: NumberProof, forced: [Role: Int]
  ) -> [RoleFinding] {
    let provedPrice = proof.findings[.price].flatMap { finding in
      finding.confidence >= RoleProposal.threshold && !speaksAgainst(columns[finding.column], .price)
        ? finding.column : nil
    }
    let prices = PriceRoles(live, forced: forced, provedPrice: provedPrice)
    var findings = PriceRoles.roles.compactMap { prices.decided($0) }
    // A given column has a role whatever its name.
    let isNameless = findings.allSatisfy { $0.column == provedPrice || forced[$0.role] == $0.column }
    merge(proof, into: &findings, columns, forced: forced)
    if isNameless {
      findings += PriceRoles.roles.compactMap { proof.findings[$0] }.filter { finding in
        finding.confidence < RoleProposal.threshold && forced[finding.role] == nil
          && !forced.values.contains(finding.column)
      }
    }
    return findings
  }

  /// Merges proved findings with those by name.
  private static func merge(
    _ proof: NumberProof, into findings: inout [RoleFinding], _ columns: [SampleColumn], forced: [Role: Int]
  ) {
    for role in PriceRoles.roles + [.change] where forced[role] == nil {
      guard let proved = proof.findings[role], proved.confidence >= RoleProposal.threshold else { continue }
      let index = findings.firstIndex { $0.role == role }
      if let index, findings[index].column == proved.column {
        findings[index].confidence = max(findings[index].confidence, proved.confidence)
        findings[index].evidence += proved.evidence
      } else if index.map({ findings[$0].confidence < RoleProposal.threshold }) ?? true {
        // A name that clearly means something else is not overruled.
        guard !speaksAgainst(columns[proved.column], role), !forced.values.contains(proved.column),
          !findings.contains(where: { $0.role != role && $0.column == proved.column })
        else { continue }
        findings.removeAll { $0.role == role }
        findings.append(proved)
      }
    }
  }

  /// Returns volume and turnover by name or, if that leaves a doubt, as the numbers prove both at once.
  private static func volumes(
    _ named: [RoleFinding], _ proof: NumberProof, _ columns: [SampleColumn], _ others: [RoleFinding],
    _ forced: [Role: Int]
  ) -> [RoleFinding] {
    guard let volume = proof.findings[.volume], let turnover = proof.findings[.turnover] else { return named }
    let isSure = named.contains { $0.confidence >= RoleProposal.threshold }
    guard named.count < 2, named.allSatisfy({ [volume.column, turnover.column].contains($0.column) }) else {
      return named
    }
    let isFree = [volume, turnover].allSatisfy { finding in
      !speaksAgainst(columns[finding.column], finding.role) && !forced.values.contains(finding.column)
        && !others.contains { $0.column == finding.column } && forced[finding.role] == nil
    }
    guard isFree, !isSure, volume.confidence >= RoleProposal.threshold || named.isEmpty else { return named }
    var found = [volume, turnover]
    // If no name says that the two are traded, they may be a supply and its worth: the price of a day is an average.
    let doubt = named.isEmpty ? WorthProof.lastPrice : WorthProof.ofOneTrade
    if let price = others[.price]?.column,
      let reason = doubt(columns[price], columns[volume.column], columns[turnover.column])
    {
      for index in found.indices { found[index].doubt(because: reason) }
    }
    return found
  }

  /// Returns whether a column's name is that of another role, or of no role at all.
  ///
  /// - Parameter ignored: the roles that the column's numbers rule out, whatever its name.
  static func speaksAgainst(_ column: SampleColumn, _ role: Role, ignoring ignored: Set<Role> = []) -> Bool {
    if FindingDoubts.isBound(column.wholeName) || column.namesPayment == false { return true }
    if column.nameScore(role) >= 0.3 { return false }
    let others = Role.allCases.filter { $0 != role && !ignored.contains($0) }
    if others.contains(where: { column.nameScore($0) >= 0.6 }) { return true }
    if [.volume, .turnover].contains(role), column.isOfOtherSpan || FieldLexicon.isUntraded(column.wholeName) {
      return true
    }
    return column.wholeName.hasAny([
      .mark, .index, .average, .funding, .interest, .identifier, .count, .otherWindow, .previous, .limit, .step, .fee,
    ])
  }

  /// Makes the open that the change is measured from the open, whatever its name.
  private static func settleOpen(_ findings: inout [RoleFinding], _ open: Int) {
    guard !findings.contains(where: { $0.column == open && $0.role != .open }) else { return }
    let index = findings.firstIndex { $0.role == .open }
    var finding = RoleFinding(
      role: .open, column: open, confidence: 0.96, evidence: ["the change is measured from it", "its name"])
    if let index, findings[index].column != open {
      finding.runnerUp = .init(column: findings[index].column, confidence: findings[index].confidence * 0.6)
    }
    if let index { findings[index] = finding } else { findings.append(finding) }
  }

  /// Finds the change in a column whose name says nothing, once price and open are settled: it is the change from the
  /// one to the other in nearly all rows.
  private static func namelessChange(
    _ change: ChangeRole, _ findings: [RoleFinding], _ columns: [SampleColumn], taken: Set<Int>
  ) -> (finding: RoleFinding, isRatio: Bool)? {
    func settled(_ role: Role) -> Int? {
      findings.first { $0.role == role && $0.confidence >= RoleProposal.threshold }?.column
    }
    guard findings[.change] == nil, settled(.price) != nil, let open = settled(.open) else { return nil }
    let others = columns.indices.filter { index in
      !taken.contains(index) && columns[index].hasNumbers && !columns[index].isTimeLike
        && !speaksAgainst(columns[index], .change)
    }
    let found = others.flatMap { index in
      [false, true].compactMap { isRatio -> (column: Int, isRatio: Bool, vote: RowRelations.Vote)? in
        let vote = change.telling(of: index, isRatio: isRatio, from: open)
        return vote.rows >= 5 && vote.share >= 0.95 ? (index, isRatio, vote) : nil
      }
    }
    guard let best = found.max(by: { $0.vote.holds < $1.vote.holds }) else { return nil }
    let reason = "\(best.isRatio ? "ratio" : "percent") of (price - open) / open in \(best.vote.text)"
    return (RoleFinding(role: .change, column: best.column, confidence: 0.9, evidence: [reason]), best.isRatio)
  }

  // MARK: Doubts

  /// Lowers the confidence in a last price, and an open, that other numbers contradict.
  private static func doubt(
    _ findings: inout [RoleFinding], _ columns: [SampleColumn], _ relations: RowRelations, _ equation: ChangeEquation?
  ) {
    guard let price = findings[.price], price.confidence >= RoleProposal.threshold,
      let doubt = PriceDoubt(price.column, findings, columns, relations, equation).verdict
    else { return }
    for index in findings.indices where findings[index].role == .price || doubt.others.contains(findings[index].role) {
      findings[index].doubt(because: doubt.reason)
      if findings[index].role == .price, let other = doubt.rival {
        findings[index].runnerUp = .init(
          column: other, confidence: 0.5, isLikelier: !speaksAgainst(columns[other], .price))
      }
    }
  }

  /// Lowers the confidence in the open of a change that is not the one of 24 hours.
  private static func doubtOpen(_ findings: inout [RoleFinding], _ change: ChangeRole, _ columns: [SampleColumn]) {
    guard let other = change.ofAnotherSpan, let open = other.open,
      let index = findings.firstIndex(where: { $0.role == .open && $0.column == open })
    else { return }
    let name = columns[other.column].path.text
    findings[index].doubt(because: "'\(name)' is measured from it, which may not be of 24 hours")
  }

  /// Lowers the confidence in a change not measured from the open: it may be of another day, or not a daily change.
  private static func doubtChange(
    _ findings: inout [RoleFinding], _ change: ChangeRole, isRatio: Bool, _ columns: [SampleColumn]
  ) {
    guard let index = findings.firstIndex(where: { $0.role == .change }),
      let open = findings.first(where: { $0.role == .open && $0.confidence >= RoleProposal.threshold })
    else { return }
    let vote = change.agreement(of: findings[index].column, isRatio: isRatio, from: open.column)
    guard vote.rows > 0, vote.share < 0.7 else { return }
    let name = columns[open.column].path.text
    findings[index].doubt(because: "from '\(name)' it is the change in \(vote.text)")
  }

  /// Accepts given columns, whatever was found; the sample shows the consequences.
  private mutating func force() {
    findings.removeAll { finding in forced.contains { $0.key != finding.role && $0.value == finding.column } }
    for (role, column) in forced {
      let texts = columns[column].texts
      var finding =
        findings.first { $0.role == role && $0.column == column }
        ?? RoleFinding(role: role, column: column, confidence: 1, evidence: [])
      findings.removeAll { $0.role == role }
      finding.confirm(
        ["given; filled in \(texts.count { $0 != nil }) of \(texts.count) rows"]
          + finding.evidence.filter { $0 != "its name" })
      findings.append(finding)
    }
  }
}
