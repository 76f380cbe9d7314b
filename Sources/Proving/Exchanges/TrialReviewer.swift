import Cassettes
import Config
import HTTP
import Mapping
import MarketData
import Quotes

/// Says what is wrong with the tables of one exchange.
struct TrialReviewer {
  let tables: [TrialTable]
  let books: [TrialBook]
  /// nil in a trial of what the exchange answers now.
  let cassette: CassettePlayer?
  let hooks: HookRegistry
  /// What the same exchange gave of its cassette.
  let base: ExchangeTrial?

  func findings(on table: TrialTable) -> [TrialFinding] {
    let drift = drift(of: table)
    var findings = failures(of: table, drift)
    if table.pair == nil, table.rows.isEmpty, table.failures.isEmpty { findings.append(noRows(table)) }
    if !table.rows.isEmpty { findings += lostFields(of: table, drift) + table.trial.failedChecks }
    findings += deadConditions(of: table) + symbols(of: table)
    findings += looseEnds(of: table) + wordlessErrors(of: table)
    if table.pair != nil { findings += contradictions(of: table) }
    if let drift { findings += self.findings(on: table, drift) }
    return findings
  }

  // MARK: The answer

  private func failures(of table: TrialTable, _ drift: AnswerDrift?) -> [TrialFinding] {
    table.failures.filter { $0.reason != .notListed }.map { failure in
      let message = failure.message.map { ": \($0)" } ?? ""
      if failure.reason == TableFailure.notRecorded {
        let words = failure.message ?? "the request is not recorded"
        return TrialFinding(.problem, words, help: nearestRecording(to: words))
      }
      var help: String?
      if failure.reason == .pathMiss, let moved = drift?.rows {
        return TrialFinding(
          .problem, "\(failure.reason.code)\(message)", help: moved.rowsHelp, replacements: [moved])
      }
      if failure.reason == .pathMiss, let body = table.body(hooks),
        let rows = ReplacementFinder(body, shape: nil).rows
      {
        help = "the rows seem to be at \"\(rows)\""
      }
      return TrialFinding(.problem, "\(failure.reason.code)\(message)", help: help)
    }
  }

