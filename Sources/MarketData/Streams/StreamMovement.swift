import Mapping
import Quotes

/// Whether a stream's data about a pair moves. A message that repeats the one before it, but for its time, is a sign of
/// life of the connection; about the price it proves no more than silence does.
struct StreamMovement: Sendable {
  private var last: StreamUpdate.Value?
  /// When a message last had anything new; nil if none came.
  private(set) var latest: Instant?

  /// Takes a message's data about the pair.
  ///
  /// - Parameter fields: the fields of the row that the message mentions.
  /// - Returns: Whether any of it is new.
  mutating func take(_ value: StreamUpdate.Value, _ fields: TickerFields, at arrival: Instant) -> Bool {
    let isNew = last.map { !value.repeats($0, in: fields) } ?? true
    last = value
    if isNew { latest = arrival }
    return isNew
  }
}
