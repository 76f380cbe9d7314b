extension Array where Element: Hashable {
  /// The distinct elements, in order of first appearance.
  package var unique: [Element] {
    guard count > 1 else { return self }
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension [String: Int] {
  /// The counted texts, the most frequent first, and those as frequent in their order.
  package var byFrequency: [(key: String, value: Int)] { sorted { ($1.value, $0.key) < ($0.value, $1.key) } }
}
