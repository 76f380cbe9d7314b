extension Decimal: CustomStringConvertible {
  /// Plain notation, with the trailing zeros kept and the exponent written out: `1.16539E8` is `116539000`.
  package var description: String {
    text(extraPlaces: 0)
  }

  /// Plain notation without trailing zeros behind the point: `1.50` is `1.5`, `2.00` is `2`.
  package var shortest: String {
    exponent < 0 ? strippingZeros(downTo: 0).description : description
  }

  /// The value rounded to that many places, with all of their digits: `1.5` with two is `1.50`.
  package func fixedText(places: Int) -> String {
    let places = max(0, places)
    let value = rounded(toPlaces: places)
    // A value of up to 38 digits may have no room for the zeros.
    return value.text(extraPlaces: places + min(0, Int(value.exponent)))
  }

  /// A percentage or a change in its signed form of two decimals: `+1.23`, `-0.40`, and `+0.00` for what rounds to zero.
  package var signedPercentText: String {
    let text = fixedText(places: 2)
    return text.utf8.first == ASCII.minus ? text : "+" + text
  }

  /// The layout of rates and converted prices: from 10,000 up one decimal, below that six significant digits.
  ///
  /// Which of the two holds is decided after the rounding: 9999.996 is `10000.0`. The integer part is never rounded
  /// away: 134512345.04 is `134512345.0`. Zero is `0`.
  package var rateText: String {
    if isZero { return "0" }
    let rounded = rounded(toSignificantDigits: 6)
    if rounded.magnitude >= 10_000 { return fixedText(places: 1) }
    return rounded.fixedText(places: 5 - rounded.leadingPower)
  }

  /// The digits with the point among them; `extraPlaces` zeros are written behind the last place.
  private func text(extraPlaces: Int) -> String {
    let digits = String(mantissa.magnitude)
    let sign = mantissa < 0 ? "-" : ""
    if exponent >= 0 {
      let zeros = String(repeating: "0", count: mantissa == 0 ? 0 : Int(exponent))
      let fraction = extraPlaces > 0 ? "." + String(repeating: "0", count: extraPlaces) : ""
      return sign + digits + zeros + fraction
    }
    let places = -Int(exponent)
    let behind = String(repeating: "0", count: extraPlaces)
    if digits.utf8.count <= places {
      return sign + "0." + String(repeating: "0", count: places - digits.utf8.count) + digits + behind
    }
    let point = digits.utf8.index(digits.endIndex, offsetBy: -places)
    return sign + digits[..<point] + "." + digits[point...] + behind
  }
}
