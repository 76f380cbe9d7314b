import Config
import Mapping
import MarketData
import Quotes

/// The records of a pair by REST at about the time of a stream; empty for those that are not recorded.
struct AskedRecords: Sendable {
  var book: OrderBook?
  var trades: [Trade] = []
  var candles: [Candle] = []

  /// How far apart requests and a stream may be to be compared, in seconds.
  private static let nearness: UInt64 = 1800

  init() {}

  /// - Parameters:
  ///   - blocks: Those of one market.
  ///   - interval: That of the candles.
  ///   - moment: When the stream began; answers of another time, or of an unknown one, are left out.
  ///   - later: The trades of an answer from after the stream.
  init(_ blocks: [TestedBlock], of pair: Pair, interval: CandleInterval?, near moment: Instant?, later: [Trade]) {
    func isNear(_ block: TestedBlock) -> Bool {
      block.arrival.flatMap { moment?.isWithin(seconds: Self.nearness, of: $0) } ?? false
    }
    // What is wrong itself proves nothing.
    for block in blocks
    where block.pair == pair && isNear(block) && !block.findings.contains(where: { $0.severity == .error }) {
      switch try? block.outcome.get() {
      case .orderbook(let found): book = book ?? found
      case .trades(let list): trades = trades.isEmpty ? list.trades : trades
      case .candles(let list): if block.interval == interval { candles = list.series.candles }
      case nil: break
      }
    }
    trades += later
  }
}

/// Channels without rows: their records are compared with the table, with each other, and with those by REST.
extension StreamReview {
  /// A mapping that is wrong for one pair is often wrong for all, of which these are enough.
  private static let maximumPairs = 3

  var records: [Finding] {
    let all = pairs.indices.map { (pair: pairs[$0].row.pair, findings: records(ofPair: $0)) }
    let faulty = all.filter { $0.findings.contains { $0.severity == .error } }
    let left = faulty.dropFirst(Self.maximumPairs).map(\.pair)
    var findings = all.filter { !left.contains($0.pair) }.flatMap(\.findings)
    if !left.isEmpty {
      let names = left.map(\.description).joined(separator: ", ")
      findings.append(disagrees("\(left.count) more of the connection's pairs disagree: \(names)"))
    }
    if unknownCount > 0 {
      let (what, them) = unknownCount == 1 ? ("another pair", "it") : ("\(unknownCount) other pairs", "them")
      let text = "\(what) of the connection cannot be judged: what it sent does not name \(them)"
      findings.append(finding(.notRecorded, text, .note))
    }
    return findings
  }

  private func records(ofPair place: Int) -> [Finding] {
    let row = rows[place]
    var own = self
    own.pair = row.pair
    own.readings = readings.only(place)
    own.asked = askedRecords(row.pair)
    guard !own.readings.updates.isEmpty else {
      // Nothing may have been traded meanwhile, least of all in every pair of the exchange.
      let isBeside = heard != nil && place > 0 && [.trades, .candles].contains(spec.channel)
      return spec.namesPair && !isBeside ? [own.finding(.streamFailed, "no message is about it", .note)] : []
    }
    switch spec.channel {
    case .ticker, .tickers, .offers: return []
    case .trades: return own.trades(row)
    case .orderbook: return own.books(row)
    case .candles: return own.runningCandles(row)
    }
  }

  private func disagrees(_ text: String, help: String? = nil) -> Finding {
    finding(.streamDisagrees, text, help: help)
  }

  // MARK: Trades

  private func trades(_ row: Ticker) -> [Finding] {
    let own = readings.trades
    let prices = StreamRatio(.price, own.map(\.price), row.price.value ?? .zero)
    let checks = TradeCheck.findings(own, ticker: row, arrival: readings.updates.last?.arrival)
    let lost = LostFields(readings.taken, rows: spec.table.rows).trades(own, spec.table.fields)
    return ratio(prices, row) + data(checks) + [oldTrades(own), turnedSides(own), tradeSizes(own)].compactMap(\.self)
      + lost.map { finding($0.code, $0.text, $0.severity) }
  }

  /// How much older than those by REST the newest trade and candle of the stream may be, in nanoseconds: in a quiet
  /// market little is sent, while wrong zones are off by half an hour or more.
  private static let age: Int64 = 1_800_000_000_000

