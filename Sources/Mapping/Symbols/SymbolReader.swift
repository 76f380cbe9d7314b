import Config
import JSONPath
import Quotes

/// What a row's symbol came to.
enum SymbolReading {
  case pair(ReadSymbol)
  case skipped
  /// No rule fits.
  case unsplit
}

/// A symbol taken apart.
struct ReadSymbol {
  /// The whole of it; nil for the pair of a request, which is no text of the answer.
  var text: String?
  var pair: Pair
  /// As the exchange spells them.
  var asset: String
  var payment: String
  var product: String?
  /// The order of products in the config, the first being 0.
  var rank: Int
  var multiplier: Decimal?

  /// Gives a row its names.
  func name(_ ticker: inout Ticker) {
    ticker.product = product
    ticker.symbol = text ?? asset + payment
    ticker.pair = pair
  }
}

/// Takes symbols apart, and knows the names behind the exchange's names.
struct SymbolReader {
  let plan: SymbolPlan
  private let ownAliases: AliasTable
  private let globalAliases: AliasTable
  /// The canonical names of the plan's payment currencies.
  private var currencyNames: [String] = []
  /// With which bytes the names with a multiplier begin, and with which they end.
  private let firstBytes: LetterSet
  private let lastBytes: LetterSet
  /// Whether the first rule is the plain `"split": "payment"`.
  private let beginsAtPayment: Bool

  /// - Parameter globalAliases: other names of an asset, for every exchange.
  init(plan: SymbolPlan, globalAliases: [String: String]) {
    self.plan = plan
    self.ownAliases = AliasTable(plan.aliases)
    self.globalAliases = AliasTable(globalAliases)
    firstBytes = LetterSet(plan.multipliers.compactMap { $0.isBehind ? nil : $0.mark.utf8.first })
    lastBytes = LetterSet(plan.multipliers.compactMap { $0.isBehind ? $0.mark.utf8.last : nil })
    beginsAtPayment = plan.rules.first?.isPlainPayment ?? false
    currencyNames = plan.currencies.map { canonical($0.spelling) { $0 } }
  }

  /// Reads a symbol as nearly all are where symbols are cut at their payment currency: the asset in capital letters,
  /// with no other name and no multiplier. It comes to what `read` makes of it, without a look at rules and names, and
  /// names the row without a copy on the way.
  ///
  /// - Returns: its rank; nil where anything more might apply, and nothing done: then `read` has to look at it.
  func readPlain(_ symbol: UnsafeBufferPointer<UInt8>, into ticker: inout Ticker) -> Int? {
    guard beginsAtPayment, let first = symbol.first, let ending = ending(of: symbol) else { return nil }
    let asset = UnsafeBufferPointer(start: symbol.baseAddress, count: symbol.count &- ending.count)
    guard let last = asset.last else { return nil }
    if ownAliases.firstBytes.mayHold(first) || globalAliases.firstBytes.mayHold(first) || firstBytes.mayHold(first)
      || lastBytes.mayHold(last)
    {
      return nil
    }
    for byte in asset where byte >= UInt8(ascii: "a") { return nil }
    ticker.symbol = Self.text(symbol)
    ticker.pair.asset = Self.text(asset)
    ticker.pair.payment = currencyNames[ending.currency]
    if plan.usesProducts {
      ticker.product = plan.rules[0].spec.product ?? plan.product ?? plan.currencies[ending.currency].group
    }
    return plan.currencies[ending.currency].rank
  }

  /// - Parameters:
  ///   - symbol: the row's symbol; nil where the rules need none.
  ///   - value: reads a rule's own `asset` or `payment` from the row.
  func read(_ symbol: UnsafeBufferPointer<UInt8>?, value: (ValuePlan) -> String?) -> SymbolReading {
    for index in plan.rules.indices {
      let rule = plan.rules[index]
      guard let split = split(symbol, by: rule) else { continue }
      if rule.spec.skip { return .skipped }
      let asset = rule.asset.map(value) ?? split.asset
      let payment = rule.payment.map(value) ?? split.payment
      guard let asset, let payment, !asset.isEmpty, !payment.isEmpty else { continue }
      let currency = split.currency ?? currency(spelled: payment)
      var multiplier: Decimal?
      let pair = Pair(
        asset: canonical(asset) { withoutMultiplier($0, &multiplier) },
        payment: canonicalPayment(payment, rule.payment == nil ? split.currency : nil))
      var product: String?
      if plan.usesProducts { product = rule.spec.product ?? plan.product ?? currency.map { plan.currencies[$0].group } }
      return .pair(
        ReadSymbol(
          text: symbol.map(Self.text), pair: pair, asset: asset, payment: payment, product: product,
          rank: index * 64 + (currency.map { plan.currencies[$0].rank } ?? 63), multiplier: multiplier))
    }
    return .unsplit
  }

