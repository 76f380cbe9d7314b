package import Quotes

/// What the checks of order books, trades and candles found, in the language of the text.
extension DataFinding {
  /// Returns the note on it: `candle-shape: open 3 and close 4 are not within 1 to 2, at .. (1 of 24)`. In Korean it says
  /// what is wrong and how often, without the figures.
  package func note(_ language: Language) -> String {
    guard language == .korean else { return "\(kind.rawValue): \(message)" }
    return "\(kind.rawValue): \(kind.korean)" + (checked > 1 ? " (\(language.part(failed, of: checked)))" : "")
  }
}

extension DataFinding.Kind {
  var korean: String {
    switch self {
    case .bookFar: "호가창의 중간가가 현재가와 크게 다름"
    case .bookSize: "호가 잔량이 하루 거래량에 비해 너무 큼"
    case .tradeFar: "마지막 체결가가 현재가와 크게 다름"
    case .tradeRange: "24시간 저가~고가 밖의 체결"
    case .tradeSide: "매수·매도가 뒤바뀐 것으로 보임"
    case .tradeSize: "체결 수량의 단위나 계약 크기가 다를 수 있음"
    case .tradeTime: "있을 수 없는 체결 시각"
    case .tradeJump: "직전 체결가의 10배 이상 또는 1/10 이하인 체결가"
    case .tradeShape: "수량이 0 이하인 체결"
    case .candleTime: "있을 수 없는 봉의 시각"
    case .candleShape: "시가나 종가가 저가~고가 밖이거나 거래량이 음수인 봉"
    case .candleGrid: "시작 시각이 봉 주기와 맞지 않음"
    case .candleTwice: "같은 시각의 서로 다른 봉"
    case .candleStep: "봉의 간격이 봉 주기와 맞지 않음"
    case .candleChain: "시가와 종가가 뒤바뀐 것으로 보임"
    case .candleJump: "직전 종가의 10배 이상 또는 1/10 이하인 시가"
    case .candleSpike: "시가와 종가의 10배 이상 또는 1/10 이하인 고가나 저가"
    case .candleTurnover: "거래대금 / 거래량이 저가~고가 밖"
    case .candleVolume: "봉의 거래량이나 거래대금의 합이 하루 값과 크게 다름"
    case .candleLast: "마지막 종가가 현재가와 크게 다름"
    }
  }
}
