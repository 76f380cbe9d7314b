/// Something about a row that the reader has to know.
package struct Flag: Sendable, Hashable {
  /// The stable name of the finding: `range`, `bid-ask`, `change`, `turnover`, `stale`, `identity`, `duplicate`.
  package var code: String

  /// One sentence with the numbers, in lower case and without a full stop.
  package var message: String

  /// Whether the row is left out of every headline (largest premium, disparity).
  package var excludes: Bool

  package init(code: String, message: String, excludes: Bool) {
    self.code = code
    self.message = message
    self.excludes = excludes
  }
}
