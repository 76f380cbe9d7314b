import Config
import HTTP
import JSON
import Mapping
import Quotes
import TestSupport
import Testing

/// A recorded body, the parts of a shipped table that it answers today, and what reading it comes to.
struct RecordedReading: Sendable, CustomTestStringConvertible {
  let recorded: RecordedBody
  let shipped: ShippedMarket
  let parts: [TableSpec]

  var testDescription: String { "\(shipped.testDescription) \(recorded.file)" }

  /// Every body that was recorded from an exchange (tiers A and B; samples of documents hold invented numbers) and fits a
  /// shipped table, whatever its recorder called it.
  static let all: [RecordedReading] = RecordedBody.recorded.flatMap { recorded -> [RecordedReading] in
    let readings: [RecordedReading] = ShippedConfig.markets.filter { recorded.isOf($0) }.compactMap { shipped in
      let parts = parts(for: recorded.request, of: shipped.market)
      return parts.isEmpty ? nil : RecordedReading(recorded: recorded, shipped: shipped, parts: parts)
    }
    // What asks spot for `BTC-USD` reads as well as `BTC-USD-SWAP` of futures: then the recorder's word decides.
    guard readings.contains(where: { $0.isOfRecordedMarket }) else { return readings }
    return readings.filter { $0.isOfRecordedMarket || !$0.parts.allSatisfy(\.request.asksForPair) }
  }

  private var isOfRecordedMarket: Bool { shipped.market.market.rawValue == recorded.market }

  private static func parts(for request: RecordedRequest, of market: ExchangeMarket) -> [TableSpec] {
    func fitting(_ tables: [TableSpec], _ isWanted: (TableSpec, RecordedRequest.Fit) -> Bool) -> [TableSpec] {
      tables.filter { table in
        request.fit(table.request, of: table, baseURLs: table.baseURLs).map { isWanted(table, $0) } ?? false
      }
    }
    let choices = [
      fitting(market.tickers) { $1 == .exact && $0.batch == nil },
      // A row that names its pair says more than the question did. Of a batch, one key is asked for as one pair is.
      fitting(market.ticker) { $1 == .exact && !$0.symbol.isRequest },
      fitting(market.tickers) { $1 == .exact },
      fitting(market.tickers) { $1 == .withMore && !$0.symbol.isRequest },
      fitting(market.ticker) { $1 == .exact },
    ]
    return choices.first { !$0.isEmpty } ?? []
  }

  /// What all parts together made of the body.
  struct Outcome {
    var rows: [Ticker] = []
    var unsplit: [String] = []
    var dropped: [DropReason: Int] = [:]
    var failures: [TableFailure] = []
    /// Whether the one pass and the tree read the same.
    var enginesAgree = true

    /// Without remarks, and without offers that a lookup recorded at another time has.
    var flagged: [Ticker] {
      rows.filter { $0.flags.contains { $0.excludes && !(hasLookups && $0.kind == .bidAsk) } }
    }
    var hasLookups = false
  }

  func outcome() throws -> Outcome {
    var outcome = Outcome()
    let body = try recorded.bytes()
    for part in parts {
      outcome.hasLookups = outcome.hasLookups || !part.lookups.isEmpty
      let comparison = EngineComparison(part, shipped.market.market, body, lookups: lookups(of: part))
      outcome.rows += comparison.scan.tickers
      outcome.unsplit += comparison.scan.unsplit.map(\.symbol)
      outcome.dropped.merge(comparison.scan.dropped) { $0 + $1 }
      outcome.failures += comparison.scan.failures
      outcome.enginesAgree = outcome.enginesAgree && comparison.agree
    }
    return outcome
  }

  /// The answers of the lookups, each from the largest recording of its request.
  private func lookups(of part: TableSpec) -> [String: LookupState] {
    var states: [String: LookupState] = [:]
    for lookup in part.lookups {
      guard let request = lookup.request else { continue }
      let answers = RecordedBody.recorded.filter { body in
        body.isOf(shipped) && body.request.fit(request, of: part, baseURLs: lookup.baseURLs) != nil
      }
      let tables = answers.compactMap { body in
        try? LookupTable(lookup, answer: HTTPResponse(body: try body.bytes()), hooks: HookRegistry())
      }
      states[lookup.name] =
        tables.max { $0.keys.count < $1.keys.count }.map { .table($0) }
        ?? .failed(TableFailure(.noAnswer("not-recorded")))
    }
    return states
  }

  // MARK: Judging

  enum Verdict: Equatable {
    /// All but one row in a hundred pass the checks.
    case passed
    case excepted(String)
    /// There is nothing to judge, and why.
    case silent(String)
    case failed
  }

  func verdict(_ outcome: Outcome) -> Verdict {
    if let cause = Self.exceptions[recorded.file] { return .excepted(cause) }
    for failure in outcome.failures {
      if case .lookupFailed(let name) = failure.reason { return .silent("no recording of its lookup \"\(name)\"") }
    }
    guard outcome.failures.isEmpty else { return .failed }
    if outcome.rows.isEmpty, outcome.unsplit.isEmpty, !outcome.dropped.isEmpty {
      return .silent("no row that the mapping keeps")
    }
    return !outcome.rows.isEmpty && outcome.flagged.count * 100 <= outcome.rows.count ? .passed : .failed
  }

  /// Bodies that are no answer of the exchange as it was, or hold what the exchange itself contradicts.
  static let exceptions: [String: String] = [
    "raw/bithumb/spot-ticker-one@ccxt.json": "its source wrapped the rows in the older API's envelope",
    "raw/binance/futures-usdtm-ticker-one@gct.json": "the error for an unknown symbol",
    "raw/bitstamp/spot-ticker-one@gct.json": "says a change of 13.57 % and an open that is the price",
    "raw/poloniex/futures-usdtm-ticker-one@gct-3.json": "the recorded contract size is not that of its time",
    "raw/poloniex/futures-usdtm-ticker-one@gct.json": "the recorded contract size is not that of its time",
  ]
}

extension SymbolSpec {
  var isRequest: Bool { if case .request = self { true } else { false } }
}
