import JSONPath
import Quotes

/// How the symbols of a sample are split.
package enum SymbolRule: Hashable, Sendable {
  /// Two parts at a separator.
  case separator(String, paymentFirst: Bool)
  /// One of the payment currencies at the end, the longest that fits.
  case payment([String])
  /// One of these assets beside the payment currency, as written: symbols that a longer one would split elsewhere.
  case listed(assets: [String], payment: String, paymentFirst: Bool)
  /// This payment currency at the beginning; the rest is the asset.
  case leading(String)
  /// Two three-letter codes, each after a letter for its class: `XXBTZUSD` is XBT, USD.
  case classed(asset: String, payment: String)
  /// Asset and payment currency, followed by the settlement currency: `BTC/USDT:USDT`.
  case settled(SettledSymbol.Separators)
  /// The symbol is the asset; the payment currency is always the same.
  case asset(payment: String?)
}

/// A rule with the affixes that it removes first.
package struct AffixedRule: Hashable, Sendable {
  package var prefix = ""
  package var suffix = ""
  package var rule: SymbolRule

  /// Returns the pair in the symbol; nil if the rule does not fit. Uppercase, without resolving aliases.
  package func pair(of symbol: String) -> (asset: String, payment: String)? {
    guard symbol.hasPrefix(prefix), symbol.hasSuffix(suffix), symbol.count > prefix.count + suffix.count else {
      return nil
    }
    let text = String(symbol.dropFirst(prefix.count).dropLast(suffix.count))
    switch rule {
    case .separator(let separator, let paymentFirst):
      let parts = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
      let (asset, payment) = paymentFirst ? (parts[1], parts[0]) : (parts[0], parts[1])
      return (asset.uppercased(), payment.uppercased())
    case .payment(let currencies):
      let upper = text.uppercased()
      let fitting = currencies.filter { upper.hasSuffix($0.uppercased()) && upper.count > $0.count }
      guard let longest = fitting.max(by: { $0.count < $1.count }) else { return nil }
      return (String(upper.dropLast(longest.count)), longest.uppercased())
    case .listed(let assets, let payment, let paymentFirst):
      let upper = text.uppercased()
      let asset = assets.first { upper == (paymentFirst ? payment + $0 : $0 + payment).uppercased() }
      return asset.map { ($0.uppercased(), payment.uppercased()) }
    case .leading(let payment):
      guard text.hasPrefix(payment), text.count > payment.count else { return nil }
      return (String(text.dropFirst(payment.count)).uppercased(), payment.uppercased())
    case .classed(let assetLetters, let paymentLetters):
      guard let codes = ClassedCodes(text), assetLetters.contains(codes.assetClass),
        paymentLetters.contains(codes.paymentClass)
      else { return nil }
      return (codes.asset, codes.payment)
    case .settled(let separators):
      guard let symbol = SettledSymbol(text), symbol.separators == separators else { return nil }
      return (symbol.asset, symbol.payment)
    case .asset(let payment):
      return payment.map { (text.uppercased(), $0) }
    }
  }
}

extension [AffixedRule] {
  /// Returns the pair by the first rule that fits.
  func pair(of symbol: String) -> (asset: String, payment: String)? {
    lazy.compactMap { $0.pair(of: symbol) }.first
  }
}

/// A symbol of two codes with three uppercase letters, each after a letter for its class.
struct ClassedCodes {
  let assetClass: Character
  let asset: String
  let paymentClass: Character
  let payment: String

  init?(_ text: String) {
    let letters = Array(text)
    guard letters.count == 8, letters.allSatisfy({ $0.isASCII && $0.isUppercase }) else { return nil }
    (assetClass, asset) = (letters[0], String(letters[1...3]))
    (paymentClass, payment) = (letters[4], String(letters[5...7]))
  }
}

