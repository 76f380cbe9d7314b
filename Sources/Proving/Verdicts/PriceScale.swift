package import Quotes

/// A verdict on all rows of a table, or all candles of a list, about a high, low, bid or ask of another scale, or a price
/// that is not the last one.
///
/// One row may have an offer far from its price, or a high of a wild day, so that no row proves anything alone. Nearly
/// all rows of an exchange do not. Binary floating point suffices: these are votes, and no number is kept.
package struct PriceScale<Field: RawRepresentable<String> & Sendable> {
  /// What is wrong with a field, and the likely remedy.
  package struct Verdict: Sendable {
    package let field: Field
    package let text: String
    package let help: String
  }

  private let field: Field
  /// Sorted.
  private let ratios: [Double]

  /// - Parameter pairs: The values of the field with the prices to compare them with.
  fileprivate init(_ field: Field, _ pairs: [(value: Decimal, price: Decimal)]) {
    self.field = field
    ratios = pairs.compactMap { value, price -> Double? in
      guard value.signum > 0, price.signum > 0, let value = Double(value.shortest), let price = Double(price.shortest)
      else { return nil }
      return value / price
    }.sorted()
  }

  /// The factor between two prices of one row that no row reaches by trading alone, as far as nearly all do.
  private static var far: Double { 5 }
  /// The factor up to which the offers of most pairs may be from the price in a quiet market.
  private static var near: Double { 1.03 }

  private var median: Double { ratios[ratios.count / 2] }

  fileprivate func otherScale(of rows: String, than price: String, atLeast least: Int) -> Verdict? {
    guard ratios.count >= least else { return nil }
    let (above, below) = (ratios.count { $0 >= Self.far }, ratios.count { $0 <= 1 / Self.far })
    let count = max(above, below)
    guard count * 10 >= ratios.count * 9 else { return nil }
    let distance = above > below ? "5 times \(price) or more" : "a fifth of \(price) or less"
    let text =
      "\(field.rawValue): \(distance) in \(count) of \(ratios.count) \(rows), "
      + "\(median.text(digits: 3)) times in the median"
    return Verdict(field: field, text: text, help: "is it another member, or does it need a \"scale\"?")
  }

  /// Spreads differ from pair to pair: if most offers are off by the same factor, it is the mapping's.
  fileprivate var constantFactor: Verdict? {
    guard ratios.count >= 5, median > Self.near || median < 1 / Self.near else { return nil }
    let count = ratios.count { abs($0 / median - 1) <= 0.01 }
    guard count * 4 >= ratios.count * 3 else { return nil }
    let times = "\(median.text(digits: 3)) times the price, within 1 %, in \(count) of \(ratios.count) rows"
    return Verdict(field: field, text: "\(field.rawValue): \(times)", help: "is its \"scale\" right?")
  }
}

extension PriceScale where Field == TickerField {
  /// Returns the verdicts on a table of all pairs.
  package static func findings(of rows: [Ticker]) -> [Verdict] {
    let scales = [TickerField.high, .low, .bid, .ask].compactMap { field in
      let pairs = rows.compactMap { row -> (Decimal, Decimal)? in
        guard let value = row.cell(field).value, let price = row.price.value else { return nil }
        return (value, price)
      }
      let scale = PriceScale(field, pairs)
      // The offers of a few deserted pairs may be anywhere.
      let isOffer = [.bid, .ask].contains(field)
      return scale.otherScale(of: "rows", than: "the price", atLeast: isOffer ? 5 : 3)
        ?? (isOffer ? scale.constantFactor : nil)
    }
    let areOffersOff = scales.contains { [.bid, .ask].contains($0.field) }
    return scales + (areOffersOff ? [] : [priceBesideOffers(rows)].compactMap(\.self))
  }

  /// The verdict that the price of nearly all rows is outside of bid and ask and clearly away from them: it is an open,
  /// a high, an average. The last trade of a quiet pair may be anywhere: one known to be old, or of a pair without
  /// volume, proves nothing.
  ///
  /// If there are few trades of the last minute, those of the last quarter of an hour are judged instead. As the market
  /// may have moved since, some of them must be above the offers and some below.
  private static func priceBesideOffers(_ rows: [Ticker]) -> Verdict? {
    let recent = distances(of: rows, maximumAge: 60)
    if recent.count >= 5 { return priceBesideOffers(recent) }
    let others = distances(of: rows, maximumAge: 900)
    let (above, below) = (others.count { $0 > 0 }, others.count { $0 < 0 })
    return min(above, below) * 10 >= others.count ? priceBesideOffers(others) : nil
  }

  /// Returns how far prices are from their offers in rows whose offers are close and whose last trade is not known to be
  /// older.
  private static func distances(of rows: [Ticker], maximumAge seconds: Int64) -> [Double] {
    rows.compactMap { row in
      guard row.priceBasis == .last, row.volume24.value?.isZero != true,
        row.timeBasis != .trade || row.ageNanoseconds ?? 0 < seconds * Instant.second,
        let distance = OfferDistance(row), distance.isTelling
      else { return nil }
      return distance.part
    }
  }

  private static func priceBesideOffers(_ distances: [Double]) -> Verdict? {
    guard let median = OfferDistance.median(outside: distances) else { return nil }
    let count = distances.count { $0 != 0 }
    return Verdict(
      field: .price,
      text: "price: outside of bid and ask in \(count) of \(distances.count) rows where these are close, "
        + "\((median * 100).text(digits: 3)) % away in the median",
      help: "is it another member, such as an open, a high or an average?")
  }
}

extension PriceScale where Field == CandleField {
  /// Returns the verdicts on candles, whose highs and lows are compared with their own open and close.
  ///
  /// - Parameter least: How many candles prove something.
  static func findings(of candles: [Candle], atLeast least: Int) -> [Verdict] {
    let highs = PriceScale(.high, candles.map { ($0.high, max($0.open, $0.close)) })
    let lows = PriceScale(.low, candles.map { ($0.low, min($0.open, $0.close)) })
    return [highs, lows].compactMap { $0.otherScale(of: "candles", than: "open and close", atLeast: least) }
  }
}
