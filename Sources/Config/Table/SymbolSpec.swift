package import JSONPath

/// How a row's symbol is taken apart.
package enum SymbolSpec: Sendable {
  /// The pair that was asked for.
  case request
  /// The first rule that fits wins. `text` is what rules take apart; rules that name `asset` and `payment` as values
  /// need none.
  case rules(text: ValueSpec?, rules: [Rule])

  package struct Rule: Sendable {
    package enum Split: Sendable {
      /// The longest payment currency at the end, without regard to case.
      case payment
      case separator(String, paymentFirst: Bool)
      /// Groups `asset` and `payment`, unless the rule gives them as values.
      case match(IRegexp)
    }

    package var prefix: String?
    package var suffix: String?
    package var split: Split?
    package var asset: ValueSpec?
    package var payment: ValueSpec?
    /// Drops the row in silence.
    package var skip = false
    package var product: String?
    package let node: ConfigNode

    static let keys = ObjectShape.symbolRule.names
  }
}

extension SymbolSpec {
  /// All values that the rules read.
  package var values: [ValueSpec] {
    guard case .rules(let text, let rules) = self else { return [] }
    return ([text] + rules.flatMap { [$0.asset, $0.payment] }).compactMap(\.self)
  }
}
