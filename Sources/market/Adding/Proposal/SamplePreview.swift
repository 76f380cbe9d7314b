import Config
import HTTP
import Mapping
import MarketData
import Proving
import Quotes
import Terminal
import Views

/// The rows that a new block gives of its own sample, and what the meaning checks say to them.
struct SamplePreview {
  private let exchange: String
  private let market: Market
  private let table: TickerTable
  private let spec: TableSpec?

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
    configuration: Configuration, now: Instant,
    lookups: [String: [UInt8]] = [:]
  ) {
    self.exchange = exchange.name
    self.market = market
    spec = Self.spec(of: exchange, market, place)
    let isSingle = Self.isSingle(exchange, market, place)
    var table = TickerTable()
    if let spec {
      let plan = TablePlan(spec, market: market, fields: TickerField.allCases.map(\.rawValue))
      let options = Interpretation(
        wanted: isSingle ? pair : nil, globalAliases: configuration.aliases,
        check: MeaningCheck(configuration.settings),
        hooks: .shipped)
      table.append(
        plan.interpret(
          HTTPResponse(body: sample.bytes, arrival: sample.arrival),
          request: RequestContext(pair: isSingle ? pair : nil, now: now),
          lookups: SavedResponses.states(of: plan, lookups, options.hooks, option: "--from-sample"), options))
    }
    table.flagDuplicates()
    self.table = table
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

  /// How the fields filled, row by row.
  var trial: TableTrial? { spec.map { TableTrial(table.rows, of: $0) } }

  /// The latest quote: the sample cannot be older than that.
  var latestTime: Instant? { table.rows.compactMap(\.ticker.time).max() }

  /// The pair of the first row.
  var firstPair: Pair? { table.rows.first?.ticker.pair }

  var rows: Int { table.rows.count }
  /// Rows that no check speaks against.
  var clean: Int { table.rows.filter { $0.ticker.flags.isEmpty }.count }

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

  var unsplit: [String] { table.unsplit.map(\.symbol) }

  func text(width: Int?, palette: Palette) -> String {
    var first = GatheredTable()
    first.table.rows = Array(table.rows.prefix(Self.rowCount))
    let report = ExchangeReport(exchange: exchange, market: market, wanted: nil, first)
    var text = TickerTableReport(exchange: exchange, reports: [report]).text(on: Page(palette: palette, width: width))
    for line in verdict { text += TerminalText.sanitized(line) + "\n" }
    return text
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
