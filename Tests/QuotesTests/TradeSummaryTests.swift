import Quotes
import Testing

@Suite struct TradeSummaryTests {
  private static func trade(_ price: Decimal, _ size: Cell, _ side: TradeSide?) -> Trade {
    Trade(time: Instant(nanoseconds: 0), price: price, size: size, side: side, id: nil)
  }

  @Test func sums() {
    let large = Self.trade(10, .value(40), .sell)
    let trades = [
      Self.trade(10, .value(2), .buy), Self.trade(11, .value(8), .buy), large, Self.trade(10, .value(1), nil),
      Self.trade(10, .missing(.lookupMiss), .buy),
    ]
    let summary = TradeSummary(trades)
    #expect(summary.buys.count == 2)
    #expect(summary.buys.size == 10)
    #expect(summary.buys.money == 108)
    #expect(summary.sells.money == 400)
    #expect(summary.others.count == 1)
    #expect(summary.unsized == 1)
    #expect(summary.buyPercent == 20)
    #expect(summary.medianSize == 2)
    #expect(trades.map { summary.factor(ofLarge: $0) } == [nil, nil, 20, nil, nil])
  }

  @Test func nothing() {
    let summary = TradeSummary([])
    #expect(summary.buyPercent == nil)
    #expect(summary.medianSize == nil)
  }

  @Test(
    arguments: [
      (100, 110, 0, 0, "10"), (100, 100, 0, 0, "0"), (100, 101, 1, 1, "-1"), (200, 199, 0, 0, "-0.5"),
    ] as [(Decimal, Decimal, Decimal, Decimal, String)])
  func roundTrips(_ cost: Decimal, _ proceeds: Decimal, _ buyFee: Decimal, _ sellFee: Decimal, _ left: String) {
    let trip = RoundTrip(cost: cost, proceeds: proceeds)
    #expect(trip.percent(buyFee: buyFee, sellFee: sellFee)?.rounded(toPlaces: 2).shortest == left)
  }

  @Test(arguments: [(0, "UTC", "+00:00"), (32400, "KST", "+09:00"), (-12600, "-03:30", "-03:30")])
  func zones(_ seconds: Int, _ name: String, _ offset: String) {
    let zone = ClockZone(offsetSeconds: seconds)
    #expect(zone.name == name)
    #expect(zone.offset == offset)
  }
}
