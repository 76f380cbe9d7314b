extension Array where Element: Hashable {
  /// The distinct elements, in order of first appearance.
  package var unique: [Element] {
    guard count > 1 else { return self }
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
