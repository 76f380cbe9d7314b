/// A number of a row, or the reason why there is none. There is no third, and never a zero in its place.
package enum Cell: Sendable, Hashable {
  case value(Decimal)
  case missing(Missing)

  /// The number that a text is, as nearly all numbers of exchanges are sent.
  ///
  /// One call for all that has to be done: this is the hot path of every table, and calls between rooms add up.
  ///
  /// - Parameters:
  ///   - plain: the text in ASCII, without a byte around the number.
  ///   - power: the power of ten that the number is multiplied by.
  ///   - mustBePositive: whether zero and less mean that there is none: `missing(.zero)`.
  /// - Returns: nil where the text is no number, or one with more digits than a decimal keeps.
  package init?(plain bytes: UnsafeBufferPointer<UInt8>, power: Int, mustBePositive: Bool) {
    // Without a sign, so it is positive or zero.
    if power == 0, let usual = Decimal.parseUsual(bytes) {
      self = mustBePositive && usual.isZero ? .missing(.zero) : .value(usual)
      return
    }
    var wasRounded = false
    guard let decimal = Decimal.parse(bytes, wasRounded: &wasRounded), !wasRounded else { return nil }
    if mustBePositive, decimal.signum <= 0 {
      self = .missing(.zero)
    } else {
      self = .value(power == 0 ? decimal : decimal.scaledByPowerOfTen(power))
    }
  }

  package var value: Decimal? {
    if case .value(let value) = self { value } else { nil }
  }

  package var missing: Missing? {
    if case .missing(let reason) = self { reason } else { nil }
  }
}
