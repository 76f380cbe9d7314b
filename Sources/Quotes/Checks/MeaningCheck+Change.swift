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
    let message =
      "change \(change.signedText) % but (price - open) / open is \(MeaningCheck.percent(rise, of: open)) %"
    return Flag(code: "change", message: message + remedy(change, rise: rise, open: open), excludes: true)
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

  /// What would make the change fit, where that is known.
  private func remedy(_ change: Decimal, rise: Decimal, open: Decimal) -> String {
    if MeaningCheck.fits(change.scaledByPowerOfTen(2), rise: rise, open: open) { return ": scale it by 100" }
    if MeaningCheck.fits(change.scaledByPowerOfTen(-2), rise: rise, open: open) { return ": scale it by 0.01" }
    if MeaningCheck.fits(change.negated, rise: rise, open: open) { return ": its sign is the wrong way round" }
    return ": is it measured from another open?"
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
