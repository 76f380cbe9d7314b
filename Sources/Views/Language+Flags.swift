import Quotes

/// What the checks of a row found, in the language of a screen.
extension Flag {
  func message(_ language: Language) -> String {
    guard language == .korean else { return message }
    return fact.korean + (advice.map { ": \($0.korean)" } ?? "")
  }
}

extension Flag.Fact {
  var korean: String {
    switch self {
    case .figure(let figure, let value, let relation, let other, let bound):
      "\(figure.korean) \(value), \(other.korean) \(bound)\(relation.korean)"
    case .outside(let figure, let value, let low, let high): "\(figure.korean) \(value), 저가 \(low)~고가 \(high) 밖"
    case .outsideOffers(let price, let percent, let figure, let offer):
      "현재가 \(price), \(figure.korean) \(offer)보다 \(percent.map { $0.fixedText(places: 1) + "% " } ?? "")"
        + (figure == .ask ? "높음" : "낮음")
    case .fall(let change): "등락률 \(change.signedText)%, 100% 이상 하락은 있을 수 없음"
    case .impliedOpen(let change, let open, let low, let high):
      "등락률 \(change.signedText)%에 맞는 시가 \(open?.shortest ?? "모름"), 저가 \(low)~고가 \(high) 밖"
    case .otherChange(let sent, let computed):
      "등락률 \(sent.signedText)%, (현재가 - 시가) / 시가는 \(computed.map { $0.signedPercentText + "%" } ?? "모름")"
    case .unlikeOthers(let change, let others):
      "등락률 \(change.signedPercentText)%, 가격이 같은 다른 거래소는 \(others.signedPercentText)%"
    case .belowZero(let figure, let value): "\(figure.korean) \(value), 0보다 작음"
    case .zeroBeside(let figure, let other, let value): "\(figure.korean) 0, \(other.korean) \(value)"
    case .notTraded: "24시간 체결 없음, 매수·매도호가 없음"
    case .averageOutside(let average, let low, let high):
      "거래대금 / 거래량 = \(average.shortest), 저가 \(low)~고가 \(high) 밖"
    case .averageFar(let average, let price, let range):
      "거래대금 / 거래량 = \(average.shortest), 현재가 \(price)의 절반~2배 밖 (\(range.korean))"
    case .unreadTime: "시각을 읽을 수 없음"
    case .futureTime(let lead): "시각이 수신보다 \(DurationText.text(nanoseconds: lead, .korean)) 늦음"
    case .old(let what, let age, let limit):
      "\(what.korean) \(DurationText.text(nanoseconds: age, .korean)) 전, 기준 "
        + DurationText.text(limitMilliseconds: limit, .korean)
    case .unconfirmed(let lapse): lapse.korean
    case .falls(let count, let all): "\(all)행 중 \(count)행의 등락률이 100% 이상 하락"
    case .smallChanges(let count, let all): "\(all)행 중 \(count)행의 등락률이 24시간 고가와 저가 차이의 1/20 미만"
    case .repeatedPair: "거래소가 이 종목을 두 번 이상 보냄"
    case .fewerElements(let count, let usual): "행의 값 \(count)개, 다른 행은 \(usual)개"
    case .repeatedMember: "행에 같은 항목이 두 번 이상 있음"
    case .multiple(let price, let factor, let reference):
      "현재가 \(price.readable), \(reference.korean)의 약 \(factor)배: 단위가 다르거나 다른 코인"
    case .far(let price, let percent, let reference):
      "현재가 \(price.readable), \(reference.korean) 대비 \(percent.shortest)% 넘게 차이: 다른 코인이거나 단위가 다름"
    case .ratesApart(let official, let token):
      "공식 환율 \(official.readable), 토큰 가격 \(token.readable): \(Flag.Fact.percentApart(official, token))% 차이"
    case .contractSize: "거래량과 거래대금이 서로 맞지 않음: 계약 크기가 바뀌었을 수 있음"
    }
  }
}

extension Flag.Advice {
  fileprivate var korean: String {
    switch self {
    case .scale(let power): "배율 \(Decimal(1).scaledByPowerOfTen(power).shortest) 필요"
    case .otherSign: "부호가 반대"
    case .otherSignOrPrice: "부호가 반대이거나, 최종 체결가가 아닐 수 있음"
    case .otherOpen: "기준 시가가 다를 수 있음"
    case .swapped: "거래량과 거래대금이 뒤바뀐 것으로 보임"
    case .otherUnit(let factor): "\(factor)배 차이, 단위나 계약 크기가 다름"
    case .otherCurrency: "계약 크기나 통화가 다를 수 있음"
    case .timeUnit: "단위와 시간대 확인"
    case .oldOrOtherPrice: "오래된 체결가이거나, 최종 체결가가 아닐 수 있음"
    }
  }
}

extension Flag.Figure {
  fileprivate var korean: String {
    switch self {
    case .price: "현재가"
    case .open: "시가"
    case .low: "저가"
    case .high: "고가"
    case .bid: "매수호가"
    case .ask: "매도호가"
    case .volume: "거래량"
    case .turnover: "거래대금"
    }
  }
}

extension Flag.Relation {
  fileprivate var korean: String {
    switch self {
    case .above: "보다 높음"
    case .overTwice: "의 2배 초과"
    case .underHalf: "의 절반 미만"
    case .overTenTimes: "의 10배 초과"
    case .underTenth: "의 1/10 미만"
    case .clearlyAbove: "보다 0.5% 넘게 높음"
    case .clearlyBelow: "보다 0.5% 넘게 낮음"
    }
  }
}

extension Flag.UnusableRange {
  fileprivate var korean: String {
    switch self {
    case .missing: "고가와 저가 없음"
    case .ofUnknownBasis: "고가와 저가의 기간 모름"
    case .of(let basis):
      switch basis {
      case .rolling24h: "고가와 저가는 24시간 기준"
      case .utcDay: "고가와 저가는 UTC 당일 기준"
      case .kstDay: "고가와 저가는 한국 시간 당일 기준"
      case .utc8Day: "고가와 저가는 UTC+8 당일 기준"
      case .venueDay: "고가와 저가는 거래소 당일 기준"
      case .previousClose: "고가와 저가는 직전 종가 이후 기준"
      }
    }
  }
}

extension Flag.Dated {
  fileprivate var korean: String {
    switch self {
    case .quote: "시세"
    case .lastTrade: "마지막 체결"
    case .orderBook: "호가창"
    case .answer: "응답"
    }
  }
}

extension Lapse {
  fileprivate var korean: String {
    let why =
      switch reason {
      case .failing: "이후 실패"
      case .inactive: "이후 조회 안 함"
      case .limit(let seconds): "기준 \(seconds)초"
      }
    return "\(Language.korean.age(nanoseconds: Int64(seconds) * Instant.second)) 전 값, \(why)"
  }
}

extension Flag.Reference {
  fileprivate var korean: String {
    switch self {
    case .median(let price): "다른 거래소 중앙값 \(price.readable)"
    case .nearerMiddle(let price): "다른 거래소의 가까운 중간값 \(price.readable)"
    case .exchange(let name, let price): "\(name) \(price.readable)"
    case .ownSpot(let price): "같은 거래소 현물 \(price.readable)"
    case .official(let rate): "공식 환율 \(rate.readable)"
    }
  }
}

extension DurationUnits {
  fileprivate static var korean: DurationUnits {
    var units = DurationUnits()
    (units.seconds, units.minutes, units.hours, units.days) = ("초", "분", "시간", "일")
    return units
  }
}
