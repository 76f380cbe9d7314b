package import Quotes

/// A pair as typed.
package enum PairArgument {
  /// Parses two words, or one with both names as exchanges write it: `BTC/USDT`, `btc-usdt`.
  package static func pair(
    _ first: String, _ second: String?, of command: String
  ) throws(UsageProblem) -> (asset: String, payment: String?) {
    if second == nil {
      try refuseUnseparated(first, of: command)
      let parts = parts(of: first)
      if parts.count == 2 {
        let names = (try name(parts[0], "asset", command), try name(parts[1], "payment currency", command))
        try refuseTurned(first, names.0, names.1, command)
        return names
      }
    }
    if let second, Pair(first) != nil {
      let words = second.contains("/") ? "'\(first)' and '\(second)' are two pairs" : "'\(first)' is already a pair"
      throw .other("\(words); name one, for example: market \(command) \(first)")
    }
    let asset = try name(first, "asset", command)
    guard let second else { return (asset, nil) }
    let payment = try name(second, "payment currency", command)
    try refuseTurned("\(first) \(second)", asset, payment, command)
    return (asset, payment)
  }

  /// Refuses a pair without anything between its names, `btcusdt`, as not every such word has one meaning.
  package static func refuseUnseparated(_ word: String, of command: String) throws(UsageProblem) {
    guard !word.contains(where: { "/-_:".contains($0) }), let pair = PairWord.pair(in: word) else { return }
    throw .other("'\(word)' looks like a pair; run: market \(command) \(pair.asset) \(pair.payment)")
  }

  /// Returns the pair in a word that joins two names; nil for any other word. A national currency before a coin, as in
  /// Upbit's `KRW-BTC`, is the one it is priced in.
  package static func joined(_ word: String) -> Pair? {
    let parts = parts(of: word.uppercased())
    guard parts.count == 2, parts.allSatisfy(Pair.isName) else { return nil }
    let pair = Pair(asset: parts[0], payment: parts[1])
    return isTurned(pair) ? Pair(asset: parts[1], payment: parts[0]) : pair
  }

  /// Splits a word at its slashes. Only without one do other signs separate, as names contain them: `XBT-LBANK/USDT`.
  private static func parts(of word: String) -> [String] {
    let separators = word.contains("/") ? "/" : "-_:"
    return word.split(omittingEmptySubsequences: false) { separators.contains($0) }.map(String.init)
  }

  /// Refuses won or dollars priced in coins: no exchange has such pairs, but some write theirs that way round.
  private static func refuseTurned(
    _ typed: String, _ asset: String, _ payment: String, _ command: String
  ) throws(UsageProblem) {
    let pair = Pair(asset: asset.uppercased(), payment: payment.uppercased())
    guard isTurned(pair) else { return }
    throw .other("'\(typed)' has the payment currency first; run: market \(command) \(pair.payment)/\(pair.asset)")
  }

  private static func isTurned(_ pair: Pair) -> Bool {
    ["KRW", "USD", "JPY"].contains(pair.asset) && PairWord.isCoin(pair.payment)
  }

  /// Returns the pair the other way round if that is how exchanges write it: ETH/BTC for BTC/ETH.
  package static func reversed(_ pair: Pair) -> Pair? {
    PairWord.isReversed(pair) ? Pair(asset: pair.payment, payment: pair.asset) : nil
  }

  /// Parses a sequence of pairs, each either two words or one with both names.
  package static func pairs(_ words: [String], of command: String) throws(UsageProblem) -> [Pair] {
    var pairs: [Pair] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word.contains(where: { "/-_:".contains($0) }) || rest.isEmpty {
        pairs.append(try wholePair(word, of: command))
      } else {
        try refuseUnseparated(word, of: command)
        let (asset, payment) = try pair(word, rest.popFirst(), of: command)
        pairs.append(Pair(asset: asset.uppercased(), payment: (payment ?? "").uppercased()))
      }
    }
    return pairs
  }

  /// Parses pairs of one word each.
  package static func wholePairs(_ words: [String], of command: String) throws(UsageProblem) -> [Pair] {
    if words.count == 2, words.allSatisfy(Pair.isName), PairWord.pair(in: words[0]) == nil, PairWord.isPayment(words[1])
    {
      throw .other("a pair is one word here; run: market \(command) \(words[0])/\(words[1])")
    }
    return try words.map { word throws(UsageProblem) in try wholePair(word, of: command) }
  }

  /// Parses a pair of one word.
  package static func wholePair(_ word: String, of command: String) throws(UsageProblem) -> Pair {
    if !word.contains(where: { "/-_:".contains($0) }), let known = PairWord.pair(in: word) {
      throw .other("'\(word)' looks like a pair; run: market \(command) \(known.asset)/\(known.payment)")
    }
    let (asset, payment) = try pair(word, nil, of: command)
    guard let payment else { throw .other("'\(word)' is not a pair; write it like: market \(command) BTC/USDT") }
    return Pair(asset: asset.uppercased(), payment: payment.uppercased())
  }

  /// Returns a single name; lists and pairs are rejected.
  private static func name(_ word: String, _ kind: String, _ command: String) throws(UsageProblem) -> String {
    guard !word.allSatisfy(\.isWhitespace) else {
      throw .other("missing \(kind); write the pair as BTC USDT or as BTC/USDT")
    }
    guard Pair.isName(word) else {
      let typed = UsageProblem.brief(word)
      throw .other("invalid \(kind) '\(typed)'; expected one name, for example: market \(command) BTC/USDT")
    }
    return word
  }
}
