import Testing

@testable import Quotes

struct PremiumTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let prices: [String]
    let percent: String
    let high: Int
    let low: Int

    var testDescription: String { prices.joined(separator: " ") }
  }

  @Test(arguments: [
    Case(prices: ["100", "101", "99"], percent: "2.02", high: 1, low: 2),
    Case(prices: ["67250.10", "67240"], percent: "0.02", high: 0, low: 1),
    // Among equal prices the high is the first and the low the last.
    Case(prices: ["100", "100"], percent: "0.00", high: 0, low: 1),
    Case(prices: ["100", "100.0", "1e2"], percent: "0.00", high: 0, low: 2),
    Case(prices: ["99", "101", "99", "101"], percent: "2.02", high: 1, low: 2),
    Case(prices: ["3", "3.00285"], percent: "0.10", high: 1, low: 0),
    Case(prices: ["0.00000001", "0.00000002"], percent: "100.00", high: 1, low: 0),
    Case(prices: ["", "101", "0", "100"], percent: "1.00", high: 1, low: 3),
  ])
  func isHighestAboveLowest(_ test: Case) throws {
    let rows = test.prices.enumerated().map { row("Exchange \($0)", $1) }
    let premium = try Premium.largest(of: rows, rule: .standard).get()
    #expect(premium.percentText == test.percent)
    #expect(premium.high == test.high)
    #expect(premium.low == test.low)
  }

  @Test func keepsTheUnroundedFigure() throws {
    let premium = try Premium.largest(of: [row("A", "100"), row("B", "100.095")], rule: .standard).get()
    #expect(premium == Premium(percent: try #require(Decimal("0.095")), high: 1, low: 0))
    let third = try Premium.largest(of: [row("A", "3"), row("B", "4")], rule: .standard).get()
    #expect(third.percent.description == "33.333333333333333333333333333333333333")
  }

  @Test func excludesUnusableRows() throws {
    let rows = [
      row("A", "100"), row("B", "500", flags: [.remark, .bad]), row("C", "400", basis: .mark),
      row("D", "101", flags: [.remark]),
    ]
    let premium = try Premium.largest(of: rows, rule: .standard).get()
    #expect(premium == Premium(percent: 1, high: 3, low: 0))
    let any = try Premium.largest(of: rows, rule: .anyPrice).get()
    #expect(any == Premium(percent: 300, high: 2, low: 0))
  }

  @Test func takesTheFirstRowOfAnExchange() throws {
    let rows = [row("A", "100"), row("A", "200"), row("B", "101")]
    #expect(try Premium.largest(of: rows, rule: .standard).get() == Premium(percent: 1, high: 2, low: 0))
  }

  /// Fewer than two usable exchanges: no premium, never 0.00, and the reason.
  @Test(arguments: [
    ([], "no exchange has a usable price"),
    ([row("A", "100")], "only A has a usable price"),
    ([row("A", "100"), row("A", "101")], "only A has a usable price"),
    (
      [row("A", "100"), row("B", "101", flags: [.bad]), row("C", "x"), row("D", "0"), row("E", "5", basis: .oracle)],
      "only A has a usable price; B: range, C: not-a-number, D: zero, E: oracle"
    ),
    (
      [row("A", "1", flags: [.bad]), row("B", "2", flags: [.bad])], "no exchange has a usable price; A: range, B: range"
    ),
  ])
  func missingPremiumHasAReason(rows: [Ticker], reason: String) {
    guard case .failure(let absence) = Premium.largest(of: rows, rule: .standard) else {
      Issue.record("there is a premium")
      return
    }
    #expect(absence.description == reason)
  }

  /// Two exchanges whose prices the identity check attributes to different coins have no premium.
  @Test func followsTheIdentityCheck() {
    var rows = [row("A", "1"), row("B", "1000")]
    for (index, flag) in IdentityCheck.standard.findings(rows, rule: .standard).enumerated() {
      rows[index].flags += flag.map { [$0] } ?? []
    }
    let absence = PremiumAbsence(
      usable: nil,
      excluded: rows.map { .init(exchange: $0.exchange, objection: .flagged($0.flags[0])) })
    #expect(Premium.largest(of: rows, rule: .standard) == .failure(absence))
    #expect(absence.description == "no exchange has a usable price; A: identity, B: identity")
  }

  /// The printed figure decides.
  @Test(
    arguments: [
      ("0", .none), ("0.044999", .none), ("0.045", .grey), ("0.05", .grey), ("0.094999", .grey), ("0.095", .orange),
      ("0.10", .orange), ("5", .orange),
    ] as [(String, PremiumAlert.Highlight)])
  func isHighlighted(percent: String, highlight: PremiumAlert.Highlight) throws {
    #expect(PremiumAlert.standard.highlight(try #require(Decimal(percent))) == highlight)
  }

  @Test func takesItsLimitsFromTheSettings() {
    let alert = PremiumAlert(grey: 1, orange: 2)
    #expect([0, 1, 2, 3].map(alert.highlight) == [.none, .grey, .orange, .orange])
  }

  @Test(
    arguments: [
      (row("A", "1"), nil), (row("A", "0"), .missing(.zero)), (row("A", "-1"), .missing(.negative)),
      (row("A", ""), .missing(.notANumber)),
      (row("A", "1", flags: [.remark]), nil), (row("A", "1", flags: [.remark, .bad]), .flagged(.bad)),
      (row("A", "1", basis: .mid), .basis(.mid)),
    ] as [(Ticker, HeadlineObjection?)])
  func knowsWhichRowsAreUsable(row: Ticker, objection: HeadlineObjection?) {
    #expect(row.headlineObjection(.standard) == objection)
    #expect(row.headlinePrice(.standard) == (objection == nil ? 1 : nil))
  }
}
