// Symbols of one form: what all of them share is taken off, and the best of the ways to cut the rest is taken.
extension SymbolSplitter {
  /// What all symbols have in common, and one way to take the rest apart.
  func uniform() -> Result? {
    let (prefix, suffix) = affixes()
    let inner = symbols.map { String($0.dropFirst(prefix.count).dropLast(suffix.count)) }
    var results: [Result] = []
    for separator in ["_", "-", "/", ":", ".", "|", "~", " "] {
      if let result = split(inner, at: separator) { results.append(result) }
    }
    let order = CodeOrder(inner)
    if var result = splitAtPayment(inner) {
      if order.isPaymentFirst { result.confidence *= 0.6 }
      results.append(result)
    }
    if order.isPaymentFirst, let result = splitAtLeading(inner, order) { results.append(result) }
    if let result = assets(inner) { results.append(result) }
    guard var best = results.max(by: { $0.confidence < $1.confidence }) else { return nil }
    for index in best.rules.indices {
      best.rules[index].prefix = prefix
      best.rules[index].suffix = suffix
    }
    if !prefix.isEmpty { best.evidence.append("every symbol begins with '\(prefix)'") }
    if !suffix.isEmpty { best.evidence.append("every symbol ends with '\(suffix)'") }
    return best
  }

  // MARK: Separators

  private func split(_ texts: [String], at separator: String) -> Result? {
    var pairs: [(left: String, right: String)] = []
    for text in texts {
      let parts = text.parts(at: separator)
      // `0.049` has a separator as well.
      guard parts.count == 2, Self.isName(parts[0]), Self.isName(parts[1]), text.contains(where: \.isLetter) else {
        continue
      }
      pairs.append((parts[0].uppercased(), parts[1].uppercased()))
    }
    guard Double(pairs.count) >= 0.9 * Double(texts.count), !pairs.isEmpty else { return nil }
    let leftCounts = Dictionary(pairs.map { ($0.left, 1) }, uniquingKeysWith: +)
    let rightCounts = Dictionary(pairs.map { ($0.right, 1) }, uniquingKeysWith: +)
    let (lefts, rights) = (leftCounts.count, rightCounts.count)
    var left = 0
    var right = 0
    for pair in pairs {
      let first = CurrencyCode.rank(of: pair.left)
      let second = CurrencyCode.rank(of: pair.right)
      // A code that nobody knows and that comes again and again is a currency of the exchange's own.
      let isOwnRight = second == 0 && rights * 2 <= lefts && rightCounts[pair.right, default: 0] >= 3
      let isOwnLeft = first == 0 && lefts * 2 <= rights && leftCounts[pair.left, default: 0] >= 3
      if first > second, first > 1, !isOwnRight { left += 1 }
      if second > first, second > 1, !isOwnLeft { right += 1 }
    }
    var evidence = ["split at '\(separator)'"]
    // A table has few payment currencies and many assets: that weighs like rows do.
    let repetition = pairs.count / 3
    if pairs.count >= 6, rights * 2 <= lefts { right += repetition }
    if pairs.count >= 6, lefts * 2 <= rights { left += repetition }
    let votes = left + right
    let paymentFirst = left > right
    let share = votes == 0 ? 0.5 : Double(max(left, right)) / Double(votes)
    // Few votes leave a doubt, and so do votes that contradict each other.
    let confidence =
      votes == 0 ? 0.55 : (0.5 + (share - 0.5) * 0.98) * (votes >= 3 ? 1 : 0.97) * (share < 0.7 ? 0.8 : 1)
    let isThin = votes * 2 < pairs.count && repetition == 0 || pairs.count >= 2 && votes == 1
    let side = paymentFirst ? "left" : "right"
    evidence.append("the payment currency is \(side), by \(max(left, right)) votes to \(min(left, right))")
    if !paymentFirst { evidence.append("\(rights) payment currencies, \(lefts) assets") }
    return Result(
      rules: [AffixedRule(rule: .separator(separator, paymentFirst: paymentFirst))], fits: pairs.count,
      confidence: confidence * (isThin ? 0.7 : 1) * Double(pairs.count) / Double(texts.count), evidence: evidence)
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 24 && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "*" || $0 == "$" }
  }

  // MARK: No separator

  private func splitAtPayment(_ texts: [String]) -> Result? {
    let upper = texts.map { $0.uppercased() }
    guard upper.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber } && $0.utf8.count >= 4 }) else { return nil }
    var learner = PaymentLearner(upper)
    let currencies = learner.currencies()
    guard !currencies.isEmpty else { return nil }
    let rule = AffixedRule(rule: .payment(currencies))
    let pairs = upper.compactMap { rule.pair(of: $0) }
    let share = Double(pairs.count) / Double(upper.count)
    guard share >= 0.5 else { return nil }
    let assets = Set(pairs.map(\.asset))
    let known = assets.filter { CurrencyCode.rank(of: $0) > 0 }.count
    // Names that nobody knows may have been cut in the wrong place.
    let knownShare = Double(known) / Double(assets.count)
    // Where only one code can be the end, unknown names are cut right all the same.
    let clear = upper.filter { PaymentLearner.known(endingOf: $0).count == 1 }.count
    let isClear = upper.count >= 2 && clear * 100 >= upper.count * 95
    let trust = known == 0 ? (isClear ? 0.85 : 0.6) : knownShare < 0.08 ? (isClear ? 0.9 : 0.8) : 1
    return Result(
      rules: [rule], fits: pairs.count, confidence: 0.96 * share * share * trust,
      evidence: [
        "a payment currency ends \(pairs.count) of \(upper.count) symbols: \(currencies.joined(separator: ", "))",
        "\(known) of \(assets.count) assets are known by name",
      ])
  }

  /// The payment currency first, and nothing between the two.
  private func splitAtLeading(_ texts: [String], _ order: CodeOrder) -> Result? {
    let leads = order.leads
    let rules = leads.map { AffixedRule(rule: .leading($0)) }
    let pairs = texts.compactMap { text in rules.lazy.compactMap { $0.pair(of: text) }.first }
    let share = Double(pairs.count) / Double(texts.count)
    guard share >= 0.5, leads.count <= 12 else { return nil }
    return Result(
      rules: rules, fits: pairs.count, confidence: 0.95 * share * share * (order.votes >= 3 ? 1 : 0.9),
      evidence: [
        "a payment currency begins \(pairs.count) of \(texts.count) symbols: \(leads.joined(separator: ", "))",
        "where both ends are known, the payment currency is first in \(order.votes) of \(order.known)",
      ])
  }

  // MARK: Assets alone

  private func assets(_ texts: [String]) -> Result? {
    let upper = texts.map { $0.uppercased() }
    guard
      upper.allSatisfy({ $0.utf8.count >= 2 && $0.utf8.count <= 12 && $0.allSatisfy { $0.isLetter || $0.isNumber } })
    else { return nil }
    let known = upper.filter { CurrencyCode.rank(of: $0) > 0 }.count
    let share = Double(known) / Double(upper.count)
    guard share >= 0.25 || (upper.count >= 20 && share >= 0.1) else { return nil }
    return Result(
      rules: [AffixedRule(rule: .asset(payment: nil))], fits: upper.count, confidence: min(0.9, 0.6 + share * 0.5),
      evidence: ["\(known) of \(upper.count) are names of assets"])
  }
}
