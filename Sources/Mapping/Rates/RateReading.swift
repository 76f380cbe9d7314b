package import Config
package import HTTP
package import Quotes

/// A rate provider's data for one pair.
package struct RateReading: Sendable, Hashable {
  package let pair: Pair
  /// The amount of payment currency per unit of the asset.
  package let rate: Decimal
  /// The basis of the change; nil if the provider does not report it.
  package var open: Decimal?
  /// In the payment currency.
  package var change: Decimal?
  package var changePercent: Decimal?
  /// When the rate was quoted.
  package var time: Instant?
  /// Whether the provider sent a time that cannot be read.
  package var hasUnreadTime = false
  /// The day of the rate, as written by the provider.
  package var date: String?
  /// The quoting institution, as named by the provider.
  package var quotedBy: String?

  package init(pair: Pair, rate: Decimal) {
    self.pair = pair
    self.rate = rate
  }

  /// Returns the day of the rate, counted from 1970-01-01: that of its date, or else of its time in a zone this far
  /// ahead of UTC; nil if it has neither.
  package func day(zoneSeconds: Int) -> Int? {
    if let day = date.flatMap({ Self.day($0) }) { return day }
    return time.map { CivilTime($0, offsetSeconds: zoneSeconds).dayNumber }
  }

  /// Returns the day of `2026-11-18` or `20261118`, or of a text that starts like that.
  private static func day(_ text: String) -> Int? {
    var number = 0
    var count = 0
    for byte in text.utf8 {
      if 0x30...0x39 ~= byte {
        number = number * 10 + Int(byte & 0x0f)
        count += 1
        if count == 8 { break }
      } else if byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "/") {
        break
      }
    }
    guard count == 8 else { return nil }
    return CivilTime(year: number / 10_000, month: number / 100 % 100, day: number % 100)?.dayNumber
  }
}

/// A compiled rate provider table.
package struct RatePlan: Sendable {
  private let record: RecordPlan<RateField>

  /// - Parameter usesScan: false reads every response through a tree: see ``RecordPlan``.
  package init(_ spec: TableSpec, usesScan: Bool = true) {
    record = RecordPlan(spec, market: nil, usesScan: usesScan)
  }

  /// Reads the rate of the requested pair.
  ///
  /// - Throws: `AnswerFailure` for an error of the provider, a missing row, rows that differ, or a rate that is not a
  ///   positive number.
  package func reading(
    in answer: HTTPResponse, _ context: ReadingContext, globalAliases: [String: String]
  ) throws(AnswerFailure) -> RateReading {
    guard let pair = context.request?.pair else { throw AnswerFailure(.notRequested) }
    let readings = try record.records(in: answer, context, globalAliases: globalAliases, RateBuilder(pair: pair)).all
    guard let first = readings.first else {
      throw AnswerFailure(.notListed, "the provider does not have \(pair)")
    }
    let reading = try first.get()
    guard readings.allSatisfy({ (try? $0.get()) == reading }) else {
      throw AnswerFailure(.pathMany, "several different rows of \(pair)")
    }
    return reading
  }
}

/// A builder of the requested pair's rate, which fails with the reason if its row has none.
private struct RateBuilder: RecordBuilder {
  let pair: Pair

  func record<Rows>(_ row: RecordRow<Rows, RateField>) -> Result<RateReading, AnswerFailure>? {
    Result { () throws(AnswerFailure) in try reading(row) }
  }

  private func reading<Rows>(_ row: RecordRow<Rows, RateField>) throws(AnswerFailure) -> RateReading {
    let rate: Decimal
    switch row.cell(.rate) {
    case .missing(let reason) where [.zero, .negative].contains(reason):
      throw AnswerFailure(reason, "the rate of \(pair) is \(reason.code)")
    case .missing(let reason): throw AnswerFailure(reason, "the rate of \(pair)")
    case .value(let value): rate = value
    }
    let units: Decimal
    switch row.cell(.units) {
    case .missing(.notOffered): units = 1
    case .missing(let reason): throw AnswerFailure(reason, "the units of the rate of \(pair)")
    case .value(let value): units = value
    }
    guard units.signum > 0, let perUnit = rate.divided(by: units) else {
      throw AnswerFailure(.zero, "the units of the rate of \(pair)")
    }
    var reading = RateReading(pair: pair, rate: perUnit)
    reading.open = row.number(.open).flatMap { $0.divided(by: units) }
    reading.change = row.number(.change).flatMap { $0.divided(by: units) }
    reading.changePercent = row.number(.changePercent)
    reading.time = row.time(.time)
    reading.hasUnreadTime = reading.time == nil && row.hasUnread(.time)
    reading.date = row.text(.date)
    reading.quotedBy = row.text(.provider)
    return reading
  }
}
