/// Which row stands for which pair in `dataFromAsset`, asset by asset.
///
/// Assets, and the payment currencies of each, keep the order in which they came.
package struct PairOrder: Sendable {
  /// A row that stands for its pair.
  package struct Place: Sendable {
    /// The row's place among those that came.
    package let row: Int
    /// Whether it is the first of its asset.
    package let beginsAsset: Bool
  }

  /// One a pair.
  package private(set) var places: [Place] = []

  /// The rows that have no place, because another row has their pair; as indexes, in their order.
  package private(set) var displaced: [Int] = []

  /// - Parameters:
  ///   - count: the number of rows.
  ///   - pair: the pair of a row.
  ///   - rank: the place of a row's product in the config: of two rows with one pair the lower stands, of equal ones
  ///     the earlier.
  package init(count: Int, pair: (Int) -> Pair, rank: (Int) -> Int) {
    var members = Members(capacity: count)
    for row in 0..<count {
      guard let earlier = members.add(row, pair) else { continue }
      let earlierRow = members.rows[earlier]
      if rank(row) < rank(earlierRow) {
        members.rows[earlier] = row
        displaced.append(earlierRow)
      } else {
        displaced.append(row)
      }
    }
    displaced.sort()
    places.reserveCapacity(members.rows.count)
    members.visitAll { places.append(Place(row: $0, beginsAsset: $1)) }
  }
}

/// The pairs seen so far, each in the list of its asset.
private struct Members {
  /// The row that stands for each pair.
  var rows: [Int] = []
  /// The next pair of the same asset; -1 for the last one.
  private var next: [Int] = []
  /// The first and the last pair of each asset.
  private var assets: [(first: Int, last: Int)] = []
  private var table: PlaceTable

  init(capacity: Int) {
    table = PlaceTable(capacity: capacity)
    rows.reserveCapacity(capacity)
    next.reserveCapacity(capacity)
    assets.reserveCapacity(capacity)
  }

  /// Adds a row, unless its pair is there already: then the pair's place is returned.
  mutating func add(_ row: Int, _ pair: (Int) -> Pair) -> Int? {
    let wanted = pair(row)
    let hash = table.hash(wanted.asset)
    guard let asset = table.place(hash, where: { pair(rows[assets[$0].first]).asset == wanted.asset }) else {
      table.insert(assets.count, hash)
      assets.append((rows.count, rows.count))
      append(row)
      return nil
    }
    var member = assets[asset].first
    while member >= 0 {
      if pair(rows[member]).payment == wanted.payment { return member }
      member = next[member]
    }
    next[assets[asset].last] = rows.count
    assets[asset].last = rows.count
    append(row)
    return nil
  }

  private mutating func append(_ row: Int) {
    rows.append(row)
    next.append(-1)
  }

  /// Visits the rows, asset by asset.
  func visitAll(_ visit: (_ row: Int, _ beginsAsset: Bool) -> Void) {
    for asset in assets {
      var member = asset.first
      while member >= 0 {
        visit(rows[member], member == asset.first)
        member = next[member]
      }
    }
  }
}
