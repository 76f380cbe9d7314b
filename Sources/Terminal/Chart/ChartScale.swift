package import Quotes

/// How prices become heights in a chart, and what is written beside them.
package enum ChartScale: String, CaseIterable, Sendable {
  /// Equal differences have equal heights.
  case price
  /// The same heights; what is written are changes from the first close shown.
  case percent
  /// Equal ratios have equal heights.
  case log

  /// The format of what is written.
  package var form: ValueForm { self == .percent ? .percent : .price }

  /// Returns whether a price has a place: there is no change from one that is not above zero, and no logarithm of it.
  package func hasPlace(for price: Decimal) -> Bool { self == .price || price.signum > 0 }

  /// Returns whether all prices of a candle have a place.
  package func hasPlace(for candle: Candle) -> Bool {
    [candle.low, candle.high, candle.open, candle.close].allSatisfy { hasPlace(for: $0) }
  }
}

/// The vertical axis of candles: the heights of prices, and what is written beside them.
package struct CandleAxis: Sendable {
  package let prices: ValueAxis
  /// The same heights as prices, or as their changes from the first close in percent.
  package let labels: ValueAxis
  package let form: ValueForm
  /// The newest close as it is written, without padding zeros.
  package let lastText: String

  /// - Parameter series: Candles that have a place on the scale.
  /// - Returns: nil without candles.
  package init?(_ series: CandleSeries, _ scale: ChartScale) {
    let all = series.candles.flatMap { [$0.extent.lowerBound, $0.extent.upperBound] }
    guard let prices = ValueAxis(all, isLogarithmic: scale == .log), let first = series.candles.first?.close,
      let last = series.candles.last?.close
    else { return nil }
    func change(_ price: Decimal) -> Decimal? { scale == .percent ? price.percent(above: first) : nil }
    self.prices = prices
    labels = ValueAxis([prices.low, prices.high].compactMap(change)) ?? prices
    form = scale.form
    lastText = change(last).map { scale.form.text($0.rounded(toPlaces: 2)) } ?? last.shortest
  }
}

extension ChartScale {
  /// Returns how many points of lines have no place.
  package func undrawn(of lines: [PriceLine]) -> Int {
    lines.reduce(0) { $0 + $1.points.count { !hasPlace(for: $0.value) } }
  }
}

extension CandleSeries {
  /// Returns the candles that have a place on a scale.
  package func placed(on scale: ChartScale) -> CandleSeries {
    scale == .price ? self : with(candles.filter { scale.hasPlace(for: $0) })
  }
}
