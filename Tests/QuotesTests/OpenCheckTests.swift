import Quotes
import Testing

/// Impossible opens derived from the 24-hour change, and impossible amounts.
struct OpenCheckTests {
  typealias Base = MeaningCheckTests

  static func messages(_ values: [TickerField: String], of basis: ChangeBasis = .rolling24h) -> [String] {
    Base.findings(Base.ticker(values, of: basis)).map { "\($0.code)\($0.excludes ? "" : ", shown"): \($0.message)" }
  }

  /// The range is 99 to 102, the price 101.
  @Test(arguments: [
    ("1", []), ("2", []), ("-0.9", []), ("4", []), ("-2.9", []),
    ("136", ["change: change +136 % implies an open of 42.7966, outside low 99 to high 102: scale it by 0.01"]),
    ("0.9", []),
    ("-60", ["change: change -60 % implies an open of 252.5, outside low 99 to high 102: scale it by 0.01"]),
    ("-3.15", ["change: change -3.15 % implies an open of 104.285, outside low 99 to high 102: scale it by 0.01"]),
    ("-100", ["change: change -100 %: no price falls by 100 % or more"]),
    ("-150", ["change: change -150 %: no price falls by 100 % or more"]),
  ])
  func comparesImpliedOpenWithRange(change: String, messages: [String]) {
    let values: [TickerField: String] = [.price: "101", .low: "99", .high: "102", .changePricePercent24: change]
    #expect(Self.messages(values) == messages)
  }

  /// A day's first price follows the previous day's last, which may be anything.
  @Test func skipsCalendarDays() {
    let values: [TickerField: String] = [.price: "101", .low: "99", .high: "102", .changePricePercent24: "36"]
    #expect(Self.messages(values, of: .utcDay) == [])
  }

  /// A change in whole percents is imprecise for a small range.
  @Test func allowsForTheLastDigit() {
    let values: [TickerField: String] = [.price: "100", .low: "100", .high: "100", .changePricePercent24: "-2"]
    #expect(Self.messages(values) == [])
  }

  @Test(arguments: [
    ("99", []), ("104", []), ("97.1", []),
    ("91000000", ["range: open 91000000 is outside low 99 to high 102"]),
    ("0.0001", ["range: open 0.0001 is outside low 99 to high 102"]),
  ])
  func comparesOpenWithRange(open: String, messages: [String]) {
    #expect(Self.messages([.price: "101", .low: "99", .high: "102", .open: open]) == messages)
  }

  @Test(arguments: [
    ("-3", "5", ["turnover: volume -3 is below zero"]), ("3", "-5", ["turnover: turnover -5 is below zero"]),
    ("0", "0", []), ("0.0", "0", []), ("0", "12345", ["turnover: volume is 0 and turnover 12345"]),
    ("0", "90", []), ("0.00", "90", ["turnover: volume is 0 and turnover 90"]),
    ("3", "0", ["turnover: turnover is 0 and volume 3"]), ("0.00001", "0.00", []),
  ])
  func refusesImpossibleAmounts(volume: String, turnover: String, messages: [String]) {
    #expect(Self.messages([.price: "100", .volume24: volume, .turnover24: turnover]) == messages)
  }

  @Test(arguments: [
    ("100", "101", []), ("11", "999", []),
    ("9", "101", ["bid-ask, shown: bid 9 is less than a tenth of the price 100"]),
    ("99", "1001", ["bid-ask, shown: ask 1001 is more than ten times the price 100"]),
    ("201", "202", ["bid-ask: bid 201 is more than twice the price 100"]),
    ("48", "49", ["bid-ask: ask 49 is less than half of the price 100"]),
  ])
  func comparesOffersWithPrice(bid: String, ask: String, messages: [String]) {
    #expect(Self.messages([.price: "100", .bid: bid, .ask: ask]) == messages)
  }
}
