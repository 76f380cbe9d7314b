import Quotes

/// Which of two codes comes first in symbols without a separator, judging by symbols with two known ends.
struct CodeOrder {
  /// How many symbols start with the likelier payment currency, and how many have a vote.
  private(set) var votes = 0
  private(set) var known = 0
  /// The payment currencies that start symbols, as written, longest first.
  private(set) var leads: [String] = []

  init(_ symbols: [String]) {
    var found: Set<String> = []
    for symbol in symbols {
      let upper = symbol.uppercased()
      let starts = CurrencyCode.payments.filter { upper.hasPrefix($0) && upper.count >= $0.count + 2 }
      var isFirst = false
      var hasVote = false
      for start in starts {
        let second = CurrencyCode.rank(of: String(upper.dropFirst(start.count)))
        let first = CurrencyCode.rank(of: start)
        guard second > 0, first != second else { continue }
        hasVote = true
        isFirst = first > second
        if isFirst { found.insert(String(symbol.prefix(start.count))) }
      }
      if hasVote { known += 1 }
      if isFirst { votes += 1 }
    }
    leads = found.sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// Requires three votes to one, and not just from a single symbol, which may be anything.
  var isPaymentFirst: Bool { votes >= 2 && votes * 4 > known * 3 }
}

/// Learns the payment currencies that end symbols without a separator: well-known ones, and those that the sample pairs
/// with assets it also pairs with well-known ones.
struct PaymentLearner {
  private let symbols: [String]
  /// Whether symbols begin with the payment currency.
  private let isPaymentFirst: Bool
  /// The assets of symbols that end in, or begin with, only one known currency.
  private var assets: Set<String> = []

  init(_ symbols: [String], isPaymentFirst: Bool = false) {
    (self.symbols, self.isPaymentFirst) = (symbols, isPaymentFirst)
    for symbol in symbols {
      let found = splits(of: symbol, paidIn: CurrencyCode.payments).filter { $0.asset.count >= 2 }
      if found.count == 1 { assets.insert(found[0].asset) }
    }
  }

  /// Returns the pairs that a symbol is of if it is paid in one of the currencies, in their order.
  private func splits(of symbol: String, paidIn currencies: [String]) -> [(asset: String, payment: String)] {
    currencies.compactMap { payment -> (asset: String, payment: String)? in
      let isPaid = isPaymentFirst ? symbol.hasPrefix(payment) : symbol.hasSuffix(payment)
      guard isPaid, symbol.count > payment.count else { return nil }
      return (String(isPaymentFirst ? symbol.dropFirst(payment.count) : symbol.dropLast(payment.count)), payment)
    }
  }

  /// Returns the known payment currencies that a symbol may end in, longest first.
  static func known(endingOf symbol: String) -> [String] {
    CurrencyCode.payments.filter { symbol.hasSuffix($0) && symbol.count >= $0.count + 2 }
  }

  private func isAsset(_ name: String) -> Bool {
    [name, CurrencyCode.withoutCount(name)].contains { assets.contains($0) || CurrencyCode.isKnown($0) }
  }

  /// What the symbols say about the currencies that they end in.
  private struct Endings {
    /// How many symbols end in each, by the longest if they may end in several.
    var counts: [String: Int] = [:]
    /// Of codes that contain a shorter one (TUSD, USD), how many more of the remaining assets speak for the longer.
    var votes: [String: [String: Int]] = [:]
    /// The shorter codes for which as much speaks as for the longer.
    var ties: [String: String] = [:]
    /// The shorter code that each contains.
    var shorterCodes: [String: String] = [:]
    /// Those after a known asset, in symbols that no longer code splits as well.
    var proved: Set<String> = []

    mutating func count(_ code: String, as shorter: String) {
      counts[shorter, default: 0] += counts[code] ?? 0
      counts[code] = nil
    }
  }

  private func endings() -> Endings {
    var found = Endings()
    for symbol in symbols {
      let endings = Self.known(endingOf: symbol)
      guard let longest = endings.first else { continue }
      found.counts[longest, default: 0] += 1
      if endings.count > 1 { found.shorterCodes[longest] = endings[1] }
      let asset = CurrencyCode.withoutCount(String(symbol.dropLast(longest.count)))
      if endings.count == 1, CurrencyCode.isKnown(asset) { found.proved.insert(longest) }
      for shorter in endings.dropFirst() {
        let long = isAsset(String(symbol.dropLast(longest.count)))
        let short = isAsset(String(symbol.dropLast(shorter.count)))
        if short, !long { found.proved.insert(shorter) }
        if long != short {
          found.votes[longest, default: [:]][shorter, default: 0] += long ? 1 : -1
        } else if long {
          found.ties[longest] = shorter
        }
      }
    }
    return found
  }

