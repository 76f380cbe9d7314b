package import Config
package import HTTP
package import Quotes

/// What a rate provider says of one pair.
package struct RateReading: Sendable, Hashable {
  package let pair: Pair
  /// The payment currency for one unit of the asset.
  package let rate: Decimal
  /// What the change is measured from; nil where the provider does not say.
  package var open: Decimal?
  /// In the payment currency.
  package var change: Decimal?
  package var changePercent: Decimal?
  /// When the rate was quoted.
  package var time: Instant?
  /// The day of the rate, in the provider's own words.
  package var date: String?
  /// Who quotes, in the provider's own words.
  package var quotedBy: String?

  package init(pair: Pair, rate: Decimal) {
    self.pair = pair
    self.rate = rate
  }

  /// The day that the rate is of, counted from 1970-01-01: its date, else that of its time on a clock so far ahead of
  /// UTC; nil where it says neither.
  package func day(zoneSeconds: Int) -> Int? {
    if let day = date.flatMap({ Self.day($0) }) { return day }
    return time.map { CivilTime($0, offsetSeconds: zoneSeconds).dayNumber }
  }

  /// The day of `2026-11-18` or `20261118`, or of a text that begins so.
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

/// A provider's table of rates, compiled.
package struct RatePlan: Sendable {
  private let record: RecordPlan<RateField>

  /// - Parameter usesScan: false reads every answer through a tree: see ``RecordPlan``.
  package init(_ spec: TableSpec, usesScan: Bool = true) {
    record = RecordPlan(spec, market: nil, usesScan: usesScan)
  }

  /// Reads the rate of the pair that was asked for.
  ///
  /// - Throws: `TableFailure`: an error of the provider, no row of the pair, or a rate that is no positive number.
  package func reading(
    in answer: HTTPResponse, request: RequestContext, globalAliases: [String: String], hooks: HookRegistry
  ) throws(TableFailure) -> RateReading {
    guard let pair = request.pair else { throw TableFailure(.notAsked) }
    let context = ReadingContext(request: request, hooks: hooks)
    let readings = try record.records(in: answer, context, globalAliases: globalAliases, RateBuilder(pair: pair)).all
    guard let reading = readings.first else {
      throw TableFailure(.notListed, "the provider does not have \(pair)")
    }
    return try reading.get()
  }
}

/// The rate of the pair that was asked for, or why its row has none.
private struct RateBuilder: RecordBuilder {
  let pair: Pair

  func record<Rows>(_ row: RecordRow<Rows, RateField>) -> Result<RateReading, TableFailure>? {
    do throws(TableFailure) {
      return .success(try reading(row))
    } catch {
      return .failure(error)
    }
  }

  private func reading<Rows>(_ row: RecordRow<Rows, RateField>) throws(TableFailure) -> RateReading {
    let rate: Decimal
    switch row.cell(.rate) {
    case .missing(.zero): throw TableFailure(.zero, "the rate of \(pair) is zero or less")
    case .missing(let reason): throw TableFailure(reason, "the rate of \(pair)")
    case .value(let value): rate = value
    }
    let units = row.number(.units) ?? 1
    guard units.signum > 0, let perUnit = rate.divided(by: units) else {
      throw TableFailure(.zero, "the units of the rate")
    }
    var reading = RateReading(pair: pair, rate: perUnit)
    reading.open = row.number(.open).flatMap { $0.divided(by: units) }
    reading.change = row.number(.change).flatMap { $0.divided(by: units) }
    reading.changePercent = row.number(.changePercent)
    reading.time = row.time(.time)
    reading.date = row.text(.date)
    reading.quotedBy = row.text(.provider)
    return reading
  }
}
