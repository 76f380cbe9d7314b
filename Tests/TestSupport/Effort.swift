import Foundation

/// The share of large sample sets that a run uses.
package enum Effort {
  /// Whether all samples are used, which takes minutes: if `MARKET_EXHAUSTIVE` is set, as in CI. Otherwise a subset is.
  package static let isComplete = ProcessInfo.processInfo.environment["MARKET_EXHAUSTIVE"] != nil
}
