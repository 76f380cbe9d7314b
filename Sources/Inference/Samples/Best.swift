/// The best of the values that were tried: the first of those with the highest rank.
///
///     var best = Best<String>()
///     best.take("one", rank: [2, 0])
///     best.take("two", rank: [2, 1])
///     best.take("three", rank: [2, 1])
///     best.value // "two"
struct Best<Value> {
  /// nil if none was tried.
  private(set) var value: Value?
  private(set) var rank: [Int] = []

  /// - Parameter rank: the most significant number first.
  mutating func take(_ value: Value, rank: [Int]) {
    guard self.value == nil || self.rank.lexicographicallyPrecedes(rank) else { return }
    (self.value, self.rank) = (value, rank)
  }
}
