/// What the numbers say against a column that is called the last price.
///
/// A name can be a slip, of an exchange or of its documentation. The change is measured at the last price and at no other;
/// the last price lies in the range of the day, and nearer to the offers than the open does.
struct PriceDoubt {
  /// nil where nothing speaks against it.
  private(set) var reason: String?
  /// The column that is the last price rather.
  private(set) var rival: Int?
  /// The roles that are as doubtful.
  private(set) var others: Set<Role> = []

  init(
    _ price: Int, _ findings: [RoleFinding], _ columns: [SampleColumn], _ relations: RowRelations,
    _ equation: ChangeEquation?
  ) {
    let chosen = Dictionary(findings.map { ($0.role, $0.column) }, uniquingKeysWith: { first, _ in first })
    func isSame(_ column: Int) -> Bool { column == price || relations.areEqual(column, price).share >= 0.95 }
    func isReckoned(_ column: Int) -> Bool { columns[column].wholeName.hasAny([.mark, .index, .average]) }

    let equation = equation ?? Self.named(price, findings, columns, relations)
    if let equation, !isSame(equation.price), !isReckoned(equation.price) {
      reason = "the change is measured at '\(columns[equation.price].path.text)'"
      rival = equation.price
      others = Set(findings.filter { $0.column == equation.price }.map(\.role))
      return
    }
    if let equation, isSame(equation.price) { return }
    if let open = chosen[.open], let change = Self.reversed(price, open, columns) {
      reason = "'\(columns[change].path.text)' is the change from it to '\(columns[open].path.text)'"
      rival = open
      others = [.open]
      return
    }
    if let open = chosen[.open], let bid = chosen[.bid], let ask = chosen[.ask] {
      let vote = Self.nearer(open, than: price, to: bid, ask, columns)
      if vote.rows >= 4, vote.share >= (vote.rows >= 12 ? 0.65 : 0.75) {
        reason = "'\(columns[open].path.text)' is nearer to the offers in \(vote.text)"
        rival = open
        others = [.open]
        return
      }
    }
    if let high = chosen[.high], let low = chosen[.low], high != price, low != price {
      let own = Self.outside(price, low, high, columns)
      guard own.holds >= 2, own.holds * 20 >= own.rows else { return }
      let rivals = [Role.bid, .ask].compactMap { chosen[$0] }.filter { !isSame($0) }
      for other in rivals where Self.outside(other, low, high, columns).holds == 0 {
        reason =
          "outside the range of the day in \(own.text), which '\(columns[other].path.text)' never is"
        rival = other
        others = Set(findings.filter { $0.column == other }.map(\.role))
        return
      }
    }
  }

  /// The change between two columns near the price, by the columns that are called a change.
  private static func named(
    _ price: Int, _ findings: [RoleFinding], _ columns: [SampleColumn], _ relations: RowRelations
  ) -> ChangeEquation? {
    let prices = columns.indices.filter { index in
      columns[index].hasNumbers && !columns[index].isTimeLike
        && (index == price || relations.areNear(index, price, factor: 2).share >= 0.5)
    }
    let changes = columns.indices.filter { columns[$0].hasNumbers && columns[$0].nameScore(.change) >= 0.3 }
    guard prices.count >= 2, !changes.isEmpty else { return nil }
    return ChangeEquation(columns, prices: prices, changes: changes, needsBothSigns: false)
  }

  /// The change that leads from the price to the open in all rows, and from the open to the price in none.
  private static func reversed(_ price: Int, _ open: Int, _ columns: [SampleColumn]) -> Int? {
    columns.indices.first { change in
      guard columns[change].hasNumbers, columns[change].nameScore(.change) >= 0.3 else { return false }
      var (back, forth) = (RowRelations.Vote(), RowRelations.Vote())
      for row in columns[change].numbers.indices {
        guard let value = columns[change].numbers[row], let price = columns[price].numbers[row],
          let open = columns[open].numbers[row], price > 0, open > 0, price != open
        else { continue }
        let unit = 2 * ChangeRole.halfUnit(of: columns[change].texts[row] ?? "")
        guard value.magnitude >= unit * 5 else { continue }
        func fits(_ from: Double, _ to: Double) -> Bool {
          [1.0, 100].contains { (value - (to - from) / from * $0).magnitude <= unit + value.magnitude * 0.01 }
        }
        back.count(fits(price, open))
        forth.count(fits(open, price))
      }
      return back.rows > 0 && back.share >= 0.9 && forth.holds == 0
    }
  }

  private static func nearer(
    _ open: Int, than price: Int, to bid: Int, _ ask: Int, _ columns: [SampleColumn]
  ) -> RowRelations.Vote {
    var vote = RowRelations.Vote()
    for row in columns[price].numbers.indices {
      guard let open = columns[open].numbers[row], let price = columns[price].numbers[row],
        let bid = columns[bid].numbers[row], let ask = columns[ask].numbers[row], open > 0, price > 0, bid > 0, ask > 0,
        open != price
      else { continue }
      let middle = (bid + ask) / 2
      vote.count((open - middle).magnitude < (price - middle).magnitude)
    }
    return vote
  }

  private static func outside(_ column: Int, _ low: Int, _ high: Int, _ columns: [SampleColumn]) -> RowRelations.Vote {
    var vote = RowRelations.Vote()
    for row in columns[column].numbers.indices {
      guard let value = columns[column].numbers[row], let low = columns[low].numbers[row],
        let high = columns[high].numbers[row], value > 0, low > 0, high >= low
      else { continue }
      vote.count(value < low || value > high)
    }
    return vote
  }
}
