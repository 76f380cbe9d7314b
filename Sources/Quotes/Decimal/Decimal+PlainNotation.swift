extension Decimal {
  /// A number's own digits in plain notation, however many there are: `+1.16539E8` is `116539000`.
  ///
  /// It is what ``description`` would be if a mantissa had no bounds, for texts of more than 38 digits. nil when the
  /// text is no number that ``parse(_:wasRounded:)`` takes.
  package static func plainNotation(_ text: String) -> String? {
    guard Decimal(text) != nil else { return nil }
    var rest = text[...]
    let sign = rest.hasPrefix("-") ? "-" : ""
    if rest.hasPrefix("-") || rest.hasPrefix("+") { rest = rest.dropFirst() }
    let parts = rest.split(maxSplits: 1, whereSeparator: { $0 == "e" || $0 == "E" })
    let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
    let number = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = number.joined()
    // How many of the digits stand before the point; negative when zeros come between.
    let place = number[0].count + exponent
    let integer = String(digits.prefix(max(0, place))) + String(repeating: "0", count: max(0, place - digits.count))
    let fraction = String(repeating: "0", count: max(0, -place)) + digits.dropFirst(max(0, place))
    let significant = integer.drop { $0 == "0" }
    return sign + (significant.isEmpty ? "0" : significant) + (fraction.isEmpty ? "" : "." + fraction)
  }
}
