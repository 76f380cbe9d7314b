import Foundation

/// How much of a large number of samples a run takes.
package enum Effort {
  /// Whether all of them are taken, which takes minutes: where `MARKET_ALL_MUTATIONS` is set, as CI does. Else a sample is.
  package static let isComplete = wish != nil

  /// Whether a quarter of an hour is no hindrance: where `MARKET_ALL_MUTATIONS` is `all`.
  package static let isExhaustive = wish == "all"

  private static let wish = ProcessInfo.processInfo.environment["MARKET_ALL_MUTATIONS"]
}
