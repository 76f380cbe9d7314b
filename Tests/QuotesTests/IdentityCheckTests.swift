import Quotes
import Testing

struct IdentityCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let prices: [String]
    let messages: [String?]
    var limitPercent: Decimal = 20

    var testDescription: String { prices.joined(separator: " ") }
  }

  static let cases: [Case] = [
    Case(prices: [], messages: []), Case(prices: ["100"], messages: [nil]),
    Case(prices: ["100", "101", "99"], messages: [nil, nil, nil]),
    // Only the outlier is flagged, though the mean of the others is 550 for the first.
    Case(
      prices: ["100", "101", "1500"],
      messages: [
        nil, nil, "price 1500 is further than 20 % from the median 101 of the others: another coin or a multiplier",
      ]),
    Case(
      prices: ["100", "101", "99", "1000"],
      messages: [
        nil, nil, nil, "price 1000 is about 10 times the median 100 of the others: a multiplier or another coin",
      ]),
    Case(
      prices: ["0.0012", "1.2", "1.21", "1.19"],
      messages: [
        "price 0.0012 is about 0.001 times the median 1.2 of the others: a multiplier or another coin", nil, nil, nil,
      ]),
    // Exactly 20 % is not more than 20 %.
    Case(prices: ["100", "100", "120", "100"], messages: [nil, nil, nil, nil]),
    Case(prices: ["100", "100", "83.34", "100"], messages: [nil, nil, nil, nil]),
    // Near the median, but not to the dearest: a premium of 25 %.
    Case(
      prices: ["100", "100", "80", "100"],
      messages: [
        nil, nil, "price 80 and Exchange 3's 100 are further apart than 20 %: another coin or a multiplier", nil,
      ]),
    // Of two on either side of the median, the one further from it is odd.
    Case(
      prices: ["90000", "103500", "90100", "81300"],
      messages: [
        nil, "price 103500 and Exchange 3's 81300 are further apart than 20 %: another coin or a multiplier", nil, nil,
      ]),
    Case(
      prices: ["100", "116", "101", "84", "85"],
      messages: [
        nil, nil, nil, "price 84 and Exchange 1's 116 are further apart than 20 %: another coin or a multiplier",
        "price 85 and Exchange 1's 116 are further apart than 20 %: another coin or a multiplier",
      ]),
    Case(
      prices: ["100", "100", "120.01", "100"],
      messages: [
        nil, nil, "price 120.01 is further than 20 % from the median 100 of the others: another coin or a multiplier",
        nil,
      ]),
    Case(
      prices: ["100", "100", "79.99", "100"],
      messages: [
        nil, nil, "price 79.99 is further than 20 % from the median 100 of the others: another coin or a multiplier",
        nil,
      ]),
    // No two prices agree.
    Case(
      prices: ["1", "3", "7"],
      messages: [
        "price 1 and the nearer middle price 3 of the others are further apart than 20 %: another coin or a multiplier",
        "price 3 and the nearer middle price 7 of the others are further apart than 20 %: another coin or a multiplier",
        "price 7 and the nearer middle price 3 of the others are further apart than 20 %: another coin or a multiplier",
      ]),
    // A third price that fits neither does not decide which of the other two is right.
    Case(
      prices: ["100", "125", "0.0125"],
      messages: [
        "price 100 and the nearer middle price 125 of the others are further apart than 20 %: another coin or a multiplier",
        "price 125 and the nearer middle price 100 of the others are further apart than 20 %: another coin or a multiplier",
        "price 0.0125 and the nearer middle price 100 of the others are further apart than 20 %: another coin or a multiplier",
      ]),
    // A price that is rejected is in no median that rejects others.
    Case(
      prices: ["100", "101", "127", "1000"],
      messages: [
        nil, nil, "price 127 is further than 20 % from the median 101 of the others: another coin or a multiplier",
        "price 1000 is about 10 times the median 101 of the others: a multiplier or another coin",
      ]),
    Case(
      prices: ["7", "100", "0.5", "101", "300", "99"],
      messages: [
        "price 7 is further than 20 % from the median 100 of the others: another coin or a multiplier", nil,
        "price 0.5 is further than 20 % from the median 100 of the others: another coin or a multiplier", nil,
        "price 300 is further than 20 % from the median 99 of the others: another coin or a multiplier", nil,
      ]),
    // Two against two: there is no telling, whichever is a little further away.
    Case(
      prices: ["10", "10.01", "100", "100.2"],
      messages: [
        "price 10 is about 0.1 times the median 100 of the others: a multiplier or another coin",
        "price 10.01 is about 0.1 times the median 100 of the others: a multiplier or another coin",
        "price 100 is about 10 times the median 10.01 of the others: a multiplier or another coin",
        "price 100.2 is about 10 times the median 10.01 of the others: a multiplier or another coin",
      ]),
    // Three against two.
    Case(
      prices: ["10", "10.01", "100", "100.2", "9.99"],
      messages: [
        nil, nil, "price 100 is about 10 times the median 10.01 of the others: a multiplier or another coin",
        "price 100.2 is about 10 times the median 10.01 of the others: a multiplier or another coin", nil,
      ]),
    Case(prices: ["100", "120"], messages: [nil, nil]),
    Case(
      prices: ["100", "120.01"],
      messages: [
        "price 100 and Exchange 1's 120.01 are further apart than 20 %: another coin or a multiplier",
        "price 120.01 and Exchange 0's 100 are further apart than 20 %: another coin or a multiplier",
      ]),
    Case(
      prices: ["0.001", "1.01"],
      messages: [
        "price 0.001 is about 0.001 times Exchange 1's 1.01: a multiplier or another coin",
        "price 1.01 is about 1000 times Exchange 0's 0.001: a multiplier or another coin",
      ]),
    // Neither is nearer to the middle, or to the price.
    Case(
      prices: ["100", "100", "80", "125"],
      messages: [
        nil, nil, nil, "price 125 and Exchange 2's 80 are further apart than 30 %: another coin or a multiplier",
      ], limitPercent: 30),
    Case(
      prices: ["80", "100", "125"],
      messages: [
        "price 80 and the nearer middle price 100 of the others are further apart than 20 %: another coin or "
          + "a multiplier",
        "price 100 and the nearer middle price 80 of the others are further apart than 20 %: another coin or "
          + "a multiplier",
        "price 125 and the nearer middle price 100 of the others are further apart than 20 %: another coin or "
          + "a multiplier",
      ]),
    // Twelve digits are readable, and thirteen are not.
    Case(
      prices: ["123456.789012", "1"],
      messages: [
        "price 123456.789012 and Exchange 1's 1 are further apart than 20 %: another coin or a multiplier",
        "price 1 and Exchange 0's 123456.789012 are further apart than 20 %: another coin or a multiplier",
      ]),
    Case(
      prices: ["123456.7890123", "1"],
      messages: [
        "price 123456.8 and Exchange 1's 1 are further apart than 20 %: another coin or a multiplier",
        "price 1 and Exchange 0's 123456.8 are further apart than 20 %: another coin or a multiplier",
      ]),
    // Within 5 % of a power of ten.
    Case(
      prices: ["100", "1050"],
      messages: [
        "price 100 is about 0.1 times Exchange 1's 1050: a multiplier or another coin",
        "price 1050 is about 10 times Exchange 0's 100: a multiplier or another coin",
      ], limitPercent: 2000),
    Case(prices: ["100", "1060"], messages: [nil, nil], limitPercent: 2000),
    // With a custom limit, a power of ten is still found.
    Case(prices: ["100", "150"], messages: [nil, nil], limitPercent: 50),
    Case(
      prices: ["100", "101", "102", "1010", "700"],
      messages: [
        nil, nil, nil, "price 1010 is about 10 times the median 102 of the others: a multiplier or another coin", nil,
      ], limitPercent: 2000),
  ]

  @Test(arguments: cases)
  func comparesExchanges(_ test: Case) {
    let rows = test.prices.enumerated().map { row("Exchange \($0)", $1) }
    let found = IdentityCheck(limitPercent: test.limitPercent).findings(rows, rule: .standard)
    #expect(found.map { $0?.message } == test.messages)
    #expect(found.allSatisfy { $0.map { $0.kind == .identity && $0.excludes } ?? true })
  }

  @Test func looksAtUsablePricesOnly() {
    let rows = [
      row("A", "100"), row("B", "101"), row("C", "5000", flags: [.bad]), row("D", "5000", basis: .mark),
      row("E", ""), row("F", "0"),
    ]
    #expect(IdentityCheck.standard.findings(rows, rule: .standard) == [nil, nil, nil, nil, nil, nil])
    let codes = IdentityCheck.standard.findings(rows, rule: .anyPrice).map { $0?.code }
    #expect(codes == [nil, nil, nil, "identity", nil, nil])
  }

  @Test func checksRowsWithRemarksToo() {
    let rows = [row("A", "100"), row("B", "101"), row("C", "5000", flags: [.remark])]
    #expect(IdentityCheck.standard.findings(rows, rule: .standard).map { $0?.code } == [nil, nil, "identity"])
  }

  /// An exchange's futures are compared with its own spot price, as there may be no other, then with all others.
  @Test func comparesFuturesWithSpot() {
    let spot = [row("A", "5"), row("B", "100"), row("C", "100", flags: [.bad]), row("C", "101"), row("D", "100")]
    let futures = [
      row("A", "5000", market: .futures), row("B", "119", market: .futures), row("B", "121", market: .futures),
      row("C", "10", market: .futures), row("D", "5", market: .futures, flags: [.bad]), row("E", "5", market: .futures),
    ]
    #expect(
      IdentityCheck.standard.findings(futures, besideSpot: spot, rule: .standard).map { $0?.message } == [
        "price 5000 is about 1000 times the exchange's own spot price 5: a multiplier or another coin", nil,
        "price 121 and the exchange's own spot price 100 are further apart than 20 %: another coin or a multiplier",
        "price 10 is about 0.1 times the exchange's own spot price 101: a multiplier or another coin", nil,
        "price 5 is further than 20 % from the median 100 of the others: another coin or a multiplier",
      ])
  }

  /// A future without a spot price of its own exchange is compared with those of others. Spot prices decide which of two
  /// futures is odd, and one is enough to show that a single future is, or that itself is.
  @Test(
    arguments: [
      (
        ["91491", "91503"], ["915205"],
        ["price 915205 is about 10 times the median 91503 of the others: a multiplier or another coin"]
      ),
      (
        ["91491", "91503"], ["915205", "91480"],
        ["price 915205 is about 10 times the median 91491 of the others: a multiplier or another coin", nil]
      ),
      (
        ["0.00000870962"], ["0.00871146"],
        ["price 0.00871146 is about 1000 times S0's 0.00000870962: a multiplier or another coin"]
      ),
      (["91491", "91503"], ["93000"], [nil]), ([], ["915205"], [nil]),
    ] as [([String], [String], [String?])])
  func comparesFuturesWithOtherExchanges(_ spot: [String], _ futures: [String], _ messages: [String?]) {
    let spot = spot.enumerated().map { row("S\($0)", $1) }
    let futures = futures.enumerated().map { row("F\($0)", $1, market: .futures) }
    #expect(IdentityCheck.standard.findings(futures, besideSpot: spot, rule: .standard).map { $0?.message } == messages)
  }

  /// Spot and futures of one exchange have one vote, or it could outvote the others.
  @Test func doesNotCompareAnExchangeWithItself() {
    let rows = [row("A", "5000"), row("A", "5000", market: .futures)]
    #expect(IdentityCheck.standard.findings(rows, rule: .standard) == [nil, nil])
    let two = rows + [row("B", "100")]
    #expect(
      IdentityCheck.standard.findings(two, rule: .standard).map { $0?.code } == ["identity", "identity", "identity"])
  }

  // MARK: Lines

  /// Prices by the hours at which they start.
  struct Lines: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let prices: [[Int: Decimal]]
    /// The messages, without the advice; empty for a line that fits.
    let expected: [String]
  }

  static let lineCases = [
    Lines(
      testDescription: "the newest that both have", prices: [[0: 5, 1: 100, 2: 3], [0: 5, 1: 200]],
      expected: ["price 100 and B's 200", "price 200 and A's 100"]),
    Lines(
      testDescription: "they agree where both are", prices: [[0: 1, 1: 100, 2: 300], [0: 9, 1: 101]],
      expected: ["", ""]),
    Lines(testDescription: "nothing in common", prices: [[2: 100, 3: 100], [0: 200, 1: 200]], expected: ["", ""]),
    Lines(
      testDescription: "the newest that all have", prices: [[0: 100, 1: 1], [0: 101, 1: 100], [0: 300]],
      expected: ["", "", "price 300 is further than 20 % from the median 101"]),
    Lines(
      testDescription: "one of long ago", prices: [[0: 100, 9: 1], [0: 101, 9: 100], [0: 300, 2: 100]],
      expected: ["price 1 is about 0.01 times B's 100", "price 100 is about 100 times A's 1", ""]),
    Lines(testDescription: "of long ago alone", prices: [[0: 100, 9: 100], [0: 200]], expected: ["", ""]),
    Lines(
      testDescription: "one shares nothing with all, but something with one",
      prices: [[1: 100, 2: 100], [0: 7, 2: 101], [0: 70]],
      expected: ["", "", "price 70 is about 10 times B's 7"]),
    Lines(testDescription: "one without prices", prices: [[0: 100], [:]], expected: ["", ""]),
    Lines(testDescription: "one alone", prices: [[0: 100]], expected: [""]),
  ]

  @Test(arguments: lineCases) func lines(_ sample: Lines) {
    let hour: Int64 = 3_600_000_000_000
    let lines = sample.prices.enumerated().map { index, prices in
      let points = prices.sorted { $0.key < $1.key }
      return IdentityCheck.Line(
        ["A", "B", "C"][index], on: CandleGrid(.oneHour),
        starts: points.map { Instant(nanoseconds: Int64($0.key) * hour) }
      ) { points[$0].value }
    }
    let found = IdentityCheck.standard.findings(lines).map { flag in
      String((flag?.message ?? "").prefix { $0 != ":" }).replacing(" are further apart than 20 %", with: "").replacing(
        " of the others", with: "")
    }
    #expect(found == sample.expected)
  }

  /// Days that begin at different hours are compared where they overlap, and end hours apart.
  @Test(arguments: [(130, nil), (200, nil), (500, nil), (501, "identity"), (1000, "identity")] as [(Int, String?)])
  func daysOfTwoZones(_ other: Int, _ code: String?) {
    let day: Int64 = 86_400_000_000_000
    let lines = [(0, Decimal(100)), (32_400, Decimal(other))].map { zone, price in
      let grid = CandleGrid(.oneDay, zoneSeconds: zone)
      return IdentityCheck.Line("\(zone)", on: grid, starts: [grid.start(containing: Instant(nanoseconds: day / 2))]) {
        _ in
        price
      }
    }
    #expect(IdentityCheck.standard.findings(lines).map { $0?.code } == [code, code])
  }

  @Test func aRateOfAMonthLaterIsOld() {
    let month: Int64 = 30 * 86_400_000_000_000
    let isOld = [month, month + 1].map { Instant(nanoseconds: 7).isOld(for: Instant(nanoseconds: 7 + $0)) }
    #expect(isOld == [false, true])
  }
}
