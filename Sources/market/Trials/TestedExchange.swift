import Mapping
import MarketData
import Proving
import Quotes

/// The trial of one exchange as a command reports it.
struct TestedExchange {
  let exchange: String
  /// Where the answers came from: a folder, or `live`.
  let source: String
  /// The same for people: `20 recordings of 2026-11-18`.
  let origin: String
  /// nil where no recordings were played.
  var recordings: Recordings?
  /// nil where there was nothing to try the mapping on.
  let trial: ExchangeTrial?
  /// What is said of the exchange beyond its trial.
  var findings: [TrialFinding]

  /// How many recordings there are, and of when.
  struct Recordings: Hashable {
    let count: Int
    let first: Instant
    let last: Instant

    /// `2026-11-18`, or `2023-07-27 to 2026-11-18`.
    var dates: String { Self.dates(first, last) }

    static func dates(_ first: Instant, _ last: Instant) -> String {
      let days = [first, last].map { String($0.iso8601.prefix(10)) }
      return days[0] == days[1] ? days[0] : days.joined(separator: " to ")
    }
  }

  init(
    exchange: String, source: String, origin: String, recordings: Recordings? = nil, trial: ExchangeTrial?,
    findings: [TrialFinding]
  ) {
    self.exchange = exchange
    self.source = source
    self.origin = origin
    self.recordings = recordings
    self.trial = trial
    self.findings = findings
  }

  var problems: [TrialFinding] {
    (trial?.problems ?? []) + findings.filter { $0.severity == .problem }
  }

  /// All that is said of it, in the order of the tables.
  var allFindings: [TrialFinding] { (trial?.findings.flatMap(\.self) ?? []) + general }

  var general: [TrialFinding] { (trial?.general ?? []) + findings }
}
