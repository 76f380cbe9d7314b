/// A check of whether the numbers of a row are consistent.
///
/// A mapping can have the right shape and still be wrong: a fraction read as a percentage, base and quote volume
/// swapped, a price from yesterday. Each check compares two things that an exchange reports. Most rows are clean, so
/// comparisons cross-multiply to avoid divisions; only findings are put into words.
package struct MeaningCheck: Sendable, Hashable {
  /// How old a quote may be when it arrives.
  package var staleAfterMilliseconds: Int

  /// When the answer was made, if a cache has kept it since; nil if none says so.
  package var answerMade: Instant?

  /// The check that compares the rows of one pair.
  package var identity: IdentityCheck

  package init(staleAfterMilliseconds: Int = 60_000, identityPercent: Decimal = IdentityCheck.standard.limitPercent) {
    self.staleAfterMilliseconds = staleAfterMilliseconds
    self.identity = IdentityCheck(limitPercent: identityPercent)
  }

  /// Returns what is wrong with a row on its own; empty for a clean one.
  ///
  /// - Parameters:
  ///   - ticker: The row; its own flags are ignored.
  ///   - arrival: When the answer arrived; nil if unknown (a file), which skips the age check.
  ///   - changeIsFromOpen: Whether the change was computed from the open or vice versa, so that they cannot contradict
  ///     each other.
  ///   - turnoverIsComputed: Whether the turnover is ours and not the exchange's, so that it proves nothing.
  package func findings(
    _ ticker: Ticker, arrival: Instant?, changeIsFromOpen: Bool, turnoverIsComputed: Bool
  ) -> [Flag] {
    var flags: [Flag] = []
    let isLastTrade = ticker.priceBasis == .last
    if isLastTrade, let flag = rangeFinding(ticker) { flags.append(flag) }
    if let flag = bidAskFinding(ticker) { flags.append(flag) }
    if isLastTrade, let flag = openFinding(ticker, changeIsFromOpen: changeIsFromOpen) { flags.append(flag) }
    if !changeIsFromOpen, let flag = changeFinding(ticker) { flags.append(flag) }
    if let flag = amountFinding(ticker) {
      flags.append(flag)
    } else if !turnoverIsComputed, let flag = turnoverFinding(ticker) {
      flags.append(flag)
    }
    if let flag = deadFinding(ticker) { flags.append(flag) }
    if let flag = timeFinding(ticker, arrival: arrival) { flags.append(flag) }
    return flags
  }
}

/// `low <= price <= high` within 0.5 %, as exchanges cache price and range separately, and `bid <= ask`.
///
/// The best offers of a quiet pair may be far from its last price; they are reported from a factor of ten on. A bid
/// above twice the price or an ask below half of it cannot last: it would be taken at once.
///
/// A price more than 1 % above an ask or below a bid, with an offer on the other side that is close, is one at which no
/// one can trade now: the last trade is old, or the price is an open or an average.
extension MeaningCheck {
  func rangeFinding(_ ticker: Ticker) -> Flag? {
    guard case .value(let price) = ticker.price else { return nil }
    // These limits are wider than the range itself, which contains nearly every price, so test the range first.
    if case .value(let low) = ticker.low, low.signum <= 0 || price < low,
      price < low * Decimal(exactly: 995, exponent: -3)
    {
      return Flag(.range, .figure(.price, price, .clearlyBelow, .low, low))
    }
    if case .value(let high) = ticker.high, high.signum <= 0 || price > high,
      price > high * Decimal(exactly: 1005, exponent: -3)
    {
      return Flag(.range, .figure(.price, price, .clearlyAbove, .high, high))
    }
    return nil
  }

  func bidAskFinding(_ ticker: Ticker) -> Flag? {
    let (bid, ask) = (ticker.bid.value, ticker.ask.value)
    if let bid, let ask, bid > ask { return Flag(.bidAsk, .figure(.bid, bid, .above, .ask, ask)) }
    // A mid, mark or oracle price says nothing of the offers.
    guard ticker.priceBasis == .last, let price = ticker.price.value else { return nil }
    // What keeps the row out of headlines comes before what is only remarked.
    if let bid, bid > price {
      if bid > price * 2 { return Flag(.bidAsk, .figure(.bid, bid, .overTwice, .price, price)) }
      if (bid - price).scaledByPowerOfTen(2) > bid, let flag = offersFinding(ticker, price, below: bid) { return flag }
    }
    if let ask, ask < price {
      if ask * 2 < price { return Flag(.bidAsk, .figure(.ask, ask, .underHalf, .price, price)) }
      if (price - ask).scaledByPowerOfTen(2) > ask, let flag = offersFinding(ticker, price, above: ask) { return flag }
    }
    if let bid, bid * 10 < price {
      return Flag(.bidAsk, .figure(.bid, bid, .underTenth, .price, price), excludes: false)
    }
    if let ask, ask > price * 10 {
      return Flag(.bidAsk, .figure(.ask, ask, .overTenTimes, .price, price), excludes: false)
    }
    return nil
  }

