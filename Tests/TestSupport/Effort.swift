import Foundation

/// How much of a large number of samples a run takes.
package enum Effort {
  /// Whether all of them are taken, which takes minutes: where `MARKET_EXHAUSTIVE` is set, as CI does. Else a sample is.
  package static let isComplete = ProcessInfo.processInfo.environment["MARKET_EXHAUSTIVE"] != nil
}
