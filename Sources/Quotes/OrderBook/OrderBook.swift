/// The bids and asks at one moment, best price first.
package struct OrderBook: Sendable, Hashable {
  /// The amount of the asset at one price.
  package struct Level: Sendable, Hashable {
    package let price: Decimal
    package let size: Decimal

    package init(price: Decimal, size: Decimal) { (self.price, self.size) = (price, size) }
  }

  /// Highest price first.
  package let bids: [Level]
  /// Lowest price first.
  package let asks: [Level]
  /// The exchange's time of this state; nil if it does not say.
  package let time: Instant?
  /// The exchange's sequence number of this state, which rises with each change.
  package let sequence: String?
  /// Warnings about the book, for example that it is stale.
  package var flags: [Flag]
  /// Why a time that the config names was not read; nil if it was, or if the config names none.
  private let unreadTime: Missing?
  /// The sides whose last level was merged from several and may hold more than was received: the book ends within the
  /// step.
  package private(set) var endsWithinStep = Sides()

  package struct Sides: Sendable, Hashable {
    package var bids = false
    package var asks = false
  }

  /// Creates a book from levels in any order. Levels without a price or a size are padding and dropped, and levels of
  /// the same price are merged.
  ///
  /// - Parameter unreadTime: Why a time that the config names was not read.
  package init(
    bids: [Level], asks: [Level], time: Instant? = nil, unreadTime: Missing? = nil, sequence: String? = nil,
    flags: [Flag] = []
  ) {
    self.init(
      inOrder: Self.ordered(bids) { $0 > $1 }, Self.ordered(asks) { $0 < $1 }, time: time, unreadTime: unreadTime,
      sequence: sequence, flags: flags)
  }

  /// - Parameter bids: Sorted, with sizes above zero, each price once. `asks` likewise.
  package init(
    inOrder bids: [Level], _ asks: [Level], time: Instant?, unreadTime: Missing? = nil, sequence: String?,
    flags: [Flag] = []
  ) {
    self.bids = bids
    self.asks = asks
    self.time = time
    self.unreadTime = unreadTime
    self.sequence = sequence
    self.flags = flags
  }

  private static func ordered(_ levels: [Level], _ isBetter: (Decimal, Decimal) -> Bool) -> [Level] {
    // Nearly every exchange sends them sorted and without padding.
    func isPlain(_ level: Level) -> Bool { level.price.signum > 0 && level.size.signum > 0 }
    let isOrdered = levels.indices.allSatisfy { index in
      isPlain(levels[index]) && (index == 0 || isBetter(levels[index - 1].price, levels[index].price))
    }
    guard !isOrdered else { return levels }
    var result = levels.filter(isPlain)
    if zip(result, result.dropFirst()).contains(where: { !isBetter($0.price, $1.price) }) {
      result.sort { isBetter($0.price, $1.price) }
      result = joined(result) { $0 }
    }
    return result
  }

  /// Merges adjacent levels that map to the same price, adding their sizes.
  private static func joined(_ levels: [Level], price: (Decimal) -> Decimal) -> [Level] {
    var result: [Level] = []
    for level in levels {
      let price = price(level.price)
      if let last = result.last, last.price == price {
        result[result.count - 1] = Level(price: last.price, size: last.size + level.size)
      } else {
        result.append(Level(price: price, size: level.size))
      }
    }
    return result
  }

  /// Whether the best bid is above the best ask: such a book mixes two moments or has its sides swapped.
  package var isCrossed: Bool {
    guard let bid = bids.first, let ask = asks.first else { return false }
    return bid.price > ask.price
  }

  /// The midpoint of the best prices; nil for a one-sided book.
  package var middle: Decimal? {
    guard let bid = bids.first, let ask = asks.first else { return nil }
    return (bid.price + ask.price) * Decimal(exactly: 5, exponent: -1)
  }

  /// Why there is no time; nil if there is one, or if a flag says that it cannot be read.
  package var timeMissing: Missing? {
    time == nil && !flags.contains { $0.kind == .time } ? unreadTime ?? .notOffered : nil
  }

  /// The price of the asset: the midpoint, or the best price of the only side; nil for an empty book.
  package var price: Decimal? { middle ?? bids.first?.price ?? asks.first?.price }

  /// The difference between the best prices; nil for a one-sided book.
  package var spread: Decimal? {
    guard let bid = bids.first, let ask = asks.first else { return nil }
    return ask.price - bid.price
  }

  /// The spread in percent of the midpoint.
  package var spreadPercent: Decimal? {
    guard let spread, let middle else { return nil }
    return spread.scaledByPowerOfTen(2).divided(by: middle)
  }

  /// Returns the best `depth` levels of each side.
  package func best(_ depth: Int) -> OrderBook {
    guard bids.count > depth || asks.count > depth else { return self }
    var book = OrderBook(
      inOrder: Array(bids.prefix(depth)), Array(asks.prefix(depth)), time: time, unreadTime: unreadTime,
      sequence: sequence, flags: flags)
    book.endsWithinStep = Sides(
      bids: endsWithinStep.bids && bids.count <= depth, asks: endsWithinStep.asks && asks.count <= depth)
    return book
  }

  /// Returns the levels merged into multiples of a step: bids rounded down and asks up, so that no price looks better
  /// than it is. The best prices, and what is derived from them, remain those of the original book.
  ///
  /// - Parameter step: Above zero.
  package func stepped(by step: Decimal) -> OrderBook {
    func floor(_ price: Decimal) -> Decimal { Self.whole(price, step) * step }
    func ceiling(_ price: Decimal) -> Decimal {
      let below = floor(price)
      return below == price ? below : below + step
    }
    // Bids below the step become zero but remain bids.
    var book = OrderBook(
      inOrder: Self.joined(bids, price: floor), Self.joined(asks, price: ceiling), time: time, unreadTime: unreadTime,
      sequence: sequence, flags: flags)
    book.endsWithinStep = Sides(
      bids: bids.last.map { floor($0.price) < $0.price } ?? false,
      asks: asks.last.map { ceiling($0.price) > $0.price } ?? false)
    return book
  }

  /// Returns the number of whole steps in a price.
  private static func whole(_ price: Decimal, _ step: Decimal) -> Decimal {
    guard let steps = price.divided(by: step) else { return 0 }
    let nearest = steps.rounded(toPlaces: 0)
    return nearest * step > price ? nearest - 1 : nearest
  }

  /// Returns the amounts of the asset bid and asked within `percent` of the midpoint, or in total if nil.
  package func sizes(within percent: Decimal? = nil) -> (bids: Decimal, asks: Decimal) {
    var limits: (low: Decimal, high: Decimal)?
    if let percent, let middle {
      let distance = middle * percent.scaledByPowerOfTen(-2)
      limits = (middle - distance, middle + distance)
    }
    func sum(_ levels: [Level]) -> Decimal {
      levels.reduce(0) { sum, level in
        if let limits, level.price < limits.low || level.price > limits.high { return sum }
        return sum + level.size
      }
    }
    return (sum(bids), sum(asks))
  }
}

