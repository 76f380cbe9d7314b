/// The side of the taker in a trade.
package enum TradeSide: String, Sendable, Hashable {
  case buy
  case sell
}

/// The words that an exchange uses for the taker's side, compared case-insensitively.
///
/// A class because every trade is compared with them: one reference instead of three arrays.
package final class SideWords: Sendable, Hashable {
  /// As written in the config.
  package let buyWords: [String]
  package let sellWords: [String]
  /// In lower case, each with its side.
  private let words: [(word: [UInt8], side: TradeSide)]

  package init(buy: [String], sell: [String]) {
    buyWords = buy
    sellWords = sell
    words = buy.map { (Array($0.lowercased().utf8), .buy) } + sell.map { (Array($0.lowercased().utf8), .sell) }
  }

  package static func == (left: SideWords, right: SideWords) -> Bool {
    left.buyWords == right.buyWords && left.sellWords == right.sellWords
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(buyWords)
    hasher.combine(sellWords)
  }

  /// Returns nil for any other word: an auction has no taker.
  package func side(_ word: String) -> TradeSide? {
    var word = word.lowercased()
    return word.withUTF8 { side($0) }
  }

  /// Returns the side for the bytes of a word, ignoring ASCII case.
  package func side(_ word: UnsafeBufferPointer<UInt8>) -> TradeSide? {
    for known in words where known.word.count == word.count {
      if zip(known.word, word).allSatisfy({ $0 == ($1 &- UInt8(ascii: "A") < 26 ? $1 | 0x20 : $1) }) {
        return known.side
      }
    }
    return nil
  }
}

package struct Trade: Sendable, Hashable {
  package let time: Instant
  /// In the payment currency; above zero.
  package let price: Decimal
  /// In the asset; above zero, or the reason it is missing.
  package let size: Cell
  /// The side of the taker; nil if the exchange does not say.
  package let side: TradeSide?
  /// The exchange's own trade ID.
  package let id: String?

  package init(time: Instant, price: Decimal, size: Cell, side: TradeSide?, id: String?) {
    self.time = time
    self.price = price
    self.size = size
    self.side = side
    self.id = id
  }
}
