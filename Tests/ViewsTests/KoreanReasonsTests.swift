import HTTP
import Mapping
import MarketData
import Quotes
import Terminal
import Testing

@testable import Views

/// What checks find and why requests fail, in Korean: made from the facts, so no English is left but names.
@Suite struct KoreanReasonsTests {
  private static let second: Int64 = 1_000_000_000

  struct Case: Sendable, CustomTestStringConvertible {
    let flag: Flag
    let english: String
    let korean: String

    init(_ fact: Flag.Fact, _ english: String, _ korean: String) { self.init(fact, nil, english, korean) }

    init(_ fact: Flag.Fact, _ advice: Flag.Advice?, _ english: String, _ korean: String) {
      (flag, self.english, self.korean) = (Flag(.range, fact, advice: advice), english, korean)
    }

    var testDescription: String { english }
  }

  private static let cases: [Case] = [
    Case(
      .figure(.price, 90, .clearlyBelow, .low, 100), "price 90 is more than 0.5 % below the low 100",
      "현재가 90, 저가 100보다 0.5% 넘게 낮음"),
    Case(
      .figure(.price, 110, .clearlyAbove, .high, 100), "price 110 is more than 0.5 % above the high 100",
      "현재가 110, 고가 100보다 0.5% 넘게 높음"),
    Case(.figure(.bid, 101, .above, .ask, 100), "bid 101 is above the ask 100", "매수호가 101, 매도호가 100보다 높음"),
    Case(
      .figure(.bid, 9, .underTenth, .price, 100), "bid 9 is less than a tenth of the price 100",
      "매수호가 9, 현재가 100의 1/10 미만"),
    Case(
      .figure(.ask, 2000, .overTenTimes, .price, 100), "ask 2000 is more than ten times the price 100",
      "매도호가 2000, 현재가 100의 10배 초과"),
    Case(
      .figure(.open, 300, .overTwice, .high, 100), "open 300 is more than twice the high 100", "시가 300, 고가 100의 2배 초과"),
    Case(
      .figure(.open, 30, .underHalf, .low, 100), "open 30 is less than half of the low 100", "시가 30, 저가 100의 절반 미만"),
    Case(
      .outside(.open, 80, low: 90, high: 110), "open 80 is outside low 90 to high 110", "시가 80, 저가 90~고가 110 밖"),
    Case(
      .outsideOffers(price: 100, percent: Decimal(mantissa: 204, exponent: -2), .bid, 102), .oldOrOtherPrice,
      "price 100 is 2.0 % below the bid 102: is it of an old trade, or not the last price?",
      "현재가 100, 매수호가 102보다 2.0% 낮음: 오래된 체결가이거나, 최종 체결가가 아닐 수 있음"),
    Case(
      .outsideOffers(price: 102, percent: nil, .ask, 100), "price 102 is more % above the ask 100",
      "현재가 102, 매도호가 100보다 높음"),
    Case(.fall(change: -120), "change -120 %: no price falls by 100 % or more", "등락률 -120%, 100% 이상 하락은 있을 수 없음"),
    Case(
      .impliedOpen(change: 46, open: 92, low: 130, high: 136), .scale(power: -2),
      "change +46 % implies an open of 92, outside low 130 to high 136: scale it by 0.01",
      "등락률 +46%에 맞는 시가 92, 저가 130~고가 136 밖: 배율 0.01 필요"),
    Case(
      .otherChange(sent: Decimal(mantissa: 46_305_978, exponent: -6), computed: Decimal(mantissa: 463, exponent: -3)),
      .scale(power: -2),
      "change +46.305978 % but (price - open) / open is +0.46 %: scale it by 0.01",
      "등락률 +46.305978%, (현재가 - 시가) / 시가는 +0.46%: 배율 0.01 필요"),
    Case(
      .unlikeOthers(change: 50, others: Decimal(mantissa: 5, exponent: -1)), .otherOpen,
      "change +50.00 %, while others at the same price report +0.50 %: is it measured from another open?",
      "등락률 +50.00%, 가격이 같은 다른 거래소는 +0.50%: 기준 시가가 다를 수 있음"),
    Case(.belowZero(.volume, -1), "volume -1 is below zero", "거래량 -1, 0보다 작음"),
    Case(.zeroBeside(.volume, .turnover, 5), "volume is 0 and turnover 5", "거래량 0, 거래대금 5"),
    Case(.notTraded, "nothing was traded in 24 hours, and there is no bid or ask", "24시간 체결 없음, 매수·매도호가 없음"),
    Case(
      .averageOutside(Decimal(mantissa: 747_346, exponent: -14), low: 90, high: 110), .swapped,
      "turnover / volume = 0.00000000747346 is outside low 90 to high 110: volume and turnover look swapped",
      "거래대금 / 거래량 = 0.00000000747346, 저가 90~고가 110 밖: 거래량과 거래대금이 뒤바뀐 것으로 보임"),
    Case(
      .averageFar(1, price: 100, .of(.utcDay)), .otherUnit(factor: 100),
      "turnover / volume = 1 is not within a factor 2 of the price 100 (high and low are of the UTC day, not of 24 hours)"
        + ": off by a factor of 100: wrong unit or contract size",
      "거래대금 / 거래량 = 1, 현재가 100의 절반~2배 밖 (고가와 저가는 UTC 당일 기준): 100배 차이, 단위나 계약 크기가 다름"),
    Case(
      .averageFar(1, price: 100, .missing), .otherCurrency,
      "turnover / volume = 1 is not within a factor 2 of the price 100 (high and low are missing)"
        + ": contract size, or another currency?",
      "거래대금 / 거래량 = 1, 현재가 100의 절반~2배 밖 (고가와 저가 없음): 계약 크기나 통화가 다를 수 있음"),
    Case(.unreadTime, .timeUnit, "its timestamp cannot be parsed: check unit and zone", "시각을 읽을 수 없음: 단위와 시간대 확인"),
    Case(
      .futureTime(nanoseconds: 89_998_000_000), .timeUnit,
      "its timestamp is 89.998 s later than its arrival: check unit and zone", "시각이 수신보다 89.998초 늦음: 단위와 시간대 확인"),
    Case(
      .old(.quote, nanoseconds: 61_500_000_000, limitMilliseconds: 60_000), "its quote is 61.5 s old, more than 60 s",
      "시세 61.5초 전, 기준 60초"),
    Case(
      .old(.lastTrade, nanoseconds: 26 * 3600 * second + 300 * second, limitMilliseconds: 3_600_000),
      "its last trade is 26 h 5 min old, more than 1 h", "마지막 체결 26시간 5분 전, 기준 1시간"),
    Case(
      .unconfirmed(Lapse(seconds: 125, reason: .failing(.timeout))), "last updated 125 s ago; failing since then",
      "2분 전 값, 이후 실패"),
    Case(
      .unconfirmed(Lapse(seconds: 18, reason: .inactive(.paused))), "last updated 18 s ago; not asked since then",
      "18초 전 값, 이후 조회 안 함"),
    Case(
      .unconfirmed(Lapse(seconds: 18, reason: .limit(seconds: 10))), "last updated 18 s ago; the limit is 10 s",
      "18초 전 값, 기준 10초"),
    Case(
      .falls(3, of: 40), .otherSign, "the changes of 3 of 40 rows are falls by 100 % or more: the sign is inverted",
      "40행 중 3행의 등락률이 100% 이상 하락: 부호가 반대"),
    Case(
      .smallChanges(38, of: 40), .otherSignOrPrice,
      "the changes of 38 of 40 rows are less than a twentieth of their 24h ranges: is the sign wrong, or is the price "
        + "not the last one?", "40행 중 38행의 등락률이 24시간 고가와 저가 차이의 1/20 미만: 부호가 반대이거나, 최종 체결가가 아닐 수 있음"),
    Case(.repeatedPair, "the exchange sends this pair more than once", "거래소가 이 종목을 두 번 이상 보냄"),
    Case(.fewerElements(3, usual: 5), "the row has 3 elements, but the others have 5", "행의 값 3개, 다른 행은 5개"),
    Case(.repeatedMember, "a member of the row is repeated", "행에 같은 항목이 두 번 이상 있음"),
    Case(
      .multiple(price: 1010, factor: 10, of: .median(102)),
      "price 1010 is about 10 times the median 102 of the others: a multiplier or another coin",
      "현재가 1010, 다른 거래소 중앙값 102의 약 10배: 단위가 다르거나 다른 코인"),
    Case(
      .far(price: 150, percent: 20, from: .median(100)),
      "price 150 is further than 20 % from the median 100 of the others: another coin or a multiplier",
      "현재가 150, 다른 거래소 중앙값 100 대비 20% 넘게 차이: 다른 코인이거나 단위가 다름"),
    Case(
      .far(price: 150, percent: 20, from: .exchange("Okx", 100)),
      "price 150 and Okx's 100 are further apart than 20 %: another coin or a multiplier",
      "현재가 150, Okx 100 대비 20% 넘게 차이: 다른 코인이거나 단위가 다름"),
    Case(
      .multiple(price: 14_500, factor: 10, of: .official(1400)),
      "price 14500 is about 10 times the official rate 1400: a multiplier or another coin",
      "현재가 14500, 공식 환율 1400의 약 10배: 단위가 다르거나 다른 코인"),
    Case(
      .ratesApart(official: 1400, token: 1000), "official rate 1400 and token price 1000 are 28.6 % apart",
      "공식 환율 1400, 토큰 가격 1000: 28.6% 차이"),
  ]

