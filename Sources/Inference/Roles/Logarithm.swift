/// The natural logarithm, which the standard library lacks: exponent and significand apart, the latter by the series of
/// the inverse hyperbolic tangent. Good to 1e-12, far more than a vote needs.
func logarithm(_ value: Double) -> Double {
  let significand = value.significand
  let ratio = (significand - 1) / (significand + 1)
  let square = ratio * ratio
  var term = ratio
  var sum = 0.0
  for divisor in stride(from: 1.0, through: 27, by: 2) {
    sum += term / divisor
    term *= square
  }
  return 2 * sum + Double(value.exponent) * 0.693147180559945309
}
