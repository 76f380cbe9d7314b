import Quotes
import Terminal

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
