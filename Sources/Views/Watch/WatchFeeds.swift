import HTTP
import Mapping
import MarketData
import Quotes
import Terminal

/// The feeds of a live view, those with problems first, and the last request of the feed under the cursor.
struct FeedList {
  let board: WatchBoard
  /// The established order of feeds; nil for the newest.
  let order: [FeedKey]?
  let cursor: FeedKey?
  let width: Int

  private var language: Language { board.settings.language }

  static func order(_ board: WatchBoard) -> [FeedKey] { feeds(board).map(\.feed.key) }

  private static func feeds(
    _ board: WatchBoard, keeping order: [FeedKey]? = nil
  ) -> [(feed: FeedState, phase: FeedPhase)] {
    board.phases.ranked { FeedWord($0.phase).rank }.keeping(order, \.feed.key)
  }

  /// `stream`, `poll 2s`, `ws > poll`, `in part`, `stale`, `failed`, `off`
  static func state(_ phase: FeedPhase, _ language: Language) -> StyledText {
    let word = FeedWord(phase)
    guard case .polled(let milliseconds) = phase else { return StyledText(word.text(language), word.style) }
    return StyledText("\(word.text(language)) \(language.term(milliseconds: milliseconds))", word.style)
  }

  var title: StyledText {
    let feeds = board.phases
    let exchanges = Set(feeds.map(\.feed.key.exchange)).count
    return StyledText(
      language(
        "Feeds of \(exchanges.counted("exchange")), \(feeds.count.counted("market"))",
        "거래소 \(exchanges)곳, 시장 \(feeds.count)개의 연결"), .heading)
  }

  var counts: StyledText { FeedSummary(board).long }

  func lines() -> (titles: StyledText, rows: [StyledText], keys: [FeedKey]) {
    let feeds = Self.feeds(board, keeping: order)
    // From 80 columns on, there is room for names and reasons if the numbers of rows and requests give way.
    let usual = width < 80 ? 6 : 30
    // They also give way to the time of a retry; a name may be truncated for it.
    let needed = feeds.map { TerminalText.width(of: failure($0.phase)) }.max() ?? 0
    let wanted = table(of: feeds, reason: max(usual, needed))
    let lines = wanted.allSatisfy { $0.width <= width - 2 } ? wanted : table(of: feeds, reason: usual)
    let keys = feeds.map(\.feed.key)
    let rows = zip(lines.dropFirst(), keys).map { StyledText($1 == cursor ? "▸ " : "  ") + $0 }
    return ("  " + lines[0], rows, keys)
  }

  /// - Parameter reason: the minimum width of the reasons.
  private func table(of feeds: [(feed: FeedState, phase: FeedPhase)], reason: Int) -> [StyledText] {
    var table = Table(columns: [
      TableColumn(language("exchange", "거래소"), minimumWidth: width < 80 ? 8 : 14, shortening: 1),
      TableColumn(language("market", "시장")), TableColumn(language("how", "상태")),
      TableColumn(language("last", "응답"), .right), TableColumn(language("rows", "행"), .right, dropping: 0),
      TableColumn(language("limit", "한도"), .right, dropping: 1),
      TableColumn(language("why", "이유"), minimumWidth: reason, shortening: 0),
    ])
    for (feed, phase) in feeds {
      let age = feed.answered.map { language.age(nanoseconds: board.now.nanoseconds(since: $0)) }
      let limit = feed.capabilities.limit.map { language.part(feed.spent, of: $0.limit.requests) }
      table.addRow([
        StyledText(feed.key.exchange), StyledText(language.word(for: feed.key.market)), Self.state(phase, language),
        age.map { StyledText($0) } ?? .nothing,
        feed.answered == nil ? StyledText.nothing : StyledText("\(feed.rowCount)"),
        limit.map { StyledText($0, .dim) } ?? "", StyledText(why(feed, phase), .dim),
      ])
    }
    return table.lines(width: width - 2, namesHidden: false)
  }

  /// `unreachable, retry 12s`: why a feed is not read, and when it is tried again; empty for others.
  private func failure(_ phase: FeedPhase) -> String {
    switch phase {
    case .substituted(let reason, let retry): reason.code + again(retry, "재연결")
    case .failed(let reason, let retry):
      // The state already says that there was no answer.
      reason.word + again(retry, "재시도")
    case .loading, .polled, .live, .inPart, .stale, .off: ""
    }
  }

  private func why(_ feed: FeedState, _ phase: FeedPhase) -> String {
    switch phase {
    case .loading: return ""
    case .polled, .live:
      guard let failure = feed.failure else { return feed.quiet.isEmpty || phase != .live ? "" : quiet(feed) }
      return language("in part: ", "일부: ") + failure.failure.wordsInParentheses(language)
    case .substituted: return failure(phase)
    case .inPart(let pairs): return Self.reasons(pairs, of: feed, language)
    case .stale: return Self.staleReason(of: feed, at: board.now, language)
    case .failed:
      // The time of the retry matters more than the full reason.
      return failure(phase) + (feed.failure?.failure.message(language).map { " (\($0))" } ?? "")
    case .off(let inactiveReason):
      switch inactiveReason {
      case .disabled: return language("disabled in the config", "설정에서 꺼짐")
      case .unreadable:
        let command = "market validate-config\(board.settings.configOption)"
        return language("its block is invalid: \(command)", "설정 오류: \(command)")
      case .noPair: return language("none of the pairs", "해당 종목 없음")
      case .paused: return language("paused", "일시중지")
      }
    }
  }

