extension Array {
  /// Returns the elements sorted by a value, those without one last. Those with the same stay in their order: the sort of
  /// the standard library is stable.
  func ranked<Value: Comparable>(by value: (Element) -> Value?, isDescending: Bool = false) -> [Element] {
    map { (element: $0, value: value($0)) }.sorted { first, second in
      guard let a = first.value, let b = second.value else { return first.value != nil && second.value == nil }
      return isDescending ? a > b : a < b
    }.map(\.element)
  }

  /// Returns the elements in an order to keep, those that it lacks last; nil keeps them as they are.
  func keeping<Key: Hashable>(_ order: [Key]?, _ key: (Element) -> Key) -> [Element] {
    guard let order else { return self }
    let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    return ranked { places[key($0)] }
  }
}

extension Array where Element: Equatable {
  /// Returns the element behind another one; behind the last, the first.
  func next(after element: Element) -> Element {
    let place = firstIndex(of: element).map { $0 + 1 } ?? 0
    return self[place < count ? place : 0]
  }
}
