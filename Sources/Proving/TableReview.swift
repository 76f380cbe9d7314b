import Cassettes
import Config
import HTTP
import Inference
import Mapping
import MarketData
import Quotes

/// Finds problems in the tables of one exchange.
struct TableReview {
  let tables: [TestedTable]
  /// nil when testing live answers.
  let cassette: CassettePlayer?
  /// The same exchange's results from its cassette.
  let base: TestedExchange?

  func findings(on table: TestedTable) -> [Found] {
    let drift = drift(of: table)
    var found = failures(of: table, drift)
    let conditions = table.isWhole ? ConditionCounts.all(of: table.spec, table.bodies().bodies) : []
    if table.isWhole, table.rows.isEmpty, table.failures.isEmpty { found.append(Found(noRows(table, conditions))) }
    let turned = turnedPairs(of: table)
    if !table.rows.isEmpty {
      found += lostFields(of: table, drift)
      // If pairs are reversed, every number is of something else.
      found += (turned.map { [$0] } ?? failedChecks(of: table)).map { Found($0) }
    }
    var findings = deadConditions(of: table) + symbols(of: table) + lookupMismatches(of: table)
    findings += failedLookups(of: table)
    if table.isWhole, !table.rows.isEmpty {
      findings += idleConditions(of: table, conditions) + unusedPayments(of: table) + rareFields(of: table)
      findings += NamedFields(table).findings
      findings += RowSlice(table).map { [table.finding(.failedCheck, .error, $0.text, help: $0.help)] } ?? []
      if turned == nil { findings += loneAmounts(of: table, drift) }
    }
    findings += wordlessErrors(of: table) + contradictions(of: table)
    // Beside a table of all pairs, an answer about another pair shows by its price.
    let others = tables.contains(where: \.isWhole) ? [] : tables
    if let alike = table.isWhole ? AlikeRows(in: table) : AlikeRows(table, besides: others) {
      findings.append(
        table.finding(
          .failedCheck, .error, alike.text, help: "check how the request names the pair, and what the rows are"))
    }
    return found + findings.map { Found($0) } + (drift.map { self.findings(on: table, $0) } ?? [])
  }

  // MARK: Answers

  private func failures(of table: TestedTable, _ drift: Drift?) -> [Found] {
    var unrecorded = table.answers.filter { $0.isAbout(nil) }.compactMap(\.unrecordedRequest)[...]
    return table.failures.filter { $0.reason != .notListed }.map { failure in
      if failure.reason == .notRecorded {
        return Found(
          table.finding(
            .notRecorded, .error, failure.message ?? "the request is not recorded",
            help: unrecorded.popFirst().flatMap(nearestRecording)))
      }
      if failure.reason == .pathMiss, let moved = drift?.rows {
        return Found(.rowsMoved, failure.words, about: table.subject(), help: moved.rowsHelp, [moved])
      }
      let body = failure.reason == .pathMiss ? table.body : nil
      let rows = body.flatMap { ReplacementGuess($0, unread: []).rows }
      return Found(
        table.finding(.tableFailed, .error, failure.words, help: rows.map { "the rows seem to be at \"\($0)\"" }))
    }
  }

  /// Returns the recording whose URL is closest to the requested one.
  private func nearestRecording(to request: String) -> String? {
    let wanted = String(request.prefix(300))
    let lines = (cassette?.unplayed ?? []).map { "\($0.method) \($0.url)" }.filter { $0.utf8.count < 300 }
    let near = lines.map { (line: $0, distance: Spelling.distance($0, wanted)) }.min { $0.distance < $1.distance }
    guard let near, near.distance * 4 < near.line.count else { return nil }
    return "there is one of \(near.line)"
  }