  static func staleReason(of feed: FeedState, at now: Instant, _ language: Language) -> String {
    if feed.isAhead { return language("answers, but its quotes are dated in the future", "응답은 오지만 시세의 시각이 미래") }
    if feed.isSilent(at: now) { return language("its stream is silent", "스트림에서 아무것도 오지 않음") }
    return language("answers, but its quotes are old", "응답은 오지만 시세가 오래됨")
  }

  /// `1 of 2 pairs quiet: polled every minute`
  private func quiet(_ feed: FeedState) -> String {
    let (count, all) = (feed.quiet.count, feed.streamed.count + feed.quiet.count)
    return language("\(count) of \(all) pairs quiet: polled every minute", "\(count)/\(all)종목 조용함: 1분마다 조회")
  }

  /// `stream-refused 30004: ETH/USDT; stream-silent: 2 of 5 pairs`
  static func reasons(_ pairs: [Pair: Missing], of feed: FeedState, _ language: Language) -> String {
    grouped(pairs).map { reason, own in
      let all = feed.streamed.count + feed.quiet.count + pairs.count
      let count = language("\(own.count) of \(all) pairs", "\(own.count)/\(all)종목")
      return "\(reason): " + (own.count == 1 ? "\(own[0])" : count)
    }.joined(separator: "; ")
  }

  private static func grouped(_ reasons: [Pair: Missing]) -> [(reason: String, pairs: [Pair])] {
    Dictionary(grouping: reasons) { $0.value.code }.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map(\.key)) }
  }

  /// `, retry 28s`, `, 28초 뒤 재연결`; empty if there is no retry.
  private func again(_ moment: Instant?, _ korean: String) -> String {
    guard let nanoseconds = moment?.nanoseconds(since: board.now) else { return "" }
    guard nanoseconds > 0 else { return language(", retry now", ", 지금 \(korean)") }
    let wait = language.age(nanoseconds: max(nanoseconds, Instant.second))
    return language(", retry \(wait)", ", \(wait) 뒤 \(korean)")
  }

  /// Returns the request of the feed under the cursor, and the response.
  func detail() -> [StyledText] {
    guard let cursor, let feed = board.newest[cursor] else { return [] }
    var lines = [StyledText("\(cursor.exchange) \(language.word(for: cursor.market))", .heading)]
    for request in feed.requests.prefix(2) {
      lines.append(
        // A URL may be truncated, a number never.
        StyledText("  \(request.status)  \(board.clockText(request.arrival))  \(request.method) \(request.url)"))
    }
    if let failure = feed.failure {
      let waits = FeedPlan.backOff.seconds.map(String.init).joined(separator: " ")
      // A feed of which some data arrives does not wait.
      let tries =
        failure.isPartial
        ? ""
        : language(
          "  \(failure.tries.counted("try", plural: "tries")), waits \(waits) s",
          "  \(failure.tries)회 실패, 대기 \(waits)초")
      let what = StyledText("  \(failure.failure.wordsInParentheses(language))", .warning)
      let whole = what + StyledText(tries, .dim)
      // Half of the numbers would be others.
      lines += whole.width <= width || tries.isEmpty ? [whole] : [what, StyledText(tries, .dim)]
    }
    // The feed's line may not have room for it.
    for (reason, own) in Self.grouped(feed.polledPairs) {
      lines.append(StyledText("  \(reason): \(own.map(\.description).sorted().joined(separator: " "))", .warning))
    }
    let pairs =
      feed.capabilities.isWhole
      ? language("all pairs", "모든 종목") : feed.capabilities.pairs.prefix(8).map(\.description).joined(separator: " ")
    lines.append(StyledText("  \(language("requested", "조회 종목")): \(pairs)", .dim))
    return lines
  }
}

/// The state of a feed in a word. The raw value is its name in JSON; the order is that of a summary.
enum FeedWord: String, CaseIterable {
  case live, polled, substituted
  case inPart = "in-part"
  case loading, stale, failed, off

  init(_ phase: FeedPhase) {
    self =
      switch phase {
      case .live: .live
      case .polled: .polled
      case .substituted: .substituted
      case .inPart: .inPart
      case .loading: .loading
      case .stale: .stale
      case .failed: .failed
      case .off: .off
      }
  }

  /// Its words and style, and its place in a list of feeds, where those with problems come first.
  private var look: (words: Phrase, style: Style, rank: Int) {
    switch self {
    case .live: (("stream", "스트림"), .neutral, 4)
    case .polled: (("poll", "조회"), .neutral, 4)
    case .substituted: (("fallback", "대체 조회"), .warning, 2)
    case .inPart: (("in part", "일부"), .warning, 2)
    case .loading: (("loading", "불러오는 중"), .dim, 3)
    case .stale: (("stale", "지연"), .warning, 1)
    case .failed: (("failed", "실패"), .alert, 0)
    case .off: (("off", "꺼짐"), .dim, 5)
    }
  }

  func text(_ language: Language) -> String { language(look.words) }
  var style: Style { look.style }
  var rank: Int { look.rank }
}