  /// The stream was opened after the request, so its newest trade cannot be much older.
  private func oldTrades(_ own: [Trade]) -> Finding? {
    guard let newest = own.map(\.time).max(), let other = asked.trades.map(\.time).max(),
      other.nanoseconds(since: newest) > Self.age
    else { return nil }
    return disagrees(
      "its newest trade is of \(newest.iso8601), but the newest by request of \(other.iso8601)",
      help: "check the unit and zone of \"time\"")
  }

  /// Compares the sides of the trades that the answer has as well.
  private func turnedSides(_ own: [Trade]) -> Finding? {
    let sides = Dictionary(
      asked.trades.compactMap { trade in trade.side.map { (SameTrade(trade), $0) } }, uniquingKeysWith: { $1 })
    let both = own.compactMap { trade -> Bool? in
      guard let side = trade.side, let other = sides[SameTrade(trade)] else { return nil }
      return side == other
    }
    guard both.count >= 3, both.allSatisfy({ !$0 }) else { return nil }
    return disagrees(
      "side: \(both.count) trades have the other side by request", help: "swap \"buy\" and \"sell\" in one of the two")
  }

  private struct SameTrade: Hashable {
    let time: Instant
    let price: Decimal
    let size: Decimal?

    init(_ trade: Trade) { (time, price, size) = (trade.time, trade.price, trade.size.value) }
  }

  /// Sizes differ widely from trade to trade, so that only a factor of a hundred between two sets that do not even
  /// overlap proves another unit.
  private func tradeSizes(_ own: [Trade]) -> Finding? {
    let (streamed, other) = (own.compactMap(\.size.value), asked.trades.compactMap(\.size.value))
    guard streamed.count >= 5, other.count >= 5, let least = streamed.min(), let most = streamed.max(),
      let otherLeast = other.min(), let otherMost = other.max(), least > otherMost || most < otherLeast
    else { return nil }
    return sizes(streamed, besides: other, limit: 100, of: "trades")
  }

  // MARK: Order books

  private func books(_ row: Ticker) -> [Finding] {
    let own = readings.books
    let middles = StreamRatio(.price, own.compactMap(\.middle), row.price.value ?? .zero)
    guard let last = own.last(where: { !$0.bids.isEmpty && !$0.asks.isEmpty }) else {
      return ratio(middles, row) + [disagrees("one side of the book is empty")]
    }
    if spec.whole == nil, let changing = changingDepth(of: own) { return ratio(middles, row) + [changing] }
    let levels = last.bids + last.asks
    if levels.count >= 4, levels.allSatisfy({ $0.price == $0.size }) {
      return ratio(middles, row) + [disagrees("the size of every level is its price", help: "check \"size\"")]
    }
    // The distance from the price is known more exactly from all books.
    let checks = BookCheck.findings(last, ticker: row, identityPercent: 100).filter { $0.kind == .bookSize }
    // Changes without a number leave gaps, which are reported.
    let hasNumbers = spec.whole != nil || own.contains { $0.sequence != nil }
    let lost = LostFields(readings.taken, rows: spec.table.rows).orderbook(
      last, time: spec.book?.time, sequence: hasNumbers ? nil : spec.book?.sequence)
    let times =
      last.flags.map { disagrees("\($0.code): \($0.fact)", help: $0.advice?.text) }
      + lost.map { finding($0.code, $0.text, $0.severity) }
    let found = ratio(middles, row) + data(checks) + times
    return found.isEmpty ? found + [bookSizes(last)].compactMap(\.self) : found
  }

  /// The books of a stream that sends each of them whole are about as deep as one another; changes to a book are not.
  private func changingDepth(of books: [OrderBook]) -> Finding? {
    let depths = books.map { $0.bids.count + $0.asks.count }.sorted()
    guard depths.count >= 5, let most = depths.last, most >= 8 else { return nil }
    // One may be broken for another reason.
    let few = depths[max(1, depths.count / 10)]
    guard few * 2 <= most else { return nil }
    return disagrees(
      "some of its books have \(few) levels or fewer, and one has \(most)",
      help: "if a message changes the book before it, say which is \"whole\"")
  }

