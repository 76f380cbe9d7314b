import MarketData
import Quotes

/// The 1-2-5 series times powers of ten.
enum Steps {
  /// Returns the next step above a positive number.
  static func after(_ step: Decimal) -> Decimal {
    let (first, power) = parts(of: step)
    return (first < 2 ? 2 : first < 5 ? 5 : Decimal(10)).scaledByPowerOfTen(power)
  }

  /// Returns the next step below.
  static func before(_ step: Decimal) -> Decimal {
    let (first, power) = parts(of: step)
    let below: Decimal = first > 5 ? 5 : first > 2 ? 2 : first > 1 ? 1 : Decimal(5).scaledByPowerOfTen(-1)
    return below.scaledByPowerOfTen(power)
  }

  /// Splits a number into a mantissa from 1 to below 10 and a power of ten.
  private static func parts(of step: Decimal) -> (Decimal, Int) {
    (step.scaledByPowerOfTen(-step.leadingPower), step.leadingPower)
  }

  /// Returns the step of each book: as given for those in the payment currency of the first. In another currency it is
  /// the next one of the series that is at most the same share of the price; nil for one below the last digit of its
  /// prices, which joins nothing.
  static func ofBooks(_ books: [(payment: String, book: OrderBook?)], _ step: Decimal?) -> [Decimal?] {
    let payment = books.first?.payment
    let middle = books.lazy.filter { $0.payment == payment }.compactMap(\.book?.middle).first
    return books.map { other in
      guard let step, other.payment != payment else { return step }
      guard let middle, let book = other.book, let price = book.middle, let tick = book.tick,
        let equivalent = (step * price).divided(by: middle)
      else { return nil }
      let next = before(after(equivalent))
      return next > tick ? next : nil
    }
  }
}

extension OrderBook {
  /// The exchange's apparent tick size: the last digit of its prices.
  var tick: Decimal? {
    (bids + asks).map { Int($0.price.normalized.exponent) }.min().map { Decimal(1).scaledByPowerOfTen($0) }
  }
}
