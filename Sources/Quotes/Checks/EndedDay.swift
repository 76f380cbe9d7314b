/// The figures of a calendar day that has ended.
///
/// A change since midnight, the open it is measured from, and the high and low of the day are of the day before in a row
/// that is itself from before midnight. Without a trade since then, the change would be zero and the others the price: a
/// row that says so is of the new day, as exchanges that renew quiet rows at midnight send it.
extension Ticker {
  /// Whether a figure is of a calendar day, for whose end it is worth looking. Inlined, since most rows have none, and a
  /// call copies the row.
  @inlinable package var hasCalendarDay: Bool {
    changeBasis?.zoneSeconds != nil || highBasis?.zoneSeconds != nil || lowBasis?.zoneSeconds != nil
  }

  /// Returns the figures of a day that was over when our clock showed `now`. That may be ahead of the exchange's, whose
  /// day has not ended then, so it must be some seconds past midnight.
  ///
  /// - Parameter made: When the answer was made, for a row without a time of its own; nil if nothing says so.
  package func endedFigures(at now: Instant, made: Instant? = nil) -> TickerFields {
    endedFigures(byTheirClock: now.advanced(by: .nanoseconds(-Instant.clockTolerance)), made: made)
  }

  /// Returns the figures of a day that was over at a moment by the exchange's clock, which its day and the row's time go
  /// by, or at the arrival of other data.
  package func endedFigures(byTheirClock moment: Instant, made: Instant? = nil) -> TickerFields {
    var ended = TickerFields()
    guard hasCalendarDay, let latest = latestMoment(made: made) else { return ended }
    func isOver(_ basis: ChangeBasis?) -> Bool {
      guard let zone = basis?.zoneSeconds else { return false }
      return latest < CandleGrid(.oneDay, zoneSeconds: zone).start(containing: moment)
    }
    func take(_ field: TickerField, unless current: Decimal?) {
      if let value = cell(field).value, value != current { ended.formUnion(TickerFields(field)) }
    }
    if isOver(changeBasis) {
      take(.changePricePercent24, unless: .zero)
      take(.open, unless: price.value)
    }
    if isOver(highBasis) { take(.high, unless: price.value) }
    if isOver(lowBasis) { take(.low, unless: price.value) }
    return ended
  }

  /// The figures that are missing because their day has ended.
  package var staleFigures: TickerFields {
    let figures: [TickerField] = [.changePricePercent24, .open, .high, .low]
    return TickerFields(figures.filter { cell($0).missing == .stale })
  }

  /// Returns when the newest of what the row knows happened; nil if unknown. The time of a last trade is not that of
  /// another price beside it, and a time in a wrong unit is none.
  private func latestMoment(made: Instant?) -> Instant? {
    let own = timeBasis == .trade && priceBasis != .last ? nil : time
    return own.flatMap { $0.isBeforeCoins ? nil : $0 } ?? made ?? priceArrival
  }
}

extension ChangeBasis {
  /// The zone at whose midnight the span begins, in seconds east of UTC; nil for one that begins at none, or at an unknown
  /// hour.
  @inlinable package var zoneSeconds: Int? {
    switch self {
    case .utcDay: 0
    case .kstDay: 9 * 3600
    case .utc8Day: 8 * 3600
    case .rolling24h, .venueDay, .previousClose: nil
    }
  }
}
