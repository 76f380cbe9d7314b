import Cassettes
import Config
import Mapping
import Quotes

/// What an exchange's mapping made of its answers, and all that is wrong with it.
package struct ExchangeTrial: Sendable {
  package let exchange: String
  /// Those of all pairs first, market by market.
  package let tables: [TrialTable]
  package let books: [TrialBook]
  /// Those of a rate provider, which has no tables.
  package let rates: [TrialRate]
  /// What was found in each of the tables, in their order.
  package let findings: [[TrialFinding]]
  /// What is no table's own affair.
  package let general: [TrialFinding]

  init(
    _ exchange: String, _ markets: [ExchangeMarket], _ tables: [TrialTable], _ books: [TrialBook],
    cassette: CassettePlayer?,
    hooks: HookRegistry,
    comparedWith base: ExchangeTrial?
  ) {
    self.exchange = exchange
    self.tables = tables
    self.books = books
    rates = []
    record = TrialRecord(tables, books, hooks: hooks)
    let reviewer = TrialReviewer(tables: tables, books: books, cassette: cassette, hooks: hooks, base: base)
    findings = tables.map { reviewer.findings(on: $0) }
    general =
      reviewer.unaskedRecordings + reviewer.doubledPairs + reviewer.unrecordedRequests(markets)
      + reviewer.unusedNames
      + books.compactMap(\.finding) + books.flatMap { $0.drift(base, hooks) }
  }

  /// - Parameter findings: what is wrong with the rates.
  init(
    _ provider: String, _ rates: [TrialRate], _ findings: [TrialFinding], cassette: CassettePlayer?,
    hooks: HookRegistry
  ) {
    exchange = provider
    self.rates = rates
    tables = []
    books = []
    self.findings = []
    record = TrialRecord(rates)
    let reviewer = TrialReviewer(tables: [], books: [], cassette: cassette, hooks: hooks, base: nil)
    general = findings + reviewer.unaskedRecordings
  }

  package var problems: [TrialFinding] { (general + findings.flatMap(\.self)).filter { $0.severity == .problem } }

  /// The rows and failures of all tables as text: what a cassette comes to.
  package let record: TrialRecord
}
