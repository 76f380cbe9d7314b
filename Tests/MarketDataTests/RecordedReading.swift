import Config
import HTTP
import JSON
import Mapping
import Quotes
import TestSupport
import Testing

/// A recorded body, the parts of a shipped table that it answers today, and the result of reading it.
struct RecordedReading: Sendable, CustomTestStringConvertible {
  let recorded: RecordedBody
  let shipped: ShippedMarket
  let parts: [TableSpec]

  var testDescription: String { "\(shipped.testDescription) \(recorded.file)" }

  /// Every body recorded from an exchange (tiers A and B; samples from documentation contain invented numbers) that
  /// fits a shipped table, whatever its recorder called it.
  static let all: [RecordedReading] = RecordedBody.recorded.flatMap { recorded -> [RecordedReading] in
    let readings: [RecordedReading] = ShippedConfig.markets.filter { recorded.isOf($0) }.compactMap { shipped in
      let parts = parts(for: recorded.request, of: shipped.market)
      return parts.isEmpty ? nil : RecordedReading(recorded: recorded, shipped: shipped, parts: parts)
    }
    // A request for `BTC-USD` on spot also fits `BTC-USD-SWAP` of futures; then the recorder's market decides.
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
      // A row that names its pair says more than the request. In a batch, one key is requested as a single pair is.
      fitting(market.ticker) { $1 == .exact && !$0.symbol.isRequest },
      fitting(market.tickers) { $1 == .exact },
      fitting(market.tickers) { $1 == .withMore && !$0.symbol.isRequest },
      fitting(market.ticker) { $1 == .exact },
    ]
    return choices.first { !$0.isEmpty } ?? []
  }

  /// The combined result of all parts on the body.
  struct Outcome {
    var rows: [Ticker] = []
    var unsplit: [String] = []
    var dropped: [DropReason: Int] = [:]
    var failures: [AnswerFailure] = []
    /// Whether the one-pass engine and the tree agree.
    var enginesAgree = true

    /// Flagged rows, without notes and without offers from a lookup recorded at another time. The offers of a quiet pair
    /// have left its last price.
    var flagged: [Ticker] {
      rows.filter { row in
        row.flags.contains { $0.excludes && $0.kind != .offers && !(hasLookups && $0.kind == .bidAsk) }
      }
    }
    var hasLookups = false
  }

  func outcome() throws -> Outcome {
    var outcome = Outcome()
    let body = try recorded.bytes()
    for part in parts {
      outcome.hasLookups = outcome.hasLookups || !part.lookups.isEmpty
      let comparison = EngineComparison(Engines(part, shipped.market.market), body, lookups: lookups(of: part))
      outcome.rows += comparison.scan.tickers
      outcome.unsplit += comparison.scan.unsplit.map(\.symbol)
      outcome.dropped.merge(comparison.scan.dropped) { $0 + $1 }
      outcome.failures += comparison.scan.failures
      outcome.enginesAgree = outcome.enginesAgree && comparison.agree
    }
    return outcome
  }

  /// Returns the responses to the lookups, each from the largest recording of its request.
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
        ?? .failed(AnswerFailure(.noAnswer(.notRecorded)))
    }
    return states
  }

  // MARK: Judging

  enum Verdict: Equatable {
    /// All but one row in a hundred pass the checks.
    case passed
    case excepted(String)
    /// There is nothing to judge, for the given reason.
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

  /// Bodies that are not the exchange's original response, or that the exchange itself contradicts.
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
