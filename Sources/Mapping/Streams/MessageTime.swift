package import Quotes

/// When a message was sent, by the exchange's clock, and when it arrived: what tells late messages from newer ones.
package struct MessageTime: Sendable {
  let sent: Instant
  let arrival: Instant

  package init(sent: Instant, arrival: Instant) { (self.sent, self.arrival) = (sent, arrival) }

  /// How long messages with a lower time or number can only be late ones. After that, the exchange must have set its
  /// clock back, or restarted its numbering.
  static let patience = Duration.seconds(10)

  /// Returns whether a message with another time is a late one. A time of another unit is not, and after one in the
  /// future all would be.
  package func outdates(_ time: Instant, at arrival: Instant) -> Bool {
    time < sent && !time.isBeforeCoins && !sent.isFuture(at: arrival) && isRecent(at: arrival)
  }

  func isRecent(at arrival: Instant) -> Bool { arrival <= self.arrival.advanced(by: Self.patience) }
}
