package import Config
package import HTTP
import JSON
import Quotes

extension TablePlan {
  /// Reads one answer.
  ///
  /// - Parameters:
  ///   - request: what the request was filled with.
  ///   - lookups: what is known of each lookup, by name.
  /// - Returns: the rows, or one failure with its reason; never an error for the sake of a single row.
  package func interpret(
    _ answer: HTTPResponse, request: RequestContext, lookups: [String: LookupState], _ options: Interpretation
  ) -> TickerTable {
    var table = TickerTable()
    do {
      table = try read(answer, request: request, lookups: lookups, options)
      table.answered = 1
    } catch {
      table.failures = [.init(part: partName, failure: error)]
    }
    return table
  }

  /// How the part is named in messages: by its `set`.
  package var partName: String { spec.partName }

  private func read(
    _ answer: HTTPResponse, request: RequestContext, lookups: [String: LookupState], _ options: Interpretation
  ) throws(TableFailure) -> TickerTable {
    var states = lookups
    let body = try AnswerReader.json(answer, hook: spec.hook, hooks: options.hooks)
    if let scan {
      let result = try parsing(answer, body, request) { () throws(JSONSyntaxError) in try scan.scan(body) }
      return try result.withSlots { (slots) throws(TableFailure) in
        try read(ScannedRows(result, slots, plan: self), answer, body, request, states, options)
      }
    }
    let document = try parsing(answer, body, request) { () throws(JSONSyntaxError) in
      try JSONDocument(parsing: body)
    }
    for lookup in spec.lookups where lookup.request == nil {
      states[lookup.name] = ownLookup(lookup, document)
    }
    return try read(WalkedRows(document, plan: self), answer, body, request, states, options)
  }

  private func read(
    _ rows: some RowSource, _ answer: HTTPResponse, _ body: [UInt8], _ request: RequestContext,
    _ lookups: [String: LookupState], _ options: Interpretation
  ) throws(TableFailure) -> TickerTable {
    let ordered = spec.lookups.map { lookups[$0.name] ?? .notAsked }
    return try body.withUnsafeBufferPointer { (bytes) throws(TableFailure) -> TickerTable in
      let reader = RowReader(plan: self, rows: rows, body: bytes, lookups: ordered, request: request)
      try checkSuccess(answer, body, reader)
      if let message = rows.failure { throw TableFailure(.pathMiss, message) }
      guard rows.count > 0 else { throw emptyAnswer(answer, body, isForPair: request.pair != nil) }
      // Only now is a lookup needed: an error of the exchange, or an answer without rows, says more than a lookup's.
      if let failed = failedRequiredLookup(ordered) { throw failed }
      var tickers = TickerReader(plan: self, options: options, arrival: answer.arrival, rowCount: rows.count)
      for row in 0..<rows.count {
        tickers.read(row, reader)
      }
      let table = tickers.result
      if let failure = mismatch(table, of: rows.count, options.wanted) { throw failure }
      return table
    }
  }

  /// Why nobody can say that the exchange lacks the pair, though no row of its answer has it: the rows name none that a rule
  /// splits, or they are about another.
  private func mismatch(_ table: TickerTable, of count: Int, _ wanted: Pair?) -> TableFailure? {
    guard let wanted, table.rows.isEmpty else { return nil }
    let spellings = [wanted.asset + wanted.payment, wanted.payment + wanted.asset]
    let namesake = table.unsplit.first {
      spellings.contains($0.symbol.uppercased().filter { $0.isLetter || $0.isNumber })
    }
    if let namesake { return TableFailure(.unsplit, "no rule of the config splits \"\(namesake.symbol)\"") }
    if table.unsplit.count == count {
      return TableFailure(
        .unsplit, "no rule of the config finds a pair in \(count == 1 ? "the row" : "any of \(count) rows")")
    }
    if spec.request.asksForPair, count == 1, table.dropped["other-pair"] == 1 {
      return TableFailure(.noAnswer("other-pair"), "asked for \(wanted), the answer is about another pair")
    }
    return nil
  }

  /// Reads JSON, and says of what is none what it is instead.
  private func parsing<Value>(
    _ answer: HTTPResponse, _ body: [UInt8], _ request: RequestContext, _ read: () throws(JSONSyntaxError) -> Value
  ) throws(TableFailure) -> Value {
    do {
      return try read()
    } catch {
      if request.pair != nil, AnswerReader.isUnlisted(nil, status: answer.status, success: spec.success) {
        throw TableFailure(.notListed)
      }
      throw AnswerReader.unreadable(answer, AnswerReader.describe(error, in: body))
    }
  }

  private func ownLookup(_ lookup: LookupSpec, _ document: JSONDocument) -> LookupState {
    do {
      return .table(try LookupTable(lookup, document: document))
    } catch {
      return .failed(error)
    }
  }

  private func failedRequiredLookup(_ states: [LookupState]) -> TableFailure? {
    let required = requiredLookups
    guard !required.isEmpty else { return nil }
    for (lookup, state) in zip(lookups, states) where required.contains(lookup.spec.name) {
      if case .failed(let failure) = state {
        return TableFailure(.lookupFailed(Label(lookup.spec.name)), failure.message ?? failure.reason.code)
      }
    }
    return nil
  }

  /// The body first, then the status.
  private func checkSuccess(_ answer: HTTPResponse, _ body: [UInt8], _ reader: RowReader<some RowSource>)
    throws(TableFailure)
  {
    let isSuccess = success.allSatisfy { reader.holds($0, at: RowPlace(index: 0)) }
    if isSuccess, (200..<300).contains(answer.status) { return }
    throw AnswerReader.failure(
      try? JSONDocument(parsing: body), status: answer.status, isSuccess: isSuccess, success: spec.success,
      isForPair: reader.request.pair != nil)
  }

  private func emptyAnswer(_ answer: HTTPResponse, _ body: [UInt8], isForPair: Bool) -> TableFailure {
    if isForPair, let document = try? JSONDocument(parsing: body),
      AnswerReader.isUnlisted(document, status: answer.status, success: spec.success)
    {
      return TableFailure(.notListed)
    }
    return TableFailure(.emptyAnswer)
  }
}

extension TableSpec {
  /// How the part is named in messages: by its `set`.
  package var partName: String { self.set.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }
}