/// A symbol with the settlement currency after the pair: `BTC/USDT:USDT`, `BTC-USD_BTC`.
package struct SettledSymbol: Hashable, Sendable {
  let asset: String
  let payment: String
  /// The separators between asset and payment currency, and before the third code.
  let separators: Separators

  package struct Separators: Hashable, Sendable {
    let pair: String
    let settlement: String
  }

  /// Returns nil unless there are three parts at two different separators, and the third is one of the others.
  init?(_ text: String) {
    let parts = text.split(omittingEmptySubsequences: false) { SymbolSplitter.separators.contains($0) }
      .map { $0.uppercased() }
    let separators = text.filter { SymbolSplitter.separators.contains($0) }.map { String($0) }
    guard parts.count == 3, separators[0] != separators[1], parts.allSatisfy({ !$0.isEmpty }),
      parts[2] == parts[1] || parts[2] == parts[0] && CurrencyCode.isKnown(parts[2])
    else { return nil }
    asset = parts[0]
    payment = parts[1]
    self.separators = Separators(pair: separators[0], settlement: separators[1])
  }
}

extension SettledSymbol.Separators {
  /// The config expression that splits such symbols.
  var expression: String {
    let (first, second) = (Self.escaped(pair), Self.escaped(settlement))
    let name = "[^\(first)\(second)]+"
    return "(?<asset>\(name))\(first)(?<payment>\(name))\(second)\(name)"
  }

  private static func escaped(_ separator: String) -> String {
    [".", "-"].contains(separator) ? "\\" + separator : separator
  }
}

/// Symbols that end in the contract's expiry: a date as in `BTC-USD-230630`, `XBTUSD_31DEC21` or `BTC-0930`, the letter of
/// a month as in `BTCUSDZ26`, or a week or quarter as in `BTC-CQ`.
///
/// These are neither perpetual contracts nor coins, so tables that mix them with others skip them.
struct DatedContract: Sendable {
  /// The forms of the endings, each as an I-Regexp for the whole symbol.
  private static let patterns = dates + [monthCode, period]
  private static let dates = [
    ".*[_:.-](20)?[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])",
    ".*[_:.-](0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])",
    ".*[_:.-][0-9]{1,2}(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[0-9]{2}",
  ]
  /// The letters that futures exchanges give the months, and the year.
  private static let monthCode = ".*[A-Z][FGHJKMNQUVXZ][2-3][0-9]"
  /// This or the next week or quarter.
  private static let period = ".*[_:.-](CW|NW|BW|CQ|NQ)"

  /// Those needed for the sample's symbols; empty if none is dated.
  private let found: [(pattern: String, expression: IRegexp)]

  var expressions: [String] { found.map(\.pattern) }

  /// - Parameter symbols: all symbols of a sample. If all contracts are dated, none are skipped.
  init(_ symbols: [String]) {
    var found: [(pattern: String, expression: IRegexp)] = []
    for pattern in Self.patterns {
      guard let expression = try? IRegexp(pattern) else { continue }
      let dated = symbols.filter(expression.matchesWhole)
      guard !dated.isEmpty, dated.count < symbols.count else { continue }
      if pattern == Self.monthCode || pattern == Self.period {
        // Such an ending may also be a coin's name: it is a contract's only after a pair or a coin of the table.
        let heads = dated.map { symbol in
          pattern == Self.monthCode ? String(symbol.dropLast(3)) : String(symbol.prefix { !"_:.-".contains($0) })
        }
        guard heads.allSatisfy({ Self.mayExpire($0, among: symbols) }) else { continue }
      }
      found.append((pattern, expression))
    }
    let hasOthers = symbols.contains { symbol in !found.contains { $0.expression.matchesWhole(symbol) } }
    self.found = hasOthers ? found : []
  }

  /// Returns whether what precedes an expiry is a pair or a coin. The other way round, what follows a payment currency is
  /// a coin.
  private static func mayExpire(_ head: String, among symbols: [String]) -> Bool {
    let name = head.uppercased()
    if CurrencyCode.rank(of: name) >= 4 { return false }
    return symbols.contains(head) || !PaymentLearner.known(endingOf: name).isEmpty
      || symbols.contains { symbol in
        let rest = symbol.dropFirst(head.count).drop { "_:.-".contains($0) }.uppercased()
        return symbol.hasPrefix(head) && CurrencyCode.rank(of: rest) >= 4
      }
  }

  func matches(_ symbol: String) -> Bool { found.contains { $0.expression.matchesWhole(symbol) } }
}
