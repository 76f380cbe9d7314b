package import Quotes

/// Candles of a fluctuating price, the same on every run.
package enum SampleCandles {
  package static func moment(_ text: String) -> Instant { .utc(text) }

  /// Returns hourly candles that close at 1, 2, 3 and so on.
  ///
  /// - Parameter start: that of the newest candle.
  package static func rising(until start: String, count: Int, missing: Set<Int> = []) -> CandleSeries {
    let grid = CandleGrid(.oneHour, zoneSeconds: 0)
    let candles = (0..<count).filter { !missing.contains($0 + 1) }.map { place in
      let close = Decimal(place + 1)
      return Candle(
        start: grid.moment(place + 1 - count, after: moment(start)), open: close, high: close, low: close, close: close,
        volume: .value(1), turnover: .value(close))
    }
    return CandleSeries(candles, on: grid)
  }

  /// - Parameters:
  ///   - missing: the intervals without a candle, counted from the first.
  ///   - unit: the step of the price.
  package static func series(
    _ interval: CandleInterval, from start: String, count: Int, price: Decimal = 91000, unit: Decimal = 1,
    zoneSeconds: Int = 0, missing: Set<Int> = [], seed: UInt64 = 7
  ) -> CandleSeries {
    let grid = CandleGrid(interval, zoneSeconds: zoneSeconds)
    var generator = SeededGenerator(seed: seed)
    var price = price
    var candles: [Candle] = []
    for index in 0..<count {
      let open = price
      let steps = (0..<4).map { _ in Decimal(Int.random(in: -60...64, using: &generator)) * unit }
      let close = open + steps[0]
      let high = max(open, close) + steps[1].magnitude.half
      let low = min(open, close) - steps[2].magnitude.half
      let volume = Decimal(Int.random(in: 1...1360, using: &generator)).scaledByPowerOfTen(-1)
      price = close
      if missing.contains(index) { continue }
      candles.append(
        Candle(
          start: grid.moment(index, after: moment(start)), open: open, high: high, low: low, close: close,
          volume: .value(volume), turnover: .value(volume * close)))
    }
    return CandleSeries(candles, on: grid)
  }
}

extension Decimal {
  fileprivate var half: Decimal { (self * 5).scaledByPowerOfTen(-1) }
}
