import MarketData
import Quotes
import Terminal

extension Desk {
  /// The moment that a snapshot shows: now, or that of the recording.
  func moment(_ reports: [ExchangeReport], _ rate: RateReport?) -> Instant {
    guard replay != nil else { return clock() }
    return Snapshot.latestArrival(reports, rate) ?? clock()
  }

  /// What a replay says of itself on the screen.
  func replayNote(at time: Instant) -> String? {
    replay.map { TerminalText.sanitized("replay of \($0), recorded \(ClockText.plain(time, offsetSeconds: 0)) UTC") }
  }
}
