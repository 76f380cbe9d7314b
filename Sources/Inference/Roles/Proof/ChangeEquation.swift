/// A change that is that of one price from another in nearly all rows, which says what both of them are.
///
/// No other pair of columns fits as well: where a bid and a mark price would do as the last price, nothing is proved.
struct ChangeEquation: Sendable {
  let price: Int
  /// The column that the change is measured from; nil where it is sent in money besides, and price less that is the open.
  let open: Int?
  let change: Int
  /// Whether the change is a fraction rather than a percentage.
  let isRatio: Bool
  let vote: RowRelations.Vote
  let evidence: String

  /// - Parameters:
  ///   - prices: columns that are near each other.
  ///   - changes: columns that may be the change, of any name.
  ///   - needsBothSigns: a change goes up and down, a spread does not: where no name tells the two apart.
  init?(_ columns: [SampleColumn], prices: [Int], changes: [Int], needsBothSigns: Bool) {
    let search = ChangeSearch(columns, prices: prices, changes: changes, needsBothSigns: needsBothSigns)
    guard search.isComplete,
      let best = search.fits.max(by: { ($0.vote.holds, $1.change) < ($1.vote.holds, $0.change) })
    else { return nil }
    let relations = RowRelations(columns: columns)
    func isSame(_ one: Int, _ other: Int, in share: Double) -> Bool {
      one == other || relations.areEqual(one, other).share >= share
    }
    // Prices that are close to each other all fit: then the vote is by the digits, and must be clear.
    let rivals = Set(search.fits.filter { $0.vote.holds * 10 > best.vote.holds * 8 }.map(\.price))
    guard rivals.allSatisfy({ isSame($0, best.price, in: 0.98) }) else { return nil }
    price = best.price
    change = best.change
    isRatio = best.isRatio
    vote = best.vote
    let name = "'\(columns[best.change].path.text)'"
    switch best.origin {
    case .open(let column):
      evidence = "\(name) is the change from '\(columns[column].path.text)' in \(best.vote.text)"
    case .money(let column):
      evidence = "\(name) is '\(columns[column].path.text)' / (it - that) in \(best.vote.text)"
    }
    var opens: [Int] = []
    for fit in search.fits where fit.price == best.price && fit.vote.holds * 10 > best.vote.holds * 9 {
      if case .open(let column) = fit.origin, !opens.contains(column) { opens.append(column) }
    }
    open = opens.first.flatMap { first in opens.allSatisfy { isSame($0, first, in: 0.95) } ? first : nil }
  }
}