  private func noRows(_ table: TestedTable, _ conditions: [ConditionCounts]) -> Finding {
    let dropped = table.gathered.table.dropped.sorted { $0.key < $1.key }.map { "\($0.value) dropped by \"\($0.key)\"" }
    let unsplit = table.gathered.table.unsplit.count
    let reasons = dropped + (unsplit > 0 ? ["\(unsplit) symbols not split"] : [])
    let closed = conditions.filter { $0.passed == 0 }.map { condition in
      let values = condition.values.map { "\($0.value ?? "nothing") (\($0.count))" }.list(upTo: 4)
      return "no row passes the condition \(condition.name): they have \(values)"
    }
    return table.finding(
      .noRows, .error, "no rows" + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: ", "))"),
      help: closed.isEmpty ? nil : closed.joined(separator: "; "))
  }

  /// Reports errors explained by the exchange whose message the mapping does not find.
  private func wordlessErrors(of table: TestedTable) -> [Finding] {
    let success = table.spec.success
    let hasErrorStatus = table.answers.contains { $0.response.map { !$0.isSuccessful } ?? false }
    guard table.isUnlisted, hasErrorStatus, success.code != nil || !success.messages.isEmpty,
      let words = table.refusal, words.code == nil, words.message == nil
    else { return [] }
    return [
      table.finding(
        .unexplainedError, .error, "the exchange says why it has no row, but neither \"code\" nor \"message\" finds it")
    ]
  }

  // MARK: Fields and checks

  private func lostFields(of table: TestedTable, _ drift: Drift?) -> [Found] {
    let count = table.rows.count
    var guess: ReplacementGuess?
    return table.counts.fields.compactMap { field -> Found? in
      guard field.filled == 0, let value = table.spec.fields[field.field.rawValue] else { return nil }
      let name = field.field.rawValue
      func found(_ code: FindingCode, _ severity: Finding.Severity, _ text: String, help: String? = nil) -> Found {
        Found(table.finding(code, severity, "\(name): \(text)", on: field.field, help: help))
      }
      let unrecorded = table.unrecordedLookup(of: value)
      guard let reason = field.reasonForAll(of: count) else {
        let reasons = field.missing.map { "\($0.count) \($0.value.code)" }.joined(separator: ", ")
        // Exchanges leave out what they do not have; nothing but a mapping makes numbers unreadable.
        let isOfMapping = field.missing.contains { [.notANumber, .pathMany].contains($0.value) }
        return found(.fieldEmpty, isOfMapping ? .error : .note, "in none of \(count) rows: \(reasons)")
      }
      switch reason {
      case .jsonNull, .zero:
        let isShifted = drift?.shifts.contains { $0.isProblem && $0.fields.contains(field.field) } == true
        return isShifted || !table.isWhole ? nil : found(.fieldEmpty, .note, "\(reason.code) in all rows")
      case _ where !table.isWhole && unrecorded != nil:
        return found(.notRecorded, .note, "no recording of \(unrecorded ?? "")")
      case .pathMiss: break
      default:
        if let unrecorded {
          return found(.notRecorded, .error, "no recording of \(unrecorded)", help: nearestRecording(to: unrecorded))
        }
        return found(
          .fieldEmpty, .error, "\(reason.code) in \(count == 1 ? "the row" : "all \(count) rows")",
          help: field.field == .time ? timeUnit(of: value, in: table) : nil)
      }
      let lost = table.lostPaths(of: value)
      let written = lost.isEmpty ? "its path" : lost.joined(separator: ", ")
      let text = "\(written) leads nowhere in \(count == 1 ? "the row" : "any of \(count) rows")"
      let known = (drift?.lost ?? []).filter { $0.fields.contains(field.field) && lost.contains($0.replacement.lost) }
      if let first = known.first {
        return Found(
          .fieldLost, "\(name): \(text), but was in \(first.recordedText)", about: table.subject(field.field),
          known.map(\.replacement))
      }
      if guess == nil { guess = table.body.map { ReplacementGuess($0, unread: table.unreadColumns) } }
      return found(.fieldLost, .error, text, help: lost.first.flatMap { guess?.help(for: field.field, path: $0) })
    }
  }

  /// Returns the unit that times in another one than the mapping says look like; nil if they look like none.
  private func timeUnit(of value: ValueSpec, in table: TestedTable) -> String? {
    let texts = table.columns?.texts(of: value).compactMap(\.self) ?? []
    let unit: String
    switch TimeRole.form(of: texts) {
    case .unit(let found)?: unit = found.rawValue
    case .iso8601?: unit = "iso8601"
    case .date?, nil: return nil
    }
    let example = texts.first { TimeRole.form(of: [$0]) != nil } ?? ""
    return "\(example.shortened(to: 24)) looks like \"unit\": \"\(unit)\""
  }

  private func turnedPairs(of table: TestedTable) -> Finding? {
    guard let turned = table.rows.map(\.ticker.pair).turned else { return nil }
    let help = table.spec.symbol.hasPaymentFirst.map {
      "write \"order\": \"\($0 ? "asset-payment" : "payment-asset")\" in \"symbol\""
    }
    return table.finding(.turnedPairs, .error, "\(turned)", help: help ?? "swap asset and payment in \"symbol\"")
  }

  private func failedChecks(of table: TestedTable) -> [Finding] {
    // That no row has a readable time is reported for the field.
    let isUnread = table.counts.fields.contains {
      $0.field == .time && $0.reasonForAll(of: table.counts.rowCount) != nil
    }
    let swapped = SwappedFields.all(in: table.rows.map(\.ticker))
    let isRangeSwapped = swapped.contains { $0.kind == .range }
    let failed = table.counts.failedChecks.filter { one in
      switch one.check.kind {
      case .time: !isUnread
      // Turnover and volume are compared with the range.
      case .turnover: !isRangeSwapped
      default: true
      }
    }
    func help(_ check: TableCounts.Check) -> String? {
      turnoverScale(check, of: table) ?? swapped.first { $0.kind == check.kind }?.help
    }
    return failed.map { table.finding(.failedCheck, .error, $0.text, help: help($0.check)) }
      + otherScales(of: table, besides: Set(failed.map(\.check.kind)))
  }

  private func turnoverScale(_ check: TableCounts.Check, of table: TestedTable) -> String? {
    guard case .otherUnit(let factor)? = check.advice?.value,
      let scale = table.spec.fields[TickerField.turnover24.rawValue]?.scaleCorrecting(factor)
    else { return nil }
    return "write \"scale\": \(scale.shortest) for turnover24, or one for volume24"
  }

  /// Reports highs, lows and offers of another scale, unless the rows' own checks have found that already.
  private func otherScales(of table: TestedTable, besides failed: Set<Flag.Kind>) -> [Finding] {
    // Pairs requested alone are judged together, with the first of them.
    let alike =
      table.isWhole ? [table] : tables.filter { !$0.isWhole && $0.isPart(of: table) && !$0.rows.isEmpty }
    guard alike.first?.pair == table.pair else { return [] }
    return PriceScale.findings(of: alike.flatMap(\.rows).map(\.ticker)).compactMap { verdict in
      let field = TickerField(rawValue: verdict.field)
      let kind: Flag.Kind = [.high, .low].contains(field) ? .range : .bidAsk
      guard !failed.contains(kind) else { return nil }
      return table.finding(.failedCheck, .error, verdict.text, on: field, help: verdict.help)
    }
  }

  private func loneAmounts(of table: TestedTable, _ drift: Drift?) -> [Finding] {
    let fields = [TickerField.volume24, .turnover24].filter { field in
      drift?.shifts.contains { $0.isProblem && $0.fields.contains(field) } != true
    }
    let contracts = ContractAmount(table).map {
      table.finding(.failedCheck, $0.severity, $0.text, on: .volume24, help: $0.help)
    }
    if let contracts, contracts.severity == .error { return [contracts] }
    let found = fields.compactMap { LoneAmount($0, of: table.rows.map(\.ticker)) }.map {
      let mayBeContracts = table.market == .futures && $0.field == .volume24
      return table.finding(
        .failedCheck, .error, $0.text, on: $0.field,
        help: $0.help + (mayBeContracts ? "; or does it count contracts?" : ""))
    }
    return found.isEmpty ? [contracts].compactMap(\.self) : found
  }

  private func rareFields(of table: TestedTable) -> [Finding] {
    let count = table.rows.count
    guard count >= 20 else { return [] }
    return table.counts.fields.filter { $0.filled > 0 && $0.filled * 20 < count }.map { field in
      let reasons = field.missing.map { "\($0.count) \($0.value.code)" }.joined(separator: ", ")
      return table.finding(
        .fieldRare, .note, "\(field.field.rawValue): only \(field.filled) of \(count) rows have it (\(reasons))",
        on: field.field)
    }
  }

  private func symbols(of table: TestedTable) -> [Finding] {
    let unsplit = table.gathered.table.unsplit
    guard !unsplit.isEmpty else { return [] }
    let names = unsplit.map(\.symbol).list(upTo: 5)
    let isProblem = unsplit.count > table.rows.count
    return [
      table.finding(
        .unsplitSymbols, isProblem ? .error : .note,
        "\(unsplit.count.counted("symbol is", plural: "symbols are")) not split: \(names)",
        help: isProblem ? splitAdvice(for: unsplit.map(\.symbol), of: table.spec) : nil)
    ]
  }

  private func splitAdvice(for symbols: [String], of spec: TableSpec) -> String? {
    SplitAdvice(symbols).map { advice in
      let known = spec.paymentCurrencies.flatMap(\.currencies)
      let new = advice.payments.filter { !known.contains($0) }
      return "write \(advice.keys) in \"symbol\""
        + (new.isEmpty ? "" : ", with \(new.listed("and")) in \"paymentCurrencies\"")
    }
  }

  // MARK: Unused parts of the mapping

  /// Reports conditions whose path finds nothing in any row, so that they have no effect.
  private func deadConditions(of table: TestedTable) -> [Finding] {
    guard table.isWhole, let columns = table.columns else { return [] }
    return table.spec.conditions.compactMap { condition in
      guard case .path(let path?, .row) = condition.value.origin, !columns.holds(path, inRow: true) else { return nil }
      return table.finding(.deadCondition, .note, "no row has the \(path.text) of a condition in \"where\"")
    }
  }

  private func idleConditions(of table: TestedTable, _ conditions: [ConditionCounts]) -> [Finding] {
    // Conditions that read nothing are reported separately.
    conditions.filter { !$0.isDead }.flatMap { condition -> [String] in
      var texts: [String] = []
      if condition.passed == condition.rowCount, condition.rowCount > 1 {
        texts.append("the condition \(condition.name) in \"where\" drops none of \(condition.rowCount) rows")
      }
      if !condition.unusedTexts.isEmpty {
        texts.append("no row has \(condition.unusedTexts.shortList) of the condition \(condition.name)")
      }
      return texts
    }.map { table.finding(.idleCondition, .note, $0) }
  }

  private func unusedPayments(of table: TestedTable) -> [Finding] {
    let payments = Set(table.rows.map(\.ticker.pair.payment))
    let symbols = Set(table.rows.map { $0.ticker.symbol.uppercased() })
    let unused = table.spec.paymentCurrencies.flatMap(\.currencies).filter { currency in
      let own = table.spec.aliases.first { $0.from == currency }?.to ?? currency
      if payments.contains(own.uppercased()) || payments.contains(currency.uppercased()) { return false }
      // Renamed by a global alias.
      return own == currency || !symbols.contains { $0.hasSuffix(currency.uppercased()) }
    }
    guard !unused.isEmpty else { return [] }
    let noun = unused.count == 1 ? "payment currency" : "payment currencies"
    return [table.finding(.unusedName, .note, "no row has the \(noun) \(unused.shortList)")]
  }

  // MARK: Single pairs and tables

  /// Compares the row of a pair's own request with that in the table of all pairs.
  private func contradictions(of table: TestedTable) -> [Finding] {
    guard let pair = table.pair, let whole = whole(of: table) else { return [] }
    let candidates = whole.rows.filter { $0.ticker.pair == pair && $0.ticker.multiplier == nil }
    guard let row = candidates.first, candidates.count == 1 else { return [] }
    guard let own = table.rows.first else {
      guard table.isUnlisted || table.failures.isEmpty else { return [] }
      let text = "the table of all pairs has \(pair), but the request for it alone finds no row"
      return [table.finding(.tablesDisagree, .error, text)]
    }
    return own.ticker.disagreements(withTable: row.ticker).map {
      table.finding(.tablesDisagree, .error, $0)
    }
  }

  private func whole(of table: TestedTable) -> TestedTable? {
    tables.first { $0.isWhole && $0.isPart(of: table) }
  }

  // MARK: Drift

  /// Returns the drift of a table's answer from the recorded one; nil without a recording or answer.
  private func drift(of table: TestedTable) -> Drift? {
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
  private func findings(on table: TestedTable, _ drift: Drift) -> [Found] {
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

extension TestedTable {
  /// Returns the request of a lookup that a value needs but was not recorded.
  fileprivate func unrecordedLookup(of value: ValueSpec) -> String? {
    let lookups = spec.lookups.filter { value.lookupNames.contains($0.name) }
    return answers.lazy.filter { answer in lookups.contains { answer.isAbout($0) } }.compactMap(\.unrecordedRequest)
      .first
  }

  /// Returns the paths of a value that find nothing, as written.
  fileprivate func lostPaths(of value: ValueSpec) -> [String] {
    var result: [String] = []
    if case .path(let path?, let source) = value.origin {
      let isFound: Bool
      switch source {
      case .row: isFound = columns?.holds(path, inRow: true) ?? true
      case .response: isFound = columns?.holds(path, inRow: false) ?? true
      case .lookup(let name): isFound = lookupColumns[name]?.holds(path, inRow: true) ?? true
      case .key, .request, .parentRow: isFound = true
      }
      if !isFound { result.append(path.text) }
    }
    return result + value.parts.flatMap { lostPaths(of: $0) }
  }
}
