/// A change that is that of one price from another in nearly all rows, which says what both of them are.
///
/// No other pair of columns fits as well: where a bid and a mark price would do as the last price, nothing is proved.
struct ChangeEquation: Sendable {
  let price: Int
  /// The column that the change is measured from; nil where it is sent in money besides, and price less that is the open.
  var open: Int?
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
    var found: [ChangeEquation] = []
    for change in changes {
      let share = Share(columns[change])
      guard share.isTelling, !needsBothSigns || share.hasBothSigns else { continue }
      for price in prices {
        for open in prices where open != price {
          let opens = columns[open].numbers
          guard let (isRatio, vote) = share.fit(columns[price].numbers, opens) else { continue }
          found.append(
            ChangeEquation(
              price: price, open: open, change: change, isRatio: isRatio, vote: vote,
              evidence: "'\(columns[change].path.text)' is the change from '\(columns[open].path.text)' in \(vote.text)"
            ))
        }
        for money in changes where money != change {
          let opens = zip(columns[price].numbers, columns[money].numbers).map { price, money -> Double? in
            guard let price, let money, money != 0, price > money else { return nil }
            return price - money
          }
          guard let (isRatio, vote) = share.fit(columns[price].numbers, opens) else { continue }
          found.append(
            ChangeEquation(
              price: price, open: nil, change: change, isRatio: isRatio, vote: vote,
              evidence: "'\(columns[change].path.text)' is '\(columns[money].path.text)' / (it - that) in \(vote.text)")
          )
        }
      }
    }
    guard let best = found.max(by: { ($0.vote.holds, $1.change) < ($1.vote.holds, $0.change) }) else { return nil }
    // Prices that are close to each other all fit: then the vote is by the digits, and must be clear.
    let relations = RowRelations(columns: columns)
    let rivals = found.filter {
      $0.price != best.price && $0.vote.holds * 10 > best.vote.holds * 8
        && relations.areEqual($0.price, best.price).share < 0.98
    }
    guard rivals.isEmpty else { return nil }
    self = best
    let opens = found.filter { $0.price == best.price && $0.open != nil && $0.vote.holds * 10 > best.vote.holds * 9 }
    if let first = opens.first?.open {
      let isOne = opens.allSatisfy { $0.open == first || relations.areEqual($0.open ?? first, first).share > 0.95 }
      open = isOne ? first : nil
    }
  }

  private init(price: Int, open: Int?, change: Int, isRatio: Bool, vote: RowRelations.Vote, evidence: String) {
    self.price = price
    self.open = open
    self.change = change
    self.isRatio = isRatio
    self.vote = vote
    self.evidence = evidence
  }

  /// Rows beyond these prove nothing more.
  private static let rowLimit = 150

  /// A column as a change: its values with the unit of their last digit.
  private struct Share {
    private var rows: [(row: Int, value: Double, unit: Double)] = []

    init(_ column: SampleColumn) {
      for (row, number) in column.numbers.prefix(ChangeEquation.rowLimit).enumerated() {
        guard let number, number != 0 else { continue }
        let unit = 2 * ChangeRole.halfUnit(of: column.texts[row] ?? "")
        // A change of few digits fits anything.
        if number.magnitude >= unit * 5 { rows.append((row, number, unit)) }
      }
    }

    var isTelling: Bool { rows.count >= 2 }

    var hasBothSigns: Bool { rows.contains { $0.value < 0 } && rows.contains { $0.value > 0 } }

    /// Whether the values are the change between two columns, as a percentage or as a fraction.
    func fit(_ prices: [Double?], _ opens: [Double?]) -> (isRatio: Bool, vote: RowRelations.Vote)? {
      for isRatio in [false, true] {
        var vote = RowRelations.Vote()
        for (row, value, unit) in rows {
          guard let price = prices[row], let open = opens[row], price > 0, open > 0 else { continue }
          let expected = (price - open) / open * (isRatio ? 1 : 100)
          vote.count((value - expected).magnitude <= unit * 1.02 + expected.magnitude * 1e-6)
          if vote.rows == 8, vote.holds < 4 { break }
        }
        if vote.rows >= 2, vote.share >= 0.9, vote.rows * 2 >= rows.count { return (isRatio, vote) }
      }
      return nil
    }
  }
}
