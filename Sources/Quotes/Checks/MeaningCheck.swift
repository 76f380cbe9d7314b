/// Whether the numbers of a row fit together.
///
/// A mapping can have the right shape and still be wrong: a fraction read as a percentage, base and quote volume
/// swapped, a price from yesterday. Each check holds two things that an exchange says against each other. Clean rows are
/// the rule, so they are compared by multiplying crosswise, without a division; only a finding is put in words.
package struct MeaningCheck: Sendable, Hashable {
  /// How old a quote may be when it arrives.
  package var staleAfterSeconds: Int

  /// The check of the rows of one pair against each other.
  package var identity: IdentityCheck

  package init(staleAfterSeconds: Int = 60, identityPercent: Decimal = 20) {
    self.staleAfterSeconds = staleAfterSeconds
    self.identity = IdentityCheck(limitPercent: identityPercent)
  }

  /// What is wrong with a row by itself; empty for a clean one.
  ///
  /// - Parameters:
  ///   - ticker: the row; its own flags are not looked at.
  ///   - arrival: when the answer came; nil when that is not known (a file), and then the time is not checked.
  ///   - changeIsFromOpen: the change was computed from the open, or the open from the change, so that the two cannot
  ///     contradict each other.
  ///   - turnoverIsComputed: the turnover is ours and not the exchange's, so that it proves nothing.
  package func findings(
    _ ticker: Ticker, arrival: Instant?, changeIsFromOpen: Bool, turnoverIsComputed: Bool
  ) -> [Flag] {
    var flags: [Flag] = []
    if ticker.priceBasis == .last {
      if let flag = rangeFinding(ticker) { flags.append(flag) }
      if let flag = bidAskFinding(ticker) { flags.append(flag) }
    }
    if !changeIsFromOpen, let flag = changeFinding(ticker) { flags.append(flag) }
    if !turnoverIsComputed, let flag = turnoverFinding(ticker) { flags.append(flag) }
    if let arrival, let flag = timeFinding(ticker, arrival: arrival) { flags.append(flag) }
    return flags
  }
}

/// `low <= price <= high` within 0.5 %, because exchanges cache the price and the range apart, and `bid <= ask`.
extension MeaningCheck {
  func rangeFinding(_ ticker: Ticker) -> Flag? {
    guard case .value(let price) = ticker.price else { return nil }
    // The limits are wider than the range itself, which nearly every price is in: so that is asked first.
    if case .value(let low) = ticker.low, low.signum <= 0 || price < low,
      price < low * Decimal(exactly: 995, exponent: -3)
    {
      return Flag(.range, "price \(price) is more than 0.5 % below the low \(low)")
    }
    if case .value(let high) = ticker.high, high.signum <= 0 || price > high,
      price > high * Decimal(exactly: 1005, exponent: -3)
    {
      return Flag(.range, "price \(price) is more than 0.5 % above the high \(high)")
    }
    return nil
  }

  func bidAskFinding(_ ticker: Ticker) -> Flag? {
    guard case .value(let bid) = ticker.bid, case .value(let ask) = ticker.ask, bid > ask else { return nil }
    return Flag(.bidAsk, "bid \(bid) is above ask \(ask)")
  }
}

/// The change against the one that follows from price and open.
///
/// They may differ by 0.1 points or by 2 % of the change, whichever is more, and by half a unit of the last digit that
/// the exchange sent: a change of `1` may stand for anything from 0.5 to 1.5.
extension MeaningCheck {
  func changeFinding(_ ticker: Ticker) -> Flag? {
    guard case .value(let change) = ticker.changePricePercent24, case .value(let price) = ticker.price,
      case .value(let open) = ticker.open, open.signum > 0
    else { return nil }
    if MeaningCheck.isChange(change, from: open, to: price) { return nil }
    let rise = (price - open).scaledByPowerOfTen(2)
    return Flag(
      .change, "change \(change.signedText) % but (price - open) / open is \(MeaningCheck.percent(rise, of: open)) %",
      advice: advice(change, rise: rise, open: open))
  }

  /// Whether a change in percent is the one from an open to a price, within what is allowed. The open is above zero.
  package static func isChange(_ percent: Decimal, from open: Decimal, to price: Decimal) -> Bool {
    isWithinATenth(percent, price: price, open: open)
      || fits(percent, rise: (price - open).scaledByPowerOfTen(2), open: open)
  }

