import Mapping
import Quotes

/// Whether a stream's data about a pair moves. A message that repeats the one before it, but for its time, is a sign of
/// life of the connection; about the price it proves no more than silence does.
struct StreamMovement: Sendable {
  private var last: StreamUpdate.Value?
  /// When a message last had anything new; nil if none came.
  private(set) var latest: Instant?
  /// When the first one came, and how many did since.
  private var first: Instant?
  private var count: Int64 = 0
  /// Whether the latest one ended a silence in which many should have come: some of them may be lost.
  private(set) var endsSilence = false
  /// The shortest silence, and how many times the average time between two messages it must have lasted.
  private static let silence = (nanoseconds: Int64(10_000_000_000), times: Int64(10))

  /// Takes a message's data about the pair.
  ///
  /// - Parameter fields: The fields of the row that the message mentions.
  /// - Returns: Whether any of it is new.
  mutating func take(_ value: StreamUpdate.Value, _ fields: TickerFields, at arrival: Instant) -> Bool {
    let isNew = last.map { !value.repeats($0, in: fields) } ?? true
    last = value
    if isNew {
      endsSilence = isUnusual(arrival)
      (first, latest, count) = (first ?? arrival, arrival, count + 1)
    }
    return isNew
  }

  private func isUnusual(_ arrival: Instant) -> Bool {
    guard let first, let latest, count >= Self.silence.times else { return false }
    let pause = arrival.nanoseconds(since: latest)
    return pause >= Self.silence.nanoseconds
      && pause / Self.silence.times >= latest.nanoseconds(since: first) / (count - 1)
  }
}
