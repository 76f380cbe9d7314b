/// How the symbols of a sample come apart.
package enum SymbolRule: Hashable, Sendable {
  /// Two parts at a separator.
  case separator(String, paymentFirst: Bool)
  /// One of the payment currencies at the end.
  case payment([String])
  /// This payment currency at the beginning; the rest is the asset.
  case leading(String)
  /// Two codes of three letters, each behind a letter for its class: `XXBTZUSD` is XBT, USD.
  case classed(asset: String, payment: String)
  /// Asset and payment currency, and behind them the currency of settlement: `BTC/USDT:USDT`.
  case settled(SettledSymbol.Separators)
  /// The symbol is the asset; the payment currency is the same for all.
  case asset(payment: String?)
}

/// A rule with the text that it takes off first.
package struct AffixedRule: Hashable, Sendable {
  package var prefix = ""
  package var suffix = ""
  package var rule: SymbolRule

  /// The pair in the symbol; nil where the rule does not fit. Upper case, aliases not applied.
  package func pair(of symbol: String) -> (asset: String, payment: String)? {
    guard symbol.hasPrefix(prefix), symbol.hasSuffix(suffix), symbol.count > prefix.count + suffix.count else {
      return nil
    }
    let text = String(symbol.dropFirst(prefix.count).dropLast(suffix.count))
    switch rule {
    case .separator(let separator, let paymentFirst):
      let parts = text.parts(at: separator)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
      let (asset, payment) = paymentFirst ? (parts[1], parts[0]) : (parts[0], parts[1])
      return (asset.uppercased(), payment.uppercased())
    case .payment(let currencies):
      let upper = text.uppercased()
      let fitting = currencies.filter { upper.hasSuffix($0.uppercased()) && upper.count > $0.count }
      guard let longest = fitting.max(by: { $0.count < $1.count }) else { return nil }
      return (String(upper.dropLast(longest.count)), longest.uppercased())
    case .leading(let payment):
      guard text.hasPrefix(payment), text.count > payment.count else { return nil }
      return (String(text.dropFirst(payment.count)).uppercased(), payment.uppercased())
    case .classed(let assetLetters, let paymentLetters):
      guard let codes = ClassedCodes(text), assetLetters.contains(codes.assetClass),
        paymentLetters.contains(codes.paymentClass)
      else { return nil }
      return (codes.asset, codes.payment)
    case .settled(let separators):
      guard let symbol = SettledSymbol(text), symbol.separators == separators else { return nil }
      return (symbol.asset, symbol.payment)
    case .asset(let payment):
      return payment.map { (text.uppercased(), $0) }
    }
  }
}

/// A symbol of two codes of three capitals, each behind a letter that says what it is.
struct ClassedCodes {
  let assetClass: Character
  let asset: String
  let paymentClass: Character
  let payment: String

  init?(_ text: String) {
    let letters = Array(text)
    guard letters.count == 8, letters.allSatisfy({ $0.isASCII && $0.isUppercase }) else { return nil }
    assetClass = letters[0]
    asset = String(letters[1...3])
    paymentClass = letters[4]
    payment = String(letters[5...7])
  }
}

extension String {
  /// The pieces between the occurrences of a separator.
  func parts(at separator: String) -> [String] {
    var parts: [String] = []
    var current = ""
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(separator) {
        parts.append(current)
        current = ""
        rest = rest.dropFirst(separator.count)
      } else if let character = rest.popFirst() {
        current.append(character)
      }
    }
    return parts + [current]
  }
}