  /// Bid and ask are close together if the price is at least this many times as far from them as they are from each other.
  private static let spreads: Decimal = 4

  /// After how many seconds a last trade is too old for headlines anyway.
  private static let oldTradeSeconds: Int64 = 300

  private func offersFinding(
    _ ticker: Ticker, _ price: Decimal, below bid: Decimal? = nil, above ask: Decimal? = nil
  ) -> Flag? {
    guard case .value(let lower) = ticker.bid, case .value(let upper) = ticker.ask, let offer = bid ?? ask,
      (upper - lower) * Self.spreads <= (price - offer).magnitude
    else { return nil }
    let percent = (price - offer).magnitude.scaledByPowerOfTen(2).divided(by: offer)?.rounded(toPlaces: 1)
    let isKnownAsOld =
      ticker.timeBasis == .trade && ticker.ageNanoseconds.map { $0 > Self.oldTradeSeconds * Instant.second } ?? false
    return Flag(
      .offers, .outsideOffers(price: price, percent: percent, bid == nil ? .ask : .bid, offer),
      advice: .oldOrOtherPrice, excludes: !isKnownAsOld)
  }
}

/// The price of 24 hours ago must lie between the low and the high of those 24 hours, within 2 %.
///
/// It is the exchange's open or, without one, derived from the change. Checked only if all are of the rolling 24 hours.
/// The open of a calendar day lies in these hours as well, and in those of its own day, but it may be the last price of a
/// pair that was quiet before: it must not be less than half of the low or more than twice the high. A day of one price
/// proves nothing against that, and no range does if the exchange's own change is measured from it.
extension MeaningCheck {
  func openFinding(_ ticker: Ticker, changeIsFromOpen: Bool) -> Flag? {
    let range = Self.rollingRange(of: ticker)
    if case .value(let change) = ticker.changePricePercent24, change <= -100 {
      let power = range.flatMap { range in ticker.price.value.flatMap { Self.scale(change, of: $0, within: range) } }
      return Flag(
        .change, .fall(change: change), advice: power.map { .scale(power: $0) })
    }
    guard let (low, high) = range else { return dayOpenFinding(ticker, changeIsFromOpen: changeIsFromOpen) }
    if case .value(let open) = ticker.open {
      if low <= open, open <= high { return nil }
      if open * 100 >= low * 98, open * 100 <= high * 102 { return nil }
      return Flag(.range, .outside(.open, open, low: low, high: high))
    }
    guard case .value(let price) = ticker.price, case .value(let sent) = ticker.changePricePercent24 else {
      return nil
    }
    let change = Self.withExactZero(sent)
    if Self.isBetween(low, high, openOf: price, change) { return nil }
    let open = (price * 100).divided(by: change + 100)?.rounded(toSignificantDigits: 6)
    return Flag(
      .change, .impliedOpen(change: change, open: open, low: low, high: high),
      advice: Self.advice(change, of: price, within: (low, high)))
  }

  private typealias PriceRange = (low: Decimal, high: Decimal)

  /// Returns the low and high of a row if they and its change are of the rolling 24 hours.
  private static func rollingRange(of ticker: Ticker) -> PriceRange? {
    ticker.changeBasis == .rolling24h ? range(.rolling24h, of: ticker) : nil
  }

  /// Returns the low and high of a row if they are of that span.
  private static func range(_ basis: ChangeBasis, of ticker: Ticker) -> PriceRange? {
    guard ticker.lowBasis == basis, ticker.highBasis == basis, case .value(let low) = ticker.low,
      case .value(let high) = ticker.high
    else { return nil }
    return (low, high)
  }

