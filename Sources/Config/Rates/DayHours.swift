import Quotes

/// A part of the day, from one time of day to just before another.
package struct DayHours: Sendable, Hashable, CustomStringConvertible {
  /// Seconds since midnight, 0 to 86400.
  package let from: Int
  /// Seconds since midnight, exclusive. Greater than `from`.
  package let to: Int

  package static let secondsPerDay = 86_400

  package init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

  package func contains(_ secondOfDay: Int) -> Bool { from <= secondOfDay && secondOfDay < to }

  /// Returns the hours that two have in common; nil if there are none.
  package func overlap(with other: DayHours) -> DayHours? {
    let from = max(from, other.from)
    let to = min(to, other.to)
    return from < to ? DayHours(from: from, to: to) : nil
  }

  /// `09:00-24:00`.
  package var description: String { "\(Self.text(from))-\(Self.text(to))" }

  /// Returns the seconds since midnight of `09:00` or `09:00:30`, up to `24:00`; nil for any other text.
  package static func seconds(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3,
      parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) } + [0]
    guard numbers[1] < 60, numbers[2] < 60 else { return nil }
    let seconds = numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    return seconds <= secondsPerDay ? seconds : nil
  }

  /// Returns `09:00`, or `09:00:30` if there are seconds.
  package static func text(_ seconds: Int) -> String {
    let minutes = "\((seconds / 3600).padded(to: 2)):\((seconds / 60 % 60).padded(to: 2))"
    return seconds % 60 == 0 ? minutes : "\(minutes):\((seconds % 60).padded(to: 2))"
  }
}
