import JSONPath

/// Where the rows of a response are.
package enum RowsSpec: Sendable {
  case path(PathSpec)
  /// The row is the array of the i-th elements.
  case zip([PathSpec])

  package var paths: [PathSpec] {
    switch self {
    case .path(let path): [path]
    case .zip(let paths): paths
    }
  }

  /// Whether the path leads to one row instead of a list.
  package var isOneRow: Bool {
    if case .path(let path) = self { path.query.isSingular } else { false }
  }

  /// The paths as written, which tell whether two lists are the same.
  package var text: [String] { paths.map(\.text) }
}
