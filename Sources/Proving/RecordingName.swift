import Cassettes
import Config
import Quotes

/// The names of a cassette's recordings, in words.
struct RecordingNames: Sendable {
  private let names: [[Substring]]

  /// - Parameter cassette: nil if there is none.
  init(of cassette: CassettePlayer?) {
    names = cassette?.entries.map { $0.name.split { !$0.isLetter && !$0.isNumber } } ?? []
  }

  /// Returns those that start with a word, and are of a pair.
  func of(_ kind: String) -> [RecordingName] {
    let lead = kind.split(separator: "-")
    return names.filter { $0.starts(with: lead) }.compactMap { name in
      // If the kind has several words, the last one stands for all.
      RecordingName(name.dropFirst(lead.count - 1))
    }
  }
}

/// The name of a recording, such as `spot-BTC-USDT` or `futures-NOPE_USDC-PERPETUAL`, and the pairs it may stand for.
struct RecordingName {
  private let words: [Substring]

  /// Returns nil if the name is not that of a pair.
  fileprivate init?(_ words: ArraySlice<Substring>) {
    self.words = Array(words)
    guard self.words.count >= 2, !["lookup", "tickers"].contains(self.words[1]) else { return nil }
  }

  /// The pair spelled by the name; nil if it is written differently.
  var pair: Pair? {
    words.count >= 3 ? Pair(asset: words[1].uppercased(), payment: words[2].uppercased()) : nil
  }

  /// Returns the possible pairs, with asset and payment currency anywhere in the name.
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

/// The name of a connection, as its subject has it: `spot-ticker-BTC-USDT`, `spot-trades-BTC-USDT-of-3`.
struct ConnectionName {
  let text: String
  /// nil if it names none.
  let channel: StreamChannel?
  /// The first of its pairs, as far as it is named.
  let pair: Pair
  /// nil if the name has another form.
  let pairCount: Int?

  init(_ text: String) {
    self.text = text
    let words = text.split(separator: "-")
    channel = words.count > 1 ? StreamChannel(rawValue: String(words[1])) : nil
    var names = words.dropFirst(2)
    var count = 1
    if names.count >= 4, names.dropLast().last == "of", let number = names.last.flatMap({ Int($0) }) {
      count = number
      names = names.dropLast(2)
    }
    // An asset's name may contain hyphens, a payment currency's does not.
    pair = Pair(asset: names.dropLast().joined(separator: "-"), payment: names.last.map(String.init) ?? "")
    pairCount = names.count >= 2 ? count : nil
  }
}
