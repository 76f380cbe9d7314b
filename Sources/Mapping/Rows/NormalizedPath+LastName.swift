import JSONPath

extension NormalizedPath {
  /// The member's name or the index that the path ends with; nil for the root.
  var lastName: String? {
    switch steps.last {
    case .member(let name): name
    case .index(let index): String(index)
    case nil: nil
    }
  }
}
