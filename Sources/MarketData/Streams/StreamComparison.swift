import Mapping
import Quotes

// Compares the data of a stream with an answer about the same pair.

extension Decimal {
  /// Returns whether it differs from another price by more than `limitPercent` percent.
  func isFar(from other: Decimal, _ limitPercent: Decimal) -> Bool {
    guard other.signum > 0, let percent = ((self - other) * 100).divided(by: other) else { return false }
    return percent.magnitude > limitPercent
  }
}

extension OrderBook {
  /// Returns the middles of a streamed book and of this polled one if a bid of either is more than `percent` above an
  /// ask of the other; nil if not, or if one of them has only one side.
  func middles(beside streamed: OrderBook, beyond percent: Decimal) -> (streamed: Decimal, before: Decimal)? {
    func isAbove(_ bid: Level?, _ ask: Level?) -> Bool {
      guard let bid, let ask else { return false }
      return bid.price > ask.price * (1 + percent.scaledByPowerOfTen(-2))
    }
    guard isAbove(bids.first, streamed.asks.first) || isAbove(streamed.bids.first, asks.first) else { return nil }
    return streamed.middle.flatMap { own in middle.map { (own, $0) } }
  }

  /// Returns whether both books have the same best prices.
  func hasSameBest(as other: OrderBook) -> Bool {
    bids.first?.price == other.bids.first?.price && asks.first?.price == other.asks.first?.price
  }

  /// Returns whether another book has the same best levels, as many as both it and a third book have. Answers may
  /// aggregate differently than a stream, or show levels that it lacks; but those that it has cannot change while it is
  /// silent.
  func hasSameLevels(as other: OrderBook, within third: OrderBook) -> Bool {
    let counts = (min(other.bids.count, third.bids.count), min(other.asks.count, third.asks.count))
    return zip(bids, other.bids.prefix(counts.0)).allSatisfy { $0 == $1 }
      && zip(asks, other.asks.prefix(counts.1)).allSatisfy { $0 == $1 }
  }
}

extension Instant {
  /// By how much the clocks of two hosts of an exchange may differ, or two times of a trade, one of which is in whole
  /// seconds.
  static let hostTolerance = Duration.seconds(1)

  /// Returns whether this time of an answer shows that a message with another time is older, if both mean the same. A time
  /// of another unit is not, and after one in the future all would be.
  func outdates(_ sent: Instant, at arrival: Instant) -> Bool {
    sent.advanced(by: Self.hostTolerance) < self && !sent.isBeforeCoins && !isFuture(at: arrival)
  }
}

extension Ticker {
  /// Returns whether this row of an answer is newer than a message's, as the exchange's times say, and differs from it.
  /// An answer's own time says nothing about that of a trade, which stays as it is while the price is valid.
  ///
  /// - Parameter fields: The figures to compare: others may move while the last trade is the same.
  func outdates(_ message: Ticker, in fields: TickerFields, at arrival: Instant) -> Bool {
    guard let time, let sent = message.time, timeBasis == .trade || message.timeBasis == .quote,
      !message.agrees(with: self, in: fields)
    else { return false }
    return time.outdates(sent, at: arrival)
  }

  /// Returns the same about the price of a message, or its bid and ask if it has no price. One that repeats the price of an
  /// earlier message is not judged.
  func outdates(_ message: Ticker, at arrival: Instant) -> Bool {
    let figures: [TickerField] = message.price.value == nil ? [.bid, .ask] : [.price]
    return message.otherPriceArrival == nil && outdates(message, in: TickerFields(figures), at: arrival)
  }

  /// Returns whether another row has the same data for the pair, regardless of its arrival.
  func hasSameCells(as other: Ticker) -> Bool {
    TickerField.allCases.allSatisfy { $0 == .time || self[$0] == other[$0] } && time == other.time
  }

  /// Returns whether no figure that both rows have differs, among some fields.
  func agrees(with other: Ticker, in fields: TickerFields) -> Bool {
    fields.fields.allSatisfy { field in
      guard let own = cell(field).value, let others = other.cell(field).value else { return true }
      return own == others
    }
  }

