import Quotes
import Testing

/// Whether there is trading at a price now, judged by the amounts, offers and times of a row or book.
@Suite struct TimeCheckTests {
  typealias Written = MeaningCheckTests.Written

  /// Returns a row whose bid and ask count as sent as zero where they are `0`.
  private static func row(_ values: [TickerField: String]) -> Ticker {
    var row = MeaningCheckTests.ticker(values)
    if values[.bid] == "0" { row.bid = .missing(.zero) }
    if values[.ask] == "0" { row.ask = .missing(.zero) }
    return row
  }

  // MARK: Dead pairs

  @Test(
    arguments: [
      ([.price: "75000", .volume24: "0", .turnover24: "0", .bid: "0", .ask: "0"], true),
      ([.price: "75000", .volume24: "0.000", .bid: "0", .ask: "0"], true),
      ([.price: "75000", .turnover24: "0", .bid: "0", .ask: "0"], true),
      // A quiet market has offers, even if only on one side.
      ([.price: "75000", .volume24: "0", .turnover24: "0", .bid: "74990", .ask: "75010"], false),
      ([.price: "75000", .volume24: "0", .turnover24: "0", .bid: "0", .ask: "75010"], false),
      // A busy one may momentarily have none.
      ([.price: "75000", .volume24: "1", .turnover24: "75000", .bid: "0", .ask: "0"], false),
      // Missing values prove nothing.
      ([.price: "75000", .bid: "0", .ask: "0"], false), ([.price: "75000", .volume24: "0", .bid: "0"], false),
      ([.price: "75000", .volume24: "0", .turnover24: "0"], false),
      ([.volume24: "0", .bid: "0", .ask: "0"], false),
    ] as [([TickerField: String], Bool)])
  func untradedPairsAreDead(values: [TickerField: String], isDead: Bool) {
    let message = isDead ? "nothing was traded in 24 hours, and there is no bid or ask" : nil
    #expect(MeaningCheckTests.findings(Self.row(values)) == MeaningCheckTests.flag("dead", message))
  }

  // MARK: Unreadable times

  @Test(
    arguments: [
      (.notANumber, true), (.pathMany, true), (.notOffered, false), (.pathMiss, false), (.jsonNull, false),
      (.lookupMiss, false),
    ] as [(Missing, Bool)])
  func unreadableTimeProvesNothing(missing: Missing, isFlagged: Bool) {
    let message = isFlagged ? "its timestamp cannot be parsed: check unit and zone" : nil
    var row = MeaningCheckTests.clean
    (row.time, row.timeMissing) = (nil, missing)
    for arrival in [MeaningCheckTests.arrival, nil] {
      #expect(MeaningCheckTests.findings(row, arrival: arrival) == MeaningCheckTests.flag("time", message))
      let flag = MeaningCheck().bookFinding(time: nil, missing: missing, arrival: arrival)
      #expect(flag?.message == message)
    }
  }

  // MARK: Headlines

  /// Trades are as old as the last millisecond says, and any limit that can be written is one.
  @Test(arguments: [
    (300_000, 300_000, nil), (300_001, 300_000, "its last trade is 5 min 1 s old; --max-age includes it"),
    (900, 500, "its last trade is 0.9 s old; --max-age includes it"), (499, 500, nil),
    (3_000_000, 9_999_999 * 86_400_000, nil), (3_000_000, nil, nil),
  ])
  func tradeAgeIsLimited(ageInMilliseconds: Int64, limit: Int?, message: String?) {
    var row = MeaningCheckTests.clean
    let arrival = MeaningCheckTests.arrival
    (row.timeBasis, row.arrival) = (.trade, arrival)
    row.time = Instant(nanoseconds: arrival.nanoseconds - ageInMilliseconds * 1_000_000)
    let objection = row.headlineObjection(HeadlineRule(allowsAnyPriceBasis: false, maximumTradeAgeMilliseconds: limit))
    #expect(objection?.explanation == message)
  }

  /// Amounts of zero say that the last trade is more than a day old, unless its time says otherwise, or the amounts may
  /// begin at midnight.
  @Test(arguments: [
    ("0", "0", TimeBasis.quote, ChangeBasis.rolling24h, true), ("0", "", .quote, .rolling24h, true),
    ("", "", .quote, .rolling24h, false), ("1", "1", .quote, .rolling24h, false),
    ("0", "0", .quote, .utcDay, false), ("0", "0", .trade, .rolling24h, false), ("0", "5", .quote, .rolling24h, false),
  ])
  func amountsTellOldTrades(
    volume: String, turnover: String, time: TimeBasis, change: ChangeBasis, isOld: Bool
  ) {
    var row = MeaningCheckTests.clean
    row.volume24 = volume.isEmpty ? .missing(.notOffered) : cell(volume)
    row.turnover24 = turnover.isEmpty ? .missing(.notOffered) : cell(turnover)
    (row.timeBasis, row.changeBasis, row.arrival) = (time, change, row.time)
    #expect(row.headlineObjection(.standard) == (isOld ? .noTrades : nil))
    #expect(row.headlineObjection(.anyPrice) == nil)
    #expect(
      row.headlineObjection(HeadlineRule(allowsAnyPriceBasis: false, maximumTradeAgeMilliseconds: 86_399_999))
        == (isOld ? .noTrades : nil))
    #expect(
      row.headlineObjection(HeadlineRule(allowsAnyPriceBasis: false, maximumTradeAgeMilliseconds: 86_400_000)) == nil)
  }

  /// Without a time of its own a row is as old as the answer, if a cache says how old that is.
  @Test(
    arguments: [
      (60, true, nil), (61, true, "its answer is 61 s old, more than 60 s"), (61, false, nil), (nil, true, nil),
    ] as [(Int64?, Bool, String?)])
  func answerFromACache(age: Int64?, isTimeless: Bool, message: String?) {
    let arrival = MeaningCheckTests.arrival
    var row = MeaningCheckTests.clean
    if isTimeless { row.time = nil }
    var check = MeaningCheck()
    check.answerMade = age.map { arrival.advanced(by: .seconds(-$0)) }
    let flags = check.findings(row, arrival: arrival, changeIsFromOpen: false, turnoverIsComputed: false)
    #expect(flags.map(\.message) == [message].compactMap(\.self))
    let time = isTimeless ? nil : arrival
    #expect(check.bookFinding(time: time, missing: nil, arrival: arrival)?.message == message)
  }

  // MARK: Books

  @Test(
    arguments: [
      (0, nil), (60_000, nil), (-5000, nil), (60_001, "its order book is 60.001 s old, more than 60 s"),
      (86_400_000, "its order book is 24 h old, more than 60 s"),
      (-9000, "its timestamp is 9 s later than its arrival: check unit and zone"),
    ] as [(Int64, String?)])
  func bookMayBeAsOldAsAQuote(ageInMilliseconds: Int64, message: String?) {
    let arrival = MeaningCheckTests.arrival
    let time = Instant(nanoseconds: arrival.nanoseconds - ageInMilliseconds * 1_000_000)
    let flag = MeaningCheck().bookFinding(time: time, missing: nil, arrival: arrival)
    #expect(flag?.message == message)
    #expect(flag?.code == message.map { _ in "stale" })
    #expect(MeaningCheck().bookFinding(time: time, missing: nil, arrival: nil) == nil)
    // However old a book may be, it cannot be from the future.
    let patient = MeaningCheck(staleAfterMilliseconds: 90_000_000).bookFinding(
      time: time, missing: nil, arrival: arrival)
    #expect(patient == (ageInMilliseconds < -5000 ? flag : nil))
  }
}
