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
      ?? plan.currencies.first { $0.spelling.uppercased() == name.uppercased() }
  }

  // MARK: Splitting

  private struct Split {
    var asset: String?
    var payment: String?
    var currency: SymbolPlan.Currency?
  }

  private func split(_ symbol: String?, by rule: SymbolSpec.Rule) -> Split? {
    guard var symbol else {
      return rule.split == nil && rule.prefix == nil && rule.suffix == nil ? Split() : nil
    }
    return symbol.withUTF8 { bytes in
      guard let rest = Self.inside(bytes, prefix: rule.prefix, suffix: rule.suffix) else { return nil }
      switch rule.split {
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
    guard let lastByte = symbol.last else { return nil }
    let last = Self.upper(lastByte)
    for index in plan.endings.indices {
      let ending = plan.endings[index]
      guard ending.last == last, symbol.count > ending.count else { continue }
      let start = symbol.count - ending.count
      var isEqual = true
      for offset in 0..<ending.count where Self.upper(symbol[start + offset]) != plan.endingBytes[ending.start + offset]
      {
        isEqual = false
        break
      }
      guard isEqual else { continue }
      let currency = plan.currencies[ending.currency]
      return Split(
        asset: Self.text(UnsafeBufferPointer(rebasing: symbol[..<start])), payment: currency.spelling,
        currency: currency)
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
