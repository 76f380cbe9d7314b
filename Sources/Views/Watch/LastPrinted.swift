import Quotes

/// What was last printed of each pair or source, and when: of what has changed, the newer is due after an interval.
struct LastPrinted<Key: Hashable & Sendable, Content: Equatable & Sendable>: Sendable {
  /// The minimum interval between two of a key.
  let everyMilliseconds: Int
  private var printed: [Key: (content: Content, time: Instant)] = [:]

  init(everyMilliseconds: Int) { self.everyMilliseconds = everyMilliseconds }

  /// Returns whether the interval since the last one of a key is over, whatever there is to print.
  func isDue(_ key: Key, at now: Instant) -> Bool {
    printed[key].map { now.isPast(.milliseconds(everyMilliseconds), after: $0.time) } ?? true
  }

  /// Returns whether it is due, and marks it as printed if it is.
  mutating func take(_ content: Content, of key: Key, at now: Instant) -> Bool {
    guard isDue(key, at: now), printed[key]?.content != content else { return false }
    printed[key] = (content, now)
    return true
  }
}
