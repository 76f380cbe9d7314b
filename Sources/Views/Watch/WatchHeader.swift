import Mapping
import MarketData
import Quotes
import Terminal

/// The header of every live screen: clocks, the rate, what is shown, and the state of the feeds.
struct WatchHeader {
  let board: WatchBoard
  let width: Int

  private var language: Language { board.settings.language }

  /// The minimum widths for everything on one line, and for the long forms.
  static let widths = (oneLine: 120, short: 66)

  /// - Parameters:
  ///   - left: what is shown: `Watchlist 9  order: list`.
  ///   - right: secondary information for wide screens.
  func lines(_ left: StyledText, _ right: String = "") -> [StyledText] {
    if width < Self.widths.short {
      let clock = StyledText(shortClock)
      return [
        StyledText.spread(clock, briefRate(within: width - clock.width - 1), width),
        StyledText.spread(left, FeedSummary(board).short, width),
      ]
    }
    let clocks = clocks.map { StyledText($0) }
    let feeds = feeds(within: width - left.width - 1, right)
    let clock = clocks.joined(separator: "   ")
    if width >= Self.widths.oneLine, let rate = longRate(within: width - clock.width - 1) {
      return [StyledText.spread(clock, rate, width), StyledText.spread(left, feeds, width)]
    }
    let second = clocks.count > 1 ? clocks[1] : ""
    return [
      StyledText.spread(clocks[0], providedRate, width),
      StyledText.spread(second, rateTime(within: width - second.width - 1), width),
      StyledText.spread(left, feeds, width),
    ]
  }

  /// Returns one line with the clock and the rate, for screens about something else.
  func line(_ left: StyledText) -> StyledText {
    let clock = StyledText((width < Self.widths.short ? "" : "\(wallClock.name) ") + board.clockText(board.now))
    let rate = briefRate(within: width - left.width - clock.width - 3)
    let both = rate.width == 0 ? clock : rate + "  " + clock
    return StyledText.spread(left, left.width + both.width < width ? both : clock, width)
  }

  // MARK: Clocks

  private var clocks: [String] { ClockText.clocks(at: board.now, board.settings.localClock(board.now), language) }

  private var wallClock: ClockZone { board.settings.localClock(board.now) ?? ClockZone.utc }

  /// `KST 11-18 (수) 14:12:07`
  private var shortClock: String {
    let full = ClockText.dayAndTime(board.now, wallClock, language)
    return "\(wallClock.name) \(full.dropFirst(5))"
  }

  // MARK: Rate

  /// `USD/KRW 1461.50 (-0.23%)`
  private var plainRate: StyledText {
    guard let report = board.state.rate else { return "" }
    let name = StyledText("\(report.pair) ")
    guard let quote = report.quote else {
      return name + StyledText("- (\(report.shortReason(language)))", .dim)
    }
    return name + RateView(quote, at: board.now).text
  }

  // If space is short, doubts about a rate are dropped last: a rate without a remark looks fresh.

  /// Returns the first text that fits; nil if none does.
  private static func first(of texts: [StyledText], within room: Int) -> StyledText? {
    texts.first { $0.width <= room }
  }

  /// Returns `USD/KRW 1461.50 (-0.23%)`, or `USD/KRW 1461.50 (-0.23%)  old 7h`, shortened to fit, at last to `rate old 7h`.
  private func briefRate(within room: Int) -> StyledText {
    guard let report = board.state.rate, let quote = report.quote else { return plainRate }
    let (rate, gap) = (StyledText(quote.rate.rateText), StyledText("  "))
    guard let doubt = RateView(quote, at: board.now).doubt(language) else { return plainRate }
    let texts = [
      plainRate + gap + doubt, StyledText("\(report.pair) ") + rate + gap + doubt, rate + " " + doubt,
    ]
    return Self.first(of: texts, within: room) ?? Self.named(doubt, language)
  }

  /// Returns a doubt about a rate that is itself not shown: `rate last known 2m`.
  private static func named(_ doubt: StyledText, _ language: Language) -> StyledText {
    let name = language("rate", "환율")
    return doubt.plainText.contains(name) ? doubt : StyledText("\(name) ", .warning) + doubt
  }

