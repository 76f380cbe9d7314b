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
///     14:12:44 Upbit refused: stream-bad: bytes that are neither text nor gzip
package struct PairLog: Sendable {
  package enum Kind: Sendable {
    /// One line whenever a printed figure of a book changes.
    case orderbook
    /// One line per trade.
    case trades
    /// One line whenever the newest candle changes.
    case candles
  }

  private let kind: Kind
  private let settings: PairSettings
  /// The minimum interval between lines of a source; trades are not held back.
  private let everyMilliseconds: Int
  private var printed: [Int: (text: String, time: Instant)] = [:]
  private var feeds: [Int: String] = [:]
  private var problems: [Int: PairBoard.DataProblem?] = [:]
  /// The number of trades already written, by source.
  private var told: [Int: Int] = [:]
  private var sequence = 0

  package init(_ kind: Kind, _ settings: PairSettings, everyMilliseconds: Int) {
    self.kind = kind
    self.settings = settings
    self.everyMilliseconds = everyMilliseconds
  }

  /// Returns the lines that are due and marks their content as written.
  package mutating func lines(_ board: PairBoard, at now: Instant) -> [String] {
    var lines: [String] = []
    for (place, source) in board.sources.enumerated() {
      let name = "\(source.exchange) \(source.pair)"
      if let text = news(of: source, place) {
        lines.append("\(settings.zone.clock(now)) \(source.exchange) \(text)")
      }
      if let problem = newProblem(of: source, place) {
        let what =
          switch problem {
          case .shown: ""
          case .leftOut: "left out: "
          case .refused: "refused: "
          }
        let message = problem.message.map { ": \($0)" } ?? ""
        lines.append("\(settings.zone.clock(now)) \(source.exchange) \(what)\(problem.code)\(message)")
      }
      switch kind {
      case .trades:
        let (missed, new) = newTrades(of: source, place)
        if missed > 0 { lines.append("\(settings.zone.clock(now)) \(name) missed \(missed) trades") }
        for (trade, gap) in new {
          if let gap { lines.append("\(settings.zone.clock(gap)) \(name) missed an unknown number of trades") }
          let size = trade.size.value?.shortest ?? trade.size.missing?.code ?? "-"
          let side = trade.side?.rawValue ?? Missing.sideUnknown.code
          lines.append("\(settings.zone.clock(trade.time)) \(name) \(side) \(trade.price.shortest) \(size)")
        }
      case .orderbook, .candles:
        guard let text = figures(of: source, board.interval), isDue(text, place, now) else { continue }
        lines.append("\(settings.zone.clock(now)) \(name) \(text)")
      }
    }
    return lines.map { TerminalText.sanitized($0) }
  }

  /// Returns the same as one JSON object per line: `book` with the best prices, `trade`, `missed`, `candle`, `feed`,
  /// `finding`, `refused`; `seq` increases by one.
  package mutating func objects(_ board: PairBoard, at now: Instant) -> [UInt8] {
    var writer = LineWriter()
    for (place, source) in board.sources.enumerated() {
      if news(of: source, place) != nil {
        let text = Self.feed(source)
        object("feed", source, now, &writer, ["state": .string(text)])
      }
      if let problem = newProblem(of: source, place) {
        if case .refused = problem {
          object("refused", source, now, &writer, ["reason": .string(problem.code), "message": .text(problem.message)])
        } else {
          let isLeftOut = if case .leftOut = problem { true } else { false }
          object(
            "finding", source, now, &writer,
            ["code": .string(problem.code), "message": .text(problem.message), "leftOut": .bool(isLeftOut)])
        }
      }
      switch kind {
      case .trades:
        let (missed, new) = newTrades(of: source, place)
        if missed > 0 { object("missed", source, now, &writer, ["count": "\(missed)"]) }
        for (trade, gap) in new {
          if let gap { object("missed", source, gap, &writer, ["count": nil]) }
          object(
            "trade", source, trade.time, &writer,
            [
              "price": .string(trade.price.description), "size": .text(trade.size.value?.description),
              "side": .text(trade.side?.rawValue), "id": .text(trade.id),
            ])
        }
      case .orderbook:
        guard let book = source.book, let text = figures(of: source, board.interval), isDue(text, place, now) else {
          continue
        }
        object(
          "book", source, now, &writer,
          [
            "bid": .text(book.bids.first?.price.description), "bidSize": .text(book.bids.first?.size.description),
            "ask": .text(book.asks.first?.price.description), "askSize": .text(book.asks.first?.size.description),
            "bookTime": .text(book.time?.iso8601), "sequence": .text(book.sequence),
          ])
      case .candles:
        guard let candle = source.candles?.candles.last, let text = figures(of: source, board.interval),
          isDue(text, place, now)
        else { continue }
        object(
          "candle", source, now, &writer,
          [
            "interval": .string(board.interval.rawValue), "start": .string(candle.start.iso8601),
            "open": .string(candle.open.description), "high": .string(candle.high.description),
            "low": .string(candle.low.description), "close": .string(candle.close.description),
            "volume": .text(candle.volume.value?.description),
          ])
      }
    }
    return writer.bytes
  }

  private mutating func object(
    _ type: String, _ source: PairBoard.Source, _ time: Instant, _ lines: inout LineWriter, _ members: JSONValue
  ) {
    sequence += 1
    let place: JSONValue = [
      "seq": .integer(sequence), "time": .string(time.iso8601), "exchange": .string(source.exchange),
      "market": .string(source.market.rawValue), "pair": "\(source.pair)",
    ]
    lines.object(type, place + members)
  }

  private mutating func isDue(_ text: String, _ place: Int, _ now: Instant) -> Bool {
    if let last = printed[place] {
      guard last.text != text, now.isPast(.milliseconds(everyMilliseconds), after: last.time) else { return false }
    }
    printed[place] = (text, now)
    return true
  }

  /// Returns the trades not yet written, each with the time when a gap before it was noticed, and how many the tape has
  /// lost meanwhile because its reader was slow.
  private mutating func newTrades(
    of source: PairBoard.Source, _ place: Int
  ) -> (missed: Int, trades: [(trade: Trade, gap: Instant?)]) {
    let count = source.tradeCount - (told[place] ?? 0)
    told[place] = source.tradeCount
    let new = source.trades.suffix(count)
    let first = source.tradeCount - new.count
    let trades = new.enumerated().map { index, trade in
      (trade, source.gaps.first { $0.count == first + index }?.noticed)
    }
    return (max(0, count - source.trades.count), trades)
  }

  /// Returns what is new about the feed; nil if already written, or if all has been well from the start.
  private mutating func news(of source: PairBoard.Source, _ place: Int) -> String? {
    let text = Self.feed(source)
    let isTrouble: Bool
    switch source.feed {
    case .failed, .substituted: isTrouble = true
    case .loading, .polled, .streamed: isTrouble = source.unfilled != nil
    }
    let isNews = feeds[place].map { $0 != text } ?? isTrouble
    // A feed never returns to loading.
    if source.feed != .loading { feeds[place] = text }
    return isNews && source.feed != .loading ? text : nil
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

  /// Returns the text for a book or the newest candle.
  private func figures(of source: PairBoard.Source, _ interval: CandleInterval) -> String? {
    if case .candles = kind {
      guard let candle = source.candles?.candles.last, let grid = source.candles?.grid else { return nil }
      let percent = (candle.close - candle.open).scaledByPowerOfTen(2).divided(by: candle.open)
      return
        "\(interval.rawValue) \(ChartReport.moment(candle.start, grid, settings.zone)) open \(candle.open.shortest)"
        + " high \(candle.high.shortest) low \(candle.low.shortest) close \(candle.close.shortest)"
        + (percent.map { " \($0.signedPercentText) %" } ?? "")
    }
    guard let book = source.book else { return nil }
    var text = "ask \(book.asks.first?.price.shortest ?? "-") bid \(book.bids.first?.price.shortest ?? "-")"
    if book.isCrossed { return text + " book-crossed" }
    if let spread = book.spread, let percent = book.spreadPercent {
      text += " spread \(spread.shortest) (\(percent.finePercentText) %)"
    }
    if let share = OrderBookReport.share(book.best(10).sizes()) {
      let bids = share.rounded(toPlaces: 1)
      text += " bids \(bids.fixedText(places: 1)) : \((100 - bids).fixedText(places: 1))"
    }
    return text
  }
}
