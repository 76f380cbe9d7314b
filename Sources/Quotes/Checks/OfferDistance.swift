/// Where a price is beside the offers of its pair, for votes of many rows: binary floating point suffices.
///
/// The last trade of a quiet pair may be anywhere. If nearly all prices of an exchange are clearly outside of offers that
/// are close to each other, they are not those of the last trades.
package struct OfferDistance: Sendable {
  /// The widest spread, as a part of the bid, of offers that say where the price is, and the distance from such offers
  /// that no last price has, in the median.
  package static let limit = 0.005

  /// Above the ask or, negative, below the bid, as a part of the bid; zero in between.
  package let part: Double
  /// Whether the offers are close enough to each other to say where the price is.
  package let isTelling: Bool

  /// Returns nil for what cannot be offers: there are none, or the bid is above the ask.
  package init?(of price: Double, bid: Double, ask: Double) {
    guard bid > 0, bid <= ask else { return nil }
    part = (max(0, price - ask) - max(0, bid - price)) / bid
    isTelling = ask - bid <= bid * Self.limit
  }

  /// Returns nil if a row lacks the price or an offer, too.
  package init?(_ row: Ticker) {
    guard let price = row.price.value, let bid = row.bid.value, let ask = row.ask.value, bid.signum > 0, bid <= ask,
      let price = Double(price.shortest), let bid = Double(bid.shortest), let ask = Double(ask.shortest)
    else { return nil }
    self.init(of: price, bid: bid, ask: ask)
  }

  /// Returns how far prices are from their offers in the median, as a part of these, if nearly all of enough prices are
  /// clearly outside; otherwise nil.
  package static func median(outside parts: [Double]) -> Double? {
    let distances = parts.map(\.magnitude)
    guard parts.count >= 5, distances.count(where: { $0 > 0 }) * 10 >= parts.count * 9, let median = distances.median,
      median >= limit
    else { return nil }
    return median
  }
}
