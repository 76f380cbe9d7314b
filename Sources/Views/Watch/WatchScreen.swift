import MarketData
import Quotes
package import Terminal

/// Draws a live view: a function of what is known, what the person has made of it, and the size of the screen.
package struct WatchScreen: Sendable {
  private let board: WatchBoard
  private let state: WatchState
  private let live: WatchBoard
  private let size: ScreenSize

  /// The smallest screen that something is drawn on.
  private static let smallest = ScreenSize(columns: 40, rows: 8)
  /// From so many cells on the list and the pair under the cursor stand beside each other.
  private static let twoPanes = 140

  /// - Parameter board: the newest one; a frozen picture is the state's.
  package init(_ board: WatchBoard, _ state: WatchState, _ size: ScreenSize) {
    self.board = state.shown(board)
    self.state = state
    live = board
    self.size = size
  }

  private var settings: WatchSettings { board.settings }
  private var language: Language { settings.language }

  package func frame() -> WatchFrame {
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      let line = language(
        "too small: \(size.columns)x\(size.rows), at least \(Self.smallest.columns)x\(Self.smallest.rows)",
        "화면이 작음: \(size.columns)x\(size.rows), 최소 \(Self.smallest.columns)x\(Self.smallest.rows)")
      return WatchFrame(top: [StyledText(line, .alert)], body: [], bottom: [], size)
    }
    if state.showsHelp {
      let help = WatchKey.help(language)
      return WatchFrame(
        top: [header.line(StyledText("market watch", .heading))], body: help, bottom: bottom(.all), size)
    }
    switch state.screen {
    case .pairs: return pairs()
    case .pair(let pair): return self.pair(pair)
    case .feeds: return feeds()
    }
  }

  // MARK: Header and bottom

  private var header: WatchHeader { WatchHeader(board: live, width: size.columns) }

  /// What is shown, and how it is sorted and filtered.
  private var subject: StyledText {
    let all = board.figures.count
    let visible = state.visible(board).count
    var line = StyledText("\(language("Watchlist", "관심 종목")) \(all)", .heading)
    if size.columns >= WatchHeader.widths.short {
      let mark = state.sort == .list ? "" : state.sort.isDescending != state.isReversed ? " ▾" : " ▴"
      let name = state.sort == .list ? language("order: ", "순서: ") : language("sort: ", "정렬: ")
      line = line + StyledText("  \(name)\(state.sort.title(language))\(mark)", .dim)
    }
    if visible != all {
      line =
        line + StyledText("  \(language("filter", "검색")): \(state.filter) (\(visible)\(language(" of ", "/"))\(all))")
    }
    if settings.isReplay { line = line + StyledText("  \(language("replay", "녹화"))", .warning) }
    return line
  }

  private func bottom(_ place: WatchKey.Places) -> [StyledText] {
    var lines: [StyledText] = []
    if let (since, count) = live.offlineSince {
      let time = clock(since)
      lines.append(
        StyledText(
          language(
            "NO NETWORK since \(time): \(count) of \(count) feeds fail; last prices",
            "네트워크 없음 (\(time)부터): 연결 \(count)개 모두 실패, 마지막 가격"), .alert))
    }
    if let frozen = state.frozen {
      let age = max(0, live.now.nanoseconds(since: frozen.now)) / 1_000_000_000
      let waiting = state.waitingChanges(live)
      let time = clock(frozen.now)
      lines.append(
        StyledText(
          language(
            "FROZEN \(time)  \(age)s ago, \(waiting) changes wait   Space goes on",
            "고정 \(time)  \(age)초 전, 변경 \(waiting)건 대기   Space 다시 시작"), .warning))
    }
    if let message = state.message { lines.append(StyledText(message, .warning)) }
    if state.isFiltering {
      lines.append(filterLine)
    } else {
      lines.append(WatchKey.line(place, language, width: size.columns))
    }
    return lines
  }

  private func clock(_ moment: Instant) -> String {
    let offset = settings.localClock(moment)?.offsetSeconds ?? 0
    return String(ClockText.plain(moment, offsetSeconds: offset).suffix(8))
  }

  private var filterLine: StyledText {
    StyledText("/ ", .heading) + StyledText(state.filter)
      + StyledText(
        "   \(state.visible(board).count)\(language(" of ", "/"))\(board.figures.count)   "
          + language("Esc clears  Enter keeps", "Esc 지우기  Enter 유지"), .dim)
  }

  /// Where the cursor of the filter's line stands.
  private var filterColumn: Int? {
    state.isFiltering ? 2 + TerminalText.width(of: TerminalText.sanitized(state.filter)) : nil
  }

  // MARK: Screens

  private func pairs() -> WatchFrame {
    let top = header.lines(subject, premiumBasis)
    var bottom = bottom(.pairs)
    let isTwofold = size.columns >= Self.twoPanes
    if let leftOut, !isTwofold { bottom.insert(leftOut, at: 0) }
    let room = max(0, size.rows - top.count - bottom.count)
    // The right pane needs some sixty cells, the table takes what its figures need.
    let width = isTwofold ? size.columns - 62 : size.columns
    let list = PairList(board: board, state: state, isTable: isTwofold || state.isTable, width: width)
    let (titles, pairs) = list.lines()
    var body =
      [titles.dimmed] + window(pairs, at: state.cursor.flatMap { state.visible(board).firstIndex(of: $0) }, room - 1)
    if pairs.isEmpty { body = [StyledText("  " + nothing, .dim)] }
    if isTwofold, let cursor = state.cursor, let figures = board[cursor] {
      body = Self.beside(body, side(of: figures), at: width + 2, rows: room)
    }
    return WatchFrame(top: top, body: body, bottom: bottom, size, cursor: filterColumn)
  }

  private var nothing: String {
    board.figures.isEmpty
      ? language("no pair is followed: market favorites add BTC/USDT", "관심 종목 없음: market favorites add BTC/USDT")
      : language("nothing fits the filter", "맞는 종목 없음")
  }

  private var premiumBasis: String {
    guard size.columns >= WatchHeader.widths.oneLine else { return "" }
    let basis = state.basis == .official ? language("official rate", "은행 환율") : "USDT/KRW"
    return language("kimchi at: ", "김프 기준: ") + basis
  }

  /// `left out of BTC/USDT: Luno stale 6m, Hyperliquid mid (no last trade)`
  private var leftOut: StyledText? {
    guard let cursor = state.cursor, let figures = board[cursor] else { return nil }
    let all = board.leftOut(of: figures)
    guard !all.isEmpty else { return nil }
    let head = language("left out of \(cursor): ", "\(cursor) 제외: ")
    var text = head
    for (place, one) in all.enumerated() {
      let next = (place == 0 ? "" : ", ") + "\(one.exchange) \(one.reason)"
      let more = all.count - place
      let rest = language(" and \(more) more", " 외 \(more)곳")
      let isLast = place == all.count - 1
      let room = size.columns - (isLast ? 0 : rest.count)
      guard TerminalText.width(of: TerminalText.sanitized(text + next)) <= room else {
        return StyledText(text + (place == 0 ? language("\(more) rows", "\(more)곳") : rest), .dim)
      }
      text += next
    }
    return StyledText(text, .dim)
  }

  private func side(of figures: PairFigures) -> [StyledText] {
    let screen = PairScreen(
      board: board, figures: figures, cursor: nil, basis: state.basis, width: 60)
    return [screen.title, screen.premium] + screen.lines().lines
  }

  private func pair(_ pair: Pair) -> WatchFrame {
    guard let figures = board[pair] else {
      return WatchFrame(
        top: header.lines(subject), body: [StyledText("  " + nothing, .dim)], bottom: bottom(.pair), size)
    }
    let screen = PairScreen(board: board, figures: figures, cursor: state.row, basis: state.basis, width: size.columns)
    let top = [header.line(screen.title), screen.premium]
    let bottom = bottom(.pair)
    let (lines, cursor) = screen.lines()
    return WatchFrame(
      top: top, body: window(lines.map { [$0] }, at: cursor, size.rows - top.count - bottom.count), bottom: bottom, size
    )
  }

  private func feeds() -> WatchFrame {
    let list = FeedList(board: board, cursor: state.feed, width: size.columns)
    let (titles, rows, cursor) = list.lines()
    var top = [header.line(list.title), list.counts, titles.dimmed]
    if size.rows < 12 { top.remove(at: 1) }
    let keys = bottom(.feeds)
    let detail = size.rows >= 16 ? [StyledText("")] + list.detail() : []
    let bottom = detail + keys
    return WatchFrame(
      top: top, body: window(rows.map { [$0] }, at: cursor, size.rows - top.count - bottom.count), bottom: bottom, size)
  }

  // MARK: Layout

  /// As many blocks as there is room for, the one with the cursor among them, with a line for what stands below.
  private func window(_ blocks: [[StyledText]], at cursor: Int?, _ room: Int) -> [StyledText] {
    let height = max(1, blocks.first?.count ?? 1)
    guard blocks.count * height > room else { return blocks.flatMap(\.self) }
    let count = max(0, (room - 1) / height)
    guard count > 0 else { return Array(blocks.flatMap(\.self).prefix(max(0, room))) }
    let first = min(max(0, (cursor ?? 0) - count / 2), blocks.count - count)
    let below = blocks.count - first - count
    let above = first > 0 ? language(", \(first) above", ", 위에 \(first)개") : ""
    let rest = below > 0 || first > 0 ? [StyledText(language("⋮ \(below) more", "⋮ \(below)개 더") + above, .dim)] : []
    return blocks[first..<first + count].flatMap(\.self) + rest
  }

  /// Two columns of lines, the right one from a cell on.
  private static func beside(_ left: [StyledText], _ right: [StyledText], at column: Int, rows: Int) -> [StyledText] {
    (0..<min(rows, max(left.count, right.count))).map { row in
      let line = row < left.count ? left[row].shortened(to: column - 1) : StyledText("")
      guard row < right.count else { return line }
      return line + StyledText(String(repeating: " ", count: max(0, column - line.width))) + right[row]
    }
  }
}

extension StyledText {
  /// Titles of columns weigh less than what is below them.
  fileprivate var dimmed: StyledText { StyledText(runs.map(\.text).joined(), .dim) }
}
