import Quotes

/// Learns from many symbols how to split one.
struct SymbolSplitter {
  struct Result: Sendable {
    /// The first that fits wins.
    var rules: [AffixedRule]
    /// Expressions for symbols to skip.
    var skips: [String] = []
    /// Whether symbols that no rule fits are skipped, too.
    var skipsRest = false
    /// The rules of symbols that are skipped, though another rule may fit them.
    private(set) var skippedRules: [AffixedRule] = []
    var confidence: Double
    var evidence: [String]

    /// Adds the rules for the rest of the symbols, which are a share of all.
    mutating func add(_ other: Result?, forRest share: Double) {
      rules += other?.rules ?? []
      evidence += other?.evidence ?? []
      confidence = confidence * (1 - share) + (other?.confidence ?? 0) * share
    }

    /// Leaves out the symbols of the other market where some name a spot pair and others a contract: `BTC_USDT` and
    /// `BTC_USDT_PERP`.
    mutating func keep(isFutures: Bool) {
      let (contracts, pairs) = (rules.filter(\.isOfFutures), rules.filter { !$0.isOfFutures })
      guard !contracts.isEmpty, !pairs.isEmpty else { return }
      if isFutures {
        (rules, skipsRest) = (contracts, true)
        evidence.append("skipped: spot pairs, whose symbols name no contract")
      } else {
        (rules, skippedRules) = (pairs, contracts)
        skips += contracts.map(\.outline)
        evidence.append("skipped: futures, whose symbols match \(contracts.map { "'\($0.outline)'" }.listed("or"))")
      }
    }

    func pair(of symbol: String) -> (asset: String, payment: String)? {
      skippedRules.pair(of: symbol) == nil ? rules.pair(of: symbol) : nil
    }
  }

  let symbols: [String]

  init(_ symbols: [String]) { self.symbols = symbols }

  /// Returns nil if the texts are not symbols.
  func result() -> Result? {
    guard !symbols.isEmpty, symbols.allSatisfy({ $0.utf8.count <= 40 }) else { return nil }
    let dated = DatedContract(symbols)
    let rest = dated.expressions.isEmpty ? symbols : symbols.filter { !dated.matches($0) }
    guard var result = SymbolSplitter(rest).takenApart() else { return nil }
    result.skips = dated.expressions
    if rest.count < symbols.count {
      result.evidence.append("skipped: \((symbols.count - rest.count).counted("contract")) with a date")
    }
    return result
  }

  func takenApart() -> Result? {
    let lead = commonLead
    guard !lead.isEmpty else { return settled() ?? classed() ?? joined() ?? mixed() ?? uniform() }
    let pairs = symbols.map { String($0.dropFirst(lead.count)) }
    guard var result = SymbolSplitter(pairs).takenApart() else { return nil }
    for index in result.rules.indices { result.rules[index].prefix = lead + result.rules[index].prefix }
    result.evidence.append("every symbol begins with '\(lead)'")
    return result
  }

  /// `PERP_` of `PERP_BTC_USDT`: a word before a pair that is not a currency, and the same in all symbols.
  private var commonLead: String {
    guard let first = symbols.first, let end = first.firstIndex(where: { Self.separators.contains($0) }) else {
      return ""
    }
    let lead = String(first[...end])
    let word = lead.dropLast().uppercased()
    let isProduct = Self.products.contains(word)
    guard isProduct || symbols.count >= 2 && !CurrencyCode.isKnown(word), !word.isEmpty else { return "" }
    let hasPairs = symbols.allSatisfy { symbol in
      symbol.hasPrefix(lead) && symbol.dropFirst(lead.count).contains { Self.separators.contains($0) }
    }
    // The rest may itself be an ending that all have, in which case the first word is the asset.
    let tails = Set(symbols.map { Self.tail(of: $0).uppercased() })
    return hasPairs && (isProduct || tails.count > 1 || tails.first?.isEmpty == true) ? lead : ""
  }

  static let separators: Set<Character> = ["_", "-", "/", ":", "."]
  static let products: Set<String> = [
    "PERP", "SWAP", "PERPETUAL", "SPOT", "FUTURES", "FUTURE", "LINEAR", "INVERSE", "MARGIN",
  ]
}

