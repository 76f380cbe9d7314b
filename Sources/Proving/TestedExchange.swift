import Cassettes
package import Config
import Mapping
import MarketData
package import Quotes

/// The mapped answers of an exchange or a rate provider, and all their problems.
package struct TestedExchange: Sendable {
  /// The number and dates of recordings.
  package struct Recordings: Sendable, Hashable {
    package let count: Int
    package let first: Instant
    package let last: Instant

    /// `2026-11-18`, or `2023-07-27 to 2026-11-18`.
    package var dates: String { Self.dates(first, last) }

    package static func dates(_ first: Instant, _ last: Instant) -> String {
      let days = [first, last].map { String($0.iso8601.prefix(10)) }
      return days[0] == days[1] ? days[0] : days.joined(separator: " to ")
    }
  }

  package let name: String
  /// The source of the answers: a folder, or `live`.
  package internal(set) var source = ""
  /// The same in human-readable form: `20 recordings of 2026-11-18`.
  package internal(set) var origin = ""
  /// nil if no recordings were replayed.
  package internal(set) var recordings: Recordings?

  /// Those of all pairs first, market by market.
  package private(set) var tables: [TestedTable] = []
  package private(set) var blocks: [TestedBlock] = []
  /// The results of recorded connections, or of those opened for the test.
  package private(set) var streams: [TestedStream] = []
  /// The rates of a provider, which has no tables.
  package private(set) var rates: [TestedRate] = []

  /// The findings of each of the tables, in order.
  package private(set) var tableFindings: [[Finding]] = []
  /// Findings not about a specific table.
  package internal(set) var general: [Finding]
  /// Possible replacements for lost paths, by the finding that reports them.
  package private(set) var replacements: [Finding: [Replacement]] = [:]

  /// The rows and failures of all tables as text: the result of a cassette.
  package private(set) var rows = KeptRows([])

  /// Creates the result for an exchange whose block cannot be read.
  ///
  /// - Parameter option: What a command needs to find the same config.
  package init(broken name: String, in config: String, _ option: String = "") {
    let finding = Finding(
      .configFindings, .error, "its block is invalid; to see where, run: market validate-config\(option)",
      about: .exchange(name))
    self.init(name, source: config, origin: config, [finding])
  }

  /// Creates the result for an exchange with nothing to test.
  init(_ name: String, source: String = "", origin: String, _ findings: [Finding] = []) {
    (self.name, self.source, self.origin, general) = (name, source, origin, findings)
  }

  /// - Parameter disabled: The markets that were not requested, since the config disables them.
  init(
    _ name: String, _ markets: [ExchangeMarket], _ tables: [TestedTable], _ blocks: [TestedBlock],
    _ streams: [TestedStream], names: [TestedNames], wallets: TestedWallets?, disabled: [Market],
    cassette: CassettePlayer?, comparedWith base: TestedExchange?
  ) {
    let blocks = blocks.withMissedFields
    (self.name, self.tables, self.blocks, self.streams) = (name, tables, blocks, streams)
    let review = ExchangeReview(name, tables, blocks, cassette: cassette)
    general = review.unaskedRecordings + review.doubledPairs + review.unrecordedRequests(markets) + review.unusedNames
    general += review.changesOfParts + review.farOffers
    general += RunningCandle.findings(of: blocks) + ShiftedCandles.findings(of: blocks)
    general += blocks.flatMap(\.findings) + names.flatMap { $0.findings(about: name) }
    general += wallets?.findings(about: name) ?? []
    rows = KeptRows(
      tables.flatMap(\.keptLines) + blocks.map(\.keptLine)
        + names.filter { !$0.isUnrecorded }.map(\.keptLine) + (wallets?.keptLines ?? []))
    let tableReview = TableReview(tables: tables, cassette: cassette, base: base)
    tableFindings = tables.map { note(tableReview.findings(on: $0)) }
    general += note(streams.flatMap { $0.found + $0.drift(since: base) })
    general += note(blocks.flatMap { $0.drift(since: base) })
    general += review.unrequested(disabled)
    if cassette == nil, problems.isEmpty { general += review.nothingRead }
  }

  /// Creates the result for a rate provider.
  init(
    _ provider: String, _ rates: [TestedRate], of spec: TableSpec, _ check: MeaningCheck, cassette: CassettePlayer?,
    comparedWith base: TestedExchange?
  ) {
    (name, self.rates) = (provider, rates)
    general = TestedRate.findings(rates, of: spec, check)
    rows = KeptRows(rates.filter(\.isKept).map(\.keptLine))
    general += note(TestedRate.drift(rates, since: base))
    general += ExchangeReview(provider, [], [], cassette: cassette).unaskedRecordings
  }

  private mutating func note(_ found: [Found]) -> [Finding] {
    for found in found where !found.replacements.isEmpty { replacements[found.finding] = found.replacements }
    return found.map(\.finding)
  }

  /// All findings, in the order of the tables.
  package var findings: [Finding] { tableFindings.flatMap(\.self) + general }

  package var problems: [Finding] { (general + tableFindings.flatMap(\.self)).filter { $0.severity == .error } }
}

/// A finding, with possible replacements for the paths that it is about.
struct Found {
  let finding: Finding
  var replacements: [Replacement] = []

  init(_ finding: Finding) { self.finding = finding }

  /// - Parameter help: The advice, if not that of the replacements.
  init(
    _ code: FindingCode, _ text: String, about subject: Finding.Subject, help: String? = nil,
    _ replacements: [Replacement]
  ) {
    finding = Finding(
      code, .error, text, about: subject, help: help ?? replacements.map(\.help).joined(separator: "; "),
      fix: replacements.flatMap(\.edits))
    self.replacements = replacements
  }
}
