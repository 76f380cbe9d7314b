import Cassettes
import Quotes

/// The name of a recording, such as `spot-BTC-USDT` or `futures-NOPE_USDC-PERPETUAL`, and the pairs that it may stand
/// for.
struct RecordingName {
  private let words: [Substring]

  /// nil where the name does not begin with that word, or is no name of one pair.
  init?(_ entry: CassettePlayer.Entry, of kind: String) {
    words = entry.name.split { !$0.isLetter && !$0.isNumber }
    guard words.count >= 2, words[0] == kind, !["lookup", "tickers"].contains(words[1]) else { return nil }
  }

  /// The pair that the name spells; nil where it is written in another way.
  var pair: Pair? {
    words.count >= 3 ? Pair(asset: words[1].uppercased(), payment: words[2].uppercased()) : nil
  }

  /// The pairs that may be meant, asset and payment currency in any place of the name.
  func guesses(payments: Set<String>) -> [Pair] {
    let words = words.dropFirst().map { $0.uppercased() }
    var assets: [String] = []
    for word in words where !payments.contains(word) {
      assets.append(word)
      for payment in payments where word.count > payment.count {
        if word.hasSuffix(payment) { assets.append(String(word.dropLast(payment.count))) }
        if word.hasPrefix(payment) { assets.append(String(word.dropFirst(payment.count))) }
      }
    }
    return assets.flatMap { asset in payments.sorted().map { Pair(asset: asset, payment: $0) } }
  }
}