// MARK: Walking the book

extension OrderBook {
  /// The outcome of an order that is filled immediately.
  package struct Fill: Sendable, Hashable {
    /// The amount of the asset that was filled, less than requested if the book ends first.
    package let size: Decimal
    /// The cost or proceeds in the payment currency, before fees.
    package let money: Decimal
    package let averagePrice: Decimal
    /// The price of the best level, where the walk starts.
    package let bestPrice: Decimal
    /// The number of levels used.
    package let levels: Int
    package let isWhole: Bool

    /// How much worse the average price is than the best price, in percent of the best price; never negative.
    package var slippagePercent: Decimal? {
      let difference = averagePrice > bestPrice ? averagePrice - bestPrice : bestPrice - averagePrice
      return difference.percent(of: bestPrice)
    }
  }

  /// Returns the fill for buying this much of the asset; nil if there are no asks.
  package func buying(_ size: Decimal) -> Fill? { Self.fill(asks, size) }

  /// Returns the fill for selling this much of the asset; nil if there are no bids.
  package func selling(_ size: Decimal) -> Fill? { Self.fill(bids, size) }

  private static func fill(_ levels: [Level], _ size: Decimal) -> Fill? {
    guard let best = levels.first, size.signum > 0 else { return nil }
    var rest = size
    // Summed, since a huge size has no digits left for the difference.
    var filled = Decimal(0)
    var money = Decimal(0)
    var count = 0
    for level in levels where rest.signum > 0 {
      let part = min(level.size, rest)
      money = money + part * level.price
      filled = filled + part
      rest = rest - part
      count += 1
    }
    guard let average = money.divided(by: filled) else { return nil }
    return Fill(
      size: filled, money: money, averagePrice: average, bestPrice: best.price, levels: count, isWhole: rest.isZero)
  }

  /// Returns the average price when spending this much money on the asset; nil if the book holds less.
  package func averagePrice(buyingFor money: Decimal) -> Decimal? { Self.averagePrice(asks, for: money) }

  /// Returns the average price when selling the asset for this much money; nil if the book holds less.
  package func averagePrice(sellingFor money: Decimal) -> Decimal? { Self.averagePrice(bids, for: money) }

  /// Walks from the best price. `money` is in the payment currency and above zero.
  private static func averagePrice(_ levels: [Level], for money: Decimal) -> Decimal? {
    var rest = money
    var amount = Decimal(0)
    for level in levels {
      let worth = level.price * level.size
      if worth >= rest {
        guard let last = rest.divided(by: level.price) else { return nil }
        return money.divided(by: amount + last)
      }
      rest = rest - worth
      amount = amount + level.size
    }
    return nil
  }
}

extension [OrderBook.Level] {
  /// The levels, each with the sum of the sizes up to it.
  package var withTotals: [(level: OrderBook.Level, total: Decimal)] {
    var total = Decimal(0)
    return map { level in
      total = total + level.size
      return (level, total)
    }
  }
}
