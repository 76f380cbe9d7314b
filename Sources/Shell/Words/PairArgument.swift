import Inference
package import Quotes

/// A pair as typed.
package enum PairArgument {
  /// Parses two words, or one with both names as exchanges write it: `BTC/USDT`, `btc-usdt`.
  package static func pair(
    _ first: String, _ second: String?, of command: String
  ) throws(UsageProblem) -> (asset: String, payment: String?) {
    if second == nil {
      if let pair = PairWord.pair(in: first) {
        guard first.contains(where: { "/-_:".contains($0) }) else {
          throw .other("'\(first)' looks like a pair; run: market \(command) \(pair.asset) \(pair.payment)")
        }
      }
      let parts = first.split(omittingEmptySubsequences: false) { "/-_:".contains($0) }.map(String.init)
      if parts.count == 2 {
        return (try name(parts[0], "asset", command), try name(parts[1], "payment currency", command))
      }
    }
    if let second, Pair(first) != nil {
      let words = second.contains("/") ? "'\(first)' and '\(second)' are two pairs" : "'\(first)' is already a pair"
      throw .other("\(words); name one, for example: market \(command) \(first)")
    }
    return (
      try name(first, "asset", command),
      try second.map { word throws(UsageProblem) in try name(word, "payment currency", command) }
    )
  }

  /// Parses a sequence of pairs, each either two words or one with both names.
  package static func pairs(_ words: [String], of command: String) throws(UsageProblem) -> [Pair] {
    var pairs: [Pair] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word.contains(where: { "/-_:".contains($0) }) || rest.isEmpty {
        pairs.append(try wholePair(word, of: command))
      } else {
        let (asset, payment) = try pair(word, rest.popFirst(), of: command)
        pairs.append(Pair(asset: asset.uppercased(), payment: (payment ?? "").uppercased()))
      }
    }
    return pairs
  }

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
      throw .other("invalid \(kind) '\(word)'; expected one name, for example: market \(command) BTC/USDT")
    }
    return word
  }
}
