/// Symbols that name the currency they are settled in behind the pair: `BTC/USDT:USDT`, `BTC-USD_BTC`.
package struct SettledSymbol: Hashable, Sendable {
  let asset: String
  let payment: String
  /// What stands between asset and payment currency, and what before the third code.
  let separators: Separators

  package struct Separators: Hashable, Sendable {
    let pair: String
    let settlement: String
  }

  /// nil where the text is none: three parts at two different separators, of which the third is one of the others.
  init?(_ text: String) {
    var parts: [String] = [""]
    var separators: [String] = []
    for character in text {
      if "_-/:.".contains(character) {
        separators.append(String(character))
        parts.append("")
      } else {
        parts[parts.count - 1].append(character.uppercased())
      }
    }
    guard parts.count == 3, separators[0] != separators[1], parts.allSatisfy({ !$0.isEmpty }),
      parts[2] == parts[1] || parts[2] == parts[0] && CurrencyCode.rank(of: parts[2]) > 0
    else { return nil }
    asset = parts[0]
    payment = parts[1]
    self.separators = Separators(pair: separators[0], settlement: separators[1])
  }
}

extension SettledSymbol.Separators {
  /// The expression of the config that takes such symbols apart.
  var expression: String {
    let (first, second) = (Self.escaped(pair), Self.escaped(settlement))
    let name = "[^\(first)\(second)]+"
    return "(?<asset>\(name))\(first)(?<payment>\(name))\(second)\(name)"
  }

  private static func escaped(_ separator: String) -> String {
    [".", "-"].contains(separator) ? "\\" + separator : separator
  }
}
