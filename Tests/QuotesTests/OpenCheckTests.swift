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
    // The other sign would fit as well, and then the price may be that of 24 hours ago.
    (
      "-3.15",
      [
        "change: change -3.15 % implies an open of 104.285, outside low 99 to high 102: "
          + "is the sign wrong, or is the price not the last one?"
      ]
    ),
    // Divided by 100 it would fit like any number, but be far too small for the range.
    (
      "7",
      [
        "change: change +7 % implies an open of 94.3925, outside low 99 to high 102: "
          + "is it measured from another open?"
      ]
    ),
    (
      "4.5",
      [
        "change: change +4.5 % implies an open of 96.6507, outside low 99 to high 102: "
          + "is it measured from another open?"
      ]
    ),
    // A hundredth would fit, but so would a tenth: nothing shows which.
    (
      "15",
      [
        "change: change +15 % implies an open of 87.8261, outside low 99 to high 102: "
          + "is it measured from another open?"
      ]
    ),
    ("-100", ["change: change -100 %: no price falls by 100 % or more"]),
    ("-150", ["change: change -150 %: no price falls by 100 % or more"]),
  ])
  func comparesImpliedOpenWithRange(change: String, messages: [String]) {
    let values: [TickerField: String] = [.price: "101", .low: "99", .high: "102", .changePricePercent24: change]
    #expect(Self.messages(values) == messages)
  }

  /// The range is 89 to 102, the price 90.
  @Test(arguments: [
    ("-439", ["change: change -439 %: no price falls by 100 % or more: scale it by 0.01"]),
    ("-4390", ["change: change -4390 %: no price falls by 100 % or more"]),
    ("-12", []),
  ])
  func scalesImpossibleFalls(change: String, messages: [String]) {
    let values: [TickerField: String] = [.price: "90", .low: "89", .high: "102", .changePricePercent24: change]
    #expect(Self.messages(values) == messages)
  }

  /// With an open of 100, a range of 99 to 102, or neither.
  @Test(
    arguments: [
      ([.open: "100"], "101", "1", true), ([.open: "100"], "101", "2", false),
      // Zero would fit as well.
      ([.open: "100"], "100.05", "0.05", false), ([.open: "100"], "100.05", "0", false),
      ([.low: "99", .high: "102"], "101", "1", true), ([.low: "99", .high: "102"], "101", "0.01", false),
      ([.low: "99", .high: "102"], "101", "4", false), ([.low: "99", .high: "102"], "101", "-101", false),
      ([:], "101", "1", false),
    ] as [([TickerField: String], String, String, Bool)])
  func confirmsChanges(values: [TickerField: String], price: String, change: String, isConfirmed: Bool) {
    let row = Base.ticker(values.merging([.price: price, .changePricePercent24: change]) { $1 }, of: .rolling24h)
    #expect(MeaningCheck.confirmsChange(row) == isConfirmed)
  }

  /// A day's first price may be the last one of a quiet pair, but not any number, unless the change is measured from it.
  /// The range, 99 to 102 or a single price, is that of the day itself, or of 24 hours if the day is known to begin in
  /// them; of another day it proves nothing.
  @Test(
    arguments: [
      ([.changePricePercent24: "36"], .utcDay, []), ([.open: "55"], .kstDay, []), ([.open: "203"], .utc8Day, []),
      ([.open: "204"], .utcDay, []), ([.open: "204.1"], .utcDay, ["range: open 204.1 is more than twice the high 102"]),
      ([.open: "45"], .utcDay, ["range: open 45 is less than half of the low 99"]),
      ([.open: "9100"], .kstDay, ["range: open 9100 is more than twice the high 102"]),
      ([.changePricePercent24: "101260"], .utcDay, ["range: open 0.0996448 is less than half of the low 99"]),
      ([.changePricePercent24: "-98.99"], .utcDay, ["range: open 10000 is more than twice the high 102"]),
      ([.open: "9100"], .venueDay, ["range: open 9100 is more than twice the high 102"]),
      ([.open: "40", .changePricePercent24: "152.5"], .utcDay, []),
      ([.open: "40", .low: "101", .high: "101"], .kstDay, []),
      ([.changePricePercent24: "152.5", .low: "101", .high: "101"], .kstDay, []),
    ] as [([TickerField: String], ChangeBasis, [String])])
  func comparesOpenOfDayWithRange(values: [TickerField: String], basis: ChangeBasis, messages: [String]) {
    var row = Base.ticker(values.merging([.price: "101", .low: "99", .high: "102"]) { own, _ in own }, of: basis)
    func found(_ range: ChangeBasis) -> [String] {
      (row.lowBasis, row.highBasis) = (range, range)
      return Base.findings(row).map { "\($0.code): \($0.message)" }
    }
    #expect(found(basis) == messages)
    #expect(found(.rolling24h) == (basis == .venueDay ? [] : messages))
    #expect(found(basis == .utcDay ? .kstDay : .utcDay) == [])
  }

  /// A change in whole percents is imprecise for a small range.
  @Test func allowsForTheLastDigit() {
    let values: [TickerField: String] = [.price: "100", .low: "100", .high: "100", .changePricePercent24: "-2"]
    #expect(Self.messages(values) == [])
  }

  @Test(arguments: [
    ("99", []), ("104", []), ("97.1", []), ("97.02", []), ("104.04", []),
    ("97.01", ["range: open 97.01 is outside low 99 to high 102"]),
    ("104.05", ["range: open 104.05 is outside low 99 to high 102"]),
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
    // What excludes comes first.
    ("5", "40", ["bid-ask: ask 40 is less than half of the price 100"]),
    ("5", "1001", ["bid-ask, shown: bid 5 is less than a tenth of the price 100"]),
    ("150", "5000", ["bid-ask, shown: ask 5000 is more than ten times the price 100"]),
  ])
  func comparesOffersWithPrice(bid: String, ask: String, messages: [String]) {
    #expect(Self.messages([.price: "100", .bid: bid, .ask: ask]) == messages)
  }
}
