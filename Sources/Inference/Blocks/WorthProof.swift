import Quotes

/// The relation price x size = worth, which proves all three, whatever their names: the size counts the asset, and the
/// worth is money.
struct WorthProof {
  let price: SampleColumn
  let size: SampleColumn
  let worth: SampleColumn
  let vote: RowRelations.Vote

  /// Returns the proofs among columns of the same rows; of very wide rows only the first columns are tried.
  ///
  /// - Parameters:
  ///   - prices: the columns that may be the price.
  ///   - amounts: those that may be the size or the worth.
  static func all(prices: [SampleColumn], amounts: [SampleColumn]) -> [WorthProof] {
    var proofs: [WorthProof] = []
    let amounts = amounts.prefix(24)
    for price in prices.prefix(8) {
      for size in amounts where size.path != price.path {
        for worth in amounts where worth.path != price.path && worth.path != size.path {
          let vote = vote(price, size, worth)
          if vote.rows >= 2, vote.share >= 0.95 {
            proofs.append(WorthProof(price: price, size: size, worth: worth, vote: vote))
          }
        }
      }
    }
    return proofs
  }

  /// Returns evidence that two amounts are not those of a day, whose quotient would be its average price: it is the
  /// last price, to the last digit in nearly all rows.
  static func lastPrice(_ price: SampleColumn, _ size: SampleColumn, _ worth: SampleColumn) -> String? {
    let vote = vote(price, size, worth)
    guard vote.rows >= 3, vote.share >= 0.95 else { return nil }
    return "their quotient is the last price, not an average of the day, in \(vote.text)"
  }

  /// Returns the same evidence of amounts whose names leave it open whether they are of a day or of the last trade.
  static func ofOneTrade(_ price: SampleColumn, _ size: SampleColumn, _ worth: SampleColumn) -> String? {
    [size, worth].allSatisfy(\.mayBePartOfOneTrade) ? lastPrice(price, size, worth) : nil
  }

  /// The number of rows after which more prove nothing.
  private static let maximumRows = 300

  /// Counts the rows where the relation holds to the last digit; those without an amount or with a price near one have
  /// no vote.
  static func vote(_ price: SampleColumn, _ size: SampleColumn, _ worth: SampleColumn) -> RowRelations.Vote {
    var vote = RowRelations.Vote()
    for row in price.numbers.indices.prefix(maximumRows) {
      guard let price = price.numbers[row], let size = size.numbers[row]?.magnitude,
        let value = worth.numbers[row]?.magnitude, size > 0, value > 0, (price - 1).magnitude > 0.02
      else { continue }
      let unit = worth.lastDigit(row)
      guard value > unit * 20 else { continue }
      vote.count((price * size - value).magnitude <= value * 1e-6 + unit)
    }
    return vote
  }
}

extension SampleColumn {
  /// Whether an amount may as well be that of the last trade, whose size falls with the price like the volume of a day:
  /// its name is that of any amount.
  var mayBeOfOneTrade: Bool { !wholeName.hasAny([.volume, .turnover, .rolling, .day, .total]) }

  /// Whether an amount may be one of the two of the last trade: `trade_volume` is rather its, and so is a bare `total`.
  fileprivate var mayBePartOfOneTrade: Bool {
    wholeName.words == [.total] || mayBeOfOneTrade && wholeName.letter != "v"
      || wholeName.has(.trade) && !wholeName.hasAny([.rolling, .day, .total, .accumulated])
  }
}
