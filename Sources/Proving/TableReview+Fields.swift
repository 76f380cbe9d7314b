import Config
import Inference
import Mapping
import MarketData
import Quotes

/// Finds problems in the fields of rows, and in what the rows say together.
extension TableReview {
  func lostFields(of table: TestedTable, _ drift: Drift?) -> [Found] {
    lazy var guess = table.body.map { ReplacementGuess($0, unread: table.unreadColumns) }
    return table.counts.fields.compactMap { field -> Found? in
      guard field.filled == 0, let value = table.spec.fields[field.field.rawValue] else { return nil }
      guard let reason = field.reasonForAll(of: table.rows.count) else {
        let reasons = field.missing.map { "\($0.count) \($0.value.code)" }.joined(separator: ", ")
        // Exchanges leave out what they do not have; nothing but a mapping makes numbers unreadable.
        let isOfMapping = field.missing.contains { [.notANumber, .pathMany].contains($0.value) }
        return found(
          .fieldEmpty, isOfMapping ? .error : .note, field.field, "in none of \(table.rows.count) rows: \(reasons)",
          in: table)
      }
      // Rows of the day before do not make the mapping wrong.
      if [.jsonNull, .zero, .stale].contains(reason) {
        let isShifted = drift?.shifts.contains { $0.isProblem && $0.fields.contains(field.field) } == true
        return isShifted || !table.isWhole
          ? nil : found(.fieldEmpty, .note, field.field, "\(reason.code) in all rows", in: table)
      }
      let unrecorded = table.unrecordedLookup(of: value)
      if let unrecorded, !table.isWhole || reason != .pathMiss {
        return found(
          .notRecorded, table.isWhole ? .error : .note, field.field, "no recording of \(unrecorded)",
          help: table.isWhole ? nearestRecording(to: unrecorded) : nil, in: table)
      }
      if reason == .pathMiss { return lostPath(of: field.field, value, in: table, drift, guess: guess) }
      return found(
        .fieldEmpty, .error, field.field,
        "\(reason.code) in \(table.rows.count == 1 ? "the row" : "all \(table.rows.count) rows")",
        help: field.field == .time ? timeUnit(of: value, in: table) : nil, in: table)
    }
  }

  private func found(
    _ code: FindingCode, _ severity: Finding.Severity, _ field: TickerField, _ text: String, help: String? = nil,
    in table: TestedTable
  ) -> Found {
    Found(table.finding(code, severity, "\(field.rawValue): \(text)", on: field, help: help))
  }

  private func lostPath(
    of field: TickerField, _ value: ValueSpec, in table: TestedTable, _ drift: Drift?,
    guess: @autoclosure () -> ReplacementGuess?
  ) -> Found {
    let lost = table.lostPaths(of: value)
    let written = lost.isEmpty ? "its path" : lost.joined(separator: ", ")
    let count = table.rows.count
    let text = "\(written) leads nowhere in \(count == 1 ? "the row" : "any of \(count) rows")"
    let known = (drift?.lost ?? []).filter { $0.fields.contains(field) && lost.contains($0.replacement.lost) }
    if let first = known.first {
      return Found(
        .fieldLost, "\(field.rawValue): \(text), but was in \(first.recordedText)", about: table.subject(field),
        known.map(\.replacement))
    }
    let help = lost.first.flatMap { guess()?.help(for: field, path: $0) }
    return found(.fieldLost, .error, field, text, help: help, in: table)
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

  func turnedPairs(of table: TestedTable) -> Finding? {
    guard let turned = table.rows.map(\.ticker.pair).turned else { return nil }
    let help = table.spec.symbol.hasPaymentFirst.map {
      "write \"order\": \"\($0 ? "asset-payment" : "payment-asset")\" in \"symbol\""
    }
    return table.finding(.turnedPairs, .error, "\(turned)", help: help ?? "swap asset and payment in \"symbol\"")
  }

  func failedChecks(of table: TestedTable) -> [Finding] {
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
      let kind: Flag.Kind = [.high, .low].contains(verdict.field) ? .range : .bidAsk
      guard !failed.contains(kind) else { return nil }
      return table.finding(.failedCheck, .error, verdict.text, on: verdict.field, help: verdict.help)
    }
  }

  func loneAmounts(of table: TestedTable, _ drift: Drift?) -> [Finding] {
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

  func rareFields(of table: TestedTable) -> [Finding] {
    let count = table.rows.count
    guard count >= 20 else { return [] }
    return table.counts.fields.filter { $0.filled > 0 && $0.filled * 20 < count }.map { field in
      let reasons = field.missing.map { "\($0.count) \($0.value.code)" }.joined(separator: ", ")
      return table.finding(
        .fieldRare, .note, "\(field.field.rawValue): only \(field.filled) of \(count) rows have it (\(reasons))",
        on: field.field)
    }
  }

  func symbols(of table: TestedTable) -> [Finding] {
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
}

extension TestedTable {
  /// Returns the request of a lookup that a value needs but was not recorded.
  fileprivate func unrecordedLookup(of value: ValueSpec) -> String? {
    let lookups = spec.lookups.filter { value.lookupNames.contains($0.name) }
    return answers.lazy.filter { answer in lookups.contains { answer.isAbout($0) } }.compactMap(\.unrecordedRequest)
      .first
  }

  /// Returns the paths of a value that find nothing, as written.
  func lostPaths(of value: ValueSpec) -> [String] {
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