  private func dayOpenFinding(_ ticker: Ticker, changeIsFromOpen: Bool) -> Flag? {
    guard let basis = ticker.changeBasis,
      let (low, high) = Self.range(basis, of: ticker)
        ?? (basis.beginsWithin24h ? Self.range(.rolling24h, of: ticker) : nil), low < high
    else { return nil }
    let open: Decimal
    if case .value(let said) = ticker.open {
      if !changeIsFromOpen, Self.confirmsChange(ticker) { return nil }
      open = said
    } else if let price = ticker.price.value, let change = ticker.changePricePercent24.value,
      let implied = (price * 100).divided(by: change + 100)
    {
      open = implied.rounded(toSignificantDigits: 6)
    } else {
      return nil
    }
    if open * 2 >= low, open <= high * 2 { return nil }
    let given = open.normalized
    return Flag(
      .range,
      open > high ? .figure(.open, given, .overTwice, .high, high) : .figure(.open, given, .underHalf, .low, low))
  }

  /// Returns what would make a change fit whose open is outside the range. If the other sign fits, then the price may
  /// as well be that of 24 hours ago: the two look the same.
  private static func advice(_ change: Decimal, of price: Decimal, within range: PriceRange) -> Flag.Advice {
    let other = change.negated
    if other > -100, isBetween(range.low, range.high, openOf: price, other) { return .otherSignOrPrice }
    return scale(change, of: price, within: range).map { .scale(power: $0) } ?? .otherOpen
  }

  /// Returns by which power of ten a change must be scaled to be plausible for a range: a percentage sent as a fraction, or
  /// multiplied by 100. If another power down to ten thousandths would do as well, the range proves none.
  private static func scale(_ change: Decimal, of price: Decimal, within range: PriceRange) -> Int? {
    let fitting = [2, -1, -2, -3, -4].filter { isPlausible(change.scaledByPowerOfTen($0), of: price, within: range) }
    return fitting.count == 1 ? fitting.first { $0.magnitude == 2 } : nil
  }

  /// Returns whether a change leads from an open within a range to the price, and is not so small that it fits anyway:
  /// divided by 100, nearly every change fits.
  private static func isPlausible(_ change: Decimal, of price: Decimal, within range: PriceRange) -> Bool {
    guard change > -100, !change.isZero, !ChangeScaleCheck.isSmall(change, of: price, within: range) else {
      return false
    }
    let (rest, hundredfold) = (change + 100, price * 100)
    let halfUnit = Decimal(exactly: 5, exponent: change.exponent - 1)
    return range.low * (rest - halfUnit) <= hundredfold && hundredfold <= range.high * (rest + halfUnit)
  }

  /// Returns whether the size of a row's change is proved by its open, or made plausible by its range, where a change of
  /// zero would not fit.
  package static func confirmsChange(_ ticker: Ticker) -> Bool {
    guard case .value(let change) = ticker.changePricePercent24, case .value(let price) = ticker.price,
      !ticker.derived.contains(.changePricePercent24)
    else { return false }
    if case .value(let open) = ticker.open, open.signum > 0, !ticker.derived.contains(.open) {
      return proves(change, rise: (price - open).scaledByPowerOfTen(2), open: open)
    }
    return rollingRange(of: ticker).map { isPlausible(change, of: price, within: $0) } ?? false
  }

  /// Returns whether the open implied by a price and a change above -100 % lies between low and high, within 2 % and
  /// half a unit of the change's last digit.
  private static func isBetween(_ low: Decimal, _ high: Decimal, openOf price: Decimal, _ change: Decimal) -> Bool {
    let (rest, hundredfold) = (change + 100, price * 100)
    // Nearly every row is within the range itself, so test that first.
    if low * rest <= hundredfold, hundredfold <= high * rest { return true }
    let halfUnit = Decimal(exactly: 5, exponent: change.exponent - 1)
    return low * 98 * (rest - halfUnit) <= hundredfold * 100 && hundredfold * 100 <= high * 102 * (rest + halfUnit)
  }
}

/// The change must match the one computed from price and open.
///
/// They may differ by 0.1 points or by 2 % of the change, whichever is more, plus half a unit of the last digit that
/// the exchange sent: a change of `1` may stand for anything from 0.5 to 1.5.
extension MeaningCheck {
  func changeFinding(_ ticker: Ticker) -> Flag? {
    guard case .value(let change) = ticker.changePricePercent24, case .value(let price) = ticker.price,
      case .value(let open) = ticker.open, open.signum > 0
    else { return nil }
    if MeaningCheck.isChange(change, from: open, to: price) { return nil }
    let rise = (price - open).scaledByPowerOfTen(2)
    return Flag(
      .change, .otherChange(sent: change, computed: rise.divided(by: open)?.rounded(toPlaces: 2)),
      advice: advice(change, rise: rise, open: open))
  }

