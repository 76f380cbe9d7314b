import Config
import HTTP
import Inference
import Mapping
import Quotes
import Shell
import Terminal

/// A new block's reading of its own answer.
struct BlockPreview {
  /// Why the block cannot be written.
  private(set) var problem: String?
  /// Whether it is not an answer by the exchange's rule for success.
  private(set) var isRefused = false
  /// When the answer was complete, as far as its rows show; nil if they do not.
  private(set) var moment: Instant?
  /// nil if nothing is read.
  private var table: Table?
  private var count = 0
  private var findings: [DataFinding] = []

  private let kind: BlockKind
  private let sample: Sample
  /// The pair's ticker in a recording of the exchange's table.
  private let known: Ticker?
  /// The present for a saved answer, which is not from the future.
  private let arrival: Instant

  /// In percent: a recording and an answer may be weeks apart, but no price drops to a tenth.
  private static let maximumDistancePercent: Decimal = 80

  /// - Parameter side: The market with the block.
  init(
    _ proposal: BlockProposal, on side: ExchangeMarket?, _ sample: Sample, _ pair: Pair, _ known: Ticker?, now: Instant
  ) {
    (kind, self.sample, self.known, arrival) = (proposal.kind, sample, known, sample.arrival ?? now)
    let answer = HTTPResponse(body: sample.bytes, arrival: sample.arrival)
    let asking = ReadingContext(RequestContext(pair: pair, now: now), hooks: .shipped)
    do throws(AnswerFailure) {
      switch kind {
      case .candles:
        let spec = proposal.interval.flatMap { side?.candles.first?[$0] }
        if let spec { try readCandles(spec, answer, asking) } else { problem = "it has no interval" }
      case .trades: if let spec = side?.trades.first { try readTrades(spec, answer, asking) }
      case .orderbook: if let spec = side?.orderbooks.first { try readBook(spec, answer, asking) }
      }
    } catch {
      problem = error.words
      if case .exchangeError = error.reason { isRefused = true }
    }
    guard table != nil else {
      problem = problem ?? "it has no request"
      return
    }
    if count == 0 { problem = "it has no row" }
    if let wrong = findings.first(where: \.indicatesMappingError) { problem = wrong.message }
    if kind == .orderbook, let moment, !moment.isPossible(at: arrival) {
      problem = "a book of \(moment.iso8601) arrived at \(arrival.iso8601): check the unit and zone of orderbook.time"
    }
  }

  private mutating func readCandles(
    _ spec: CandleSpec.Interval, _ answer: HTTPResponse, _ asking: ReadingContext
  ) throws(AnswerFailure) {
    let plan = CandlePlan(spec)
    let candles = try plan.candles(in: answer, asking).candles
    let series = CandleSeries(candles, on: plan.grid)
    let check = CandleCheck(series, contradiction: CandleSeries.Contradiction(among: candles))
    findings = check.findings(ticker: known, identityPercent: Self.maximumDistancePercent, arrival: arrival)
    count = candles.count
    moment = series.candles.last.map { min(plan.grid.end(of: $0.start), arrival) }
    table = Table(of: series.candles)
  }

  private mutating func readTrades(
    _ spec: TableSpec, _ answer: HTTPResponse, _ asking: ReadingContext
  ) throws(AnswerFailure) {
    let trades = try TradePlan(spec).trades(in: answer, asking).trades
    count = trades.count
    moment = trades.last.map { min($0.time, arrival) }
    table = Table(of: trades)
    findings = [TradeCheck.time(trades, arrival)].compactMap(\.self)
    // A saved answer is as old as its newest trade.
    findings += TradeCheck.findings(trades, ticker: known, arrival: sample.arrival ?? moment ?? arrival)
      .filter { $0.kind != .tradeTime }
    findings += TradeCheck.distance(trades, known, identityPercent: Self.maximumDistancePercent).map { [$0] } ?? []
  }

  private mutating func readBook(
    _ spec: BookSpec, _ answer: HTTPResponse, _ asking: ReadingContext
  ) throws(AnswerFailure) {
    let book = try BookPlan(spec).book(in: answer, asking)
    findings = BookCheck.findings(book, ticker: known, identityPercent: Self.maximumDistancePercent)
    count = book.bids.count + book.asks.count
    moment = book.time
    table = Table(of: book)
  }

  func text(in context: OnboardingContext) -> String {
    guard let table else { return "" }
    return "\n" + table.rendered(width: context.columns, palette: context.palette)
      + "\(count.counted(kind == .orderbook ? "level" : kind == .trades ? "trade" : "candle")) \(count == 1 ? "is" : "are") read\n"
      + findings.map { TerminalText.sanitized("\($0.kind.rawValue): \($0.message)") + "\n" }.joined()
  }
}

extension Decimal {
  /// As sent, but without the many digits of a quotient.
  var preview: String { "\(self)".utf8.count <= 24 ? "\(self)" : rounded(toSignificantDigits: 12).shortest }
}

/// A preview of records.
extension Table {
  init(of candles: [Candle]) {
    self.init(
      columns: [TableColumn("time")]
        + ["open", "high", "low", "close", "volume", "turnover"].map { TableColumn($0, .decimal) })
    for candle in candles.suffix(SamplePreview.rowCount) {
      let numbers = [candle.open, candle.high, candle.low, candle.close].map(\.preview)
      let amounts = [candle.volume, candle.turnover].map { $0.value?.preview ?? "-" }
      addRow(([candle.start.iso8601] + numbers + amounts).map { StyledText($0) })
    }
  }

  init(of trades: [Trade]) {
    self.init(columns: [
      TableColumn("time"), TableColumn("side"), TableColumn("price", .decimal), TableColumn("size", .decimal),
      TableColumn("id"),
    ])
    for trade in trades.suffix(SamplePreview.rowCount) {
      let texts = [
        trade.time.iso8601, trade.side?.rawValue ?? "-", trade.price.preview, trade.size.value?.preview ?? "-",
        trade.id ?? "-",
      ]
      addRow(texts.map { StyledText($0) })
    }
  }

  init(of book: OrderBook) {
    self.init(columns: [TableColumn("side"), TableColumn("price", .decimal), TableColumn("size", .decimal)])
    for (name, levels) in [("ask", Array(book.asks.prefix(3).reversed())), ("bid", Array(book.bids.prefix(3)))] {
      for level in levels {
        addRow([name, level.price.preview, level.size.preview].map { StyledText($0) })
      }
    }
  }
}
