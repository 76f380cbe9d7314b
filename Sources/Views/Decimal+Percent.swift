import Quotes

extension Decimal {
  /// A small percentage without a sign: two decimals, three if small, and below that one significant digit.
  var finePercentText: String {
    if isZero || magnitude >= Self.smallPercent { return rounded(toPlaces: 2).shortest }
    let isTiny = magnitude < Decimal(1).scaledByPowerOfTen(-3)
    return (isTiny ? rounded(toSignificantDigits: 1) : rounded(toPlaces: 3)).shortest
  }

  /// A share in percent, to one decimal, which is nothing or all only if it is exactly that: 99.99 is 99.9.
  var shownShare: Decimal {
    if signum <= 0 || self >= 100 { return rounded(toPlaces: 1) }
    let least = Decimal(1).scaledByPowerOfTen(-1)
    return min(max(rounded(toPlaces: 1), least), 100 - least)
  }

  /// The same with a sign, and two decimals unless it is small: `+1.50`, `-0.002`.
  var signedFinePercentText: String {
    let isSmall = !isZero && magnitude < Self.smallPercent
    return isSmall ? (signum < 0 ? "" : "+") + finePercentText : signedPercentText
  }

  /// Below this, two decimals are not enough.
  private static let smallPercent = Decimal(1).scaledByPowerOfTen(-1)
}

extension Candle {
  /// The change from the open to the close in percent; nil if the open is zero.
  var changePercent: Decimal? { close.percent(above: open) }
}
