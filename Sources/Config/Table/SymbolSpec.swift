import JSON
package import JSONPath
package import Quotes

/// The way a row's symbol is split into a pair.
package enum SymbolSpec: Sendable {
  /// The requested pair.
  case request
  /// The first rule that matches wins. `text` is what the rules split; rules that give `asset` and `payment` as values
  /// do not need it.
  case rules(text: ValueSpec?, rules: [Rule])

  package struct Rule: Sendable {
    /// Which of the two names around a separator comes first.
    enum Order: String, CaseIterable {
      case assetFirst = "asset-payment"
      case paymentFirst = "payment-asset"
    }

    package enum Split: Sendable {
      /// At the longest payment currency that ends the text, ignoring case.
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
    /// Drops the row silently.
    package var skip = false
    package var product: String?
    package let node: ConfigNode

    static let keys = ObjectShape.symbolRule.names
  }

  /// All values that the rules read.
  package var values: [ValueSpec] {
    guard case .rules(let text, let rules) = self else { return [] }
    return ([text] + rules.flatMap { [$0.asset, $0.payment] }).compactMap(\.self)
  }

  /// The pair of all rows, as the exchange spells it, if the config names it outright; nil if rows name theirs.
  var constantPair: (asset: String, payment: String)? {
    guard case .rules(nil, let rules) = self, rules.count == 1, case .constant(let asset)? = rules[0].asset?.origin,
      case .constant(let payment)? = rules[0].payment?.origin
    else { return nil }
    return (asset, payment)
  }

  /// Whether the first rule with a separator puts the payment currency first; nil if no rule has a separator.
  package var hasPaymentFirst: Bool? {
    guard case .rules(_, let rules) = self else { return nil }
    return rules.lazy.compactMap { rule -> Bool? in
      if case .separator(_, let paymentFirst)? = rule.split { paymentFirst } else { nil }
    }.first
  }
}

/// A mark on an asset's name that multiplies its amount: the `1000` of 1000PEPE and of SHIB1000.
package struct Multiplier: Sendable {
  package let mark: String
  /// Whether the mark follows the name rather than preceding it.
  package let isBehind: Bool
  package let factor: Decimal
  /// Whether it consists of letters, which a name may begin or end with as well: KAVA is not a thousand AVA.
  private let isOfLetters: Bool

  /// - Parameter key: the mark as written in the config, where a leading `*` stands for the name.
  init(key: String, factor: Decimal) {
    isBehind = key.hasPrefix("*")
    mark = isBehind ? String(key.dropFirst()) : key
    self.factor = factor
    isOfLetters = mark.allSatisfy(\.isLetter)
  }

  /// Returns the name without the mark; nil if it does not have one, or if no letter is next to it. Letters are a mark
  /// only where the case sets them apart from the name, as in kPEPE.
  package func unmultiplied(_ name: String) -> String? {
    guard isBehind else {
      guard name.utf8.first == mark.utf8.first, name.hasPrefix(mark) else { return nil }
      let rest = name.dropFirst(mark.count)
      return isApart(mark.last, from: rest.first) ? String(rest) : nil
    }
    guard name.utf8.last == mark.utf8.last, name.hasSuffix(mark) else { return nil }
    let rest = name.dropLast(mark.count)
    return isApart(mark.first, from: rest.last) ? String(rest) : nil
  }

  /// Returns whether the end of the mark cannot be part of the name beside it.
  private func isApart(_ end: Character?, from neighbor: Character?) -> Bool {
    guard let end, let neighbor, neighbor.isLetter else { return false }
    return !isOfLetters || end.isLowercase != neighbor.isLowercase
  }
}

package struct PaymentGroup: Sendable {
  /// What the contracts of a group are margined in.
  enum Category: String, CaseIterable {
    case dollars = "usd(s)-m"
    case coin = "coin-m"
    case spot
  }

  package let name: String
  package let currencies: [String]
}

extension Multiplier {
  /// The number that the mark itself names, such as 1000 or the million of 1M; nil for other marks.
  fileprivate var namedFactor: Decimal? {
    let digits = mark.prefix { $0.isASCII && $0.isNumber }
    guard let number = Decimal(String(digits)) else { return nil }
    switch mark.dropFirst(digits.count) {
    case "": return number
    case "k", "K": return number.scaledByPowerOfTen(3)
    case "M": return number.scaledByPowerOfTen(6)
    case "B": return number.scaledByPowerOfTen(9)
    default: return nil
    }
  }
}

extension SpecReader {
  mutating func readMultipliers(_ members: [ConfigMember]) -> [Multiplier] {
    members.compactMap { member in
      guard let factor = readPositiveDecimal(member.value) else { return nil }
      let multiplier = Multiplier(key: member.name, factor: factor)
      // Without a mark, every name would be multiplied.
      if multiplier.mark.isEmpty { report(.invalidText("a mark such as \"1000\"", at: member.key)) }
      // A factor of 1 says that the exchange prices one unit in spite of the name.
      if let named = multiplier.namedFactor, named != factor, factor != 1, named.signum > 0 {
        report(.misnamedFactor(member.name, "\(named)", at: member.value))
      }
      return multiplier
    }
  }

  mutating func readSymbol(_ node: ConfigNode, lookups: [String], hasPaymentCurrencies: Bool) -> SymbolSpec? {
    if node.json.string == "request" { return .request }
    guard node.json.kind == .object else { return rejected(.wrongType("'request' or an object", at: node)) }
    let ruleKeys = node["rules"] == nil ? SymbolSpec.Rule.keys : ["rules"]
    let hasText = ["path", "from", "first", "join"].contains { node[$0] != nil }
    var text: ValueSpec?
    if hasText {
      guard let value = readValue(node, as: .text, extraKeys: ruleKeys, lookups: lookups) else { return nil }
      text = value
    } else {
      guard checkKeys(node, known: ["path", "from", "up"] + ruleKeys) else { return nil }
    }
    let ruleNodes = node["rules"].map { readElements($0) ?? [] } ?? [node]
    if ruleNodes.isEmpty, let empty = node["rules"], empty.json.kind == .array {
      report(.wrongType("at least one rule", at: empty))
    }
    var rules: [SymbolSpec.Rule] = []
    var isBroken = false
    for ruleNode in ruleNodes {
      let isInline = node["rules"] == nil
      guard isInline || checkKeys(ruleNode, known: SymbolSpec.Rule.keys),
        let rule = readRule(ruleNode, hasText: hasText, lookups: lookups)
      else {
        isBroken = true
        continue
      }
      if case .payment = rule.split, !hasPaymentCurrencies { report(.missingPaymentCurrencies(at: ruleNode)) }
      rules.append(rule)
    }
    return isBroken ? nil : .rules(text: text, rules: rules)
  }

  private mutating func readRule(_ node: ConfigNode, hasText: Bool, lookups: [String]) -> SymbolSpec.Rule? {
    var rule = SymbolSpec.Rule(node: node)
    if let prefix = node["prefix"] { rule.prefix = readText(prefix) }
    if let suffix = node["suffix"] { rule.suffix = readText(suffix) }
    if let skip = node["skip"] { rule.skip = readBoolean(skip) ?? false }
    if let product = node["product"] { rule.product = readText(product) }
    if let asset = node["asset"] {
      guard let value = readName(asset, lookups: lookups) else { return nil }
      rule.asset = value
    }
    if let payment = node["payment"] {
      guard let value = readName(payment, lookups: lookups) else { return nil }
      rule.payment = value
    }
    rule.split = readSplit(node)
    let needsText = rule.split != nil || rule.prefix != nil || rule.suffix != nil
    if needsText, !hasText { report(.missingKey("path", in: "the symbol", at: node)) }
    if let missing = missingKey(of: rule, node, hasText: hasText) {
      return rejected(.missingKey(missing, in: "this symbol rule", at: node))
    }
    return rule
  }

  /// Reads a currency, which cannot be a number.
  private mutating func readName(_ node: ConfigNode, lookups: [String]) -> ValueSpec? {
    guard node.json.kind != .number else { return rejected(.wrongType("a path, a currency or an object", at: node)) }
    return readValue(node, as: .text, lookups: lookups)
  }

  private mutating func readSplit(_ node: ConfigNode) -> SymbolSpec.Rule.Split? {
    if node["split"] != nil, node["match"] != nil { return rejected(.conflictingKeys(["split", "match"], at: node)) }
    if let match = node["match"] { return readRegularExpression(match).map { .match($0) } }
    guard let split = node["split"], let separator = readText(split) else { return nil }
    if separator.isEmpty { report(.invalidText("a separator or 'payment'", at: split)) }
    if separator == "payment" {
      if let order = node["order"] { report(.orderWithoutSeparator(at: order)) }
      return .payment
    }
    let order = node["order"].flatMap { readCase($0, as: SymbolSpec.Rule.Order.self) }
    return .separator(separator, paymentFirst: order == .paymentFirst)
  }

  /// Returns the key without which the rule can never name a pair; nil if none is missing.
  private func missingKey(of rule: SymbolSpec.Rule, _ node: ConfigNode, hasText: Bool) -> String? {
    if rule.skip { return nil }
    switch rule.split {
    case .payment, .separator: return nil
    case .match(let expression):
      if rule.asset == nil, !expression.groupNames.contains("asset") { return "asset" }
      return rule.payment == nil && !expression.groupNames.contains("payment") ? "payment" : nil
    case nil:
      // An error in either key has been reported already.
      if node["split"] != nil || node["match"] != nil { return nil }
      if rule.payment == nil { return rule.asset == nil ? "split" : "payment" }
      return rule.asset == nil && !hasText ? "asset" : nil
    }
  }
}