// Symbols of a single form: common affixes are removed, and the best split of the rest is chosen.
extension SymbolSplitter {
  /// Returns the common affixes, and a way to split the rest.
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

  func split(_ texts: [String], at separator: String) -> Result? {
    var pairs: [(left: String, right: String)] = []
    for text in texts {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
      // `0.049` has a separator as well.
      guard parts.count == 2, Self.isName(parts[0]), Self.isName(parts[1]), text.contains(where: \.isLetter) else {
        continue
      }
      pairs.append((parts[0].uppercased(), parts[1].uppercased()))
    }
    guard Double(pairs.count) >= 0.9 * Double(texts.count), !pairs.isEmpty else { return nil }
    let lefts = Dictionary(pairs.map { ($0.left, 1) }, uniquingKeysWith: +)
    let rights = Dictionary(pairs.map { ($0.right, 1) }, uniquingKeysWith: +)
    var (left, right) = Self.paymentVotes(pairs, lefts, rights)
    // A table has few payment currencies and many assets, which counts like rows.
    let repetition = pairs.count / 3
    if pairs.count >= 6, rights.count * 2 <= lefts.count { right += repetition }
    if pairs.count >= 6, lefts.count * 2 <= rights.count { left += repetition }
    let votes = left + right
    let paymentFirst = left > right
    let share = votes == 0 ? 0.5 : Double(max(left, right)) / Double(votes)
    // Few votes leave a doubt, and so do contradictory ones.
    let confidence =
      votes == 0 ? 0.55 : (0.5 + (share - 0.5) * 0.98) * (votes >= 3 ? 1 : 0.97) * (share < 0.7 ? 0.8 : 1)
    let isThin = votes * 2 < pairs.count && repetition == 0 || pairs.count >= 2 && votes == 1
    let side = paymentFirst ? "first" : "last"
    var evidence = [
      "split at '\(separator)'",
      "the payment currency comes \(side), by \(max(left, right).counted("vote")) to \(min(left, right))",
    ]
    if !paymentFirst {
      let currencies = rights.count.counted("payment currency", plural: "payment currencies")
      evidence.append("\(currencies), \(lefts.count.counted("asset"))")
    }
    // Where no code is known, each may have letters that do not belong to it.
    let isForeign = pairs.count >= 3 && !pairs.contains { [$0.left, $0.right].contains(where: CurrencyCode.isKnown) }
    if isForeign { evidence.append("none of the codes is known") }
    return Result(
      rules: [AffixedRule(rule: .separator(separator, paymentFirst: paymentFirst))],
      confidence: confidence * (isThin || isForeign ? 0.7 : 1) * Double(pairs.count) / Double(texts.count),
      evidence: evidence)
  }

