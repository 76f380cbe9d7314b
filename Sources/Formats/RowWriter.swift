package import JSON
package import Mapping
package import MarketData
package import Quotes

/// A writer of rows as JSON, with the same keys in every command.
///
/// Writes incrementally rather than building a value, as a table has thousands of rows.
package struct RowWriter {
  /// Whether `asset`, `payment`, `high`, `low`, `open` and `time` are written, as in tables of many pairs.
  let isFull: Bool
  /// The type of objects that are lines of their own; nil for parts of a document.
  let type: String?
  /// Another currency to write prices in as well; its key is only present if there is one.
  let conversion: Conversion?
  /// The moment of the rows' ages; nil for their arrival.
  let moment: Instant?

  package init(isFull: Bool, type: String? = nil, conversion: Conversion? = nil, at moment: Instant? = nil) {
    (self.isFull, self.type, self.conversion, self.moment) = (isFull, type, conversion, moment)
  }

  /// What a row's price is compared with.
  package enum Comparison {
    /// How far a spot price is above the lowest, in percent; nil if it is not compared. Only with it is its key present.
    case lowest(Decimal?)
    /// A futures row's distance from its exchange's spot price.
    case spot(Result<Disparity, DisparityAbsence>)
  }

  package func write(
    _ row: TickerRow, objection: HeadlineObjection?, comparison: Comparison? = nil, explanation: JSONValue? = nil,
    into writer: inout JSONWriter
  ) {
    let ticker = row.ticker
    writer.beginObject()
    if let type { writer.member("type", type) }
    writer.member("exchange", ticker.exchange)
    writer.member("market", ticker.market.rawValue)
    writer.member("product", ticker.product)
    writer.member("symbol", ticker.symbol)
    if isFull {
      writer.member("asset", ticker.pair.asset)
      writer.member("payment", ticker.pair.payment)
    }
    writer.member(Self.priceKey, .price, of: ticker)
    if let conversion { writer.member("converted", conversion.text(ticker.price.value)) }
    if ticker.priceBasis != .last { writer.member("priceBasis", ticker.priceBasis.rawValue) }
    writer.member(Self.changeKey, .changePricePercent24, of: ticker)
    writer.member("changeBasis", ticker.changeBasis?.rawValue)
    for (key, field) in isFull ? Self.fullFields : Self.fields { writer.member(key, field, of: ticker) }
    if isFull { writer.member("time", ticker.time?.iso8601) }
    writer.member("ageSeconds", ticker.ageText(at: moment))
    writer.member("flags", texts: ticker.flags.codes)
    writer.key("excluded")
    writer.boolean(objection != nil)
    if let objection { writer.member("excludedBecause", objection.code) }
    if case .lowest(let overLow)? = comparison { writer.member("overLowPercent", overLow?.quotientText) }
    if !isFull {
      let disparity: Disparity? = if case .spot(let distance)? = comparison { try? distance.get() } else { nil }
      writer.member("disparityPercent", disparity?.percent.quotientText)
      writer.member("disparity", disparity?.difference.shortest)
    }
    writeReasons(ticker, objection, comparison, &writer)
    writer.member("derived", texts: ticker.derived.map(\.rawValue))
    if !ticker.flags.isEmpty {
      writer.member("flagMessages", .members(ticker.flags.messagesByCode.map { ($0.code, .text($0.message)) }))
    }
    if let explanation { writer.member("explain", explanation) }
    writer.endObject()
  }

  private static let priceKey = JSONKey(TickerField.price.rawValue)
  private static let changeKey = JSONKey(TickerField.changePricePercent24.rawValue)
  private static let fields = keyed([.volume24, .turnover24, .bid, .ask])
  private static let fullFields = fields + keyed([.high, .low, .open])

  private static func keyed(_ fields: [TickerField]) -> [(key: JSONKey, field: TickerField)] {
    fields.map { (JSONKey($0.rawValue), $0) }
  }

  private func writeReasons(
    _ ticker: Ticker, _ objection: HeadlineObjection?, _ comparison: Comparison?, _ writer: inout JSONWriter
  ) {
    writer.key("reasons")
    writer.beginObject()
    for field in TickerField.allCases where isFull || ![.open, .high, .low].contains(field) {
      if field == .time {
        if let reason = ticker.timeMissing, isFull { writer.member("time", reason.code) }
        if let reason = ticker.reasonForNoAge(at: moment) { writer.member("ageSeconds", reason) }
      } else if case .missing(let reason) = ticker.cell(field) {
        writer.member(field.rawValue, reason.code)
      }
    }
    if let conversion, conversion.text(ticker.price.value) == nil,
      let reason = conversion.missing ?? ticker.price.missing
    {
      writer.member("converted", reason.code)
    }
    switch comparison {
    case .lowest(let overLow)?:
      if let reason = ticker.reasonForNoDistance(overLow, objection) { writer.member("overLowPercent", reason) }
    case .spot(.failure(let absence))?: writer.member("disparityPercent", absence.code)
    case .spot(.success)?, nil: break
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes a field with all its digits, or null if it has no value.
  fileprivate mutating func member(_ name: JSONKey, _ field: TickerField, of ticker: Ticker) {
    key(name)
    guard let value = ticker.cell(field).value else { return null() }
    if ticker.isAsSent, plainString(atMost: Decimal.writtenLength, { value.write(to: $0) }) { return }
    string(ticker.digits(field) ?? "")
  }
}

extension Ticker {
  /// Why the row has no age: it has no time of its own, or its answer's arrival is unknown (a saved file). nil if it
  /// has one.
  ///
  /// - Parameter moment: The moment of the age; nil for the arrival.
  package func reasonForNoAge(at moment: Instant? = nil) -> String? {
    guard ageText(at: moment) == nil else { return nil }
    return timeMissing?.code ?? "arrival-unknown"
  }

  /// Why a spot row is not compared with the lowest price; nil if it is, and for all other rows.
  package func reasonForNoDistance(_ percentOverLowest: Decimal?, _ objection: HeadlineObjection?) -> String? {
    percentOverLowest == nil && market == .spot ? objection?.code ?? "one-exchange" : nil
  }

  /// The age at a moment, or on arrival if that is nil, in seconds with three decimals; nil without a time, or without
  /// either.
  package func ageText(at moment: Instant? = nil) -> String? {
    let age = moment.map { ageNanoseconds(at: $0) } ?? ageNanoseconds
    return age.map { Decimal.seconds(nanoseconds: $0) }
  }
}

extension Decimal {
  /// Returns a duration as seconds with three decimals.
  package static func seconds(nanoseconds: Int64) -> String {
    Decimal(mantissa: Int128(nanoseconds), exponent: -9).rounded(toPlaces: 3).description
  }
}
