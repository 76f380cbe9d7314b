/// The words of a column for the two sides of trades or of a book, as written: `BUY` and `SELL`.
struct SideWords {
  let buy: String
  let sell: String

  private static let buys: Set<String> = ["buy", "bid", "b", "buyer", "long"]
  private static let sells: Set<String> = ["sell", "ask", "s", "a", "seller", "short"]

  /// Returns whether a word is that of a side, ignoring case.
  static func isSide(_ word: String) -> Bool {
    buys.contains(word.lowercased()) || sells.contains(word.lowercased())
  }

  /// Returns nil if there are two words for one side, or others. If one side has no word, it follows from the other's.
  init?(_ words: some Collection<String>) {
    let buys = words.filter { Self.buys.contains($0.lowercased()) }
    let sells = words.filter { Self.sells.contains($0.lowercased()) }
    guard buys.count <= 1, sells.count <= 1, buys.count + sells.count == words.count, let known = words.first else {
      return nil
    }
    buy = buys.first ?? Self.counterpart(of: known)
    sell = sells.first ?? Self.counterpart(of: known)
  }

  /// `SELL` for `BUY`.
  private static func counterpart(of word: String) -> String {
    let others = [
      "buy": "sell", "sell": "buy", "bid": "ask", "ask": "bid", "b": "s", "s": "b", "a": "b", "buyer": "seller",
      "seller": "buyer", "long": "short", "short": "long",
    ]
    let other = others[word.lowercased()] ?? ""
    if word == word.uppercased() { return other.uppercased() }
    return word.first?.isUppercase == true ? other.prefix(1).uppercased() + other.dropFirst() : other
  }
}