  /// `USD/KRW 1461.50 (-0.23%)  하나은행`
  private var providedRate: StyledText {
    guard let quote = board.state.rate?.quote else { return plainRate }
    return plainRate + StyledText("  \(quote.institution)")
  }

  private func longRate(within room: Int) -> StyledText? {
    guard board.state.rate?.quote != nil else {
      return Self.first(of: [plainRate + "  " + rateTimes[0], plainRate], within: room)
    }
    let gap = StyledText("  ")
    let texts = rateTimes.map { providedRate + gap + $0 } + rateTimes.dropFirst().map { plainRate + gap + $0 }
    return Self.first(of: texts, within: room)
  }

  private func rateTime(within room: Int) -> StyledText {
    Self.first(of: rateTimes, within: room) ?? rateTimes.last.map { $0.shortened(to: max(0, room)) } ?? ""
  }

  /// `2026-11-18 14:11:48 KST  19s ago` with remarks about the rate, then forms with less and less of the time.
  private var rateTimes: [StyledText] {
    guard let report = board.state.rate else { return [StyledText("")] }
    guard let quote = report.quote else {
      let known = report.lastKnown.map { language("last known ", "마지막 ") + $0.rate.rateText }
      return [StyledText(known ?? "", .dim)]
    }
    let view = RateView(quote, at: board.now)
    let all = view.remarks(language)
    let remarks = all.isEmpty ? "" : StyledText("\(all.joined(separator: "; "))  ", .warning)
    let brief = view.doubt(language).map { [$0] } ?? []
    guard let time = quote.time else { return [remarks + StyledText(quote.date ?? "-")] + brief }
    let age = "\(language.age(nanoseconds: board.now.nanoseconds(since: time))) \(language("ago", "전"))"
    let whole = remarks + StyledText(ClockText.seoul(time)) + StyledText("  \(age)", .dim)
    return [whole, remarks + StyledText(age, .dim)] + brief
  }

  // MARK: Feeds

  private func feeds(within room: Int, _ right: String) -> StyledText {
    let summary = FeedSummary(board)
    let whole = summary.long + StyledText(right.isEmpty ? "" : "    \(right)")
    return Self.first(of: [whole, summary.long], within: room) ?? summary.short
  }
}

/// The number of feeds in each state.
struct FeedSummary {
  private let board: WatchBoard
  private let exchanges: Int
  private let counts: [(word: FeedWord, count: Int)]

  /// - Parameter feeds: the feeds to count; nil for all relevant ones.
  init(_ board: WatchBoard, _ feeds: [(feed: FeedState, phase: FeedPhase)]? = nil) {
    self.board = board
    // Of those that are off, only these were asked, or would be.
    let feeds = (feeds ?? board.phases).filter { _, phase in
      FeedWord(phase) != .off || phase == .off(.noPair) || phase == .off(.paused)
    }
    exchanges = Set(feeds.map(\.feed.key.exchange)).count
    counts = FeedWord.allCases.map { word in (word, feeds.count { FeedWord($0.phase) == word }) }
  }

  /// `36 exchanges: 23 stream 9 poll 2 stale 2 failed`, or `6 exchanges, 9 markets: 9 stream` if some have several.
  var long: StyledText {
    let language = board.settings.language
    let markets = counts.map(\.count).reduce(0, +)
    guard markets > 0 else { return "" }
    let also = markets == exchanges ? "" : language(", \(markets.counted("market"))", ", 시장 \(markets)개")
    let head = StyledText(language("\(exchanges.counted("exchange"))\(also):", "거래소 \(exchanges)곳\(also):"))
    return ([head] + parts).joined()
  }

  /// `23 stream 9 poll 2 stale 2 failed`
  var short: StyledText { parts.joined() }

  private var parts: [StyledText] {
    let language = board.settings.language
    return counts.filter { $0.count > 0 }.map { word, count in
      let text = word.text(language)
      return StyledText(language("\(count) \(text)", "\(text) \(count)"), word.style)
    }
  }
}