  /// The pair that was asked for, which the row does not name.
  func symbol(of pair: Pair) -> ReadSymbol {
    let asset = plan.spellings[pair.asset] ?? pair.asset
    let payment = plan.spellings[pair.payment] ?? pair.payment
    let currency = currency(spelled: payment).map { plan.currencies[$0] }
    return ReadSymbol(
      text: nil, pair: pair, asset: asset, payment: payment,
      product: plan.usesProducts ? plan.product ?? currency?.group : nil, rank: currency?.rank ?? 0)
  }

  /// The canonical name of an asset that stands alone, and what the exchange counts it in, where that is not one.
  func asset(_ name: String) -> (name: String, multiplier: Decimal?) {
    var multiplier: Decimal?
    return (canonical(name) { withoutMultiplier($0, &multiplier) }, multiplier)
  }

  /// Turns a name of the exchange into the canonical one: its own aliases; where none fits, `unaliased` (which takes the
  /// multiplier off); upper case; then the aliases for every exchange; each once.
  private func canonical(_ name: String, unaliased: (String) -> String) -> String {
    let own: String
    if let alias = ownAliases[name] ?? ownAliases[upper(name)] {
      own = upper(alias)
    } else {
      own = upper(unaliased(name))
    }
    return globalAliases[own] ?? own
  }

  private func canonicalPayment(_ name: String, _ currency: Int?) -> String {
    if let currency { return currencyNames[currency] }
    return canonical(name) { $0 }
  }

  /// `PEPE` for `1000PEPE`, where the plan has such a multiplier.
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

  /// The place of the currency in the plan.
  private func currency(spelled name: String) -> Int? {
    plan.currencies.firstIndex { $0.spelling == name }
      ?? plan.currencies.firstIndex { $0.spelling.uppercased() == name.uppercased() }
  }

  // MARK: Splitting

  private struct Split {
    var asset: String?
    var payment: String?
    /// Its place in the plan.
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

  /// What is left between a prefix and a suffix that must be there.
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

  /// The longest payment currency at the end, in any letters, with an asset left over before it.
  private func splitAtPayment(_ symbol: UnsafeBufferPointer<UInt8>) -> Split? {
    guard let ending = ending(of: symbol) else { return nil }
    return Split(
      asset: Self.text(UnsafeBufferPointer(rebasing: symbol.dropLast(ending.count))),
      payment: plan.currencies[ending.currency].spelling, currency: ending.currency)
  }

  private func ending(of symbol: UnsafeBufferPointer<UInt8>) -> SymbolPlan.Ending? {
    guard let lastByte = symbol.last else { return nil }
    let last = Self.upper(lastByte)
    let group = Int(last & 31)
    for index in plan.endingStarts[group]..<plan.endingStarts[group + 1] {
      let ending = plan.endings[index]
      guard ending.last == last, symbol.count > ending.count else { continue }
      let start = symbol.count - ending.count
      var isEqual = true
      for offset in 0..<ending.count where Self.upper(symbol[start + offset]) != plan.endingBytes[ending.start + offset]
      {
        isEqual = false
        break
      }
      if isEqual { return ending }
    }
    return nil
  }

  private static func upper(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte & 0xDF : byte
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Exactly two parts, neither of them empty.
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

/// Other names, most of which nobody asks for: a look at a name's first letter tells nearly always that it has none.
struct AliasTable: Sendable {
  private let names: [String: String]
  /// With which bytes the names begin, in either case of their letters.
  let firstBytes: LetterSet

  init(_ names: [String: String]) {
    self.names = names
    firstBytes = LetterSet(names.keys.map { $0.utf8.first ?? 0 })
  }

  /// The name that stands for `name`; nil where it stands for itself.
  subscript(name: String) -> String? {
    firstBytes.mayHold(name.utf8.first ?? 0) ? names[name] : nil
  }
}

/// A set of letters that are known by their low five bits, which are the same in both cases: a quick test that most
/// letters fail.
struct LetterSet: Sendable {
  private let bits: UInt32

  init(_ bytes: [UInt8]) {
    bits = bytes.reduce(0) { $0 | 1 << UInt32($1 & 31) }
  }

  /// False for a byte that is surely none of them.
  func mayHold(_ byte: UInt8) -> Bool { bits & 1 << UInt32(byte & 31) != 0 }
}
