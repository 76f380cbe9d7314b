import Quotes
import Testing

/// How far prices are outside of close offers.
@Suite struct OfferDistanceTests {
  @Test(
    arguments: [
      (100, 99, 101, 0, false), (100, 99.9, 100.1, 0, true), (100.1, 99.9, 100.1, 0, true),
      (101, 100, 100.5, 0.005, true), (99, 100, 100.5, -0.01, true), (102, 100, 101, 0.01, false),
    ] as [(Double, Double, Double, Double, Bool)])
  func pricesBesideOffers(_ price: Double, bid: Double, ask: Double, part: Double, isTelling: Bool) throws {
    let distance = try #require(OfferDistance(of: price, bid: bid, ask: ask))
    #expect(distance.part == part && distance.isTelling == isTelling)
  }

  @Test(arguments: [(0.0, 1.0), (-1.0, 1.0), (2.0, 1.0)])
  func whatIsNoOffer(bid: Double, ask: Double) { #expect(OfferDistance(of: 1, bid: bid, ask: ask) == nil) }

  /// The median of all if nine of ten are outside, and clearly.
  @Test(
    arguments: [
      ([0.01, -0.02, 0.03, -0.01, 0.02], 0.02), ([0.01, 0.01, 0.01, 0.01], nil), ([0, 0.01, 0.01, 0.01, 0.01], nil),
      ([0, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01], 0.01), ([0.001, 0.002, 0.001, -0.002, 0.02], nil),
    ] as [([Double], Double?)])
  func medianOfThoseOutside(_ parts: [Double], _ median: Double?) {
    #expect(OfferDistance.median(outside: parts) == median)
  }
}
