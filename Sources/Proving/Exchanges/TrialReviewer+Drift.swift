import Config
import Mapping
import Quotes

/// What has changed since the recording.
extension TrialReviewer {
  /// The answer of a table against the recorded one; nil where there is no recording, or nothing came.
  func drift(of table: TrialTable) -> AnswerDrift? {
    guard let base = recorded(table) else { return nil }
    let drift = AnswerDrift(
      base.side(hooks), table.side(hooks), of: table.spec, pair: table.pair, isSamePair: base.pair == table.pair)
    guard table.pair != nil, drift.lost.contains(where: { $0.replacement.chosen == nil }),
      let whole = tables.first(where: { $0.pair == nil && $0.market == table.market && $0.part == table.part }),
      let found = self.drift(of: whole)
    else { return drift }
    // One row proves little: what all rows have proved holds for it, if it has the member.
    return drift.completed(by: found) { candidate in
      table.shape?.members.contains { $0.isInRow == candidate.isInRow && $0.path == candidate.path } == true
    }
  }

  /// What a drift comes to, but for that which the lost fields and failures of the table tell already.
  func findings(on table: TrialTable, _ drift: AnswerDrift) -> [TrialFinding] {
    var findings: [TrialFinding] = []
    if let rows = drift.rows, !table.failures.contains(where: { $0.reason == .pathMiss }) {
      findings.append(rows.rowsFinding)
    }
    let told = table.trial.fields.filter { $0.reasonForAll(of: table.trial.rowCount) == Missing.pathMiss.code }
      .map(\.field)
    for lost in drift.lost {
      let isTold = !lost.fields.isEmpty && lost.uses.count == lost.fields.count && lost.fields.allSatisfy(told.contains)
      if table.rows.isEmpty || !isTold { findings.append(lost.finding) }
    }
    // The check of the change names the scale by itself.
    let isChangeTold = table.trial.fields.contains { field in
      field.field == .changePricePercent24 && field.failed.contains { $0.count * 2 > table.trial.rowCount }
    }
    findings += drift.shifts.filter { !isChangeTold || $0.fields != [.changePricePercent24] }.map(\.finding)
    if table.pair == nil { findings += [drift.missingRows].compactMap(\.self) }
    findings += lookupDrift(of: table)
    if let shape = table.shape, let old = recorded(table)?.shape {
      let new = shape.members(missingIn: old).filter { !$0.isRead }
      if !new.isEmpty {
        let names = new.map { "\($0.path) \($0.example)" }.joined(separator: ", ")
        findings.append(TrialFinding(.note, "new since the recording: \(names)"))
      }
    }
    return findings
  }

  private func lookupDrift(of table: TrialTable) -> [TrialFinding] {
    guard let base = recorded(table), base.pair == table.pair else { return [] }
    return table.spec.lookups.flatMap { lookup -> [TrialFinding] in
      let isOwn = lookup.request == nil
      let before = base.side(hooks, lookup: isOwn ? nil : lookup)
      let after = table.side(hooks, lookup: isOwn ? nil : lookup)
      guard !before.bodies.isEmpty, !after.bodies.isEmpty else { return [] }
      return AnswerDrift(before, after, of: lookup, in: table.spec).findings.map {
        $0.prefixed("lookup \(lookup.name)")
      }
    }
  }

  /// The same table of the recording, that of the same pair if there is one.
  private func recorded(_ table: TrialTable) -> TrialTable? {
    let same = (base?.tables ?? []).filter {
      $0.market == table.market && $0.part == table.part && ($0.pair == nil) == (table.pair == nil) && !$0.rows.isEmpty
    }
    return same.first { $0.pair == table.pair } ?? same.first
  }
}

extension AnswerDrift {
  /// All that a drift says, where nothing else tells of it.
  var findings: [TrialFinding] {
    [rows?.rowsFinding].compactMap(\.self) + lost.map(\.finding) + shifts.map(\.finding)
  }

  /// Half of the recorded pairs and more have gone: a part of the answer is missing, or the names are others.
  fileprivate var missingRows: TrialFinding? {
    guard recordedRowCount >= 4, goneRows.count * 2 >= recordedRowCount else { return nil }
    let names = goneRows.prefix(5).joined(separator: ", ") + (goneRows.count > 5 ? ", …" : "")
    return TrialFinding(
      .problem, "\(goneRows.count) of \(recordedRowCount) recorded symbols are not there any more: \(names)")
  }
}

extension Replacement {
  /// The sentence for rows that have moved.
  var rowsHelp: String {
    guard let chosen else { return help }
    return "the rows seem to be at \"\(chosen.path)\" (\(chosen.example)): \(chosen.evidence.joined(separator: ", "))"
  }

  fileprivate var rowsFinding: TrialFinding {
    TrialFinding(
      .problem, "the rows were at \(lost) in the recording and are not there now", help: rowsHelp, replacements: [self])
  }
}

extension AnswerDrift.Lost {
  /// `every row of the recording`, `19 of 20 rows of the recording`.
  var recordedText: String {
    if !isInRow { return "the recording" }
    return recorded.count == recorded.of
      ? "every row of the recording" : "\(recorded.count) of \(recorded.of) rows of the recording"
  }

  fileprivate var finding: TrialFinding {
    let now = isInRow ? "is in none now" : "is gone now"
    return TrialFinding(
      .problem, "\(replacement.lost) (\(uses.joined(separator: ", "))) was in \(recordedText) and \(now)",
      help: replacement.help, replacements: [replacement])
  }
}

extension AnswerDrift.Shift {
  fileprivate var finding: TrialFinding {
    TrialFinding(isProblem ? .problem : .note, "\(uses.joined(separator: ", ")): \(text)", help: help)
  }
}

extension TrialFinding {
  /// The same, said of a part.
  func prefixed(_ part: String) -> TrialFinding {
    TrialFinding(severity, "\(part): \(text)", help: help, replacements: replacements)
  }
}
