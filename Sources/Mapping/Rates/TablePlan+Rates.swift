import Config
package import HTTP
import JSON
package import Quotes

extension TablePlan {
  /// The names of a rate's fields, in the order in which a plan for rates numbers them.
  package static let rateFields = [
    "rate", "units", "open", "change", "changePercent", "date", "time", "provider",
  ]

  /// Reads the rate of one pair from an answer.
  ///
  /// The plan must have been made with `rateFields`.
  ///
  /// - Throws: `TableFailure`: an error of the provider, no row of the pair, or a rate that is no positive number.
  package func rate(
    of pair: Pair, in answer: HTTPResponse, request: RequestContext, globalAliases: [String: String],
    hooks: HookRegistry
  ) throws(TableFailure) -> RateReading {
    let bytes = try AnswerReader.json(answer, hook: spec.hook, hooks: hooks)
    let document = try AnswerReader.document(
      HTTPResponse(status: answer.status, body: bytes), hook: nil, hooks: hooks, success: spec.success)
    try AnswerReader.check(document, status: answer.status, success: spec.success)
    let rows = WalkedRows(document, plan: self)
    if let message = rows.failure { throw TableFailure(.pathMiss, message) }
    guard rows.count > 0 else { throw TableFailure(.emptyAnswer) }
    return try bytes.withUnsafeBufferPointer { (body) throws(TableFailure) -> RateReading in
      let reader = RowReader(
        plan: self, rows: rows, body: body, lookups: spec.lookups.map { _ in .notAsked }, request: request)
      let symbols = SymbolReader(plan: symbol, globalAliases: globalAliases)
      for row in 0..<rows.count {
        var place = RowPlace(index: row)
        guard conditions.allSatisfy({ reader.holds($0, at: place) }),
          let names = names(reader, symbols, pair, at: place), names.pair == pair
        else { continue }
        place.asset = names.asset
        place.payment = names.payment
        return try reading(of: pair, reader, at: place)
      }
      throw TableFailure(.notListed, "the provider does not have \(pair)")
    }
  }

  private func names(
    _ reader: RowReader<WalkedRows>, _ symbols: SymbolReader, _ pair: Pair, at place: RowPlace
  ) -> ReadSymbol? {
    if symbol.isRequest {
      return ReadSymbol(
        pair: pair, asset: spec.exchangeSpelling(pair.asset), payment: spec.exchangeSpelling(pair.payment), rank: 0)
    }
    let text = symbol.text.flatMap { reader.text($0, at: place) }
    guard case .pair(let names) = symbols.read(text, value: { reader.text($0, at: place) }) else { return nil }
    return names
  }

  private func reading(
    of pair: Pair, _ reader: RowReader<WalkedRows>, at place: RowPlace
  ) throws(TableFailure) -> RateReading {
    func number(_ name: String) -> Cell {
      guard let index = Self.rateFields.firstIndex(of: name), let value = fields[index] else {
        return .missing(.notOffered)
      }
      return reader.number(value, at: place).cell
    }
    func value(_ name: String) -> ValuePlan? { Self.rateFields.firstIndex(of: name).flatMap { fields[$0] } }

    let units = number("units").value ?? 1
    func perUnit(_ name: String) -> Decimal? { number(name).value.flatMap { $0.divided(by: units) } }
    switch number("rate").positive {
    case .missing(.zero): throw TableFailure(.zero, "the rate of \(pair) is zero or less")
    case .missing(let reason): throw TableFailure(reason, "the rate of \(pair)")
    case .value: break
    }
    guard units.signum > 0, let rate = perUnit("rate") else { throw TableFailure(.zero, "the units of the rate") }
    var reading = RateReading(pair: pair, rate: rate)
    reading.open = perUnit("open").flatMap { $0.signum > 0 ? $0 : nil }
    reading.change = perUnit("change")
    reading.changePercent = number("changePercent").value
    reading.time = value("time").flatMap { reader.time($0, at: place).instant }
    reading.date = value("date").flatMap { reader.text($0, at: place) }
    reading.quotedBy = value("provider").flatMap { reader.text($0, at: place) }
    return reading
  }
}