  /// Most levels stay as they are from one moment to the next, and the median of the best ones within a factor of some
  /// ten.
  private func bookSizes(_ book: OrderBook) -> Finding? {
    if let (own, polled) = asked.book.flatMap({ UnitCheck.sizes(of: book, $0) }) {
      return disagrees(
        "size: at one price it is \(own.shortest), and \(polled.shortest) by request",
        help: "is it another unit, such as contracts or money?")
    }
    func best(_ book: OrderBook) -> [Decimal] { (book.bids.prefix(10) + book.asks.prefix(10)).map(\.size) }
    let (streamed, other) = (best(book), asked.book.map(best) ?? [])
    guard streamed.count >= 6, other.count >= 6 else { return nil }
    return sizes(streamed, besides: other, limit: 200, of: "levels")
  }

  private func sizes(_ streamed: [Decimal], besides other: [Decimal], limit: Decimal, of what: String) -> Finding? {
    guard let one = streamed.median, let two = other.median, one.signum > 0, two.signum > 0,
      one > two * limit || two > one * limit
    else { return nil }
    return disagrees(
      "size: the median of its \(what) is \(one.shortest), and \(two.shortest) by request",
      help: "is it another unit, such as contracts or money?")
  }

  // MARK: Candles

  private func runningCandles(_ row: Ticker) -> [Finding] {
    let own = readings.candles
    guard let interval, let last = own.last else { return [] }
    let grid = CandleGrid(interval, zoneSeconds: spec.zoneSeconds(of: interval))
    let checks = CandleCheck(CandleSeries(own, on: grid)).findings(
      ticker: nil, identityPercent: identityPercent, arrival: readings.updates.last?.arrival)
    let closes = StreamRatio(.price, own.map(\.close), row.price.value ?? .zero)
    // The same candle by REST lacks the trades since then, which are most of them in the first seconds.
    let other = asked.candles.first { $0.start == last.start }
    let volume = other?.volume.value.flatMap { StreamRatio(.volume24, last.volume.value.map { [$0] } ?? [], $0) }
    let isFar = volume.map { $0.median > 80 || $0.median < 0.0125 } ?? false
    let extremes = PriceScale.findings(of: own, atLeast: 1).map { disagrees($0.text, help: $0.help) }
    let lost = LostFields(readings.taken, rows: spec.table.rows).candles(own, spec.table.fields)
    return data(checks.filter { $0.kind != .candleSpike }) + ratio(closes, row) + (isFar ? ratio(volume, nil) : [])
      + extremes
      + [misplaced(own, last, grid), turnedCandles].compactMap(\.self)
      + lost.map { finding($0.code, $0.text, $0.severity) }
  }

  /// The stream was opened after the request, so its last candle is not before the last one by REST, unless only ended
  /// candles are sent, or none without trades.
  private func misplaced(_ own: [Candle], _ last: Candle, _ grid: CandleGrid) -> Finding? {
    guard let newest = asked.candles.last else { return nil }
    let lag = newest.start.nanoseconds(since: last.start)
    if lag > max(grid.interval.nanoseconds, Self.age) {
      return disagrees(
        "its last candle starts at \(last.start.iso8601), but the last by request at \(newest.start.iso8601)",
        help: "check the unit and zone of \"time\", and whether the time is the candle's end")
    }
    // Opens do not change, so that they tell which candle it is, if the answer has it.
    let opens = Dictionary(asked.candles.map { ($0.start, $0.open) }, uniquingKeysWith: { $1 })
    let known = own.filter { opens[$0.start] != nil }
    func count(_ shift: Int) -> Int {
      known.count { candle in opens[grid.moment(shift, after: candle.start)] == candle.open }
    }
    guard !known.isEmpty, count(0) == 0, let shift = [1, -1].first(where: { count($0) == known.count }) else {
      return nil
    }
    let moment = grid.moment(shift, after: last.start)
    return disagrees(
      "its candle of \(last.start.iso8601) is that of \(moment.iso8601) by request",
      help: "is the time the candle's start or its end?")
  }

  /// Of a running candle the open stays and the close moves.
  private var turnedCandles: Finding? {
    let groups = Dictionary(grouping: readings.candleUpdates, by: \.start).values
    let moving = groups.filter { group in
      Set(group.map(\.open)).count > 1 && Set(group.map(\.close)).count == 1
    }
    let isUsual = groups.contains { group in Set(group.map(\.close)).count > 1 }
    guard !isUsual, let group = moving.first(where: { $0.count >= 3 }) else { return nil }
    return disagrees(
      "the open of its candle changes in \(group.count) messages, and the close does not",
      help: "are open and close swapped?")
  }
}
