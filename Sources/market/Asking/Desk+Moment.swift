import MarketData
import Quotes
import Terminal
import Views

extension Desk {
  /// The moment that a snapshot shows: now, or that of the recording.
  func moment(_ reports: [ExchangeReport], _ rate: RateReport?) -> Instant {
    guard replay != nil else { return clock() }
    return Snapshot.latestArrival(reports, rate) ?? clock()
  }

  /// The page that the command's text is written on.
  ///
  /// - Parameter time: when the answers of a replay came.
  func page(_ invocation: Invocation, at time: Instant, in context: Context) throws -> Page {
    let note = replay.map {
      TerminalText.sanitized("replay of \($0), recorded \(ClockText.plain(time, offsetSeconds: 0)) UTC")
    }
    return try context.page(invocation, preferring: config.preferredScheme, replayNote: note)
  }
}