  /// Counts the pairs whose left or right code is rather a payment currency than the other one.
  ///
  /// - Parameters:
  ///   - lefts: how often each code is on the left.
  ///   - rights: how often each is on the right.
  private static func paymentVotes(
    _ pairs: [(left: String, right: String)], _ lefts: [String: Int], _ rights: [String: Int]
  ) -> (left: Int, right: Int) {
    var votes = (left: 0, right: 0)
    for pair in pairs {
      let left = CurrencyCode.rank(of: pair.left)
      let right = CurrencyCode.rank(of: pair.right)
      // An unknown but recurring code is a currency of the exchange's own.
      let isOwnRight = right == 0 && rights.count * 2 <= lefts.count && rights[pair.right, default: 0] >= 3
      let isOwnLeft = left == 0 && lefts.count * 2 <= rights.count && lefts[pair.left, default: 0] >= 3
      if left > right, left > 1, !isOwnRight { votes.left += 1 }
      if right > left, right > 1, !isOwnLeft { votes.right += 1 }
    }
    return votes
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 24 && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "*" || $0 == "$" }
  }

  // MARK: No separator

  private func splitAtPayment(_ texts: [String]) -> Result? {
    let upper = texts.map { $0.uppercased() }
    guard upper.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber } && $0.utf8.count >= 4 }) else { return nil }
    let learner = PaymentLearner(upper)
    let currencies = learner.currencies()
    guard !currencies.isEmpty else { return nil }
    let exceptions = learner.exceptions(among: currencies)
    let rules = exceptions.rules(of: texts) + [AffixedRule(rule: .payment(currencies))]
    let pairs = upper.compactMap { rules.pair(of: $0) }
    let share = Double(pairs.count) / Double(upper.count)
    guard share >= 0.5 else { return nil }
    let assets = Set(pairs.map(\.asset))
    let known = assets.count { CurrencyCode.isKnown($0) }
    // Unknown names may have been split in the wrong place.
    let knownShare = Double(known) / Double(assets.count)
    // If only one code can be the ending, unknown names are split correctly nonetheless.
    let clear = upper.count { PaymentLearner.known(endingOf: $0).count == 1 }
    let isClear = upper.count >= 2 && clear * 100 >= upper.count * 95
    let trust = known == 0 ? (isClear ? 0.85 : 0.6) : knownShare < 0.08 ? (isClear ? 0.9 : 0.8) : 1
    return Result(
      rules: rules, confidence: 0.96 * share * share * trust * exceptions.trust,
      evidence: [
        "a payment currency ends \(pairs.count) of \(upper.count) symbols: \(currencies.joined(separator: ", "))",
        "\(known) of \(assets.count) assets are known by name",
      ] + exceptions.evidence)
  }

  /// Splits symbols with the payment currency first and no separator.
  private func splitAtLeading(_ texts: [String], _ order: CodeOrder) -> Result? {
    let leads = order.leads
    let learner = PaymentLearner(texts.map { $0.uppercased() }, isPaymentFirst: true)
    let exceptions = learner.exceptions(among: leads.map { $0.uppercased() }.unique)
    let rules = exceptions.rules(of: texts) + leads.map { AffixedRule(rule: .leading($0)) }
    let pairs = texts.compactMap { rules.pair(of: $0) }
    let share = Double(pairs.count) / Double(texts.count)
    guard share >= 0.5, leads.count <= 12 else { return nil }
    return Result(
      rules: rules, confidence: 0.95 * share * share * (order.votes >= 3 ? 1 : 0.9) * exceptions.trust,
      evidence: [
        "a payment currency begins \(pairs.count) of \(texts.count) symbols: \(leads.joined(separator: ", "))",
        "where both ends are known, the payment currency is first in \(order.votes) of \(order.known)",
      ] + exceptions.evidence)
  }

  private func assets(_ texts: [String]) -> Result? {
    let upper = texts.map { $0.uppercased() }
    func isName(_ text: String) -> Bool {
      (2...12).contains(text.utf8.count) && text.allSatisfy { $0.isLetter || $0.isNumber }
    }
    guard upper.allSatisfy(isName) else { return nil }
    let known = upper.count { CurrencyCode.isKnown($0) }
    let share = Double(known) / Double(upper.count)
    guard share >= 0.25 || (upper.count >= 20 && share >= 0.1) else { return nil }
    let whole = wholePairs(upper)
    let rules = whole.isEmpty ? [] : [AffixedRule(rule: .payment(whole.unique.sorted()))]
    return Result(
      rules: rules + [AffixedRule(rule: .asset(payment: nil))], confidence: min(0.9, 0.6 + share * 0.5),
      evidence: ["\(known) of \(upper.count) are names of assets"]
        + (whole.isEmpty ? [] : ["\(whole.count) of them are such a name and a payment currency"]))
  }

  /// Returns the payment currency of each name that consists of another one, that of a known asset, and of it: beside
  /// `BTC`, `BTCUSDT` is a pair. Some tokens are named so: `WBTC`, `STETH`.
  private func wholePairs(_ upper: [String]) -> [String] {
    let names = Set(upper)
    let payments = upper.compactMap { text in
      PaymentLearner.known(endingOf: text).first { payment in
        let asset = String(text.dropLast(payment.count))
        return names.contains(asset) && CurrencyCode.isKnown(asset) && !CurrencyCode.isKnown(text)
      }
    }
    return payments.count * 5 >= upper.count ? payments : []
  }
}