  @Test(arguments: cases) func flags(_ test: Case) {
    #expect(test.flag.message(.english) == test.english)
    #expect(test.flag.message(.korean) == test.korean)
  }

  /// Details of a library or of the config keep their words; the sentence around them does not.
  @Test(
    arguments: [
      (.timeout, "제한 시간 안에 응답 없음"), (.cannotResolve("a.test"), "'a.test'의 주소를 찾을 수 없음"),
      (.cannotConnect("127.0.0.1:18555"), "연결할 수 없음: 127.0.0.1:18555"),
      (.tooManyFiles, "열린 파일이 너무 많음; 실행: ulimit -n 4096"),
      (.tls("self-signed certificate"), "보안 연결 실패: self-signed certificate"),
      (.tooLarge(limit: 5), "응답이 5바이트보다 큼"), (.redirectRefused("to b.test"), "리디렉션 거부: to b.test"),
      (.badEncoding, "응답의 압축 형식을 모르거나 손상됨"), (.brokenOff("reset"), "연결 끊김: reset"),
      (.notInCassette("GET a"), "녹화 없음: GET a"), (.cancelled, "취소됨"),
      (.notSent(reason: .clock, "this machine's clock is wrong"), "이 컴퓨터의 시계가 맞지 않음"), (.other("odd"), "odd"),
    ] as [(TransportError, String)])
  func networkErrors(_ error: TransportError, _ korean: String) {
    #expect(AnswerFailure(error).message(.korean) == korean)
    #expect(AnswerFailure(error).message(.english) == error.description)
  }

