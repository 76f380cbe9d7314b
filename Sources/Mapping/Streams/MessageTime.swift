package import Quotes

/// When a message was sent, by the exchange's clock, and when it arrived: what tells late messages from newer ones.
package struct MessageTime: Sendable {
  let sent: Instant
  /// The number by which messages of one time are ordered; nil if there is none.
  let number: Decimal?
  let arrival: Instant

  package init(sent: Instant, number: Decimal? = nil, arrival: Instant) {
    (self.sent, self.number, self.arrival) = (sent, number, arrival)
  }

  /// How long messages with a lower time or number can only be late ones. After that, the exchange must have set its
  /// clock back, or restarted its numbering.
  static let patience = Duration.seconds(10)

  /// Returns whether a message with an earlier time, or a lower number of the same time, is a late one. A time of another
  /// unit is not, and after one in the future all would be.
  package func outdates(_ time: Instant, _ number: Decimal? = nil, at arrival: Instant) -> Bool {
    isAfter(time, number) && !time.isBeforeCoins && !sent.isFuture(at: arrival) && isRecent(at: arrival)
  }

  private func isAfter(_ time: Instant, _ number: Decimal?) -> Bool {
    guard time == sent, let last = self.number, let number else { return time < sent }
    return number < last
  }

  func isRecent(at arrival: Instant) -> Bool { arrival <= self.arrival.advanced(by: Self.patience) }
}