  /// The recording whose address is nearest to the one that was asked for.
  private func nearestRecording(to words: String) -> String? {
    guard let cassette, let start = words.firstRange(of: "GET ") ?? words.firstRange(of: "POST ") else { return nil }
    let wanted = words[start.lowerBound...]
    let lines = cassette.unplayed.map { "\($0.method) \($0.url)" }.filter { $0.utf8.count < 300 }
    let near = lines.map { (line: $0, distance: Spelling.distance($0, String(wanted.prefix(300)))) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance * 4 < near.line.count else { return nil }
    return "there is one of \(near.line)"
  }

  private func noRows(_ table: TrialTable) -> TrialFinding {
    let dropped = table.gathered.table.dropped.sorted { $0.key < $1.key }.map { "\($0.value) dropped by \"\($0.key)\"" }
    let unsplit = table.gathered.table.unsplit.count
    let reasons = dropped + (unsplit > 0 ? ["\(unsplit) symbols not split"] : [])
    return TrialFinding(
      .problem, "not a single row" + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: ", "))"),
      help: closedConditions(of: table))
  }

  /// An error that the exchange explains, and none of whose words the mapping finds.
  private func wordlessErrors(of table: TrialTable) -> [TrialFinding] {
    let success = table.spec.success
    guard table.isUnlisted, table.answers.contains(where: \.isErrorStatus),
      success.code != nil || !success.messages.isEmpty,
      let words = table.refusal(hooks), words.code == nil, words.message == nil
    else { return [] }
    return [
      TrialFinding(.problem, "the exchange says why it has no row, and neither \"code\" nor \"message\" finds it")
    ]
  }

  // MARK: The rows

  private func lostFields(of table: TrialTable, _ drift: AnswerDrift?) -> [TrialFinding] {
    let count = table.rows.count
    var finder: ReplacementFinder?
    return table.trial.fields.compactMap { field in
      guard let reason = field.reasonForAll(of: count), let value = table.spec.fields[field.field.rawValue] else {
        return nil
      }
      if reason == Missing.jsonNull.code || reason == Missing.zero.code {
        guard drift?.shifts.contains(where: { $0.isProblem && $0.fields.contains(field.field) }) != true else {
          return nil
        }
        return table.pair == nil ? TrialFinding(.note, "\(field.field.rawValue): \(reason) in all rows") : nil
      }
      if table.pair != nil, let request = table.unrecordedLookup(of: value) {
        return TrialFinding(.note, "\(field.field.rawValue): \(request)")
      }
      let rows = count == 1 ? "the row" : "any of \(count) rows"
      guard reason == Missing.pathMiss.code else {
        if let request = table.unrecordedLookup(of: value) {
          return TrialFinding(.problem, "\(field.field.rawValue): \(request)", help: nearestRecording(to: request))
        }
        return TrialFinding(
          .problem, "\(field.field.rawValue): \(reason) in \(count == 1 ? "the row" : "all \(count) rows")")
      }
      let lost = table.lostPaths(of: value)
      let written = lost.isEmpty ? "its path" : lost.joined(separator: ", ")
      let rowsWords = "\(field.field.rawValue): \(written) leads nowhere in \(rows)"
      let known = (drift?.lost ?? []).filter { $0.fields.contains(field.field) && lost.contains($0.replacement.lost) }
      if let first = known.first {
        return TrialFinding(
          .problem, rowsWords + ", and was in \(first.recordedText)",
          help: known.map(\.replacement.help).joined(separator: "; "), replacements: known.map(\.replacement))
      }
      if finder == nil, let body = table.body(hooks) { finder = ReplacementFinder(body, shape: table.shape) }
      return TrialFinding(
        .problem, rowsWords, help: lost.first.flatMap { path in finder?.help(for: field.field, path: path) })
    }
  }

  private func symbols(of table: TrialTable) -> [TrialFinding] {
    let unsplit = table.gathered.table.unsplit
    guard !unsplit.isEmpty else { return [] }
    let names = unsplit.prefix(5).map(\.symbol).joined(separator: ", ") + (unsplit.count > 5 ? ", …" : "")
    let isMost = unsplit.count > table.rows.count
    let text = "\(unsplit.count) \(unsplit.count == 1 ? "symbol is" : "symbols are") not split: \(names)"
    return [TrialFinding(isMost ? .problem : .note, text)]
  }

  /// Conditions whose path leads nowhere in any row: they tell nothing apart.
  private func deadConditions(of table: TrialTable) -> [TrialFinding] {
    guard table.pair == nil, let shape = table.shape else { return [] }
    return table.spec.conditions.compactMap { condition in
      guard case .path(let path?, .row) = condition.value.origin, !shape.holds(path, inRow: true) else { return nil }
      return TrialFinding(.note, "no row has the \(path.text) of a condition in \"where\"")
    }
  }

  // MARK: One pair against all

  /// The row of a pair's own request against that of the table of all pairs.
  private func contradictions(of table: TrialTable) -> [TrialFinding] {
    guard let pair = table.pair,
      let whole = tables.first(where: { $0.pair == nil && $0.market == table.market && $0.part == table.part })
    else { return [] }
    let candidates = whole.rows.filter { $0.ticker.pair == pair && $0.ticker.multiplier == nil }
    guard let row = candidates.first, candidates.count == 1 else { return [] }
    guard let own = table.rows.first else {
      guard table.isUnlisted || table.failures.isEmpty else { return [] }
      return [TrialFinding(.problem, "the table of all pairs has \(pair), and the request for it alone finds no row")]
    }
    var findings: [TrialFinding] = []
    if own.ticker.product != row.ticker.product {
      findings.append(
        TrialFinding(
          .problem,
          "product is \(own.ticker.product ?? "none") here and \(row.ticker.product ?? "none") in the table of all pairs"
        ))
    }
    for field in [TickerField.price, .open, .high, .low, .bid, .ask, .volume24, .turnover24] {
      guard let one = own.ticker.cell(field).value, let other = row.ticker.cell(field).value, one.signum > 0,
        other.signum > 0, one > other * 2 || other > one * 2
      else { continue }
      findings.append(
        TrialFinding(.problem, "\(field.rawValue) is \(one) here and \(other) in the table of all pairs"))
    }
    return findings
  }

  // MARK: The exchange as a whole

  /// Recordings that no request of the mapping asks for: an address, a payment currency or a part has changed.
  var unaskedRecordings: [TrialFinding] {
    // Whatever else lies there is others' business.
    let words = Set(Market.allCases.map(\.rawValue) + ["lookup", "rate", BookSpec.recordingName])
    let unplayed = (cassette?.unplayed ?? []).filter { words.contains($0.name.prefix { $0 != "-" }.description) }
    return unplayed.map { entry in
      TrialFinding(
        .problem, "no request of the mapping asks for the recording \(entry.name): \(entry.method) \(entry.url)")
    }
  }

  /// Requests that the mapping has and no recording answers.
  func unrecordedRequests(_ markets: [ExchangeMarket]) -> [TrialFinding] {
    guard cassette != nil else { return [] }
    return markets.flatMap { market -> [TrialFinding] in
      var missing: [String] = []
      if !market.ticker.isEmpty, !tables.contains(where: { $0.market == market.market && $0.pair != nil }) {
        missing.append("one pair")
      }
      if market.orderbook != nil, !books.contains(where: { $0.market == market.market }) {
        missing.append("an order book")
      }
      return missing.map {
        TrialFinding(.note, "\(market.market.rawValue): no recording answers the request for \($0)")
      }
    }
  }

  /// Pairs that come more than once in different parts of one market.
  var doubledPairs: [TrialFinding] {
    Market.allCases.compactMap { market in
      let parts = tables.filter { $0.market == market && $0.pair == nil }
      guard parts.count > 1 else { return nil }
      let before = parts.flatMap(\.rows).count { $0.ticker.isDoubled }
      let whole = TickerTable(joining: parts.map(\.gathered.table))
      let doubled = whole.rows.filter { $0.ticker.isDoubled }
      guard doubled.count > before, let first = doubled.first?.ticker else { return nil }
      return TrialFinding(
        .problem,
        "\(market.rawValue): \(doubled.count) rows of different parts have the same pair and product, such as \(first.pair)"
      )
    }
  }
}

