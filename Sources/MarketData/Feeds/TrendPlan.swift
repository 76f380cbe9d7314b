package import Quotes

/// Decides which rows of a live screen are asked for their closes, and when: each once an hour, those of an exchange one
/// after the other. A value without a clock.
package struct TrendPlan: Sendable {
  private var asked: [RowKey: (time: Instant, hours: Int)] = [:]
  /// The exchanges that have not answered yet.
  private var asking: Set<String> = []
  /// How long each exchange is left alone after its last answer.
  private var rests: [String: (since: Instant, milliseconds: Int)] = [:]

  /// Also after a failure: a row whose closes are refused is as good as others.
  private static let everySeconds = 3600

  package init() {}

  /// Returns the rows to ask now, at most one per exchange, and marks them as asked.
  ///
  /// - Parameters:
  ///   - rows: Those on the screen, the most important first.
  ///   - hours: The number of hours that it has room for. A row that was asked for fewer is asked again.
  package mutating func due(_ rows: [RowKey], hours: Int, at now: Instant) -> [RowKey] {
    var due: [RowKey] = []
    for row in rows where isDue(row, hours, at: now) {
      asked[row] = (now, hours)
      asking.insert(row.exchange)
      due.append(row)
    }
    return due
  }

  /// - Parameter rest: The milliseconds for which the exchange is not to be asked.
  package mutating func finish(_ row: RowKey, rest: Int, at now: Instant) {
    asking.remove(row.exchange)
    rests[row.exchange] = (now, rest)
  }

  private func isDue(_ row: RowKey, _ hours: Int, at now: Instant) -> Bool {
    guard !asking.contains(row.exchange) else { return false }
    if let rest = rests[row.exchange], !now.isPast(.milliseconds(rest.milliseconds), after: rest.since) { return false }
    guard let last = asked[row] else { return true }
    return last.hours < hours || now.isPast(.seconds(Self.everySeconds), after: last.time)
  }
}
