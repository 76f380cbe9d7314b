/// Who took the offer that lay in the book.
package enum TradeSide: String, Sendable, Hashable {
  case buy
  case sell
}

/// The words by which an exchange says who took: lists of texts, compared without regard to case.
package struct SideWords: Sendable, Hashable {
  /// As the config writes them.
  package let buyWords: [String]
  package let sellWords: [String]
  private let buy: Set<String>
  private let sell: Set<String>

  package init(buy: [String], sell: [String]) {
    buyWords = buy
    sellWords = sell
    self.buy = Set(buy.map { $0.lowercased() })
    self.sell = Set(sell.map { $0.lowercased() })
  }

  /// nil for any other word: an auction has no taker.
  package func side(_ word: String) -> TradeSide? {
    let word = word.lowercased()
    if buy.contains(word) { return .buy }
    return sell.contains(word) ? .sell : nil
  }
}

/// One trade of a pair.
package struct Trade: Sendable, Hashable {
  package let time: Instant
  /// In the payment currency; above zero.
  package let price: Decimal
  /// In the asset; above zero, or why it is not known.
  package let size: Cell
  /// What the taker did; nil where the exchange does not say.
  package let side: TradeSide?
  /// The exchange's own number of the trade.
  package let id: String?

  package init(time: Instant, price: Decimal, size: Cell, side: TradeSide?, id: String?) {
    self.time = time
    self.price = price
    self.size = size
    self.side = side
    self.id = id
  }
}
