import Testing

@testable import Quotes

struct DisparityTests {
  @Test func isMeasuredAgainstOwnSpot() throws {
    let rows = [
      row("A", "100"), row("A", "100.5", market: .futures), row("B", "99"), row("B", "98.01", market: .futures),
    ]
    #expect(
      Disparity.all(in: rows) == [
        Disparity(futures: 1, spot: 0, percent: try #require(Decimal("0.5")), difference: try #require(Decimal("0.5"))),
        Disparity(futures: 3, spot: 2, percent: -1, difference: try #require(Decimal("-0.99"))),
      ])
  }

  @Test func needsTheSameAssetAndPaymentCurrency() {
    let rows = [
      row("A", "100", pair: Pair(asset: "BTC", payment: "USDC")),
      row("A", "100", pair: Pair(asset: "ETH", payment: "USDT")), row("B", "100"),
      row("A", "101", market: .futures),
    ]
    #expect(Disparity.all(in: rows) == [])
  }

  @Test func isKnownForEveryProduct() {
    let rows = [
      row("A", "102", market: .futures, product: "usdt-m"), row("A", "101", market: .futures, product: "coin-m"),
      row("A", "100"),
    ]
    #expect(
      Disparity.all(in: rows) == [
        Disparity(futures: 0, spot: 2, percent: 2, difference: 2),
        Disparity(futures: 1, spot: 2, percent: 1, difference: 1),
      ])
  }

  @Test func excludesUnusableRows() {
    let rows = [
      row("A", "100", flags: [.bad]), row("A", "101", market: .futures), row("B", "100"),
      row("B", "101", market: .futures, flags: [.bad]), row("C", "100"),
      row("C", "101", market: .futures, basis: .mark),
      row("D", ""), row("D", "101", market: .futures),
    ]
    #expect(Disparity.all(in: rows) == [])
    #expect(Disparity.all(in: rows, rule: .anyPrice) == [Disparity(futures: 5, spot: 4, percent: 1, difference: 1)])
  }

  @Test func takesTheFirstUsableSpotRow() {
    let rows = [row("A", "50", flags: [.bad]), row("A", "100"), row("A", "200"), row("A", "101", market: .futures)]
    #expect(Disparity.all(in: rows) == [Disparity(futures: 3, spot: 1, percent: 1, difference: 1)])
  }

  /// An empty cell says why.
  @Test func missingDisparityHasAReason() {
    let rows = [
      row("A", "100"), row("A", "x", market: .futures), row("B", "101", market: .futures),
      row("C", "100", basis: .mid), row("C", "101", market: .futures), row("D", "0"), row("D", "101", market: .futures),
      row("A", "101", market: .futures), row("E", "101", market: .futures, basis: .oracle),
      row("F", "101", market: .futures, flags: [.bad]),
    ]
    let results = Disparity.byRow(rows, rule: .standard)
    #expect(
      results == [
        nil, .failure(.futures(.missing(.notANumber))), .failure(.noSpot), nil, .failure(.spot(.basis(.mid))), nil,
        .failure(.spot(.missing(.zero))),
        .success(Disparity(futures: 7, spot: 0, percent: 1, difference: 1)),
        .failure(.futures(.basis(.oracle))), .failure(.futures(.flagged(.bad))),
      ])
    let reasons: [String?] = results.map {
      guard case .failure(let absence) = $0 else { return nil }
      return absence.code
    }
    #expect(
      reasons == [
        nil, "futures not-a-number", "no-spot", nil, "spot mid", nil, "spot zero", nil, "futures oracle",
        "futures range",
      ])
  }

  /// First = greatest, last = smallest, by sign; the first and the last of equal ones; a single one has no last.
  @Test(
    arguments: [
      ([], nil, nil), (["1"], 0, nil), (["0.5", "-2.0"], 0, 1), (["-2.0", "0.5"], 1, 0),
      (["-2", "0", "0.5", "0.1"], 2, 0),
      (["1", "1"], 0, 1), (["1", "1.00", "1"], 0, 2), (["0", "1", "0", "1"], 1, 2), (["-1", "-3"], 0, 1),
    ] as [([String], Int?, Int?)])
  func isRankedBySign(percents: [String], first: Int?, last: Int?) throws {
    let disparities = try percents.enumerated().map { index, percent in
      Disparity(futures: index, spot: 0, percent: try #require(Decimal(percent)), difference: 0)
    }
    let ranking = DisparityRanking(disparities)
    #expect(ranking.first?.futures == first)
    #expect(ranking.last?.futures == last)
  }

  /// Of several unusable spot rows the first says why.
  @Test func unusableSpotRowsHaveTheReasonOfTheFirst() {
    let rows = [row("A", "50", flags: [.bad]), row("A", ""), row("A", "101", market: .futures)]
    #expect(Disparity.byRow(rows, rule: .standard) == [nil, nil, .failure(.spot(.flagged(.bad)))])
  }
}

extension Disparity {
  /// The disparities of all futures rows that have one, in row order.
  fileprivate static func all(in rows: [Ticker], rule: HeadlineRule = HeadlineRule.standard) -> [Disparity] {
    byRow(rows, rule: rule).compactMap { try? $0?.get() }
  }
}
