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

/// Finds a row again by its texts: an index over rows that are kept elsewhere.
///
/// A `Dictionary` would keep the texts once more and run them through a hash that is made to withstand attacks: for the
/// thousands of pairs of an exchange that takes longer than reading their numbers. The seed differs from table to table.
package struct PlaceTable {
  /// Each holds the upper half of a hash and, in its lower half, a place plus one; zero is free.
  private var buckets: [UInt64]
  private var count = 0
  private let seed = UInt64.random(in: .min ... .max)

  /// - Parameter capacity: how many places are to come, about.
  package init(capacity: Int = 16) {
    var size = 32
    while size < 2 * capacity { size *= 2 }
    buckets = [UInt64](repeating: 0, count: size)
  }

  /// The hash of a text, behind that of the texts before it (FNV-1a).
  package func hash(_ text: String, after earlier: UInt64? = nil) -> UInt64 {
    var hash = earlier ?? seed
    var text = text
    text.withUTF8 { utf8 in
      for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    // No byte of a text is 0xFF: it stands between two of them.
    return (hash ^ 0xFF) &* 0x100_0000_01B3
  }

  /// The place that has this hash and is the one meant; nil where there is none.
  package func place(_ hash: UInt64, where isMeant: (Int) -> Bool) -> Int? {
    var bucket = bucket(of: hash)
    while buckets[bucket] != 0 {
      if buckets[bucket] ^ hash < 1 << 32 {
        let place = Int(buckets[bucket] & 0xFFFF_FFFF) - 1
        if isMeant(place) { return place }
      }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return nil
  }

  /// Adds a place that was not found.
  package mutating func insert(_ place: Int, _ hash: UInt64) {
    count += 1
    if count * 2 > buckets.count { grow() }
    put(hash & ~0xFFFF_FFFF | UInt64(place + 1), at: bucket(of: hash))
  }

  /// The upper half decides, so that a table can grow without the texts.
  private func bucket(of hash: UInt64) -> Int {
    Int((hash >> 32) &* 0x9E37_79B9 >> 7) & (buckets.count - 1)
  }

  private mutating func put(_ entry: UInt64, at start: Int) {
    var bucket = start
    while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
    buckets[bucket] = entry
  }

  private mutating func grow() {
    let old = buckets
    buckets = [UInt64](repeating: 0, count: 2 * old.count)
    for entry in old where entry != 0 { put(entry, at: bucket(of: entry)) }
  }
}
