package enum RowsSpec: Sendable {
  case path(PathSpec)
  /// The row is the array of the i-th elements.
  case zip([PathSpec])
}
