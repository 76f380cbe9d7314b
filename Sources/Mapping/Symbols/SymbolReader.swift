import Config
import JSONPath
import Quotes

/// The result of reading a row's symbol.
enum SymbolReading {
  case pair(ReadSymbol)
  case skipped
  /// No rule matches.
  case unsplit
}

/// A symbol split into its parts.
struct ReadSymbol {
  /// The whole symbol; nil for the pair of a request, which is not part of the response.
  var text: String?
  var pair: Pair
  /// As the exchange spells them.
  var asset: String
  var payment: String
  var product: String?
  var rank: ProductRank
  var multiplier: Decimal?

  /// Sets the names of a row.
  func name(_ ticker: inout Ticker) {
    ticker.product = product
    ticker.symbol = text ?? asset + payment
    ticker.pair = pair
  }
}

/// A reader that splits symbols, and maps the exchange's names to canonical ones.
struct SymbolReader {
  let plan: SymbolPlan
  private let ownAliases: AliasTable
  private let globalAliases: AliasTable
  /// The canonical names of the plan's payment currencies.
  private var currencyNames: [String] = []
  /// The first and last bytes of names with a multiplier.
  private let firstBytes: LetterSet
  private let lastBytes: LetterSet
  /// Whether the first rule is the plain `"split": "payment"`.
  private let beginsAtPayment: Bool

  /// - Parameter globalAliases: aliases of assets, for every exchange.
  init(plan: SymbolPlan, globalAliases: [String: String]) {
    self.plan = plan
    self.ownAliases = AliasTable(plan.aliases)
    self.globalAliases = AliasTable(globalAliases)
    firstBytes = LetterSet(plan.multipliers.compactMap { $0.isBehind ? nil : $0.mark.utf8.first })
    lastBytes = LetterSet(plan.multipliers.compactMap { $0.isBehind ? $0.mark.utf8.last : nil })
    beginsAtPayment = plan.rules.first?.isPlainPayment ?? false
    currencyNames = plan.currencies.map { canonical($0.spelling) { $0 } }
  }

  /// Reads a symbol on the fast path for nearly all symbols that are split at their payment currency: the asset is in
  /// capital letters, with no alias and no multiplier. The result is the same as that of `read`, but without looking at
  /// rules and names, and the row is named without an intermediate copy.
  ///
  /// - Returns: its rank; nil, with nothing changed, if anything more might apply and `read` has to be used.
  func readPlain(_ symbol: UnsafeBufferPointer<UInt8>, into ticker: inout Ticker) -> ProductRank? {
    guard beginsAtPayment, let first = symbol.first, first != Self.blank, let ending = ending(of: symbol) else {
      return nil
    }
    let asset = UnsafeBufferPointer(start: symbol.baseAddress, count: symbol.count &- ending.count)
    guard let last = asset.last, last != Self.blank else { return nil }
    if ownAliases.firstBytes.mayHold(first) || globalAliases.firstBytes.mayHold(first) || firstBytes.mayHold(first)
      || lastBytes.mayHold(last)
    {
      return nil
    }
    for byte in asset where byte >= UInt8(ascii: "a") { return nil }
    let name = Self.text(asset)
    if name == currencyNames[ending.currency] { return nil }
    ticker.symbol = Self.text(symbol)
    ticker.pair.asset = name
    ticker.pair.payment = currencyNames[ending.currency]
    if plan.usesProducts {
      ticker.product = plan.rules[0].spec.product ?? plan.product ?? plan.currencies[ending.currency].group
    }
    return plan.currencies[ending.currency].rank
  }

