/// The two ends of a list of disparities, by sign: +0.5 stands before -2.0, and what lies between is neither.
package struct DisparityRanking: Sendable, Hashable {
  /// The greatest; among equal ones the earliest. nil for an empty list.
  package let first: Disparity?

  /// The smallest; among equal ones the latest. nil when the list has fewer than two.
  package let last: Disparity?

  /// - Parameter disparities: in the order of the config.
  package init(_ disparities: [Disparity]) {
    var first = disparities.first
    var last = disparities.first
    for disparity in disparities.dropFirst() {
      if let best = first, disparity.percent > best.percent { first = disparity }
      if let worst = last, disparity.percent <= worst.percent { last = disparity }
    }
    self.first = first
    self.last = disparities.count > 1 ? last : nil
  }
}
