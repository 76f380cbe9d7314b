/// The average price that turnover and volume make, against the prices of the same 24 hours.
///
/// It must lie between low and high, within 1 %, when both are of the rolling 24 hours. Where they are of the day, the
/// 24 hours may have seen other prices, and all that can be asked is a factor of 2 around the price.
extension MeaningCheck {
  func turnoverFinding(_ ticker: Ticker) -> Flag? {
    guard case .value(let turnover) = ticker.turnover24, case .value(let volume) = ticker.volume24,
      volume.signum > 0
    else { return nil }
    if case .value(let low) = ticker.low, case .value(let high) = ticker.high,
      ticker.lowBasis == .rolling24h, ticker.highBasis == .rolling24h
    {
      if MeaningCheck.isBetween(turnover, low: low, high: high, times: volume) { return nil }
      let hundredfold = turnover.scaledByPowerOfTen(2)
      if hundredfold >= low * 99 * volume, hundredfold <= high * 101 * volume { return nil }
      let price = ticker.price.value ?? low
      return flag(turnover, volume, price: price, bounds: "is outside low \(low) to high \(high)")
    }
    guard case .value(let price) = ticker.price else { return nil }
    if turnover * 2 >= price * volume, turnover <= price * 2 * volume { return nil }
    let note = note(on: ticker)
    return flag(turnover, volume, price: price, bounds: "is not within a factor 2 of the price \(price)\(note)")
  }

  /// Whether low × volume <= turnover <= high × volume, without any tolerance: told by 128 bits, for numbers that fit
  /// 64, and false where they do not.
  private static func isBetween(_ turnover: Decimal, low: Decimal, high: Decimal, times volume: Decimal) -> Bool {
    let shift = Int(turnover.exponent) - Int(low.exponent) - Int(volume.exponent)
    guard low.exponent == high.exponent, 0...18 ~= shift, let low = low.narrowMantissa, low > 0,
      let high = high.narrowMantissa, let volume = volume.narrowMantissa, let turnover = turnover.narrowMantissa
    else { return false }
    // At most 2^63 × 10^18, which is below 2^123.
    let raised = Int128(turnover) &* Int128(PowersOfTen.narrow[shift])
    return Int128(low) &* Int128(volume) <= raised && raised <= Int128(high) &* Int128(volume)
  }

  private func flag(_ turnover: Decimal, _ volume: Decimal, price: Decimal, bounds: String) -> Flag {
    let average = turnover.divided(by: volume) ?? .zero
    let message = "turnover / volume = \(average.rounded(toSignificantDigits: 6).shortest) \(bounds)"
    return Flag(code: "turnover", message: message + suspicion(average, price), excludes: true)
  }

  /// Why the price had to do for the bounds.
  private func note(on ticker: Ticker) -> String {
    guard ticker.high.value != nil, ticker.low.value != nil else { return " (high and low are missing)" }
    let bases = [ticker.highBasis, ticker.lowBasis].compactMap(\.self).filter { $0 != .rolling24h }
    guard let basis = bases.first else { return " (the basis of high and low is unknown)" }
    return " (high and low are not of 24 hours but \(basis.rawValue))"
  }

  /// The likeliest cause, from how average and price relate to each other.
  private func suspicion(_ average: Decimal, _ price: Decimal) -> String {
    let one: Decimal = 1
    if average.isWithin(percent: 10, of: one.divided(by: price) ?? .zero) {
      return ": volume and turnover look swapped"
    }
    if let ratio = average.divided(by: price), let power = ratio.nearestPowerOfTen(withinPercent: 10) {
      let times = power.description
      return ": off by a factor of \(times), a slip of the unit or the contract size"
    }
    return ": contract size, or another currency?"
  }
}
