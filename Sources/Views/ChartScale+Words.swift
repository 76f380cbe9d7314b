import Quotes
import Terminal

extension Language {
  func premium(of one: String, over other: String) -> String {
    self("premium of \(one) over \(other)", "\(one)의 \(other) 대비 프리미엄")
  }

  /// Returns what is said of the premiums shown: `high +0.83`, `low +0.31`, `mean +0.57`, `above 63 % of what is shown`.
  func words(for figures: PriceLine.Summary) -> (high: String, low: String, mean: String, place: String) {
    (
      self("high ", "최고 ") + figures.high.value.signedPercentText,
      self("low ", "최저 ") + figures.low.value.signedPercentText, self("mean ", "평균 ") + figures.mean.signedPercentText,
      self("above \(figures.percentile) % of what is shown", "표시 구간의 \(figures.percentile) %보다 높음")
    )
  }

  /// Returns the time of a figure, with a blank before it.
  func at(_ time: String) -> String { self(" at \(time)", " (\(time))") }

  /// Returns when something begins, with a blank before it.
  func from(_ time: String) -> String { self(" from \(time)", " (\(time)부터)") }
}

extension ChartScale {
  /// Names the scale in a title; nil for that of prices, which needs no name.
  func words(_ language: Language) -> String? {
    switch self {
    case .price: nil
    case .percent: language("in percent from the left edge", "왼쪽 끝 기준 등락률")
    case .log: language("logarithmic", "로그 눈금")
    }
  }

  /// `2 bars not drawn: price not above zero`; nil for none.
  func absence(of bars: Int, _ language: Language) -> String? {
    bars == 0
      ? nil
      : language("\(bars.counted("bar")) not drawn: price not above zero", "봉 \(bars)개 제외: 가격이 0보다 크지 않음")
  }
}
