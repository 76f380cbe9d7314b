extension Array where Element: Hashable {
  /// The distinct elements, in order of first appearance.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
