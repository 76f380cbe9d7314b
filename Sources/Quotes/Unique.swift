extension Array where Element: Hashable {
  /// The distinct elements, in order of first appearance.
  package var unique: [Element] {
    guard count > 1 else { return self }
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Array {
  /// The elements of each key, in order of each key's first appearance.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    var places: [Key: Int] = [:]
    return reduce(into: []) { groups, element in
      if let place = places[key(element)] {
        groups[place].append(element)
      } else {
        places[key(element)] = groups.count
        groups.append([element])
      }
    }
  }
}

extension [String: Int] {
  /// The counted texts, the most frequent first, and those as frequent in their order.
  package var byFrequency: [(key: String, value: Int)] { sorted { ($1.value, $0.key) < ($0.value, $1.key) } }
}
