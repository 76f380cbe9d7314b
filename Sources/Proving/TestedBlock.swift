package import Config
import HTTP
package import Mapping
package import MarketData
package import Quotes

/// The mapped result of an order book, trades or candles of one pair.
package struct TestedBlock: Sendable {
  package enum Contents: Sendable {
    case orderbook(OrderBook)
    case trades(TradeList)
    case candles(CandleList)
  }

  let exchange: String
  package let market: Market
  package let pair: Pair
  package let outcome: Result<Contents, AnswerFailure>
  /// The pair's row in the table of all pairs; nil if there is none to compare with.
  let ticker: Ticker?
  let identityPercent: Decimal
  /// How it was requested; nil if the market has no such block for the pair.
  let spec: TestedBlockSpec
  /// The requests and answers.
  let answers: [CapturedAnswer]
  let hooks: HookRegistry
  /// The fields whose lookups lack every pair of the block that was tested. Others may be of some pairs only.
  var missed: Set<String> = []

  package var kind: BlockKind { spec.kind }
  /// For candles.
  package var interval: CandleInterval? { spec.interval }

  private var subject: Finding.Subject {
    .table(exchange: exchange, market: market.rawValue, pair: "\(pair)")
  }

  /// `spot: the 1h candles of BTC/USDT`.
  private var name: String {
    let what =
      switch kind {
      case .orderbook: "the order book"
      case .trades: "the trades"
      case .candles: "the \(interval.map { "\($0.rawValue) " } ?? "")candles"
      }
    return "\(market.rawValue): \(what) of \(pair)"
  }

  /// When the last of its answers arrived.
  var arrival: Instant? { answers.compactMap { $0.response?.arrival }.max() }

  package var findings: [Finding] {
    switch outcome {
    case .failure(let failure):
      return [finding(.bookFailed, .error, failure.wordsInParentheses)]
    case .success(let contents):
      return flagged(contents) + checks(of: contents).map { finding($0) }
        + lostFields(of: contents).map { finding($0) }
        + otherScales(of: contents) + otherSizes(in: contents)
    }
  }

  /// Returns what is wrong with an order book as a whole: that it has only one side, and its flags.
  private func flagged(_ contents: Contents) -> [Finding] {
    guard case .orderbook(let book) = contents else { return [] }
    let empty = book.bids.isEmpty ? "bids" : book.asks.isEmpty ? "asks" : nil
    let oneSided = empty.map { Finding(.bookFailed, .error, "\(name) has no \($0)", about: subject) }
    return [oneSided].compactMap(\.self)
      + book.flags.map { finding(.failedCheck, .error, "\($0.code): \($0.fact)", help: $0.advice?.text) }
  }

  private func checks(of contents: Contents) -> [DataFinding] {
    switch contents {
    case .orderbook(let book):
      // As the book and the table are of different moments, only impossible differences are reported.
      BookCheck.findings(book, ticker: ticker, identityPercent: max(identityPercent, 50))
    case .trades(let list):
      TradeCheck.findings(list.trades, ticker: ticker, arrival: arrival)
        + [TradeCheck.distance(list.trades, ticker, identityPercent: pricePercent(list.trades))].compactMap(\.self)
    case .candles(let list):
      // Which field has another unit is found by its scale.
      list.findings(ticker: ticker, identityPercent: identityPercent, arrival: arrival)
        .filter { $0.kind != .candleSpike }
    }
  }

  /// Returns how far the newest trade may be from the price, in percent: little if that is the price of a trade of the
  /// same minute.
  private func pricePercent(_ trades: [Trade]) -> Decimal {
    guard let ticker, ticker.priceBasis == .last, let newest = trades.last?.time, let arrival,
      let other = ticker.arrival, arrival.isWithin(seconds: 60, of: other), arrival.isWithin(seconds: 600, of: newest)
    else { return identityPercent }
    return min(identityPercent, 3)
  }

  private func lostFields(of contents: Contents) -> [LostFields.Lost] {
    let bodies = bodies.bodies
    switch (contents, spec) {
    case (.orderbook(let book), .orderbook(let spec)):
      // What a book has once is read from the whole answer.
      guard let root = PathSpec.root(at: spec.node) else { return [] }
      return LostFields(bodies, rows: .path(root)).orderbook(book, time: spec.time, sequence: spec.sequence)
    case (.trades(let list), .trades(let table)):
      return LostFields(bodies, rows: table.rows).trades(list.trades, table.fields)
    case (.candles(let list), .candles(let interval)):
      return LostFields(bodies, rows: interval.table.rows).candles(list.series.candles, interval.table.fields)
    default: return []
    }
  }

  private func finding(_ lost: LostFields.Lost) -> Finding {
    guard missed.contains(lost.field) else { return finding(lost.code, lost.severity, lost.text) }
    let names = spec.table.fields[lost.field]?.lookupNames.sorted() ?? []
    return finding(
      lost.code, .error, lost.text, help: "check 'key' and 'match' of the lookup \(names.quoted.listed("or"))")
  }

  private func otherScales(of contents: Contents) -> [Finding] {
    guard case .candles(let list) = contents else { return [] }
    return PriceScale.findings(of: list.series.candles, atLeast: 3).map {
      finding(.bookDisagrees, .error, $0.text, help: $0.help)
    }
  }

  private func otherSizes(in contents: Contents) -> [Finding] {
    let bodies = bodies.bodies
    let found: SizeReading? =
      switch (contents, spec) {
      case (.orderbook(let book), .orderbook(let spec)):
        [spec.bids, spec.asks].compactMap { SizeReading(bodies, rows: $0.rows, price: $0.price, size: $0.size) }.first
          ?? SizeReading(totalsOf: book)
      case (.trades, .trades(let table)):
        table.fields["price"].flatMap { price in
          table.fields["size"].flatMap { SizeReading(bodies, rows: table.rows, price: price, size: $0) }
        }
      default: nil
      }
    return found.map { [finding(.bookDisagrees, .error, $0.text, help: $0.help)] } ?? []
  }

  private func finding(_ found: DataFinding) -> Finding {
    finding(
      .bookDisagrees, found.indicatesMappingError ? .error : .note, "\(found.kind.rawValue): \(found.countedFact)",
      help: found.advice?.text)
  }

  private func finding(
    _ code: FindingCode, _ severity: Finding.Severity, _ text: String, help: String? = nil
  ) -> Finding {
    Finding(code, severity, "\(name): \(text)", about: subject, help: help)
  }

  var bodies: AnswerBodies { AnswerBodies(answers.compactMap(\.response), hook: spec.table.hook, hooks) }

  /// Returns what has changed since the recording.
  func drift(since base: TestedExchange?) -> [Found] {
    let old = (base?.blocks ?? []).filter {
      $0.market == market && $0.kind == kind && $0.interval == interval && (try? $0.outcome.get()) != nil
    }
    guard let before = old.first(where: { $0.pair == pair }) ?? old.first else { return [] }
    return spec.drifts(before.bodies, bodies, isSamePair: before.pair == pair).flatMap {
      $0.findings(about: subject, of: name)
    }
  }

  /// The line kept with a cassette.
  var keptLine: String {
    var cells: [String]
    let name = KeptRows.name(of: kind, interval)
    switch outcome {
    case .failure(let failure): cells = ["(failed)", failure.reason.code]
    case .success(.orderbook(let book)):
      cells = [name]
      for (name, levels) in [("bids", book.bids), ("asks", book.asks)] {
        let best = levels.first.map { " \($0.size) at \($0.price)" } ?? ""
        let worst = levels.last.map { " to \($0.size) at \($0.price)" } ?? ""
        cells.append("\(levels.count) \(name)\(best)\(worst)")
      }
    case .success(.trades(let list)):
      cells = [name, "\(list.trades.count) trades"] + [list.trades.first, list.trades.last].map(Self.text)
    case .success(.candles(let list)):
      let candles = list.series.candles
      cells = [name, "\(candles.count) candles"] + [candles.first, candles.last].map(Self.text)
    }
    return KeptRows.line([market.rawValue, "\(pair)"] + cells)
  }

  private static func text(_ trade: Trade?) -> String {
    guard let trade else { return "" }
    let size = trade.size.value?.description ?? trade.size.missing?.code ?? ""
    return "\(trade.time.iso8601) \(size) at \(trade.price) \(trade.side?.rawValue ?? "side-unknown")"
  }

  private static func text(_ candle: Candle?) -> String {
    guard let candle else { return "" }
    let amounts = [candle.volume, candle.turnover].map { $0.value?.description ?? $0.missing?.code ?? "" }
    let prices = [candle.open, candle.high, candle.low, candle.close].map(\.description)
    return ([candle.start.iso8601] + prices + amounts).joined(separator: " ")
  }
}

extension TestedBlock {
  /// The fields whose lookups lack the pair in all records; nil if there are no records.
  fileprivate var missedByLookups: Set<String>? {
    guard case .success(let contents) = outcome else { return nil }
    return Set(lostFields(of: contents).filter { $0.code == .lookupMismatch }.map(\.field))
  }

  /// Returns whether an answer is one to the same block of the config, perhaps about another pair or interval.
  fileprivate func isOfBlock(of other: TestedBlock) -> Bool {
    market == other.market && kind == other.kind && spec.table.node.place == other.spec.table.node.place
  }
}

extension [TestedBlock] {
  /// The same, each with the fields that lookups lack in all of its block.
  var withMissedFields: [TestedBlock] {
    map { block in
      var block = block
      let missed = filter { $0.isOfBlock(of: block) }.compactMap(\.missedByLookups)
      block.missed = missed.dropFirst().reduce(missed.first ?? []) { $0.intersection($1) }
      return block
    }
  }
}