extension TrialAnswer {
  fileprivate var isErrorStatus: Bool { response.map { !(200..<300).contains($0.status) } ?? false }
}

extension Ticker {
  fileprivate var isDoubled: Bool { flags.contains { $0.code == "duplicate" } }
}

extension TrialTable {
  /// The request of a lookup that a value needs and that is not recorded, in words.
  fileprivate func unrecordedLookup(of value: ValueSpec) -> String? {
    let names = value.lookupNames
    for answer in answers {
      guard case .failure(.notInCassette(let request)) = answer.outcome,
        names.contains(where: { answer.request.name == Self.lookupPrefix + $0 })
      else { continue }
      return "no recording of \(request)"
    }
    return nil
  }

  /// The paths of a value that lead nowhere, as they are written.
  fileprivate func lostPaths(of value: ValueSpec) -> [String] {
    var result: [String] = []
    if case .path(let path?, let source) = value.origin {
      let isFound: Bool
      switch source {
      case .row: isFound = shape?.holds(path, inRow: true) ?? true
      case .response: isFound = shape?.holds(path, inRow: false) ?? true
      case .lookup(let name): isFound = lookupShapes[name]?.holds(path, inRow: true) ?? true
      case .key, .request: isFound = true
      }
      if !isFound { result.append(path.text) }
    }
    return result + value.parts.flatMap { lostPaths(of: $0) }
  }
}
