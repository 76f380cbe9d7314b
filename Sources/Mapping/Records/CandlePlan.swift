package import Config
package import HTTP
package import Quotes

/// A compiled table of the candles of one pair and interval.
package final class CandlePlan: Sendable {
  package let spec: CandleSpec.Interval
  private let record: RecordPlan<CandleField>
  private let basis: CandleTimeBasis

  /// - Parameter usesScan: false reads every response through a tree: see ``RecordPlan``.
  package init(_ spec: CandleSpec.Interval, usesScan: Bool = true) {
    self.spec = spec
    record = RecordPlan(spec.table, market: nil, usesScan: usesScan)
    basis = spec.table.candleTimeBasis
  }

  /// The times when its candles start; weeks start on Mondays until a response shows otherwise.
  package var grid: CandleGrid { CandleGrid(spec.interval, zoneSeconds: spec.zoneSeconds) }

  /// Returns the candles of a response, in its order; rows without a time or any of the four prices are dropped and
  /// counted.
  ///
  /// - Throws: `AnswerFailure` if the response is an error or has no candles.
  package func candles(
    in answer: HTTPResponse, _ context: ReadingContext
  ) throws(AnswerFailure) -> (candles: [Candle], incomplete: Int) {
    let records = try record.records(in: answer, context, CandleBuilder(grid: grid, basis: basis))
    if records.all.isEmpty, records.incomplete > 0 {
      throw records.failure("no row has a time and four prices above zero")
    }
    return (records.all, records.incomplete)
  }

  /// Explains the fields of one of the response's candles.
  ///
  /// - Parameter multiplier: the number of units that the exchange counts as one, if not 1; the candle is unscaled.
  package func explained(
    _ candle: Candle, in answer: HTTPResponse, _ context: ReadingContext, multiplier: Decimal?
  ) throws(AnswerFailure) -> [ExplainedRecord] {
    let builder = CandleBuilder(grid: grid, basis: basis)
    let fields = try record.traces(in: answer, context, builder) {
      $0 == candle
    } multiplier: { _ in
      multiplier
    } result: {
      (multiplier.map($0.scaled) ?? $0).explainedText($1)
    }.last?.fields
    return fields.map { [ExplainedRecord(.newestCandle(of: spec.interval), $0)] } ?? []
  }
}

extension TableSpec {
  /// What the times of its candles are.
  var candleTimeBasis: CandleTimeBasis {
    fields[CandleField.time.rawValue]?.basis.flatMap { CandleTimeBasis(rawValue: $0) } ?? .start
  }
}

struct CandleBuilder: RecordBuilder {
  var needed: [CandleField] { [.time, .open, .high, .low, .close] }

  let grid: CandleGrid
  let basis: CandleTimeBasis

  func record<Rows>(_ row: RecordRow<Rows, CandleField>) -> Candle? {
    guard let time = row.time(.time), let open = row.number(.open), let high = row.number(.high),
      let low = row.number(.low), let close = row.number(.close)
    else { return nil }
    let start =
      switch basis {
      case .start: time
      case .end: grid.moment(-1, after: time)
      case .within: grid.start(containing: time)
      }
    return Candle(
      start: start, open: open, high: high, low: low, close: close, volume: row.amount(.volume),
      turnover: row.amount(.turnover))
  }
}
