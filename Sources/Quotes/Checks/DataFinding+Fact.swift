extension DataFinding {
  /// What was found, with the numbers: put into words only when it is shown, in English here.
  package enum Fact: Sendable, Hashable {
    /// The middle of a book, and the price that it should be near.
    case bookFar(middle: Decimal, price: Decimal)
    /// The median size of the best levels, and what is traded in a day.
    case bookSize(median: Decimal, daily: Decimal)
    case tradeFar(Decimal, price: Decimal)
    case tradeRange(Decimal, low: Decimal, high: Decimal)
    /// Of adjacent trades with different side and price, in how few the buy has the higher price.
    case tradeSide(dearerBuys: Int, of: Int)
    case tradeSizes(sum: Decimal, daily: Decimal, Amount)
    /// Other figures of the pair contradict the contract size with which sizes are computed.
    case contractSize
    case tradeTime(Instant, arrival: Instant)
    case tradeJump(Decimal, power: Decimal, before: Decimal)
    /// The size of a trade at this price is zero or less.
    case tradeShape(price: Decimal)
    case candleTime(start: Instant, arrival: Instant)
    case candleShape(open: Decimal, close: Decimal, low: Decimal, high: Decimal, start: Instant)
    case candleNegative(Decimal, start: Instant)
    case candleGrid(CandleInterval, start: Instant)
    case candleTwice(start: Instant, CandleDifference)
    /// A candle changes long after its end.
    case candleGrowth(CandleInterval, start: Instant, Instant)
    case candlesNear(CandleInterval, seconds: Int64)
    case candlesApart(Int, CandleInterval, seconds: Int64)
    case candleChain
    case candleJump(open: Decimal, power: Decimal, close: Decimal, start: Instant)
    /// A high or low, and the nearer of open and close.
    case candleSpike(Extreme, Decimal, power: Decimal, body: Decimal, start: Instant)
    case candleTurnover(Decimal, volume: Decimal, low: Decimal, high: Decimal, start: Instant)
    /// What the candles of the last hours add up to, and the figure of the day.
    case candleVolume(hours: Int64, Amount, sum: Decimal, daily: Decimal)
    case candleLast(close: Decimal, price: Decimal)
  }

  package enum Amount: String, Sendable, Hashable {
    case volume, turnover
  }

  package enum Extreme: String, Sendable, Hashable {
    case high, low
  }

  /// How two candles with the same start differ.
  package enum CandleDifference: Sendable, Hashable {
    case open(Decimal, Decimal)
    case high(Decimal, Decimal)
    case low(Decimal, Decimal)
    case close(Decimal, Decimal)
    /// Their prices are the same.
    case amounts

    /// The last of the prices that differ tells most.
    init(_ first: Candle, _ second: Candle) {
      if first.close != second.close {
        self = .close(first.close, second.close)
      } else if first.low != second.low {
        self = .low(first.low, second.low)
      } else if first.high != second.high {
        self = .high(first.high, second.high)
      } else if first.open != second.open {
        self = .open(first.open, second.open)
      } else {
        self = .amounts
      }
    }
  }

  /// The likely cause, or what to check.
  package enum Advice: Sendable, Hashable {
    case otherPairOrUnit
    case swappedOrOtherPair
    case unitOfLevels
    case contractsOrUnit
    case otherUnit
    case makersSide
    case clocks
    case unitAndZone
    case unitZoneOrEnd
    case columns
    case zone
    case timeOfLastTrade
    case mixedRows
    case intervalName
    case intervalNameAndUnit
    case openAndClose
    case swappedAmounts
    case factor(Decimal)
    case contractsOrCurrency
    case currencyContractsOrUnit
  }
}

extension DataFinding.Fact {
  /// The check that finds it.
  var kind: DataFinding.Kind {
    switch self {
    case .bookFar: .bookFar
    case .bookSize: .bookSize
    case .tradeFar: .tradeFar
    case .tradeRange: .tradeRange
    case .tradeSide: .tradeSide
    case .tradeSizes, .contractSize: .tradeSize
    case .tradeTime: .tradeTime
    case .tradeJump: .tradeJump
    case .tradeShape: .tradeShape
    case .candleTime: .candleTime
    case .candleShape, .candleNegative: .candleShape
    case .candleGrid: .candleGrid
    case .candleTwice: .candleTwice
    case .candleGrowth, .candlesNear, .candlesApart: .candleStep
    case .candleChain: .candleChain
    case .candleJump: .candleJump
    case .candleSpike: .candleSpike
    case .candleTurnover: .candleTurnover
    case .candleVolume: .candleVolume
    case .candleLast: .candleLast
    }
  }
}

