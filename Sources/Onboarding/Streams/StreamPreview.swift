import Config
import Mapping
import Proving
import Quotes
import Terminal

/// A proposed channel's reading of the messages it is based on.
struct StreamPreview {
  private let table: Table
  /// Why it cannot be used.
  let problem: String?

  /// The fields shown.
  private static let fields: [TickerField] = [.price, .changePricePercent24, .volume24, .bid, .ask]

  init(
    _ channel: StreamChannel, _ block: ConfigValue, _ sample: StreamSample, _ rows: [Ticker], _ spec: TableSpec,
    _ market: Market, _ exchange: Exchange, _ draft: ConfigDraft
  ) throws {
    var trial = draft
    try trial.setStreams(of: exchange.name, market, Self.completed(block, channel, spec))
    let side = try trial.exchange(named: exchange.name).market(market)
    let own = side?.tickers.firstIndex { $0.node.place == spec.node.place }
    guard let part = own ?? side?.tickers.indices.first, let stream = side?.streams[part][channel] else {
      (table, problem) = (Table(columns: []), "the config does not accept it")
      return
    }
    let pairs = rows.map { StreamPair($0, of: spec) }
    let reader = StreamReader(stream, market: market, pairs, Interpretation(check: MeaningCheck()))
    let readings = StreamReadings(sample.messages, reader)
    table =
      switch channel {
      case .trades: Table(of: readings.trades)
      case .orderbook: Table(of: readings.books.last ?? OrderBook(bids: [], asks: []))
      case .candles: Table(of: readings.candleUpdates)
      case .ticker, .tickers, .offers: Self.table(of: readings.lastTickers)
      }
    problem = readings.updates.isEmpty ? "it accepts none of them" : nil
  }

  /// Returns the block with an address and a subscription, which do not affect how messages are read. The host is one of
  /// the exchange's, since a local one cannot be combined with others.
  private static func completed(_ block: ConfigValue, _ channel: StreamChannel, _ spec: TableSpec) -> ConfigValue {
    var whole = block
    if whole["urls"] == nil {
      let base = spec.baseURLs.first { $0.hasPrefix("http") } ?? "https://stream.invalid"
      whole.set(["urls"], to: .list([.text("ws" + base.dropFirst(4))]))
    }
    let name = channel.rawValue
    if whole[[name, "subscribe"]] == nil { whole.set([name, "subscribe"], to: .text("{symbol}")) }
    if channel == .candles { whole.set([name, "intervals"], to: .object([("1m", .text("1m"))])) }
    return whole
  }

  private static func table(of rows: [Ticker]) -> Table {
    var table = Table(columns: [TableColumn("pair")] + fields.map { TableColumn($0.rawValue, .decimal) })
    for row in rows.prefix(SamplePreview.rowCount) {
      let cells = fields.map { field in row.cell(field).value.map(\.preview) ?? "-" }
      table.addRow((["\(row.pair)"] + cells).map { StyledText($0) })
    }
    return table
  }

  func text(in context: OnboardingContext) -> String {
    table.rendered(width: context.columns, palette: context.palette)
  }
}
