import Config
package import Quotes

/// The similarity of two member names, since renamed members often keep a part of their name.
package enum NameLikeness {
  /// Returns a score from 0 (nothing in common) to 1 (same letters, ignoring case and punctuation).
  ///
  ///     NameLikeness.score("last", "lastPrice")       // one word of it
  ///     NameLikeness.score("percentChange", "pc")     // its initials
  ///     NameLikeness.score("highPrice", "lowPrice")   // near in letters, and the opposite
  package static func score(_ first: String, _ second: String) -> Double {
    let (one, other) = (Spelling.folded(first), Spelling.folded(second))
    if one.isEmpty || other.isEmpty { return 0 }
    if one == other { return 1 }
    let names = (FieldName(first), FieldName(second))
    let best = max(
      words(names.0, names.1), max(initials(first, other), initials(second, one)), shortened(one, other),
      spelling(one, other))
    return contradict(names.0, names.1) ? best * 0.2 : best
  }

  /// Returns whether a name clearly means something other than a field: `indexPrice` is not a last price, whatever its
  /// numbers. A name with an unknown word is inconclusive.
  package static func denies(_ name: String, _ field: TickerField) -> Bool {
    let words = FieldName(name)
    let isKnown = words.unknownCount == 0 && words.letter == nil && !words.words.isEmpty
    guard isKnown, words.words.contains(where: { ![.filler, .total, .value].contains($0) }),
      let role = Role.allCases.first(where: { $0.field == field })
    else { return false }
    let score = FieldLexicon.score(role, words)
    return score == 0 || role == .price && score <= FieldLexicon.reckoned
  }

  /// Returns whether a name may say how large a contract is: `ctVal`, `contract_size`, `quantoMultiplier`.
  package static func mayBeContractSize(_ name: String) -> Bool {
    FieldName.chunks(of: name).map { $0.lowercased() }.contains {
      ["ct", "face", "multiplier", "quanto"].contains($0) || $0.hasPrefix("contract")
    }
  }

  /// Returns whether a name is rather that of the last price: `lastPrice`, `close`, `rate`.
  package static func mayBeLastPrice(_ name: String) -> Bool {
    let words = FieldName(name)
    return words.letter == nil && FieldLexicon.score(.price, words) >= 0.4
  }

  /// Returns the share of words with the same meaning: `closing_price` and `lastPx`.
  private static func words(_ first: FieldName, _ second: FieldName) -> Double {
    let (one, other) = (Set(first.words.map(\.common)), Set(second.words.map(\.common)))
    let shared = one.intersection(other).subtracting([.rolling, .filler, .day])
    guard !shared.isEmpty else { return 0 }
    let whole = one.union(other).subtracting([.filler])
    return 0.5 + 0.45 * Double(shared.count) / Double(max(1, whole.count))
  }

  /// Recognizes `pc` for `percentChange`, `p24` for `percent24h`.
  private static func initials(_ long: String, _ short: String) -> Double {
    let letters = FieldName.chunks(of: long).compactMap { $0.first.map { String($0).lowercased() } }.joined()
    let digits = FieldName.chunks(of: long).map { chunk in
      chunk.first?.isNumber == true ? chunk.filter(\.isNumber) : String(chunk.prefix(1)).lowercased()
    }.joined()
    guard short == letters || short == digits else { return 0 }
    return letters.count > 1 ? 0.75 : 0.55
  }

  /// Recognizes `chg` for `change`, `vol` for `volume`: the same first letter, and the others in the same order.
  private static func shortened(_ one: String, _ other: String) -> Double {
    let (short, long) = one.count < other.count ? (one, other) : (other, one)
    guard let first = short.first, long.first == first, short.count < long.count else { return 0 }
    if long.hasPrefix(short) { return short.count == 1 ? 0.5 : 0.75 }
    var rest = long[...]
    for letter in short {
      guard let place = rest.firstIndex(of: letter) else { return 0 }
      rest = rest[rest.index(after: place)...]
    }
    return short.count < 3 ? 0.45 : 0.65
  }

  private static func spelling(_ one: String, _ other: String) -> Double {
    let length = max(one.count, other.count)
    guard length > 2, length <= 64 else { return 0 }
    let kept = 1 - Double(Spelling.distance(one, other)) / Double(length)
    return kept >= 0.6 ? kept * 0.9 : 0
  }

  /// Mutually exclusive words in a name: a high is not a low.
  private static let opposites: [[NameWord]] = [
    [.high], [.low], [.bid, .buy], [.ask, .sell], [.open, .previous], [.volume, .turnover, .amount, .quantity],
    [.time], [.count],
  ]

  private static func contradict(_ first: FieldName, _ second: FieldName) -> Bool {
    func sides(_ name: FieldName) -> Set<Int> {
      Set(opposites.indices.filter { name.hasAny(opposites[$0]) })
    }
    let (one, other) = (sides(first), sides(second))
    return !one.isEmpty && !other.isEmpty && one.isDisjoint(with: other)
  }
}

extension NameWord {
  /// The common word for synonyms in tickers.
  fileprivate var common: NameWord {
    switch self {
    case .close, .current: .last
    case .buy: .bid
    case .sell: .ask
    case .maximum: .high
    case .minimum: .low
    case .ratio, .rate: .percent
    case .amount, .quantity: .volume
    case .previous: .open
    case .updated: .time
    case .total: .filler
    case .coin: .base
    case .today: .day
    default: self
    }
  }
}
