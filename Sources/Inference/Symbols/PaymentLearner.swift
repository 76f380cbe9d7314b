/// Learns the payment currencies that end symbols without a separator: those generally known, and those that the sample
/// itself shows by pairing them with assets that it pairs with known ones, too.
struct PaymentLearner {
  private let symbols: [String]
  /// Assets of symbols that only one known currency ends.
  private var assets: Set<String> = []

  init(_ symbols: [String]) {
    self.symbols = symbols
    for symbol in symbols {
      let endings = Self.known(endingOf: symbol)
      if endings.count == 1 { assets.insert(String(symbol.dropLast(endings[0].count))) }
    }
  }

  /// The known payment currencies that a symbol may end in, longest first.
  static func known(endingOf symbol: String) -> [String] {
    CurrencyCode.payments.filter { symbol.hasSuffix($0) && symbol.count >= $0.count + 2 }
  }

  private func isAsset(_ name: String) -> Bool { assets.contains(name) || CurrencyCode.rank(of: name) > 0 }

  /// Most frequent first.
  mutating func currencies() -> [String] {
    var counts: [String: Int] = [:]
    // Where a longer code hides a shorter one (TUSD, USD), the assets left over decide.
    var votes: [String: [String: Int]] = [:]
    var ties: [String: String] = [:]
    for symbol in symbols {
      let endings = Self.known(endingOf: symbol)
      guard let longest = endings.first else { continue }
      counts[longest, default: 0] += 1
      for shorter in endings.dropFirst() {
        let long = isAsset(String(symbol.dropLast(longest.count)))
        let short = isAsset(String(symbol.dropLast(shorter.count)))
        if long != short {
          votes[longest, default: [:]][shorter, default: 0] += long ? 1 : -1
        } else if long {
          ties[longest] = shorter
        }
      }
    }
    for (code, rivals) in votes {
      for (shorter, vote) in rivals where vote < 0 {
        counts[shorter, default: 0] += counts[code] ?? 0
        counts[code] = nil
      }
    }
    // Where all that speaks for the longer code speaks for the shorter, too (USDT/USD or USD/TUSD), the one that other
    // symbols end in is meant.
    for (code, shorter) in ties where votes[code] == nil {
      guard let count = counts[code], let others = counts[shorter] else { continue }
      counts[shorter] = others + count
      counts[code] = nil
    }
    for (code, count) in learned() { counts[code] = count }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  /// Endings that nobody knows, behind at least three assets that are known from elsewhere in the sample.
  private func learned() -> [String: Int] {
    let rest = symbols.filter { Self.known(endingOf: $0).isEmpty }
    guard rest.count >= 3 else { return [:] }
    var found: [String: Int] = [:]
    for symbol in rest {
      for length in 2...6 where symbol.count >= length + 2 {
        if isAsset(String(symbol.dropLast(length))) { found[String(symbol.suffix(length)), default: 0] += 1 }
      }
    }
    // A coin of the sample that ends half of the rest pays for them, whatever stands before it.
    for symbol in rest {
      for length in 2...6 where symbol.count >= length + 2 {
        let ending = String(symbol.suffix(length))
        if found[ending] == nil, assets.contains(ending) {
          let count = rest.reduce(0) { $0 + ($1.hasSuffix(ending) ? 1 : 0) }
          found[ending] = count * 2 >= rest.count ? count : 0
        }
      }
    }
    return found.filter { $0.value >= 3 && $0.value * 4 >= rest.count }
  }
}
