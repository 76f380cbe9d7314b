package import Config
import Formats
import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// A live view of one pair as plain lines, without cursor movement or drawing, for pipes, logs and screen readers.
///
///     14:12:07 Upbit BTC/KRW ask 134512000 bid 134511000 spread 1000 (0.0007 %) bids 55.1 : 44.9
///     14:12:07 Upbit BTC/KRW buy 134512000 0.0164
///     14:12:31 Upbit failed: timeout
///     14:12:40 Upbit left out: candle-time: a candle begins at 2026-11-18T07:00:00Z and came at 2026-11-18T05:12:40Z
///     14:12:44 Upbit refused: stream-bad: bytes that are neither text nor compressed text
package struct PairLog: Sendable {
  /// Something to be written about a source.
  private struct Entry {
    let source: PairBoard.Source
    let time: Instant
    let content: Content
  }

  private enum Content {
    case feed(String)
    case problem(PairBoard.DataProblem)
    case book(OrderBook)
    case trade(Trade)
    /// How many trades are missing; nil if unknown.
    case missed(Int?)
    case candle(Candle, CandleGrid, isOver: Bool)
  }

  private let kind: BlockKind
  private let settings: PairSettings
  /// By source; trades are not held back.
  private var printed: LastPrinted<Int, JSONValue>
  /// The last written state of the latest candles, oldest first, by source, and whether it was written as the last one.
  private var candles: [Int: [(candle: Candle, isOver: Bool)]] = [:]
  private var feeds: [Int: String] = [:]
  private var problems: [Int: PairBoard.DataProblem?] = [:]
  /// The number of trades already written, by source.
  private var reportedCounts: [Int: Int] = [:]
  private var sequence = 0

  /// - Parameters:
  ///   - kind: what to write: a line whenever a printed figure of a book changes, a line per trade, or one whenever the
  ///     newest candle changes, and each candle's last state once it is over.
  ///   - everyMilliseconds: the minimum interval between two of a source.
  package init(_ kind: BlockKind, _ settings: PairSettings, everyMilliseconds: Int) {
    self.kind = kind
    self.settings = settings
    printed = LastPrinted(everyMilliseconds: everyMilliseconds)
  }

  /// Returns the lines that are due and marks their content as written.
  package mutating func lines(_ board: PairBoard, at now: Instant) -> [String] {
    entries(board, at: now, asObjects: false).map { entry in
      let source = entry.source
      let name =
        switch entry.content {
        case .feed, .problem: source.exchange
        case .book, .trade, .missed, .candle:
          [source.exchange, "\(source.pair)", source.product].compactMap(\.self).joined(separator: " ")
        }
      return TerminalText.sanitized("\(settings.zone.clock(entry.time)) \(name) \(text(of: entry.content))")
    }
  }

  /// Returns the same as one JSON object per line: `book` with the best prices, `trade`, `missed`, `candle`, `feed`,
  /// `finding`, `refused`; `seq` increases by one.
  package mutating func objects(_ board: PairBoard, at now: Instant) -> [UInt8] {
    var writer = LineWriter()
    for entry in entries(board, at: now, asObjects: true) {
      sequence += 1
      let source = entry.source
      let (type, members) = Self.json(of: entry.content)
      var place: JSONValue = [
        "seq": .integer(sequence), "time": .string(entry.time.iso8601), "exchange": .string(source.exchange),
        "market": .string(source.market.rawValue), "pair": "\(source.pair)",
      ]
      if let product = source.product { place += ["product": .string(product)] }
      writer.object(type, place + members)
    }
    return writer.bytes
  }

  /// Returns what is due, and marks it as written.
  ///
  /// - Parameter asObjects: whether it is written as objects, which have other figures than lines, and tell the end of a
  ///   candle even if nothing else about it has changed.
  private mutating func entries(_ board: PairBoard, at now: Instant, asObjects: Bool) -> [Entry] {
    var entries: [Entry] = []
    for (place, source) in board.sources.enumerated() {
      func add(_ content: Content, _ time: Instant? = nil) {
        entries.append(Entry(source: source, time: time ?? now, content: content))
      }
      if let text = changedFeed(of: source, place) { add(.feed(text)) }
      if let problem = newProblem(of: source, place) { add(.problem(problem)) }
      switch kind {
      case .trades:
        let (missed, new) = newTrades(of: source, place)
        if missed > 0 { add(.missed(missed)) }
        for (trade, gap) in new {
          if let gap { add(.missed(nil), gap) }
          add(.trade(trade), trade.time)
        }
      case .orderbook:
        guard printed.isDue(place, at: now), let book = source.book(at: now), case let content = Content.book(book),
          printed.take(figures(of: content, asObjects), of: place, at: now)
        else { continue }
        add(content)
      case .candles:
        guard let series = source.candles, let newest = series.candles.last else { continue }
        for candle in changedCandles(among: series.candles.dropLast(), place, writesEnds: asObjects) {
          add(.candle(candle, series.grid, isOver: true))
        }
        let content = Content.candle(newest, series.grid, isOver: series.isComplete(newest, at: now))
        guard printed.isDue(place, at: now), printed.take(figures(of: content, asObjects), of: place, at: now) else {
          continue
        }
        keep(newest, isOver: series.isComplete(newest, at: now), place)
        add(content)
      }
    }
    return entries
  }

  // MARK: Content

  private func text(of content: Content) -> String {
    switch content {
    case .feed(let text): return text
    case .problem(let problem):
      let what =
        switch problem {
        case .shown: ""
        case .leftOut: "left out: "
        case .refused: "refused: "
        }
      return what + problem.code + (problem.message.map { ": \($0)" } ?? "")
    case .book(let book): return Self.text(of: book)
    case .trade(let trade):
      let size = trade.size.value?.shortest ?? trade.size.missing?.code ?? "-"
      return "\(trade.side?.rawValue ?? Missing.sideUnknown.code) \(trade.price.shortest) \(size)"
    case .missed(let count): return "missed \(count.map { "\($0)" } ?? "an unknown number of") trades"
    case .candle(let candle, let grid, _):
      return "\(grid.interval.rawValue) \(ChartReport.moment(candle.start, grid, settings.zone))"
        + " open \(candle.open.shortest) high \(candle.high.shortest) low \(candle.low.shortest)"
        + " close \(candle.close.shortest)" + (candle.changePercent.map { " \($0.signedPercentText) %" } ?? "")
        + (candle.volume.value.map { " volume \($0.shortest)" } ?? "")
    }
  }

  private static func text(of book: OrderBook) -> String {
    let text = "ask \(book.asks.first?.price.shortest ?? "-") bid \(book.bids.first?.price.shortest ?? "-")"
    if book.isCrossed { return text + " book-crossed" }
    var parts = [text]
    if let spread = book.spread, let percent = book.spreadPercent {
      parts.append("spread \(spread.shortest) (\(percent.finePercentText) %)")
    }
    if let share = OrderBookReport.share(book.best(10).sizes()) {
      parts.append("bids \(OrderBookReport.ratio(share))")
    }
    return (parts + book.flags.codes).joined(separator: " ")
  }

  private static func json(of content: Content) -> (type: String, members: JSONValue) {
    switch content {
    case .feed(let text): return ("feed", ["state": .string(text)])
    case .problem(.refused(let failure, _)):
      return ("refused", ["reason": .string(failure.reason.code), "message": .text(failure.message)])
    case .problem(let problem):
      let isLeftOut = if case .leftOut = problem { true } else { false }
      return (
        "finding",
        ["code": .string(problem.code), "message": .text(problem.message), "leftOut": .bool(isLeftOut)]
      )
    case .book(let book):
      return (
        "book",
        [
          "bid": .text(book.bids.first?.price.description), "bidSize": .text(book.bids.first?.size.description),
          "ask": .text(book.asks.first?.price.description), "askSize": .text(book.asks.first?.size.description),
          "bookTime": .text(book.time?.iso8601), "sequence": .text(book.sequence),
          "flags": .texts(book.flags.codes),
          "reasons": .reasons([("bookTime", book.timeMissing?.code)]),
        ]
      )
    case .trade(let trade):
      return (
        "trade",
        [
          "price": .string(trade.price.description), "size": .text(trade.size.value?.description),
          "side": .text(trade.side?.rawValue), "id": .text(trade.id),
          "reasons": .reasons(trade.reasons),
        ]
      )
    case .missed(let count): return ("missed", ["count": .text(count.map { "\($0)" })])
    case .candle(let candle, let grid, let isOver):
      return (
        "candle",
        [
          "interval": .string(grid.interval.rawValue), "start": .string(candle.start.iso8601),
          "open": .string(candle.open.description), "high": .string(candle.high.description),
          "low": .string(candle.low.description), "close": .string(candle.close.description),
          "volume": .text(candle.volume.value?.description),
          "complete": .bool(isOver), "reasons": .reasons([("volume", candle.volume.missing?.code)]),
        ]
      )
    }
  }

  // MARK: What is due

  /// Returns what must have changed for content to be written again: the line; or of the object all members but the time
  /// and the number, which change with every message, and the end of a candle, of which `changedCandles` decides.
  private func figures(of content: Content, _ asObjects: Bool) -> JSONValue {
    guard asObjects, case .object(let members) = Self.json(of: content).members else {
      return .string(text(of: content))
    }
    return .object(members.filter { !["bookTime", "sequence", "reasons", "complete"].contains($0.name) })
  }

  /// Returns the candles that are over and were last written in another state, or not at all: the last change of one may
  /// come with the next candle, or with the answer that is requested once it is over.
  private mutating func changedCandles(among finished: ArraySlice<Candle>, _ place: Int, writesEnds: Bool) -> [Candle] {
    guard let known = candles[place], let first = known.first?.candle.start else { return [] }
    let changed = finished.filter { candle in
      candle.start >= first && !known.contains { $0.candle == candle && ($0.isOver || !writesEnds) }
    }
    for candle in changed { keep(candle, isOver: true, place) }
    return changed
  }

  private mutating func keep(_ candle: Candle, isOver: Bool, _ place: Int) {
    var known = candles[place, default: []].filter { $0.candle.start != candle.start } + [(candle, isOver)]
    known.sort { $0.candle.start < $1.candle.start }
    candles[place] = known.suffix(4)
  }

  /// Returns the trades not yet written, each with the time when a gap before it was noticed, and how many the tape has
  /// lost meanwhile because its reader was slow.
  private mutating func newTrades(
    of source: PairBoard.Source, _ place: Int
  ) -> (missed: Int, trades: [(trade: Trade, gap: Instant?)]) {
    let count = source.tradeCount - (reportedCounts[place] ?? 0)
    reportedCounts[place] = source.tradeCount
    let new = source.trades.suffix(count)
    let first = source.tradeCount - new.count
    let trades = new.enumerated().map { index, trade in
      (trade, source.gaps.first { $0.count == first + index }?.noticed)
    }
    return (max(0, count - source.trades.count), trades)
  }

  /// Returns the feed's state if it has changed; nil if already written, or if all has been well from the start.
  private mutating func changedFeed(of source: PairBoard.Source, _ place: Int) -> String? {
    let text = Self.feed(source)
    let isTrouble: Bool
    switch source.feed {
    case .failed, .substituted: isTrouble = true
    case .loading, .polled, .streamed: isTrouble = source.unfilled != nil
    }
    let isNew = feeds[place].map { $0 != text } ?? isTrouble
    // A feed never returns to loading.
    if source.feed != .loading { feeds[place] = text }
    return isNew && source.feed != .loading ? text : nil
  }

  private static func feed(_ source: PairBoard.Source) -> String {
    let state =
      switch source.feed {
      case .loading: "loading"
      case .polled: "poll"
      case .streamed: "stream"
      case .substituted(let failure, _): "stream broken: \(failure.reason.code)"
      case .failed(let failure, _, _): "failed: \(failure.reason.code)"
      }
    return state + (source.unfilled.map { ", without what came before: \($0.failure.reason.code)" } ?? "")
  }

  /// Returns an inconsistency not yet written; each kind is written once while it lasts.
  private mutating func newProblem(of source: PairBoard.Source, _ place: Int) -> PairBoard.DataProblem? {
    let last = problems.updateValue(source.problem, forKey: place) ?? nil
    return last?.code == source.problem?.code ? nil : source.problem
  }
}
