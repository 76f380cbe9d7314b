import Mapping
import Quotes

/// Interprets the answers to one query for a feed.
struct FeedReading {
  private let capabilities: FeedCapabilities
  private let query: FeedQuery
  private let reports: [ExchangeReport]
  private let traded: Set<Pair>

  /// - Parameter traded: The pairs that had rows in this run.
  init(_ capabilities: FeedCapabilities, _ query: FeedQuery, _ reports: [ExchangeReport], traded: Set<Pair> = []) {
    (self.capabilities, self.query, self.reports, self.traded) = (capabilities, query, reports, traded)
  }

  /// The reports with the pairs that they are about; nil for all pairs.
  var answers: [(pair: Pair?, report: ExchangeReport)] {
    switch query {
    case .whole: reports.prefix(1).map { (nil, $0) }
    case .pairs(let pairs, _): zip(pairs, reports).map { ($0, $1) }
    }
  }

  /// The outcome for the plan, and the first failure.
  var outcome: (FeedOutcome, AnswerFailure?) {
    let failures = reports.flatMap(\.failures).map(\.failure)
    let isFailure = reports.isEmpty || reports.allSatisfy { $0.status == .failed }
    let requests = reports.flatMap(\.requests)
    var outcome = FeedOutcome(
      isFailure: isFailure, requests: requests.count, pause: requests.compactMap(\.pause).max() ?? .zero)
    for (pair, report) in answers where report.status != .failed {
      if let pair {
        if report.status == .notListed { outcome.unlisted.append(pair) }
        if report.isHalted { outcome.halted.insert(pair) }
        if !report.isSinglePairOnly, !report.table.rows.isEmpty { outcome.needsWhole = true }
      } else if report.status != .partial {
        let listed = Set(report.table.rows.map(\.ticker.pair))
        let absent = capabilities.pairs.filter { !listed.contains($0) }
        outcome.halted = report.table.droppedPairs.intersection(absent)
        outcome.dormant = outcome.halted.subtracting(traded)
        outcome.unlisted = absent.filter { !outcome.halted.contains($0) }
      }
    }
    return (outcome, isFailure ? failures.first ?? AnswerFailure(.emptyAnswer) : failures.first)
  }

  /// Replaces existing rows with those received; rows whose request failed are kept.
  ///
  /// - Parameters:
  ///   - streamed: Pairs provided by a stream.
  ///   - asked: When the query was asked.
  ///   - now: When the answers are taken.
  func put(into rows: inout FeedRows, streamed: Set<Pair>, asked: Instant?, at now: Instant) {
    for (pair, report) in answers where report.status != .failed {
      let received = report.table.rows.arrived(by: now)
      guard let pair else {
        rows.replace(
          with: received, pairs: capabilities.isWhole ? nil : Set(capabilities.pairs),
          isPartial: report.status == .partial, streamed: streamed, asked: asked)
        continue
      }
      if streamed.contains(pair) {
        rows.take(received, pairs: [pair], asked: asked)
        // A pair that its stream has not mentioned since is no longer listed or traded.
        if report.status.isAbsence { rows.remove(pair, notAfter: asked) }
      } else {
        rows.replace(pair, with: received, isPartial: report.status == .partial, asked: asked)
      }
    }
  }
}
