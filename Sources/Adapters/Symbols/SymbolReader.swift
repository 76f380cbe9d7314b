import Catalog
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
  var pair: Pair
  /// As the venue spells them.
  var asset: String
  var payment: String
  var product: String?
  /// The order of products in the config, the first being 0.
  var rank: Int
  var multiplier: Decimal?
}

/// Takes symbols apart, and knows the names behind the venue's names.
struct SymbolReader {
  let plan: SymbolPlan
  /// Other names of an asset, for every venue.
  let globalAliases: [String: String]

  /// - Parameters:
  ///   - symbol: the row's symbol; nil where the rules need none.
  ///   - value: reads a rule's own `asset` or `payment` from the row.
  func read(_ symbol: String?, value: (ValuePlan) -> String?) -> SymbolReading {
    for (index, rule) in plan.rules.enumerated() {
      guard let split = split(symbol, by: rule.spec) else { continue }
      if rule.spec.skip { return .skipped }
      let asset = rule.asset.map(value) ?? split.asset
      let payment = rule.payment.map(value) ?? split.payment
      guard let asset, let payment, !asset.isEmpty, !payment.isEmpty else { continue }
      let currency = split.currency ?? currency(spelled: payment)
      var product: String?
      if plan.usesProducts { product = rule.spec.product ?? plan.product ?? currency?.group }
      let rank = index * 64 + (currency?.rank ?? 63)
      return .pair(named(asset: asset, payment: payment, product: product, rank: rank))
    }
    return .unsplit
  }

  /// Turns the venue's names into the canonical ones: its own aliases; where none fits, the multiplier; upper case; then
  /// the aliases for every venue; each once.
  func named(asset: String, payment: String, product: String?, rank: Int) -> ReadSymbol {
    var multiplier: Decimal?
    let canonicalAsset = canonical(asset) { name in
      for (prefix, factor) in plan.multipliers where name.hasPrefix(prefix) {
        let rest = name.dropFirst(prefix.count)
        guard rest.first?.isLetter == true else { continue }
        multiplier = factor
        return String(rest)
      }
      return name
    }
    let pair = Pair(asset: canonicalAsset, payment: canonical(payment) { $0 })
    return ReadSymbol(
      pair: pair, asset: asset, payment: payment, product: product, rank: rank, multiplier: multiplier)
  }

  private func canonical(_ name: String, unaliased: (String) -> String) -> String {
    let own: String
    if !plan.aliases.isEmpty, let alias = plan.aliases[name] ?? plan.aliases[upper(name)] {
      own = upper(alias)
    } else {
      own = upper(unaliased(name))
    }
    return globalAliases.isEmpty ? own : globalAliases[own] ?? own
  }

  private func upper(_ name: String) -> String {
    name.utf8.contains { $0 >= UInt8(ascii: "a") } ? name.uppercased() : name
  }

  private func currency(spelled name: String) -> SymbolPlan.Currency? {
    plan.currencies.first { $0.spelling == name }
      ?? plan.currencies.first { $0.upper.elementsEqual(name.uppercased().utf8) }
  }

  // MARK: Splitting

  private struct Split {
    var asset: String?
    var payment: String?
    var currency: SymbolPlan.Currency?
  }

  private func split(_ symbol: String?, by rule: SymbolSpec.Rule) -> Split? {
    guard var rest = symbol.map({ Substring($0) }) else {
      return rule.split == nil && rule.prefix == nil && rule.suffix == nil ? Split() : nil
    }
    if let prefix = rule.prefix {
      guard rest.hasPrefix(prefix) else { return nil }
      rest = rest.dropFirst(prefix.count)
    }
    if let suffix = rule.suffix {
      guard rest.hasSuffix(suffix) else { return nil }
      rest = rest.dropLast(suffix.count)
    }
    switch rule.split {
    case nil:
      return Split(asset: rest.isEmpty ? nil : String(rest))
    case .payment:
      return splitAtPayment(rest)
    case .separator(let separator, let paymentFirst):
      guard let (first, second) = Self.halves(of: rest, at: separator) else { return nil }
      return paymentFirst ? Split(asset: second, payment: first) : Split(asset: first, payment: second)
    case .match(let expression):
      guard let groups = expression.captures(String(rest)) else { return nil }
      return Split(asset: groups["asset"], payment: groups["payment"])
    }
  }

  /// The longest payment currency at the end, in any letters, with an asset left over before it.
  private func splitAtPayment(_ symbol: Substring) -> Split? {
    let bytes = symbol.utf8
    for currency in plan.currencies {
      let count = currency.upper.count
      guard bytes.count > count else { continue }
      let end = bytes.index(bytes.endIndex, offsetBy: -count)
      guard bytes[end...].elementsEqual(currency.upper, by: { Self.upper($0) == $1 }) else { continue }
      return Split(asset: String(symbol[..<end]), payment: currency.spelling, currency: currency)
    }
    return nil
  }

  private static func upper(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xDF : byte
  }

  /// Exactly two parts, neither of them empty.
  private static func halves(of text: Substring, at separator: String) -> (String, String)? {
    let bytes = Array(text.utf8)
    let mark = Array(separator.utf8)
    var place: Int?
    var index = 0
    while index + mark.count <= bytes.count {
      if bytes[index..<(index + mark.count)].elementsEqual(mark) {
        guard place == nil else { return nil }
        place = index
        index += mark.count
      } else {
        index += 1
      }
    }
    guard let place, place > 0, place + mark.count < bytes.count else { return nil }
    return (
      String(decoding: bytes[..<place], as: UTF8.self),
      String(decoding: bytes[(place + mark.count)...], as: UTF8.self)
    )
  }
}