  /// Returns the payment currencies, the most frequent first.
  func currencies() -> [String] {
    var found = endings()
    // The longest first, so that what counts as a shorter code may count as a still shorter one.
    for (code, rivals) in found.votes.sorted(by: { ($1.key.count, $0.key) < ($0.key.count, $1.key) }) {
      for (shorter, vote) in rivals.sorted(by: { $0.key < $1.key }) where vote < 0 { found.count(code, as: shorter) }
    }
    // If all evidence for the longer code also supports the shorter one (USDT/USD or USD/TUSD), it is the one that ends
    // other symbols.
    for (code, shorter) in found.ties where found.votes[code] == nil {
      if found.counts[code] != nil, found.counts[shorter] != nil { found.count(code, as: shorter) }
    }
    // Nothing speaks for the longer code if no known asset precedes it.
    for (code, shorter) in found.shorterCodes where found.votes[code] == nil && found.ties[code] == nil {
      if found.proved.contains(shorter) { found.count(code, as: shorter) }
    }
    return found.counts.merging(learned()) { $1 }.byFrequency.map(\.key)
  }

  /// The symbols that the longest of the currencies would split in the wrong place, or may.
  struct Exceptions {
    let isPaymentFirst: Bool
    /// The assets of symbols that are paid in a shorter currency, by that.
    var assets: [String: [String]] = [:]
    /// What symbols may be that nothing tells apart: `ARBUSD: AR/BUSD or ARB/USD`.
    var unclear: [String] = []

    /// Returns the rules that split them, spelled like the symbols.
    func rules(of symbols: [String]) -> [AffixedRule] {
      let isLower = symbols.allSatisfy { $0 == $0.lowercased() }
      func written(_ code: String) -> String { isLower ? code.lowercased() : code }
      return assets.sorted { $0.key < $1.key }.map { payment, assets in
        AffixedRule(
          rule: .listed(
            assets: assets.unique.sorted().map(written), payment: written(payment), paymentFirst: isPaymentFirst))
      }
    }

    var evidence: [String] {
      let symbols = assets.sorted { $0.key < $1.key }.flatMap { payment, assets in
        assets.map { isPaymentFirst ? payment + $0 : $0 + payment }
      }
      let place = isPaymentFirst ? "begins" : "ends"
      return (symbols.isEmpty ? [] : ["a shorter one \(place) \(symbols.named(upTo: 5)), whose assets are known"])
        + (unclear.isEmpty ? [] : ["it is unclear what is \(unclear.named(upTo: 5))"])
    }

    /// How certain the split is at most, as a share.
    var trust: Double { unclear.isEmpty ? 1 : 0.7 }
  }

  /// Returns the symbols with several of the currencies of which the longest leaves no asset that the sample has, or that
  /// is known, while a shorter one does.
  func exceptions(among currencies: [String]) -> Exceptions {
    var found = Exceptions(isPaymentFirst: isPaymentFirst)
    let currencies = currencies.sorted { $0.count > $1.count }
    for symbol in symbols {
      let all = splits(of: symbol, paidIn: currencies)
      guard all.count > 1 else { continue }
      let pairs = all.filter { pair in
        // Dollars are not paid for with a token of them.
        let (asset, payment) = (CurrencyCode.rank(of: pair.asset), CurrencyCode.rank(of: pair.payment))
        return pair.asset.count > 1 && asset <= payment
      }
      let own = pairs.filter { assets.contains($0.asset) }
      let known = own.isEmpty ? pairs.filter { isAsset($0.asset) } : own
      // In front, a longer currency is a shorter one and a letter that many coins begin with: `USDT`, `USDC`.
      let fitting = known.isEmpty && isPaymentFirst ? all : known
      guard let first = fitting.first else { continue }
      if fitting.count > 1 {
        let names = fitting.map { "\($0.asset)/\($0.payment)" }.joined(separator: " or ")
        found.unclear.append("\(symbol): \(names)")
      } else if first.payment != all[0].payment {
        found.assets[first.payment, default: []].append(first.asset)
      }
    }
    return found
  }

  /// Returns unknown endings after at least three assets that are known from elsewhere in the sample.
  private func learned() -> [String: Int] {
    let rest = symbols.filter { Self.known(endingOf: $0).isEmpty }
    guard rest.count >= 3 else { return [:] }
    var found: [String: Int] = [:]
    for symbol in rest {
      for length in 2...6 where symbol.count >= length + 2 {
        if isAsset(String(symbol.dropLast(length))) { found[String(symbol.suffix(length)), default: 0] += 1 }
      }
    }
    // A coin of the sample that ends half of the rest is their payment currency, whatever precedes it.
    for symbol in rest {
      for length in 2...6 where symbol.count >= length + 2 {
        let ending = String(symbol.suffix(length))
        if found[ending] == nil, assets.contains(ending) {
          let count = rest.count { $0.hasSuffix(ending) }
          found[ending] = count * 2 >= rest.count ? count : 0
        }
      }
    }
    return found.filter { $0.value >= 3 && $0.value * 4 >= rest.count }
  }
}
