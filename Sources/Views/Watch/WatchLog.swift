import Mapping
package import MarketData
package import Quotes
import Terminal

/// A live view as lines, one per change of a printed figure. No cursor movement: for pipes, logs and screen readers.
///
///     14:12:07 BTC/USDT premium 0.13 % Indodax 91600.65 over Kraken 91479.10
///     14:12:31 feed Luno spot stale: answers, but its quotes are old
package struct WatchLog: Sendable {
  private var printed: LastPrinted<Pair, String>
  private var feeds: [FeedKey: String] = [:]
  private var rate: String?

  /// - Parameter everyMilliseconds: The minimum interval between lines of a pair.
  package init(everyMilliseconds: Int) { printed = LastPrinted(everyMilliseconds: everyMilliseconds) }

  /// Returns the lines that are due and marks their figures as printed.
  ///
  /// - Parameter isWhole: whether all feeds have had time to answer; before, a pair would get a line per exchange.
  package mutating func lines(_ board: WatchBoard, isWhole: Bool) -> [String] {
    guard isWhole else { return [] }
    let time = board.clockText(board.now)
    var lines: [String] = []
    // A growing age is not a change.
    if let text = rateText(board, hasAges: false), text != rate {
      rate = text
      lines.append(rateText(board, hasAges: true) ?? text)
    }
    for figures in board.figures {
      let text = Self.text(figures, board, hasAges: false)
      guard printed.take(text, of: figures.pair, at: board.now) else { continue }
      lines.append("\(figures.pair) \(Self.text(figures, board))")
    }
    for (feed, phase) in board.phases {
      let (text, isTrouble) = Self.text(feed, phase, at: board.now)
      // A feed that has always worked needs no line.
      let isNews = feeds[feed.key].map { $0 != text } ?? isTrouble
      feeds[feed.key] = text
      if isNews { lines.append("feed \(feed.key) \(text)") }
    }
    return lines.map { TerminalText.sanitized("\(time) \($0)") }
  }

  /// `14:12:40 ALERT XRP/KRW premium 0.19 % > 0.15%  Gopax 3169 over Coinone 3163`
  package static func line(_ firing: AlertFiring, localClock: (Instant) -> ClockZone?) -> String {
    let clock = (localClock(firing.time) ?? .utc).clock(firing.time)
    return TerminalText.sanitized("\(clock) ALERT \(AlertText.lead(firing.subject))\(AlertText.sentence(firing))")
  }

  private func rateText(_ board: WatchBoard, hasAges: Bool) -> String? {
    guard let report = board.state.rate else { return nil }
    guard let quote = report.quote else { return "\(report.pair) - (\(report.shortReason(.english)))" }
    let view = RateView(quote, at: board.now)
    let doubt = view.doubt(.english, hasAge: hasAges).map { ", " + $0.plainText } ?? ""
    return "\(report.pair) " + view.text.plainText + " \(quote.institution)\(doubt)"
  }

  /// `premium 0.13 % Indodax 91600.65 over Kraken 91479.10`
  static func text(
    _ figures: PairFigures, _ board: WatchBoard, hasAges: Bool = true, language: Language = .english
  ) -> String {
    let digits = PriceDigits(figures, on: board)
    func named(_ row: TickerRow) -> String {
      let age = hasAges ? language.quietAge(nanoseconds: board.age(of: row)) : nil
      return "\(row.ticker.exchange) \(digits.plain(row.ticker) ?? "-")"
        + (age.map { " (\(language.old($0)))" } ?? "")
    }
    switch figures.snapshot.premium {
    case .success(let premium):
      let (high, low) = figures.snapshot.ends(of: premium)
      return language("premium", "프리미엄") + " \(premium.percentText) % \(named(high))"
        + language(" over ", " > ") + named(low)
    case .failure(let absence):
      return (figures.leadRow.map { named($0) + ", " } ?? "") + language("no premium: ", "프리미엄 없음: ")
        + absence.text(language)
    }
  }

  /// `Upbit BTC/KRW 134512000 +0.46u`
  static func text(
    of row: TickerRow, _ figures: PairFigures, _ board: WatchBoard, _ language: Language = .english
  ) -> String {
    let price = PriceDigits(figures, on: board).plain(row.ticker) ?? row.ticker.price.missing?.code ?? "-"
    return "\(row.ticker.key.nameInMarket(language)) \(figures.pair) \(price) \(row.ticker.changeText ?? "-")"
  }

  static func text(_ feed: FeedState, _ phase: FeedPhase, at now: Instant) -> (text: String, isTrouble: Bool) {
    switch phase {
    case .failed(let reason, _): ("failed: \(reason.code)", true)
    case .stale: ("stale: \(FeedList.staleReason(of: feed, at: now, .english))", true)
    // The time of the next attempt changes constantly.
    case .substituted(let reason, _): ("stream broken: \(reason.code)", true)
    case .inPart(let pairs): ("stream in part: \(FeedList.reasons(pairs, of: feed, .english))", true)
    case .loading: ("loading", false)
    case .live: ("stream", false)
    case .polled: ("poll", false)
    case .off(.unreadable): ("off: its block in the config is invalid", true)
    case .off(.paused): ("paused", true)
    case .off(.noPair): ("off: none of the pairs", false)
    case .off: ("off", false)
    }
  }
}

extension WatchState {
  func lineUnderCursor(_ board: WatchBoard) -> String? {
    if let visited { return visited.row.map { copied($0, board) } ?? copied(visited.pair, board) }
    switch screen {
    case .pairs: return cursor.flatMap { copied($0, board) }
    case .pair, .row: return row.flatMap { copied($0, board) }
    case .feeds:
      return feed.flatMap { board.newest[$0] }.map {
        "\($0.key) " + WatchLog.text($0, $0.phase(at: board.now), at: board.now).text
      }
    case .alerts: return alert
    // Balances are private and not put where other programs can read them.
    case .balances: return nil
    }
  }

  private func copied(_ pair: Pair, _ board: WatchBoard) -> String? {
    board.listLine(of: pair, self)
      ?? board[pair].map { "\(pair) " + WatchLog.text($0, board, language: board.settings.language) }
  }

  private func copied(_ key: RowKey, _ board: WatchBoard) -> String? {
    board[key.pair].flatMap { figures in
      figures.snapshot.row(key).map { WatchLog.text(of: $0, figures, board, board.settings.language) }
    }
  }
}
