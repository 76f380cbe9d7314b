import Config
import Mapping
import Quotes

/// Finds what has changed since the recording.
extension TableReview {
  /// Returns the drift of a table's answer from the recorded one; nil without a recording or answer.
  func drift(of table: TestedTable) -> Drift? {
    guard let base = recorded(table) else { return nil }
    let drift = Drift(
      base.bodies(), table.bodies(), of: table.spec, pair: table.pair, isSamePair: base.pair == table.pair)
    guard !table.isWhole, drift.lost.contains(where: { $0.replacement.chosen == nil }),
      let whole = whole(of: table), let found = self.drift(of: whole)
    else { return drift }
    // A single row proves little: what all rows have proved holds for it, if it has the member.
    return drift.completed(by: found) { candidate in
      table.columns?.members.contains { $0.isInRow == candidate.isInRow && $0.path == candidate.path } == true
    }
  }

  /// Returns the same table in the recording, preferably for the same pair.
  private func recorded(_ table: TestedTable) -> TestedTable? {
    let same = (base?.tables ?? []).filter {
      $0.isPart(of: table) && $0.isWhole == table.isWhole && !$0.rows.isEmpty
    }
    return same.first { $0.pair == table.pair } ?? same.first
  }

  /// Returns the findings for a drift, except those already reported as lost fields and failures of the table.
  func findings(on table: TestedTable, _ drift: Drift) -> [Found] {
    let subject = table.subject()
    var found: [Found] = []
    if !table.failures.contains(where: { $0.reason == .pathMiss }) { found += drift.movedRows(about: subject) }
    let known = table.counts.fields.filter { $0.reasonForAll(of: table.counts.rowCount) == .pathMiss }.map(\.field)
    for lost in drift.lost {
      let isKnown =
        !lost.fields.isEmpty && lost.uses.count == lost.fields.count && lost.fields.allSatisfy(known.contains)
      if table.rows.isEmpty || !isKnown { found.append(lost.found(about: subject)) }
    }
    // The check of the change names the scale on its own.
    let isChangeKnown = table.counts.fields.contains { field in
      field.field == .changePricePercent24 && field.failed.contains { $0.count * 2 > table.counts.rowCount }
    }
    found += drift.shifts.filter { !isChangeKnown || $0.fields != [.changePricePercent24] }
      .map { $0.found(about: subject) }
    if let gone = gonePairs(of: table, drift) { found.append(Found(gone)) }
    guard let base = recorded(table) else { return found }
    if base.pair == table.pair { found += lookupDrift(of: table, base) }
    let paths = MappedPath.paths(of: table.spec)
    if let columns = table.columns, let old = base.columns {
      let new = columns.members(missingIn: old).filter { column in !paths.contains { $0.reads(column) } }
      let names = new.map { "\($0.path) \($0.example)" }.shortList
      if !new.isEmpty {
        found.append(Found(Finding(.newMembers, .note, "new since the recording: \(names)", about: subject)))
      }
    }
    return found
  }

  /// Reports that half or more of the recorded pairs are gone: a part of the answer is missing, or other names are used.
  private func gonePairs(of table: TestedTable, _ drift: Drift) -> Finding? {
    let gone = drift.goneRows
    guard table.isWhole, !table.rows.isEmpty, drift.recordedRowCount >= 4,
      gone.count * 2 >= drift.recordedRowCount, let base = recorded(table)
    else { return nil }
    // Symbols that are only spelled differently are of the same pairs, and so are contracts of later months.
    let pairs = Set(table.rows.map(\.ticker.pair))
    guard base.rows.count(where: { !pairs.contains($0.ticker.pair) }) * 2 >= base.rows.count else { return nil }
    let text = "\(gone.count) of \(drift.recordedRowCount) recorded symbols are gone: \(gone.list(upTo: 5))"
    return table.finding(.rowsGone, .error, text)
  }

  private func lookupDrift(of table: TestedTable, _ base: TestedTable) -> [Found] {
    table.spec.lookups.flatMap { lookup -> [Found] in
      let asked = lookup.request == nil ? nil : lookup
      let before = base.bodies(of: asked)
      let after = table.bodies(of: asked)
      guard !before.bodies.isEmpty, !after.bodies.isEmpty else { return [] }
      return Drift(before, after, of: lookup, in: table.spec).findings(
        about: table.subject(), of: "lookup \(lookup.name)")
    }
  }
}
