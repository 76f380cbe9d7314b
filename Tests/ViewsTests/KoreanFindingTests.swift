import Quotes
import Terminal
import Testing

@testable import Views

/// What checks find in order books, trades and candles, in both languages: every figure is in both.
@Suite struct KoreanFindingTests {
  private static let start = Instant(nanoseconds: 1_762_000_000_000_000_000)
  private static let later = Instant(nanoseconds: 1_762_000_060_000_000_000)

  struct Case: Sendable, CustomTestStringConvertible {
    let finding: DataFinding
    let english: String
    let korean: String

    init(
      _ fact: DataFinding.Fact, _ advice: DataFinding.Advice?, failed: Int = 1, of checked: Int = 1,
      _ english: String, _ korean: String
    ) {
      finding = DataFinding(fact, advice: advice, failed: failed, checked: checked)
      (self.english, self.korean) = (english, korean)
    }

    var testDescription: String { english }
  }

  private static let ofTrades: [Case] = [
    Case(
      .bookFar(middle: 65, price: 91_500), .swappedOrOtherPair,
      "book-far: the middle of the book is 65, but the price is 91500: price and size swapped, another pair, or another "
        + "unit?", "book-far: 호가창의 중간가 65, 현재가 91500: 가격과 수량이 뒤바뀌었거나, 다른 종목이거나, 단위가 다를 수 있음"),
    Case(
      .bookSize(median: 5000, daily: 12), .unitOfLevels,
      "book-size: half of the best levels offer at least 5000 each, but only 12 were traded in a day: are their sizes "
        + "contracts, money, or another unit?",
      "book-size: 상위 호가 절반의 잔량이 각각 5000 이상, 하루 거래량은 12: 잔량이 계약 수나 금액이거나, 단위가 다를 수 있음"),
    Case(
      .tradeFar(65, price: 91_500), .otherPairOrUnit,
      "trade-far: the newest trade is at 65, but the price is 91500: another pair, or another unit?",
      "trade-far: 마지막 체결가 65, 현재가 91500: 다른 종목이거나 단위가 다를 수 있음"),
    Case(
      .tradeRange(9, low: 10, high: 12), nil, failed: 2, of: 50,
      "trade-range: a trade at 9 is outside the day's 10 to 12 (2 of 50)",
      "trade-range: 체결가 9, 24시간 저가 10~고가 12 밖 (2/50)"),
    Case(
      .tradeSide(dearerBuys: 3, of: 20), .makersSide, failed: 17, of: 20,
      "trade-side: of 20 adjacent trades with different side and price, the buy has the higher price in only 3 (17 of 20)"
        + ": the side is the maker's; swap 'buy' and 'sell'",
      "trade-side: 매수·매도와 가격이 다른 이웃 체결 20쌍 중 매수가 더 비싼 것은 3쌍 (17/20): 메이커 기준의 매수·매도; 'buy'와 'sell'을 맞바꿀 것"),
    Case(
      .tradeSizes(sum: 500, daily: 20, .volume), .contractsOrUnit,
      "trade-size: these trades add up to 500, more than the day's volume of 20: are their sizes contracts, or another "
        + "unit?", "trade-size: 체결 합계 500, 하루 거래량 20 초과: 수량이 계약 수이거나 단위가 다를 수 있음"),
    Case(
      .contractSize, nil,
      "trade-size: volume and turnover of the pair contradict each other: its contract size may have changed",
      "trade-size: 거래량과 거래대금이 서로 맞지 않음: 계약 크기가 바뀌었을 수 있음"),
    Case(
      .tradeTime(later, arrival: start), .clocks,
      "trade-time: a trade at 2025-11-01T12:27:40Z arrived at 2025-11-01T12:26:40Z: check both clocks",
      "trade-time: 체결 시각 2025-11-01T12:27:40Z, 수신 2025-11-01T12:26:40Z: 양쪽 시계 확인"),
    Case(
      .tradeJump(1000, power: 10, before: 100), .otherUnit,
      "trade-jump: a trade at 1000 is about 10 times the 100 before it: another unit?",
      "trade-jump: 체결가 1000, 직전 100의 약 10배: 단위가 다를 수 있음"),
    Case(
      .tradeShape(price: 3), nil, "trade-shape: the size of a trade at 3 is not above zero",
      "trade-shape: 체결가 3의 수량이 0 이하"),
  ]

