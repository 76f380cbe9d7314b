import Config
import HTTP
import Inference
import Mapping
import MarketData
import Quotes
import Terminal
import Views

/// The rows that a new block gives of its own sample, and what the meaning checks say to them.
struct SamplePreview {
  private let exchange: String
  private let market: Market
  private let table: TickerTable
  private let spec: TableSpec?
  private let now: Instant

  static let rowCount = 5

  /// Which request of a market a sample answers.
  enum Place: Hashable {
    /// A part of the table of all pairs.
    case table(Int)
    /// A part of what is asked about one pair.
    case single(Int)
  }

  /// - Parameters:
  ///   - market: the side of the exchange that the sample is about.
  ///   - place: what it answers; nil for the only thing that is asked.
  ///   - pair: the pair that it is about, where the exchange is asked for one.
  ///   - lookups: answers to the lookups of the table, by name.
  init(
    _ exchange: Exchange, market: Market, place: Place? = nil, sample: Sample, pair: Pair?,
    configuration: Configuration, hooks: HookRegistry, now: Instant, lookups: [String: [UInt8]] = [:]
  ) {
    self.exchange = exchange.name
    self.market = market
    self.now = now
    spec = Self.spec(of: exchange, market, place)
    let isSingle = Self.isSingle(exchange, market, place)
    let options = Interpretation(
      globalAliases: configuration.aliases, check: MeaningCheck(configuration.settings), hooks: hooks)
    let request = RequestContext(pair: isSingle ? pair : nil, now: now)
    let parts = [spec].compactMap(\.self).map { spec in
      TablePlan(spec, market: market).table(
        saved: [HTTPResponse(body: sample.bytes, arrival: sample.arrival)], lookups: lookups, request: request,
        options, option: "--from-sample")
    }
    table = TickerTable(joining: parts)
  }

  private static func isSingle(_ exchange: Exchange, _ market: Market, _ place: Place?) -> Bool {
    guard let place else { return exchange.market(market)?.tickers.isEmpty == true }
    if case .single = place { return true }
    return false
  }

  /// What the config says of the request that a sample answers; nil where it asks no such thing.
  static func spec(of exchange: Exchange, _ market: Market, _ place: Place?) -> TableSpec? {
    let tables = exchange.market(market)
    let parts = (isSingle(exchange, market, place) ? tables?.ticker : tables?.tickers) ?? []
    switch place {
    case .table(let index)?, .single(let index)?: return parts.indices.contains(index) ? parts[index] : nil
    case nil: return parts.first
    }
  }

  /// Whether the mapping has the field at all.
  func has(_ field: TickerField) -> Bool { spec?.fields[field.rawValue] != nil }

  /// The pairs that no exchange can have.
  var misread: [Pair] { Pair.misread(among: table.rows.map(\.ticker.pair)) }

  /// How many rows have the field.
  func filled(_ field: TickerField) -> Int {
    has(field) ? table.rows.count { $0.ticker.missing(field) == nil } : 0
  }

  /// How many rows have each of the fields, summed.
  var allFilled: Int { TickerField.allCases.reduce(0) { $0 + filled($1) } }

  /// Why most rows lack the field.
  func reasonForNo(_ field: TickerField) -> String? {
    var counts: [String: Int] = [:]
    for row in table.rows { if let reason = row.ticker.missing(field) { counts[reason.code, default: 0] += 1 } }
    return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }

  /// The latest quote: the sample cannot be older than that.
  var latestTime: Instant? { table.rows.compactMap(\.ticker.time).max() }

  /// The pair of the first row.
  var firstPair: Pair? { table.rows.first?.ticker.pair }

  var rows: Int { table.rows.count }
  /// Rows that no check speaks against.
  var clean: Int { table.rows.filter { $0.ticker.flags.isEmpty }.count }

  /// What most rows say against the mapping; nil where they do not. That a quote is old, or an offer far from the price, is
  /// the market's matter and no mistake of the mapping.
  var objection: SettledProposal.Objection? {
    let flags = table.rows.map { row in
      row.ticker.flags.first { $0.excludes && [.range, .change, .turnover, .bidAsk].contains($0.kind) }
    }
    let wrong = zip(table.rows, flags).compactMap { row, flag in flag.map { "\(row.ticker.pair): \($0.message)" } }
    guard wrong.count * 2 > rows, let first = wrong.first else { return impossibleTimes }
    return .disproved(rows: wrong.count, of: rows, example: first)
  }

  /// A saved answer has no moment of its own: what it says of times may be old, and never of the future.
  private var impossibleTimes: SettledProposal.Objection? {
    // Many exchanges put the first moment of all for a pair that was never traded.
    let wrong = table.rows.filter { $0.ticker.time.map { !$0.isPossible(at: now) && $0.nanoseconds != 0 } ?? false }
    guard wrong.count * 2 > rows, let first = wrong.first?.ticker, let time = first.time else { return nil }
    let advice =
      time.isBeforeCoins ? "before there were coins: check 'unit'" : "is still to come: check 'unit' and 'zone'"
    return .disproved(rows: wrong.count, of: rows, example: "\(first.pair): its time \(time.iso8601) \(advice)")
  }

  /// Each check that found something: its code, its rows, the first message.
  var findings: [(code: String, rows: Int, message: String)] {
    var findings: [(code: String, rows: Int, message: String)] = []
    for row in table.rows {
      for flag in row.ticker.flags {
        if let index = findings.firstIndex(where: { $0.code == flag.code }) {
          findings[index].rows += 1
        } else {
          findings.append((flag.code, 1, "\(row.ticker.pair): \(flag.message)"))
        }
      }
    }
    return findings
  }

  var failure: String? {
    table.failures.first.map { failure in
      failure.failure.reason.code + (failure.failure.message.map { ": \($0)" } ?? "")
    }
  }

  /// Whether it gives rows at all.
  var isRead: Bool { failure == nil && rows > 0 }

  /// What tells which of two readings is the better one, the first number before the others.
  var score: [Int] { [failure == nil ? 0 : -1, rows - misread.count - unsplit.count, clean, allFilled] }

  var unsplit: [String] { table.unsplit.map(\.symbol) }

  func text(in context: OnboardingContext) -> String {
    var first = TickerTable()
    first.rows = Array(table.rows.prefix(Self.rowCount))
    let report = ExchangeReport(exchange: exchange, market: market, GatheredTable(first, of: nil))
    return TickerTableReport(exchange: exchange, reports: [report])
      .text(on: Page(palette: context.palette, width: context.columns))
      + verdict.map { TerminalText.sanitized($0) + "\n" }.joined()
  }

  /// What the checks say, in sentences.
  var verdict: [String] {
    if let failure { return ["the block does not read its own sample: \(failure)"] }
    var lines = ["\(clean) of \(rows) rows pass the meaning checks"]
    for finding in findings {
      lines.append("\(finding.code): \(finding.rows) \(finding.rows == 1 ? "row" : "rows"), such as \(finding.message)")
    }
    if !unsplit.isEmpty {
      lines.append(
        "\(unsplit.count) symbols could not be taken apart, such as \(unsplit.prefix(5).joined(separator: ", "))")
    }
    return lines
  }
}

extension Ticker {
  /// Why it lacks the field; nil where it has it.
  fileprivate func missing(_ field: TickerField) -> Missing? {
    field == .time ? (time == nil ? timeMissing : nil) : cell(field).missing
  }
}