  /// - Parameters:
  ///   - symbol: the row's symbol; nil if the rules do not need it.
  ///   - value: reads a rule's own `asset` or `payment` from the row.
  func read(_ symbol: UnsafeBufferPointer<UInt8>?, value: (ValuePlan) -> String?) -> SymbolReading {
    for index in plan.rules.indices {
      let rule = plan.rules[index]
      guard let split = split(symbol, by: rule) else { continue }
      if rule.spec.skip { return .skipped }
      let asset = rule.asset.map(value) ?? split.asset
      let payment = rule.payment.map(value) ?? split.payment
      guard let asset, let payment, Self.isName(asset), Self.isName(payment) else { continue }
      let currency = split.currency ?? currency(spelled: payment)
      var multiplier: Decimal?
      let pair = Pair(
        asset: canonical(asset) { withoutMultiplier($0, &multiplier) },
        payment: canonicalPayment(payment, rule.payment == nil ? split.currency : nil))
      // Nothing is paid for with itself: both are read from one place, or the rule takes the wrong part.
      if pair.asset == pair.payment { continue }
      var product: String?
      if plan.usesProducts { product = rule.spec.product ?? plan.product ?? currency.map { plan.currencies[$0].group } }
      let rank = currency.map { plan.currencies[$0].rank } ?? ProductRank(group: nil)
      return .pair(
        ReadSymbol(
          text: symbol.map(Self.text), pair: pair, asset: asset, payment: payment, product: product,
          rank: rank.ofRule(index), multiplier: multiplier))
    }
    return .unsplit
  }

  private static let blank = UInt8(ascii: " ")

  /// Returns whether a part can be a name. One with blanks around it would look like another that has none.
  private static func isName(_ part: String) -> Bool {
    guard let first = part.utf8.first, let last = part.utf8.last else { return false }
    return first != Self.blank && last != Self.blank
  }

  /// Returns the symbol of the requested pair, which the row does not name.
  func symbol(of pair: Pair) -> ReadSymbol {
    let asset = plan.spellings[pair.asset] ?? pair.asset
    let payment = plan.spellings[pair.payment] ?? pair.payment
    let currency = currency(spelled: payment).map { plan.currencies[$0] }
    return ReadSymbol(
      text: nil, pair: pair, asset: asset, payment: payment,
      product: plan.usesProducts ? plan.product ?? currency?.group : nil,
      rank: currency?.rank ?? ProductRank(group: nil))
  }

  /// Returns the canonical name of a single asset, and the number of units that the exchange counts as one, if not 1.
  func asset(_ name: String) -> (name: String, multiplier: Decimal?) {
    var multiplier: Decimal?
    return (canonical(name) { withoutMultiplier($0, &multiplier) }, multiplier)
  }

  /// Returns the canonical form of an exchange's name: its own aliases; if none applies, `unaliased` (which removes the
  /// multiplier), then its own aliases of the rest; uppercase; then the aliases for every exchange; each applied once.
  private func canonical(_ name: String, unaliased: (String) -> String) -> String {
    var own = ownAlias(of: name)
    if own == nil {
      let rest = unaliased(name)
      own = ownAlias(of: rest) ?? rest
    }
    let canonical = upper(own ?? name)
    return globalAliases[canonical] ?? canonical
  }

  private func ownAlias(of name: String) -> String? { ownAliases[name] ?? ownAliases[upper(name)] }

  private func canonicalPayment(_ name: String, _ currency: Int?) -> String {
    if let currency { return currencyNames[currency] }
    return canonical(name) { $0 }
  }

  /// Returns `PEPE` for `1000PEPE`, if the plan has such a multiplier.
  private func withoutMultiplier(_ name: String, _ multiplier: inout Decimal?) -> String {
    for candidate in plan.multipliers {
      guard let rest = candidate.unmultiplied(name) else { continue }
      multiplier = candidate.factor
      return rest
    }
    return name
  }

  private func upper(_ name: String) -> String {
    name.utf8.contains { $0 >= UInt8(ascii: "a") } ? name.uppercased() : name
  }

  /// Returns the index of the currency in the plan.
  private func currency(spelled name: String) -> Int? {
    plan.currencies.firstIndex { $0.spelling == name }
      ?? plan.currencies.firstIndex { $0.spelling.uppercased() == name.uppercased() }
  }

  // MARK: Splitting

  private struct Split {
    var asset: String?
    var payment: String?
    /// Its index in the plan.
    var currency: Int?
  }

  private func split(_ symbol: UnsafeBufferPointer<UInt8>?, by rule: SymbolPlan.Rule) -> Split? {
    guard let symbol else {
      return rule.spec.split == nil && rule.spec.prefix == nil && rule.spec.suffix == nil ? Split() : nil
    }
    guard let rest = Self.inside(symbol, prefix: rule.spec.prefix, suffix: rule.spec.suffix) else { return nil }
    switch rule.spec.split {
    case nil:
      return Split(asset: rest.isEmpty ? nil : Self.text(rest))
    case .payment:
      return splitAtPayment(rest)
    case .separator(let separator, let paymentFirst):
      guard let (first, second) = Self.halves(of: rest, at: separator) else { return nil }
      return paymentFirst ? Split(asset: second, payment: first) : Split(asset: first, payment: second)
    case .match(let expression):
      guard let groups = expression.captures(Self.text(rest)) else { return nil }
      return Split(asset: groups["asset"], payment: groups["payment"])
    }
  }