  private static let ofCandles: [Case] = [
    Case(
      .candleTime(start: later, arrival: start), .unitZoneOrEnd,
      "candle-time: a candle that starts at 2025-11-01T12:27:40Z arrived at 2025-11-01T12:26:40Z: check unit and zone, or "
        + "whether the time is the candle's end",
      "candle-time: 봉 시작 2025-11-01T12:27:40Z, 수신 2025-11-01T12:26:40Z: 단위와 시간대, 또는 봉이 끝나는 시각인지 확인"),
    Case(
      .candleShape(open: 3, close: 4, low: 1, high: 2, start: start), .columns, failed: 1, of: 24,
      "candle-shape: open 3 and close 4 are not within 1 to 2, at 2025-11-01T12:26:40Z (1 of 24): are the columns mixed "
        + "up?", "candle-shape: 시가 3, 종가 4, 저가 1~고가 2 밖, 2025-11-01T12:26:40Z (1/24): 열이 뒤바뀌었을 수 있음"),
    Case(
      .candleNegative(-5, start: start), nil,
      "candle-shape: negative volume or turnover -5, at 2025-11-01T12:26:40Z",
      "candle-shape: 거래량이나 거래대금이 음수 -5, 2025-11-01T12:26:40Z"),
    Case(
      .candleGrid(.oneHour, start: start), .timeOfLastTrade,
      "candle-grid: a 1h candle starts at 2025-11-01T12:26:40Z: is this the time of its last trade?",
      "candle-grid: 1h 봉의 시작이 2025-11-01T12:26:40Z: 마지막 체결 시각일 수 있음"),
    Case(
      .candleGrid(.oneDay, start: start), .zone,
      "candle-grid: a 1d candle starts at 2025-11-01T12:26:40Z: check 'zone'",
      "candle-grid: 1d 봉의 시작이 2025-11-01T12:26:40Z: 'zone' 확인"),
    Case(
      .candleTwice(start: start, .close(1, 2)), .mixedRows,
      "candle-twice: two candles start at 2025-11-01T12:26:40Z and differ: close 1 and 2: are rows of another pair, market "
        + "or interval mixed in?",
      "candle-twice: 2025-11-01T12:26:40Z에 시작하는 서로 다른 봉 2개: 종가 1, 2: 다른 종목, 시장, 주기의 봉이 섞였을 수 있음"),
    Case(
      .candleTwice(start: start, .amounts), nil,
      "candle-twice: two candles start at 2025-11-01T12:26:40Z and differ in what was traded",
      "candle-twice: 2025-11-01T12:26:40Z에 시작하는 서로 다른 봉 2개: 거래량이나 거래대금"),
    Case(
      .candleGrowth(.oneMinute, start: start, later), .intervalName,
      "candle-step: a candle of 1m that starts at 2025-11-01T12:26:40Z still changes at 2025-11-01T12:27:40Z: check the "
        + "name configured for this interval",
      "candle-step: 2025-11-01T12:26:40Z에 시작한 1m 봉이 2025-11-01T12:27:40Z에도 바뀜: 설정에 적은 이 주기의 이름 확인"),
    Case(
      .candlesNear(.oneHour, seconds: 60), .intervalName,
      "candle-step: two 1h candles are 60 s apart: check the name configured for this interval",
      "candle-step: 1h 봉 2개의 간격이 60초: 설정에 적은 이 주기의 이름 확인"),
    Case(
      .candlesApart(9, .oneMinute, seconds: 300), .intervalNameAndUnit,
      "candle-step: 9 1m candles start multiples of 300 s apart: check the name configured for this interval, and the unit "
        + "of the time", "candle-step: 1m 봉 9개의 간격이 모두 300초의 배수: 설정에 적은 이 주기의 이름과 시각의 단위 확인"),
    Case(
      .candleChain, .openAndClose,
      "candle-chain: candles close where the previous one opened, rather than open where it closed: are open and close "
        + "swapped?", "candle-chain: 종가가 다음 시가가 아니라 직전 시가와 이어짐: 시가와 종가가 뒤바뀐 것으로 보임"),
    Case(
      .candleJump(open: 1000, power: 10, close: 100, start: start), .otherUnit,
      "candle-jump: a candle opens at 1000, about 10 times the 100 before it, at 2025-11-01T12:26:40Z: another unit?",
      "candle-jump: 시가 1000, 직전 종가 100의 약 10배, 2025-11-01T12:26:40Z: 단위가 다를 수 있음"),
    Case(
      .candleSpike(.low, 1, power: Decimal(mantissa: 1, exponent: -1), body: 10, start: start), .otherUnit,
      "candle-spike: the low 1 is about 0.1 times the 10 of open or close, at 2025-11-01T12:26:40Z: another unit?",
      "candle-spike: 저가 1, 시가나 종가 10의 약 0.1배, 2025-11-01T12:26:40Z: 단위가 다를 수 있음"),
    Case(
      .candleTurnover(50, volume: 1, low: 4, high: 6, start: start), .factor(10),
      "candle-turnover: turnover 50 / volume 1 is not between 4 and 6, at 2025-11-01T12:26:40Z: off by a factor of 10: "
        + "contracts, or another unit?",
      "candle-turnover: 거래대금 50 / 거래량 1, 저가 4~고가 6 밖, 2025-11-01T12:26:40Z: 10배 차이, 계약 수이거나 단위가 다를 수 있음"),
    Case(
      .candleVolume(hours: 1, .turnover, sum: 50, daily: 5), .currencyContractsOrUnit,
      "candle-volume: the last hour adds up to a turnover of 50, but that of the day is 5: the other currency, contracts, "
        + "or another unit?",
      "candle-volume: 최근 1시간의 거래대금 합계 50, 하루 값은 5: 다른 쪽 통화이거나, 계약 수이거나, 단위가 다를 수 있음"),
    Case(
      .candleLast(close: 65, price: 91_500), .otherPairOrUnit,
      "candle-last: the newest candle closes at 65, but the price is 91500: another pair, or another unit?",
      "candle-last: 마지막 봉의 종가 65, 현재가 91500: 다른 종목이거나 단위가 다를 수 있음"),
  ]

  @Test(arguments: ofTrades + ofCandles) func findings(_ finding: Case) {
    #expect(finding.finding.note(.english) == finding.english)
    #expect(finding.finding.note(.korean) == finding.korean)
  }

  /// No kind of check is forgotten above.
  @Test func everyKindIsTried() {
    let kinds = Set((Self.ofTrades + Self.ofCandles).map(\.finding.kind))
    #expect(kinds == Set(DataFinding.Kind.allCases))
  }
}