extension DataFinding.Fact: CustomStringConvertible {
  /// One sentence with the numbers, in lower case without a final period.
  package var description: String {
    switch self {
    case .bookFar(let middle, let price):
      "the middle of the book is \(middle.shortest), but the price is \(price.shortest)"
    case .bookSize(let median, let daily):
      "half of the best levels offer at least \(median.shortest) each, but only \(daily.inSixDigits) were traded in a day"
    case .tradeFar(let last, let price):
      "the newest trade is at \(last.shortest), but the price is \(price.shortest)"
    case .tradeRange(let price, let low, let high):
      "a trade at \(price.shortest) is outside the day's \(low.shortest) to \(high.shortest)"
    case .tradeSide(let dearer, let pairs):
      "of \(pairs) adjacent trades with different side and price, the buy has the higher price in only \(dearer)"
    case .tradeSizes(let sum, let daily, let amount):
      "these trades add up to \(sum.inSixDigits), more than the day's \(amount.rawValue) of \(daily.inSixDigits)"
    case .contractSize: "\(Flag.Fact.contractSize)"
    case .tradeTime(let time, let arrival): "a trade at \(time.iso8601) arrived at \(arrival.iso8601)"
    case .tradeJump(let price, let power, let before):
      "a trade at \(price.shortest) is about \(power) times the \(before.shortest) before it"
    case .tradeShape(let price): "the size of a trade at \(price.shortest) is not above zero"
    case .candleTime(let start, let arrival):
      "a candle that starts at \(start.iso8601) arrived at \(arrival.iso8601)"
    case .candleShape(let open, let close, let low, let high, let start):
      "open \(open.shortest) and close \(close.shortest) are not within \(low.shortest) to \(high.shortest), "
        + "at \(start.iso8601)"
    case .candleNegative(let amount, let start):
      "negative volume or turnover \(amount.shortest), at \(start.iso8601)"
    case .candleGrid(let interval, let start): "a \(interval.rawValue) candle starts at \(start.iso8601)"
    case .candleTwice(let start, let difference):
      "two candles start at \(start.iso8601) and differ\(difference.text)"
    case .candleGrowth(let interval, let start, let time):
      "a candle of \(interval.rawValue) that starts at \(start.iso8601) still changes at \(time.iso8601)"
    case .candlesNear(let interval, let seconds): "two \(interval.rawValue) candles are \(seconds) s apart"
    case .candlesApart(let count, let interval, let seconds):
      "\(count) \(interval.rawValue) candles start multiples of \(seconds) s apart"
    case .candleChain: "candles close where the previous one opened, rather than open where it closed"
    case .candleJump(let open, let power, let close, let start):
      "a candle opens at \(open.shortest), about \(power) times the \(close.shortest) before it, at \(start.iso8601)"
    case .candleSpike(let extreme, let price, let power, let body, let start):
      "the \(extreme.rawValue) \(price.shortest) is about \(power) times the \(body.shortest) of open or close, "
        + "at \(start.iso8601)"
    case .candleTurnover(let turnover, let volume, let low, let high, let start):
      "turnover \(turnover.shortest) / volume \(volume.shortest) is not between \(low.shortest) and "
        + "\(high.shortest), at \(start.iso8601)"
    case .candleVolume(let hours, let amount, let sum, let daily):
      "the last \(hours == 1 ? "hour adds" : "\(hours) hours add") up to a \(amount.rawValue) of \(sum.inSixDigits), "
        + "but that of the day is \(daily.inSixDigits)"
    case .candleLast(let close, let price):
      "the newest candle closes at \(close.shortest), but the price is \(price.shortest)"
    }
  }
}

extension DataFinding.CandleDifference {
  fileprivate var text: String {
    switch self {
    case .open(let first, let second): ": open \(first.shortest) and \(second.shortest)"
    case .high(let first, let second): ": high \(first.shortest) and \(second.shortest)"
    case .low(let first, let second): ": low \(first.shortest) and \(second.shortest)"
    case .close(let first, let second): ": close \(first.shortest) and \(second.shortest)"
    case .amounts: " in what was traded"
    }
  }
}

extension DataFinding.Advice {
  package var text: String {
    switch self {
    case .otherPairOrUnit: "another pair, or another unit?"
    case .swappedOrOtherPair: "price and size swapped, another pair, or another unit?"
    case .unitOfLevels: "are their sizes contracts, money, or another unit?"
    case .contractsOrUnit: "are their sizes contracts, or another unit?"
    case .otherUnit: "another unit?"
    case .makersSide: "the side is the maker's; swap 'buy' and 'sell'"
    case .clocks: "check both clocks"
    case .unitAndZone: "check unit and zone"
    case .unitZoneOrEnd: "check unit and zone, or whether the time is the candle's end"
    case .columns: "are the columns mixed up?"
    case .zone: "check 'zone'"
    case .timeOfLastTrade: "is this the time of its last trade?"
    case .mixedRows: "are rows of another pair, market or interval mixed in?"
    case .intervalName: "check the name configured for this interval"
    case .intervalNameAndUnit: "check the name configured for this interval, and the unit of the time"
    case .openAndClose: "are open and close swapped?"
    case .swappedAmounts: "volume and turnover look swapped"
    case .factor(let factor): "off by a factor of \(factor.shortest): contracts, or another unit?"
    case .contractsOrCurrency: "contracts, or another currency?"
    case .currencyContractsOrUnit: "the other currency, contracts, or another unit?"
    }
  }
}

extension Decimal {
  /// A sum as it is shown, since its last digits tell nothing.
  package var inSixDigits: String { rounded(toSignificantDigits: 6).shortest }
}
