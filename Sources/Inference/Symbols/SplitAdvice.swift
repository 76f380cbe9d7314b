import Config

/// How symbols that a mapping does not split are split, judging by themselves.
package struct SplitAdvice {
  /// The keys of `symbol`, as written.
  package let keys: String
  /// The payment currencies to be listed; empty if the rule needs none.
  package let payments: [String]

  /// - Returns: nil if no single rule is sure to split nearly all of them.
  package init?(_ symbols: [String]) {
    guard symbols.count >= 3, let result = SymbolSplitter(symbols).result(), result.rules.count == 1,
      result.confidence >= RoleProposal.threshold, let rule = result.rules.first,
      symbols.count(where: { rule.pair(of: $0) != nil }) * 10 >= symbols.count * 9
    else { return nil }
    keys = ExchangeBlock.parts(of: rule).map { "\(ConfigValue.quoted($0.name)): \($0.value.text())" }
      .joined(separator: ", ")
    if case .payment(let currencies) = rule.rule { payments = currencies } else { payments = [] }
  }
}
