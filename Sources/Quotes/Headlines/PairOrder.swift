/// The row that represents each pair in `dataFromAsset`, asset by asset.
///
/// Assets, and the payment currencies of each, keep their order of arrival.
package struct PairOrder: Sendable {
  /// A row that represents its pair.
  package struct Place: Sendable {
    /// The row's index in order of arrival.
    package let row: Int
    /// Whether it is the first of its asset.
    package let beginsAsset: Bool
  }

  /// One for each pair.
  package private(set) var places: [Place] = []

  /// The indexes of rows that have no place because another row has their pair, in order.
  package private(set) var displaced: [Int] = []

  /// - Parameters:
  ///   - count: The number of rows.
  ///   - pair: The pair of a row.
  ///   - rank: The rank of a row's product in the config. Of two rows with one pair the lower rank wins, then the
  ///     earlier row.
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
  /// The row that represents each pair.
  var rows: [Int] = []
  /// The next pair of the same asset; -1 for the last one.
  private var next: [Int] = []
  /// The first and the last pair of each asset.
  private var assets: [(first: Int, last: Int)] = []
  private var table: RowIndex

  init(capacity: Int) {
    table = RowIndex(capacity: capacity)
    rows.reserveCapacity(capacity)
    next.reserveCapacity(capacity)
    assets.reserveCapacity(capacity)
  }

  /// Adds a row, unless its pair is already there: then returns the pair's place.
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

/// An index that finds rows kept elsewhere by their texts.
///
/// A `Dictionary` would store the texts again and use a hash that withstands attacks: for the thousands of pairs of an
/// exchange, that takes longer than parsing their numbers. The seed differs from table to table.
package struct RowIndex {
  /// The upper half of a hash and, in the lower half, a place plus one; zero is a free bucket.
  private var buckets: [UInt64]
  private var count = 0
  private let seed = UInt64.random(in: .min ... .max)

  /// - Parameter capacity: The expected number of places.
  package init(capacity: Int = 16) {
    var size = 32
    while size < 2 * capacity { size *= 2 }
    buckets = [UInt64](repeating: 0, count: size)
  }

  /// Returns the hash of a text that follows `earlier` ones (FNV-1a).
  package func hash(_ text: String, after earlier: UInt64? = nil) -> UInt64 {
    var hash = earlier ?? seed
    var text = text
    text.withUTF8 { utf8 in
      for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    // 0xFF separates texts, as it does not occur in UTF-8.
    return (hash ^ 0xFF) &* 0x100_0000_01B3
  }

  /// Returns the place with this hash that satisfies `isMeant`, or nil if there is none.
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

  /// Inserts a place that is not in the table.
  package mutating func insert(_ place: Int, _ hash: UInt64) {
    count += 1
    if count * 2 > buckets.count { grow() }
    put(hash & ~0xFFFF_FFFF | UInt64(place + 1), at: bucket(of: hash))
  }

  /// Returns the bucket of a hash. Only its upper half matters, so that a table can grow without the texts.
  private func bucket(of hash: UInt64) -> Int { Int((hash >> 32) &* 0x9E37_79B9 >> 7) & (buckets.count - 1) }

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
