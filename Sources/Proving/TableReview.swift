import Cassettes
import Config
import HTTP
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
    if table.isWhole, table.rows.isEmpty, table.failures.isEmpty, !table.spec.isOptional {
      found.append(Found(noRows(table, conditions)))
    }
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
    return table.failures.filter { !$0.reason.isAbsence }.map { failure in
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
      if failure.reason == .unsplit, let help = symbolHelp(of: table) {
        return Found(table.finding(.tableFailed, .error, failure.words, help: help))
      }
      let rows = body.flatMap { ReplacementGuess($0, unread: []).rows }
      return Found(
        table.finding(.tableFailed, .error, failure.words, help: rows.map { "the rows seem to be at \"\($0)\"" }))
    }
  }

  /// Returns where the symbols seem to be, if the path of the mapping finds none.
  private func symbolHelp(of table: TestedTable) -> String? {
    guard case .rules(let text?, _) = table.spec.symbol, let lost = table.lostPaths(of: text).first,
      let body = table.body
    else { return nil }
    return ReplacementGuess(body, unread: []).symbolHelp(insteadOf: lost)
  }

  /// Returns the recording whose URL is closest to the requested one.
  func nearestRecording(to request: String) -> String? {
    let wanted = String(request.prefix(300))
    let lines = (cassette?.unplayed ?? []).map { "\($0.method) \($0.url)" }.filter { $0.utf8.count < 300 }
    let near = lines.map { (line: $0, distance: Spelling.distance($0, wanted)) }.min { $0.distance < $1.distance }
    guard let near, near.distance * 4 < near.line.count else { return nil }
    return "there is one of \(near.line)"
  }

  private func noRows(_ table: TestedTable, _ conditions: [ConditionCounts]) -> Finding {
    let dropped = table.gathered.table.dropped.sorted { $0.key < $1.key }.map { "\($0.value) dropped by \"\($0.key)\"" }
    let unsplit = table.gathered.table.unsplit.count
    let reasons = dropped + (unsplit > 0 ? ["\(unsplit.counted("symbol")) not split"] : [])
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
    guard table.isAbsent, hasErrorStatus, success.code != nil || !success.messages.isEmpty,
      let words = table.refusal, words.code == nil, words.message == nil
    else { return [] }
    return [
      table.finding(
        .unexplainedError, .error, "the exchange says why it has no row, but neither \"code\" nor \"message\" finds it")
    ]
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
      guard table.isAbsent || table.failures.isEmpty else { return [] }
      let text = "the table of all pairs has \(pair), but the request for it alone finds no row"
      return [table.finding(.tablesDisagree, .error, text)]
    }
    return own.ticker.disagreements(withTable: row.ticker).map {
      table.finding(.tablesDisagree, .error, $0)
    }
  }

  func whole(of table: TestedTable) -> TestedTable? {
    tables.first { $0.isWhole && $0.isPart(of: table) }
  }
}
