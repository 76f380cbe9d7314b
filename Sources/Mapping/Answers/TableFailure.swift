package import Quotes

/// Why an answer gave no rows.
package struct TableFailure: Error, Sendable, Hashable {
  package let reason: Missing
  /// What the exchange or we say of it. Text of an exchange: clean it before it is shown.
  package let message: String?

  package init(_ reason: Missing, _ message: String? = nil) {
    self.reason = reason
    self.message = message
  }
}