  /// Whether `change` is `rise / open`, within what is allowed.
  private static func fits(_ change: Decimal, rise: Decimal, open: Decimal) -> Bool {
    let twoPercent = change.magnitude * Decimal(exactly: 2, exponent: -2)
    let tenth = Decimal(exactly: 1, exponent: -1)
    let halfUnit = Decimal(exactly: 5, exponent: change.exponent - 1)
    let allowed = (twoPercent < tenth ? tenth : twoPercent) + halfUnit
    return (change * open - rise).magnitude <= allowed * open
  }

  /// Whether `change` is right to 0.1 points, which is always allowed: told by 128 bits, for numbers that fit 64, and
  /// false where they do not.
  private static func isWithinATenth(_ change: Decimal, price: Decimal, open: Decimal) -> Bool {
    let places = -Int(change.exponent)
    guard price.exponent == open.exponent, 0...9 ~= places, let price = price.narrowMantissa,
      let open = open.narrowMantissa, let change = change.narrowMantissa, change.magnitude < 1 << 40
    else { return false }
    // (price - open) / open * 100 against the change, both times the open and the unit of the change's last digit: no
    // product has more than 2^103.
    let unit = Int128(PowersOfTen.narrow[places])
    let rise = (Int128(price) &- Int128(open)) &* 100 &* unit
    let claim = Int128(change) &* Int128(open)
    return (claim &- rise).magnitude &* 10 <= (Int128(open) &* unit).magnitude
  }

  /// What would make the change fit.
  private func advice(_ change: Decimal, rise: Decimal, open: Decimal) -> Flag.Advice {
    for power in [2, -2] where MeaningCheck.fits(change.scaledByPowerOfTen(power), rise: rise, open: open) {
      return .scale(power: power)
    }
    return MeaningCheck.fits(change.negated, rise: rise, open: open) ? .otherSign : .otherOpen
  }

  private static func percent(_ rise: Decimal, of open: Decimal) -> String {
    rise.divided(by: open)?.signedPercentText ?? "unknown"
  }
}

extension Decimal {
  /// All digits, with a sign also where there is no minus.
  var signedText: String {
    mantissa < 0 ? description : "+" + description
  }
}

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
    return Flag(.turnover, message, advice: advice(average, price))
  }

  /// Why the price had to do for the bounds.
  private func note(on ticker: Ticker) -> String {
    guard ticker.high.value != nil, ticker.low.value != nil else { return " (high and low are missing)" }
    let bases = [ticker.highBasis, ticker.lowBasis].compactMap(\.self).filter { $0 != .rolling24h }
    guard let basis = bases.first else { return " (the basis of high and low is unknown)" }
    return " (high and low are not of 24 hours but \(basis.rawValue))"
  }

  /// The likeliest cause, from how average and price relate to each other.
  private func advice(_ average: Decimal, _ price: Decimal) -> Flag.Advice {
    let one: Decimal = 1
    if average.isWithin(percent: 10, of: one.divided(by: price) ?? .zero) { return .swapped }
    let factor = average.divided(by: price)?.nearestPowerOfTen(withinPercent: 10)
    return factor.map { .otherUnit(factor: $0) } ?? .otherCurrency
  }
}

/// The age of a row when it arrived.
///
/// A quote is recent or it is stale. A trade may be old and its price still the last one, up to an hour. Neither may
/// lie in the future, but for the five seconds by which clocks differ.
extension MeaningCheck {
  func timeFinding(_ ticker: Ticker, arrival: Instant) -> Flag? {
    guard let time = ticker.time else { return nil }
    let second: Int64 = 1_000_000_000
    let age = arrival.nanoseconds(since: time)
    if age < -5 * second {
      let lead = MeaningCheck.text(nanoseconds: -max(age, -Int64.max))
      return Flag(.stale, "its time is \(lead) after the arrival", advice: .timeUnit)
    }
    switch ticker.timeBasis {
    case .quote:
      guard age > Int64(clamping: Int128(staleAfterSeconds) * Int128(second)) else { return nil }
      let text = MeaningCheck.text(nanoseconds: age)
      return Flag(.stale, "its quote is \(text) old, more than \(staleAfterSeconds) s")
    case .trade:
      guard age > 3600 * second else { return nil }
      let text = MeaningCheck.text(nanoseconds: age)
      return Flag(.stale, "its last trade is \(text) old, more than 1 h")
    }
  }

  /// A span in the unit that suits it: `61.5 s`, `59 min`, `26 h`, `3 d`.
  private static func text(nanoseconds: Int64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    if seconds < 120 {
      return Decimal(mantissa: Int128(nanoseconds), exponent: -9).rounded(toPlaces: 3).shortest + " s"
    }
    if seconds < 7200 { return "\(seconds / 60) min" }
    return seconds < 172_800 ? "\(seconds / 3600) h" : "\(seconds / 86400) d"
  }
}
