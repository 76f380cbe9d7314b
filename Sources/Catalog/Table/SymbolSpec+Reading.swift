import JSON

extension SpecReader {
  mutating func readSymbol(_ node: ConfigNode, lookups: [String], hasPaymentCurrencies: Bool) -> SymbolSpec? {
    if node.json.string == "request" { return .request }
    guard node.json.kind == .object else {
      report(.wrongType("\"request\" or an object", at: node))
      return nil
    }
    let ruleKeys = node["rules"] == nil ? SymbolSpec.Rule.keys : ["rules"]
    let hasText = node["path"] != nil || node["from"] != nil
    var text: ValueSpec?
    if hasText {
      guard let value = readValue(node, as: .text, extraKeys: ruleKeys, lookups: lookups) else { return nil }
      text = value
    } else {
      guard checkKeys(node, known: ["path", "from"] + ruleKeys) else { return nil }
    }
    let ruleNodes = node["rules"].map { readElements($0) ?? [] } ?? [node]
    var rules: [SymbolSpec.Rule] = []
    for ruleNode in ruleNodes {
      let isInline = node["rules"] == nil
      guard isInline || checkKeys(ruleNode, known: SymbolSpec.Rule.keys),
        let rule = readRule(ruleNode, hasText: hasText, lookups: lookups)
      else { return nil }
      if case .payment = rule.split, !hasPaymentCurrencies { report(.noPaymentCurrencies(at: ruleNode)) }
      rules.append(rule)
    }
    return .rules(text: text, rules: rules)
  }

  private mutating func readRule(_ node: ConfigNode, hasText: Bool, lookups: [String]) -> SymbolSpec.Rule? {
    var rule = SymbolSpec.Rule(node: node)
    if let prefix = node["prefix"] { rule.prefix = readText(prefix) }
    if let suffix = node["suffix"] { rule.suffix = readText(suffix) }
    if let skip = node["skip"] { rule.skip = readBoolean(skip) ?? false }
    if let product = node["product"] { rule.product = readText(product) }
    if let asset = node["asset"] {
      guard let value = readValue(asset, as: .text, lookups: lookups) else { return nil }
      rule.asset = value
    }
    if let payment = node["payment"] {
      guard let value = readValue(payment, as: .text, lookups: lookups) else { return nil }
      rule.payment = value
    }
    if let split = node["split"] {
      guard let separator = readText(split) else { return nil }
      var paymentFirst = false
      if let order = node["order"], let text = readText(order) {
        if !["asset-payment", "payment-asset"].contains(text) {
          report(.notOneOf(["asset-payment", "payment-asset"], found: text, at: order))
        }
        paymentFirst = text == "payment-asset"
      }
      rule.split = separator == "payment" ? .payment : .separator(separator, paymentFirst: paymentFirst)
      if separator.isEmpty { report(.badRows("an empty separator splits nothing", at: split)) }
    }
    if let match = node["match"] {
      guard let expression = readRegularExpression(match) else { return nil }
      rule.split = .match(expression)
    }
    // What prefix and suffix leave over is the asset where only the payment currency is named.
    let isComplete = rule.skip || rule.split != nil || rule.asset != nil || (hasText && rule.payment != nil)
    if !isComplete { report(.missingKey("split", in: "this symbol rule", at: node)) }
    let needsText = rule.split != nil || rule.prefix != nil || rule.suffix != nil
    if needsText, !hasText { report(.missingKey("path", in: "the symbol", at: node)) }
    return isComplete ? rule : nil
  }
}
