import Quotes

/// The last printed text of each pair, and when: of a changed one, a newer is due after an interval.
struct PrintedTexts: Sendable {
  /// The minimum interval between texts of a pair.
  let everyMilliseconds: Int
  private var printed: [Pair: (text: String, time: Instant)] = [:]

  init(everyMilliseconds: Int) { self.everyMilliseconds = everyMilliseconds }

  /// Returns whether a text is due, and marks it as printed if it is.
  mutating func take(_ text: String, of pair: Pair, at now: Instant) -> Bool {
    if let last = printed[pair] {
      guard last.text != text, now.isPast(.milliseconds(everyMilliseconds), after: last.time) else { return false }
    }
    printed[pair] = (text, now)
    return true
  }
}