  /// Returns the rest between a required prefix and suffix.
  private static func inside(
    _ bytes: UnsafeBufferPointer<UInt8>, prefix: String?, suffix: String?
  ) -> UnsafeBufferPointer<UInt8>? {
    var range = bytes.indices
    if let prefix {
      guard bytes.starts(with: prefix.utf8) else { return nil }
      range = (range.lowerBound + prefix.utf8.count)..<range.upperBound
    }
    if let suffix {
      let count = suffix.utf8.count
      guard range.count >= count, bytes[(range.upperBound - count)..<range.upperBound].elementsEqual(suffix.utf8)
      else { return nil }
      range = range.lowerBound..<(range.upperBound - count)
    }
    return UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// Splits at the longest payment currency that ends the symbol, ignoring case, with an asset left before it.
  private func splitAtPayment(_ symbol: UnsafeBufferPointer<UInt8>) -> Split? {
    guard let ending = ending(of: symbol) else { return nil }
    return Split(
      asset: Self.text(UnsafeBufferPointer(rebasing: symbol.dropLast(ending.count))),
      payment: plan.currencies[ending.currency].spelling, currency: ending.currency)
  }

  private func ending(of symbol: UnsafeBufferPointer<UInt8>) -> SymbolPlan.Ending? {
    guard let lastByte = symbol.last else { return nil }
    let last = lastByte.uppercased
    let group = Int(last & 31)
    for index in plan.endingStarts[group]..<plan.endingStarts[group + 1] {
      let ending = plan.endings[index]
      guard ending.last == last, symbol.count > ending.count else { continue }
      let start = symbol.count - ending.count
      var isEqual = true
      for offset in 0..<ending.count where symbol[start + offset].uppercased != plan.endingBytes[ending.start + offset]
      {
        isEqual = false
        break
      }
      if isEqual { return ending }
    }
    return nil
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Splits into exactly two parts, neither of them empty.
  private static func halves(of bytes: UnsafeBufferPointer<UInt8>, at separator: String) -> (String, String)? {
    let count = separator.utf8.count
    var place: Int?
    var index = 0
    while index + count <= bytes.count {
      if bytes[index..<(index + count)].elementsEqual(separator.utf8) {
        guard place == nil else { return nil }
        place = index
        index += count
      } else {
        index += 1
      }
    }
    guard let place, place > 0, place + count < bytes.count else { return nil }
    return (
      text(UnsafeBufferPointer(rebasing: bytes[..<place])),
      text(UnsafeBufferPointer(rebasing: bytes[(place + count)...]))
    )
  }
}

/// A table of aliases, most of which are rarely needed: a name's first letter almost always shows that it has none.
struct AliasTable: Sendable {
  private let names: [String: String]
  /// The first bytes of the names, in either case.
  let firstBytes: LetterSet

  init(_ names: [String: String]) {
    self.names = names
    firstBytes = LetterSet(names.keys.map { $0.utf8.first ?? 0 })
  }

  /// The name that replaces `name`; nil if there is none.
  subscript(name: String) -> String? {
    firstBytes.mayHold(name.utf8.first ?? 0) ? names[name] : nil
  }
}

/// A set of letters identified by their low five bits, which are the same in both cases: a quick test that rejects most
/// letters.
struct LetterSet: Sendable {
  private let bits: UInt32

  init(_ bytes: [UInt8]) { bits = bytes.reduce(0) { $0 | 1 << UInt32($1 & 31) } }

  /// Returns false for a byte that is definitely not in the set.
  func mayHold(_ byte: UInt8) -> Bool { bits & 1 << UInt32(byte & 31) != 0 }
}

extension UInt8 {
  /// The capital of an ASCII letter; any other byte as it is.
  @inline(__always)
  var uppercased: UInt8 { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") ? self & 0xDF : self }
}
