import Adapters
import MarketData

/// The trial of one exchange as a command reports it.
struct ExchangeTrial {
  let exchange: String
  /// Where the answers came from: a folder, or `live`.
  let source: String
  /// The same for people: `20 recordings of 2026-11-18`.
  let origin: String
  /// nil where there was nothing to try the mapping on.
  let trial: VenueTrial?
  /// What is said of the exchange beyond its trial.
  var findings: [TrialFinding]

  var problems: [TrialFinding] {
    (trial?.problems ?? []) + findings.filter { $0.severity == .problem }
  }

  var general: [TrialFinding] { (trial?.general ?? []) + findings }
}