  /// Returns whether a change in percent leads from an open, above zero, to a price, within tolerance.
  package static func isChange(_ percent: Decimal, from open: Decimal, to price: Decimal) -> Bool {
    isWithinATenth(percent, price: price, open: open)
      || fits(withExactZero(percent), rise: (price - open).scaledByPowerOfTen(2), open: open)
  }

  /// Returns the change, but a zero with at least the digits of whole percents: a ratio of `0` is not one that was
  /// rounded to hundreds of percent.
  private static func withExactZero(_ change: Decimal) -> Decimal {
    change.isZero && change.exponent > 0 ? .zero : change
  }

  /// Returns whether `change` is `rise / open`, within tolerance.
  private static func fits(_ change: Decimal, rise: Decimal, open: Decimal) -> Bool {
    let twoPercent = change.magnitude * Decimal(exactly: 2, exponent: -2)
    let tenth = Decimal(exactly: 1, exponent: -1)
    let halfUnit = Decimal(exactly: 5, exponent: change.exponent - 1)
    let allowed = (twoPercent < tenth ? tenth : twoPercent) + halfUnit
    return (change * open - rise).magnitude <= allowed * open
  }

  /// Returns whether `change` is right to 0.1 points, which is always tolerated. Computed in 128 bits for numbers that
  /// fit 64; false for others.
  private static func isWithinATenth(_ change: Decimal, price: Decimal, open: Decimal) -> Bool {
    let places = -Int(change.exponent)
    guard price.exponent == open.exponent, 0...9 ~= places, let price = price.narrowMantissa,
      let open = open.narrowMantissa, let change = change.narrowMantissa, change.magnitude < 1 << 40
    else { return false }
    // Compares (price - open) / open * 100 with the change, both multiplied by the open and the unit of the change's
    // last digit: no product exceeds 2^103.
    let unit = Int128(PowersOfTen.narrow[places])
    let rise = (Int128(price) &- Int128(open)) &* 100 &* unit
    let claim = Int128(change) &* Int128(open)
    return (claim &- rise).magnitude &* 10 <= (Int128(open) &* unit).magnitude
  }

  /// Returns what would make the change fit.
  private func advice(_ change: Decimal, rise: Decimal, open: Decimal) -> Flag.Advice {
    // A fraction, a percentage multiplied by 100, and per mille.
    let fitting = [2, -2, -1].filter { MeaningCheck.proves(change.scaledByPowerOfTen($0), rise: rise, open: open) }
    if fitting.count == 1 { return .scale(power: fitting[0]) }
    return MeaningCheck.proves(change.negated, rise: rise, open: open) ? .otherSign : .otherOpen
  }

  /// Returns whether `change` is `rise / open` and zero is not: within tolerance, any small change fits no rise.
  private static func proves(_ change: Decimal, rise: Decimal, open: Decimal) -> Bool {
    fits(change, rise: rise, open: open)
      && !fits(Decimal(exactly: 0, exponent: change.exponent), rise: rise, open: open)
  }
}

/// Volume and turnover cannot be negative, nor one of them zero and the other not.
extension MeaningCheck {
  func amountFinding(_ ticker: Ticker) -> Flag? {
    let (volume, turnover) = (ticker.volume24.value, ticker.turnover24.value)
    if let volume, volume.signum < 0 { return Flag(.turnover, .belowZero(.volume, volume)) }
    if let turnover, turnover.signum < 0 { return Flag(.turnover, .belowZero(.turnover, turnover)) }
    guard let volume, let turnover, volume.signum == 0 || turnover.signum == 0, volume.signum != turnover.signum,
      let price = ticker.price.value
    else { return nil }
    // Anything below the last digit sent counts as zero.
    if volume.signum == 0 {
      if turnover <= price * Decimal(exactly: 1, exponent: volume.exponent) { return nil }
      return Flag(.turnover, .zeroBeside(.volume, .turnover, turnover))
    }
    if volume * price <= Decimal(exactly: 1, exponent: turnover.exponent) { return nil }
    return Flag(.turnover, .zeroBeside(.turnover, .volume, volume))
  }
}

