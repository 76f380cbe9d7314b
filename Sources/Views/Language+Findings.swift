package import Quotes

/// What the checks of order books, trades and candles found, in the language of the text.
extension DataFinding {
  /// Returns the note on it: `candle-shape: open 3 and close 4 are not within 1 to 2, at .. (1 of 24)`.
  package func note(_ language: Language) -> String { "\(kind.rawValue): \(message(language))" }

  func message(_ language: Language) -> String {
    guard language == .korean else { return message }
    return fact.korean + (checked > 1 ? " (\(language.part(failed, of: checked)))" : "")
      + (advice.map { ": \($0.korean)" } ?? "")
  }
}

extension PremiumLine.Cause {
  func message(_ language: Language) -> String {
    switch self {
    case .candles(let finding): finding.message(language)
    case .identity(let flag): flag.message(language)
    }
  }
}

extension DataFinding.Fact {
  fileprivate var korean: String {
    switch self {
    case .bookFar(let middle, let price): "호가창의 중간가 \(middle.shortest), 현재가 \(price.shortest)"
    case .bookSize(let median, let daily):
      "상위 호가 절반의 잔량이 각각 \(median.shortest) 이상, 하루 거래량은 \(daily.inSixDigits)"
    case .tradeFar(let last, let price): "마지막 체결가 \(last.shortest), 현재가 \(price.shortest)"
    case .tradeRange(let price, let low, let high):
      "체결가 \(price.shortest), 24시간 저가 \(low.shortest)~고가 \(high.shortest) 밖"
    case .tradeSide(let dearer, let pairs):
      "매수·매도와 가격이 다른 이웃 체결 \(pairs)쌍 중 매수가 더 비싼 것은 \(dearer)쌍"
    case .tradeSizes(let sum, let daily, let amount):
      "체결 합계 \(sum.inSixDigits), 하루 \(amount.korean) \(daily.inSixDigits) 초과"
    case .contractSize: Flag.Fact.contractSize.korean
    case .tradeTime(let time, let arrival): "체결 시각 \(time.iso8601), 수신 \(arrival.iso8601)"
    case .tradeJump(let price, let power, let before):
      "체결가 \(price.shortest), 직전 \(before.shortest)의 약 \(power)배"
    case .tradeShape(let price): "체결가 \(price.shortest)의 수량이 0 이하"
    case .candleTime(let start, let arrival): "봉 시작 \(start.iso8601), 수신 \(arrival.iso8601)"
    case .candleShape(let open, let close, let low, let high, let start):
      "시가 \(open.shortest), 종가 \(close.shortest), 저가 \(low.shortest)~고가 \(high.shortest) 밖, \(start.iso8601)"
    case .candleNegative(let amount, let start): "거래량이나 거래대금이 음수 \(amount.shortest), \(start.iso8601)"
    case .candleGrid(let interval, let start): "\(interval.rawValue) 봉의 시작이 \(start.iso8601)"
    case .candleTwice(let start, let difference):
      "\(start.iso8601)에 시작하는 서로 다른 봉 2개: \(difference.korean)"
    case .candleGrowth(let interval, let start, let time):
      "\(start.iso8601)에 시작한 \(interval.rawValue) 봉이 \(time.iso8601)에도 바뀜"
    case .candlesNear(let interval, let seconds): "\(interval.rawValue) 봉 2개의 간격이 \(seconds)초"
    case .candlesApart(let count, let interval, let seconds):
      "\(interval.rawValue) 봉 \(count)개의 간격이 모두 \(seconds)초의 배수"
    case .candleChain: "종가가 다음 시가가 아니라 직전 시가와 이어짐"
    case .candleJump(let open, let power, let close, let start):
      "시가 \(open.shortest), 직전 종가 \(close.shortest)의 약 \(power)배, \(start.iso8601)"
    case .candleSpike(let extreme, let price, let power, let body, let start):
      "\(extreme == .high ? "고가" : "저가") \(price.shortest), 시가나 종가 \(body.shortest)의 약 \(power)배, \(start.iso8601)"
    case .candleTurnover(let turnover, let volume, let low, let high, let start):
      "거래대금 \(turnover.shortest) / 거래량 \(volume.shortest), 저가 \(low.shortest)~고가 \(high.shortest) 밖, "
        + start.iso8601
    case .candleVolume(let hours, let amount, let sum, let daily):
      "최근 \(hours)시간의 \(amount.korean) 합계 \(sum.inSixDigits), 하루 값은 \(daily.inSixDigits)"
    case .candleLast(let close, let price): "마지막 봉의 종가 \(close.shortest), 현재가 \(price.shortest)"
    }
  }
}

extension DataFinding.Amount {
  fileprivate var korean: String {
    switch self {
    case .volume: "거래량"
    case .turnover: "거래대금"
    }
  }
}

extension DataFinding.CandleDifference {
  fileprivate var korean: String {
    switch self {
    case .open(let first, let second): "시가 \(first.shortest), \(second.shortest)"
    case .high(let first, let second): "고가 \(first.shortest), \(second.shortest)"
    case .low(let first, let second): "저가 \(first.shortest), \(second.shortest)"
    case .close(let first, let second): "종가 \(first.shortest), \(second.shortest)"
    case .amounts: "거래량이나 거래대금"
    }
  }
}

extension DataFinding.Advice {
  fileprivate var korean: String {
    switch self {
    case .otherPairOrUnit: "다른 종목이거나 단위가 다를 수 있음"
    case .swappedOrOtherPair: "가격과 수량이 뒤바뀌었거나, 다른 종목이거나, 단위가 다를 수 있음"
    case .unitOfLevels: "잔량이 계약 수나 금액이거나, 단위가 다를 수 있음"
    case .contractsOrUnit: "수량이 계약 수이거나 단위가 다를 수 있음"
    case .otherUnit: "단위가 다를 수 있음"
    case .makersSide: "메이커 기준의 매수·매도; 'buy'와 'sell'을 맞바꿀 것"
    case .clocks: "양쪽 시계 확인"
    case .unitAndZone: "단위와 시간대 확인"
    case .unitZoneOrEnd: "단위와 시간대, 또는 봉이 끝나는 시각인지 확인"
    case .columns: "열이 뒤바뀌었을 수 있음"
    case .zone: "'zone' 확인"
    case .timeOfLastTrade: "마지막 체결 시각일 수 있음"
    case .mixedRows: "다른 종목, 시장, 주기의 봉이 섞였을 수 있음"
    case .intervalName: "설정에 적은 이 주기의 이름 확인"
    case .intervalNameAndUnit: "설정에 적은 이 주기의 이름과 시각의 단위 확인"
    case .openAndClose: "시가와 종가가 뒤바뀐 것으로 보임"
    case .swappedAmounts: "거래량과 거래대금이 뒤바뀐 것으로 보임"
    case .factor(let factor): "\(factor.shortest)배 차이, 계약 수이거나 단위가 다를 수 있음"
    case .contractsOrCurrency: "계약 수이거나 통화가 다를 수 있음"
    case .currencyContractsOrUnit: "다른 쪽 통화이거나, 계약 수이거나, 단위가 다를 수 있음"
    }
  }
}