  /// Returns the row with the best prices of an order book as bid and ask, and what the book says of itself.
  func taking(offersOf book: OrderBook, arrival: Instant?) -> Ticker {
    let offers = Ticker(
      exchange: exchange, market: market, symbol: symbol, pair: pair,
      bid: book.bids.first.map { .value($0.price) } ?? .missing(.emptyAnswer),
      ask: book.asks.first.map { .value($0.price) } ?? .missing(.emptyAnswer))
    var row = self
    row.takeCells([.bid, .ask], from: offers)
    row.otherPriceArrival = price.value == nil ? nil : priceArrival
    (row.time, row.timeBasis) = (book.time, .quote)
    row.timeMissing = book.time == nil ? book.timeMissing ?? .notOffered : nil
    (row.arrival, row.flags) = (arrival, book.flags)
    return row
  }

  /// Takes the time of a later trade at its price that another row of the pair knows of. The price has arrived again with
  /// that row, if it is the later one. A time that was in the future when it arrived is not one of a trade.
  mutating func takeTrade(of other: Ticker) {
    guard other.timeBasis == .trade, let later = other.time, price.value != nil, price == other.price,
      timeBasis != .trade || time.map({ $0 < later }) ?? true, other.ageNanoseconds ?? 0 >= 0
    else { return }
    takeTime(from: other)
    if let own = priceArrival, let again = other.priceArrival, own < again { otherPriceArrival = again }
    // The other row judged the trade when it arrived itself, and knows nothing of a late message.
    flags.removeAll(where: \.isOfOldTrade)
    if let time = timeByClock, let lastArrival,
      let flag = MeaningCheck.tradeFinding(time: time, arrival: lastArrival),
      !flags.contains(where: { $0.kind == flag.kind })
    {
      flags.append(flag)
    }
  }

  /// Returns the row with cells of an answer, and what the answer's flags say about them; nil if it has none of them.
  ///
  /// - Parameters:
  ///   - lacking: The fields that the row lacks, for which even the reason of an empty cell is taken.
  ///   - known: The fields that the row has as well.
  func taking(_ lacking: TickerFields, and known: TickerFields, from answer: Ticker) -> Ticker? {
    let taken = TickerField.allCases.filter { field in
      if lacking.contains(TickerFields(field)) { return answer.cell(field) != .missing(.notRequested) }
      return known.contains(TickerFields(field)) && answer.cell(field).value != nil
    }
    guard !taken.isEmpty else { return nil }
    var row = self
    row.takeCells(taken, from: answer)
    let isMoving = TickerFields(taken).isSuperset(of: TickerFields([.changePricePercent24, .open]))
    if isMoving, answer.isChangeFromOpen { row.renewChange() }
    var isPriced = false
    if let headline = TickerField.headlines.first(where: { row[$0].value != nil }), taken.contains(headline) {
      row.otherPriceArrival = answer.priceArrival
      row.takeTime(from: answer)
      isPriced = true
    }
    let fields = TickerFields(taken)
    // The price is as old as the answer says.
    func isTaken(_ flag: Flag, of ticker: Ticker) -> Bool {
      flag.isAbout(fields, of: ticker) || isPriced && flag.kind == .stale
    }
    row.flags = flags.filter { !isTaken($0, of: row) } + answer.flags.filter { isTaken($0, of: answer) }
    row.takeTrade(of: answer)
    return row
  }
}

extension Flag {
  fileprivate var isOfOldTrade: Bool {
    if case .old(.lastTrade, _, _) = fact { true } else { false }
  }
}

extension Candle {
  /// Returns whether this candle of an answer has nothing that a stream's latest lacks; nil if it is an older one.
  func continues(_ streamed: Candle) -> Bool? {
    guard start >= streamed.start else { return nil }
    if start == streamed.start { return close == streamed.close }
    // When nothing is traded, some exchanges have empty candles, which their streams do not send.
    return volume.value.map { $0.signum == 0 } ?? (close == streamed.close)
  }
}

extension StreamEvent.Content {
  /// Returns whether its figures are those of a message, rather than those of an answer in place of a repeated row.
  func isOf(_ message: StreamUpdate.Value) -> Bool {
    guard case (.ticker(let told), .ticker(let sent)) = (self, message) else { return true }
    return told.hasSameCells(as: sent)
  }
}