  @Test(
    arguments: [
      (AnswerFailure(.noAnswer(.otherPair), "requested BTC/USDT, but the answer is about another pair"), "다른 종목의 응답"),
      (AnswerFailure(.notJSON, "the answer is an HTML or XML page"), "JSON이 아닌 응답"),
      (AnswerFailure(.lookupFailed("symbols"), "timeout"), "참조 symbols 조회 실패"),
      (AnswerFailure(.exchangeError("40034"), "Parameter does not exist"), "Parameter does not exist"),
      (AnswerFailure.status(401).adding("only HMAC keys work"), "인증 실패; only HMAC keys work"),
      (AnswerFailure(.http(400), "bad symbol"), "bad symbol"), (AnswerFailure(.notListed), nil),
      (AnswerFailure(.noAnswer(.uncountable), "its calls cannot be counted"), "호출 횟수를 셀 수 없음"),
      (AnswerFailure(.noAnswer(.transport), "Weird server reply"), "Weird server reply"),
      (.stream(.silent(.unheard)), "수신 없음"), (.stream(.unpriced), "1분간 가격 없음"),
      (.stream(.closed(1000, "bye")), "bye"), (.stream(.closed(1006, "")), nil),
    ] as [(AnswerFailure, String?)])
  func failures(_ failure: AnswerFailure, _ korean: String?) {
    #expect(failure.message(.korean) == korean)
  }

  /// Notices that answer a key name what the key has set.
  @Test(arguments: [
    (Palette?(Palette(scheme: .kr, isColored: true)), "colours: kr (red up, blue down)", "색: kr (상승 빨강, 하락 파랑)"),
    (Palette(scheme: .us, isColored: true), "colours: us (green up, red down)", "색: us (상승 초록, 하락 빨강)"),
    (Palette(scheme: .cb, isColored: true), "colours: cb (blue up, orange down)", "색: cb (상승 파랑, 하락 주황)"),
    (.plain, "colours: none", "색: 없음"), (nil, "this screen has no colours", "색이 꺼진 화면"),
  ])
  func colours(_ palette: Palette?, _ english: String, _ korean: String) {
    #expect(LiveText.notice(of: .colorsSwitched(palette), .english) == english)
    #expect(LiveText.notice(of: .colorsSwitched(palette), .korean) == korean)
  }
}
