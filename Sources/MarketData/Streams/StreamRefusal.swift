import Quotes

/// A pair's place on a stream that is refused for now: the exchange does not provide it, or provides something else. As
/// either may be temporary, it is tried again, ever more rarely.
struct StreamRefusal: Sendable {
  /// When it is tried again; nil if it is not refused.
  private(set) var until: Instant?
  /// Whether the exchange does not send the pair, so that it has to be subscribed to again.
  private(set) var isUnsubscribed = false
  /// Whether the stream's figures were in other units, and it has not provided the pair since.
  private(set) var isOfUnits = false
  /// Whether it waits for an answer with which its figures can be compared.
  var awaitsAnswer = false
  /// The number of refusals in a row.
  private var count = 0

  private static let backOff = BackOff(60, 300, 900, 1800)

  var isInForce: Bool { until != nil }

  mutating func begin(isUnsubscribed: Bool, isOfUnits: Bool, at now: Instant) {
    (self.isUnsubscribed, self.isOfUnits) = (isUnsubscribed, isOfUnits)
    count += 1
    wait(from: now)
  }

  private mutating func wait(from now: Instant) {
    until = now.advanced(by: Self.backOff.wait(after: count))
  }

  /// Notes that a connection was opened without the pair.
  mutating func unsubscribe() { isUnsubscribed = true }

  /// Begins the wait again after the clock was set back.
  mutating func restart(at now: Instant) { if isInForce { wait(from: now) } }

  /// Ends the refusal, so that the next try decides.
  mutating func lapse() { until = nil }

  /// Forgets earlier refusals once the stream has provided the pair.
  mutating func forget() { (until, count, isOfUnits, awaitsAnswer) = (nil, 0, false, false) }
}
