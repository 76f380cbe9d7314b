import Config
import Mapping
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
    // The URL and the subscription do not affect how messages are read. The host is one of the exchange's, since a
    // local one cannot be combined with others.
    var whole = block
    if whole["urls"] == nil {
      let base = spec.baseURLs.first { $0.hasPrefix("http") } ?? "https://stream.invalid"
      whole.set(["urls"], to: .list([.text("ws" + base.dropFirst(4))]))
    }
    let name = channel.rawValue
    if whole[[name, "subscribe"]] == nil { whole.set([name, "subscribe"], to: .text("{symbol}")) }
    if channel == .candles { whole.set([name, "intervals"], to: .object([("1m", .text("1m"))])) }
    var trial = draft
    try trial.setStreams(of: exchange.name, market, whole)
    let side = try trial.exchange(named: exchange.name).market(market)
    let own = side?.tickers.firstIndex { $0.node.place == spec.node.place }
    guard let part = own ?? side?.tickers.indices.first, let stream = side?.streams[part][channel] else {
      (table, problem) = (Table(columns: []), "the config does not accept it")
      return
    }
    let pairs = rows.map { StreamPair($0, of: spec) }
    var reader = StreamReader(stream, market: market, pairs, Interpretation(check: MeaningCheck()))
    var last: [Int: Ticker] = [:]
    var (trades, books, candles): ([Trade], [OrderBook], [Candle]) = ([], [], [])
    for (message, arrival) in zip(sample.messages, sample.arrivals) {
      for case .updates(let updates) in reader.read(message, arrival: arrival) {
        for update in updates {
          switch update.value {
          case .ticker(let row): last[update.pair] = row
          case .trades(let all): trades += all
          case .orderbook(let book): books.append(book)
          case .candle(let candle, _): candles.append(candle)
          case .unusable: break
          }
        }
      }
    }
    switch channel {
    case .trades: table = Table(of: trades)
    case .orderbook: table = Table(of: books.last ?? OrderBook(bids: [], asks: []))
    case .candles: table = Table(of: candles)
    case .ticker, .tickers, .offers: table = Self.table(of: last.sorted { $0.key < $1.key }.map(\.value))
    }
    let isEmpty = last.isEmpty && trades.isEmpty && books.isEmpty && candles.isEmpty
    problem = isEmpty ? "it accepts none of them" : nil
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
