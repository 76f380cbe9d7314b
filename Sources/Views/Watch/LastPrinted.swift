import Quotes

/// What was last printed of each pair or source, and when: of what has changed, the newer is due after an interval.
struct LastPrinted<Key: Hashable & Sendable, Content: Equatable & Sendable>: Sendable {
  /// The minimum interval between two of a key.
  let everyMilliseconds: Int
  private var printed: [Key: (content: Content, time: Instant)] = [:]

  init(everyMilliseconds: Int) { self.everyMilliseconds = everyMilliseconds }

  /// Returns whether it is due, and marks it as printed if it is.
  mutating func take(_ content: Content, of key: Key, at now: Instant) -> Bool {
    if let last = printed[key] {
      guard last.content != content, now.isPast(.milliseconds(everyMilliseconds), after: last.time) else {
        return false
      }
    }
    printed[key] = (content, now)
    return true
  }
}
