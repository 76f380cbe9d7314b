import Config
import JSON
import JSONPath

/// A check for rules that no symbol reaches, and payment currencies that no rule can yield.
enum SymbolRuleCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var result: [Finding] = []
    // Several parts may share a list: a currency is unreachable only if none of them can yield it.
    var currencies: [Place: (node: ConfigNode, isReachable: Bool, table: Inspection.Table)] = [:]
    for table in inspection.tables {
      guard case .rules(_, let rules) = table.spec.symbol else {
        for node in currencyNodes(of: table.spec) { currencies[node.place] = (node, true, table) }
        continue
      }
      let payments = Set(table.spec.paymentCurrencies.flatMap(\.currencies).map { $0.lowercased() })
      result += unreachableRules(rules, payments).map(table.own)
      for node in currencyNodes(of: table.spec) {
        let isReachable = rules.contains { canYield(node.json.string ?? "", $0) }
        currencies[node.place] = (node, isReachable || currencies[node.place]?.isReachable == true, table)
      }
    }
    result += currencies.values.filter { !$0.isReachable }.map {
      $0.table.own(.unreachableCurrency($0.node.json.string ?? "", at: $0.node))
    }
    return result
  }

  private static func currencyNodes(of spec: TableSpec) -> [ConfigNode] {
    spec.block?[.paymentCurrencies].map(currencyNodes) ?? []
  }

  /// Returns the currencies of all groups, as written.
  static func currencyNodes(of groups: ConfigNode) -> [ConfigNode] {
    groups.members.flatMap { member in
      member.value.json.kind == .array ? member.value.elements : member.value["currencies"]?.elements ?? []
    }
  }

  private static func canYield(_ currency: String, _ rule: SymbolSpec.Rule) -> Bool {
    if rule.skip { return false }
    if let payment = rule.payment {
      guard case .constant(let text) = payment.origin else { return true }
      return text.lowercased() == currency.lowercased()
    }
    guard case .match = rule.split, let pattern = rule.node["match"]?.json.string,
      let group = groupPattern("payment", in: pattern), let expression = try? IRegexp(group, allowingNamedGroups: true)
    else { return true }
    return expression.matchesWhole(currency)
  }

  private static func groupPattern(_ name: String, in pattern: String) -> String? {
    let bytes = Array(pattern.utf8)
    guard let start = bytes.firstRange(of: "(?<\(name)>".utf8)?.upperBound else { return nil }
    var depth = 1
    var isInClass = false
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "(") where !isInClass: depth += 1
      case UInt8(ascii: ")") where !isInClass: depth -= 1
      default: break
      }
      if depth == 0 { return String(decoding: bytes[start..<index], as: UTF8.self) }
      index += 1
    }
    return nil
  }

  private static func unreachableRules(_ rules: [SymbolSpec.Rule], _ payments: Set<String>) -> [Finding] {
    rules.indices.dropFirst().compactMap { index in
      let rule = rules[index]
      guard let earlier = rules[..<index].first(where: { takesAll(of: rule, $0, payments) }) else { return nil }
      return .unreachableRule(earlier: earlier.node.place.start.line, at: rule.node)
    }
  }

  /// Returns whether the earlier rule takes every symbol that the later rule would split.
  ///
  /// - Parameter payments: the listed payment currencies, in lowercase.
  private static func takesAll(of later: SymbolSpec.Rule, _ earlier: SymbolSpec.Rule, _ payments: Set<String>) -> Bool {
    guard earlier.prefix.map({ (later.prefix ?? "").hasPrefix($0) }) ?? true,
      earlier.suffix.map({ (later.suffix ?? "").hasSuffix($0) }) ?? true
    else { return false }
    // If a row lacks such a value, the symbol is passed on to the next rule.
    let values = [earlier.asset, earlier.payment].compactMap(\.self)
    guard values.allSatisfy({ if case .constant = $0.origin { true } else { false } }) else { return false }
    switch earlier.split {
    case nil: return true
    case .payment: return endsWithPayment(later, behind: earlier.suffix ?? "", payments)
    case .separator(let text, _):
      guard case .separator(text, _) = later.split else { return false }
      // Exactly two parts remain exactly two if the removed affixes contain no separator.
      let taken = [
        (later.prefix ?? "").dropFirst((earlier.prefix ?? "").count),
        (later.suffix ?? "").dropLast((earlier.suffix ?? "").count),
      ]
      return taken.allSatisfy { !$0.contains(text) }
    case .match:
      guard let text = earlier.node["match"]?.json.string, later.node["match"]?.json.string == text else {
        return false
      }
    }
    return earlier.prefix == later.prefix && earlier.suffix == later.suffix
  }

  /// Returns whether every symbol of a rule ends with a listed payment currency, so that a rule which splits there
  /// takes it. Rules with a separator are assumed to be meant for the listed ones too.
  private static func endsWithPayment(_ rule: SymbolSpec.Rule, behind suffix: String, _ payments: Set<String>) -> Bool {
    let rest = (rule.suffix ?? "").dropLast(suffix.count).lowercased()
    if !rest.isEmpty { return payments.contains { rest.hasSuffix($0) } }
    switch rule.split {
    case .payment: return true
    case .separator(_, let paymentFirst): return !paymentFirst && rule.payment == nil
    case .match:
      guard let pattern = rule.node["match"]?.json.string, let group = groupPattern("payment", in: pattern),
        pattern.hasSuffix("\(group))")
      else { return false }
      return group.split(separator: "|", omittingEmptySubsequences: false)
        .allSatisfy { payments.contains($0.lowercased()) }
    case nil: return false
    }
  }
}