/// A market without trades for 24 hours and without bids or asks: nothing can be bought or sold at its price.
///
/// Only amounts sent as zero count. An exchange may send no amounts or no offers, and a quiet market still has offers.
extension MeaningCheck {
  func deadFinding(_ ticker: Ticker) -> Flag? {
    guard case .missing(.plain(.zero)) = ticker.bid, case .missing(.plain(.zero)) = ticker.ask,
      ticker.price.value != nil,
      let amount = ticker.volume24.value ?? ticker.turnover24.value, amount.isZero,
      ticker.turnover24.value?.isZero ?? true
    else { return nil }
    return Flag(.dead, .notTraded)
  }
}

/// The average price implied by turnover and volume must match the prices of the same 24 hours.
///
/// It must lie between low and high, within 1 %, if both are of the rolling 24 hours. If they are of a calendar day,
/// the 24 hours may have seen other prices, so it may as well be within a factor of 2 of the price.
extension MeaningCheck {
  func turnoverFinding(_ ticker: Ticker) -> Flag? {
    guard case .value(let turnover) = ticker.turnover24, case .value(let volume) = ticker.volume24,
      volume.signum > 0, turnover.signum > 0
    else { return nil }
    if case .value(let low) = ticker.low, case .value(let high) = ticker.high,
      ticker.lowBasis == .rolling24h, ticker.highBasis == .rolling24h
    {
      if MeaningCheck.isBetween(turnover, low: low, high: high, times: volume) { return nil }
      let hundredfold = turnover.scaledByPowerOfTen(2)
      if hundredfold >= low * 99 * volume, hundredfold <= high * 101 * volume { return nil }
      let price = ticker.price.value ?? low
      return flag(turnover, volume, price: price) { .averageOutside($0, low: low, high: high) }
    }
    guard case .value(let price) = ticker.price else { return nil }
    if turnover * 2 >= price * volume, turnover <= price * 2 * volume { return nil }
    // The price of a coin that doubles in a day is far from the average of the day.
    if case .value(let low) = ticker.low, case .value(let high) = ticker.high, low <= price, price <= high,
      turnover * 100 >= low * 99 * volume, turnover * 100 <= high * 101 * volume
    {
      return nil
    }
    let range = unusableRange(of: ticker)
    return flag(turnover, volume, price: price) { .averageFar($0, price: price, range) }
  }

  /// Returns whether low × volume <= turnover <= high × volume, without tolerance. Computed in 128 bits for numbers
  /// that fit 64; false for others.
  private static func isBetween(_ turnover: Decimal, low: Decimal, high: Decimal, times volume: Decimal) -> Bool {
    let shift = Int(turnover.exponent) - Int(low.exponent) - Int(volume.exponent)
    guard low.exponent == high.exponent, 0...18 ~= shift, let low = low.narrowMantissa, low > 0,
      let high = high.narrowMantissa, let volume = volume.narrowMantissa, let turnover = turnover.narrowMantissa
    else { return false }
    // At most 2^63 × 10^18, which is less than 2^123.
    let raised = Int128(turnover) &* Int128(PowersOfTen.narrow[shift])
    return Int128(low) &* Int128(volume) <= raised && raised <= Int128(high) &* Int128(volume)
  }

  private func flag(
    _ turnover: Decimal, _ volume: Decimal, price: Decimal, _ fact: (_ average: Decimal) -> Flag.Fact
  ) -> Flag {
    let average = turnover.divided(by: volume) ?? .zero
    return Flag(.turnover, fact(average.rounded(toSignificantDigits: 6)), advice: advice(average, price))
  }

  /// Returns why the price was used for the bounds.
  private func unusableRange(of ticker: Ticker) -> Flag.UnusableRange {
    guard ticker.high.value != nil, ticker.low.value != nil else { return .missing }
    let bases = [ticker.highBasis, ticker.lowBasis].compactMap(\.self).filter { $0 != .rolling24h }
    return bases.first.map { .of($0) } ?? .ofUnknownBasis
  }

  /// Returns the likeliest cause, from the ratio of average and price.
  private func advice(_ average: Decimal, _ price: Decimal) -> Flag.Advice {
    let one: Decimal = 1
    if average.isWithin(percent: 10, of: one.divided(by: price) ?? .zero) { return .swapped }
    let factor = average.divided(by: price)?.nearestPowerOfTen(withinPercent: 10)
    return factor.map { .otherUnit(factor: $0) } ?? .otherCurrency
  }
}
