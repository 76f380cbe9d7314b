import Mapping
import MarketData
import Quotes
package import Terminal

/// Draws a live view as a function of the data, the user's state and the screen size.
package struct WatchScreen: Sendable {
  let board: WatchBoard
  let state: WatchState
  let live: WatchBoard
  let size: ScreenSize

  /// The minimum width for the list and the pair under the cursor side by side.
  static let twoPanes = 140
  /// The width of the pair under the cursor, and of the list from which on the pair gets what is left.
  private static let (sideWidths, listWidth) = (61...100, 106)
  /// With more pairs than this, only visible ones are drawn.
  private static let maximumDrawn = 200
  /// The maximum number of pairs to search for a spelling suggestion when nothing matches.
  private static let maximumSuggested = 2000

  /// - Parameter board: the newest board; a frozen one is part of the state.
  package init(_ board: WatchBoard, _ state: WatchState, _ size: ScreenSize) {
    self.board = state.shown(board).shown(in: state.money)
    self.state = state
    live = board
    self.size = size
  }

  var settings: WatchSettings { board.settings }
  var language: Language { settings.language }

  package func frame() -> WatchFrame {
    if let frame = LiveText.tooSmall(size, language) { return frame }
    if state.showsHelp { return help() }
    switch state.screen {
    case .pairs: return board.listing.map(list) ?? pairs()
    case .pair(let pair): return self.pair(pair)
    case .row(let key): return row(key)
    case .feeds: return feeds()
    case .alerts: return alerts()
    case .balances: return balances()
    }
  }

  /// Returns the number of rows on a page of the list, by which PgDn moves.
  package static func page(_ size: ScreenSize, _ state: WatchState) -> Int {
    max(1, (size.rows - 6) / (state.isTable || state.list != nil || size.columns >= twoPanes ? 1 : 2))
  }

  // MARK: Header and bottom

  var header: WatchHeader { WatchHeader(board: live, width: size.columns) }

  /// What is shown, and how it is sorted and filtered.
  private var subject: StyledText {
    let all = board.figures.count
    let visible = state.visible.count
    var line = StyledText("\(language("Watchlist", "관심 종목")) \(all)", .heading)
    // The order of the list is the usual one, and has a mark only if it is reversed.
    let isUsual = state.sort == .list && !state.isReversed
    let mark = isUsual ? "" : state.sort.isDescending != state.isReversed ? " ▾" : " ▴"
    if size.columns >= WatchHeader.widths.short {
      let name = state.sort == .list ? language("order: ", "순서: ") : language("sort: ", "정렬: ")
      line += StyledText("  \(name)\(state.sort.name(language, state.basis))\(mark)", .dim)
    } else if state.sort == .list {
      line += StyledText(mark, .dim)
    }
    if let end = state.alerts.silentUntil(at: live.now) {
      line += StyledText("  \(AlertText.silent(until: live.clockText(end), language))", .warning)
    }
    let of = language.part(visible, of: all)
    if state.showsFavoritesOnly { line += StyledText("  \(language("favourites", "즐겨찾기")) \(of)") }
    let replay = LiveText.replay(settings.isReplay, language)
    return line + filter(" (\(of))", within: size.columns - line.width - replay.width) + replay
  }

  /// Returns the filter, of a long one the end, where one types, or why it is not used; empty if there is none.
  ///
  /// - Parameter rest: what follows it.
  func filter(_ rest: String, within cells: Int) -> StyledText {
    guard !state.filter.isEmpty else { return "" }
    if let problem = WatchFilter(state.filter, board).problem {
      let reason = problem.mistake.text(language)
      return StyledText("  " + language("filter not used: ", "검색 적용 안 됨: ") + reason, .warning).shortened(to: cells)
    }
    let head = StyledText("  \(language("filter", "검색")): ")
    let whole = TerminalText.sanitized(state.filter)
    var end = TerminalText.suffix(of: whole, cells: max(1, cells - head.width - rest.count))
    // The end of a number would be another number.
    if end != whole, let blank = end.firstIndex(of: " ") { end = "…" + end[blank...] }
    return head + StyledText(end + rest)
  }

  /// Returns the notices, and the keys or the open line.
  ///
  /// - Parameter rows: The rows that notices must leave for what is above them.
  func bottom(_ place: WatchKey.Place, below rows: Int) -> [StyledText] {
    let keys =
      state.line.map(openLine) ?? [WatchKey.line(place, isList: state.list != nil, language, width: size.columns)]
    var lines: [StyledText] = []
    if let (since, count) = live.offlineSince {
      let time = live.clockText(since)
      let last = showsPrice ? language("; last prices", ", 마지막 가격") : ""
      lines.append(
        StyledText(
          language(
            "NO NETWORK since \(time): \(count) of \(count) feeds fail",
            "네트워크 끊김 (\(time)부터): 연결 \(count)개 모두 실패") + last, .alert))
    }
    if let lag = live.clockLag {
      let seconds = abs(lag.seconds)
      let text =
        lag.seconds < 0
        ? language("\(seconds) s ahead", "\(seconds)초 빠름") : language("\(seconds) s behind", "\(seconds)초 느림")
      lines.append(
        StyledText(
          language(
            "THIS MACHINE'S CLOCK seems \(text), by the times of \(lag.exchanges) exchanges",
            "이 컴퓨터의 시계가 \(text) (거래소 \(lag.exchanges)곳의 시각과 비교)"), .alert))
    }
    let problemsPlace = lines.count
    if let line = alarm { lines.append(line) }
    if let frozen = state.frozen {
      let time = (frozen.now, live.clockText(frozen.now))
      lines.append(LiveText.frozen(since: time, at: live.now, waiting: state.waitingChanges(live), language))
    }
    if let answer = state.answerLine { lines.append(answer) }
    // The input and the rows matter more than a fourth notice.
    let most = max(0, min(max(1, size.rows / 4), size.rows - rows - keys.count))
    lines.insert(contentsOf: problems(within: most - lines.count), at: problemsPlace)
    return lines.prefix(most) + keys
  }

  /// Whether a price is on this screen, be it an old one.
  private var showsPrice: Bool {
    switch state.screen {
    case .pairs:
      board.listing.map { listing in listing.entries.contains { $0.leadRow.ticker.price.value != nil } }
        ?? board.figures.contains { ($0.leadRow ?? $0.lastRow) != nil }
    case .pair(let pair): board[pair]?.snapshot.rows.contains { $0.ticker.price.value != nil } ?? false
    case .row, .feeds, .alerts, .balances: false
    }
  }

  /// Returns the ongoing problems in full if there is room for that, otherwise one line for each.
  private func problems(within room: Int) -> [StyledText] {
    let problems = state.problems.map { StyledText($0.sentence, .warning) }
    let whole = problems.flatMap { $0.wrapped(to: size.columns) }
    return whole.count <= room ? whole : problems
  }

  /// Notices to be seen immediately, even on other screens.
  package var notices: [StyledText] {
    [alarm, state.answerLine?.shortened(to: size.columns)].compactMap(\.self)
  }

  /// `ALERT 14:11:52 XRP/KRW premium 0.19 % > 0.15%  GP 3169 over CO 3163`, as far as it fits.
  private var alarm: StyledText? {
    guard let firing = state.alarms.first else { return nil }
    let lead = language("ALERT", "알림") + " \(live.clockText(firing.time)) \(AlertText.lead(firing.subject))"
    let pieces = AlertText.pieces(of: firing, language, name: live.badge).enumerated().map { place, piece in
      StyledText((place == 0 ? lead : "  ") + piece, .alert)
    }
    let others = state.alarms.count - 1 + state.earlierAlarms
    let line = StyledText.counting(pieces, cells: size.columns) { _ in
      StyledText(others > 0 ? language("  and \(others) more", "  외 \(others)건") : "", .alert)
    }.line
    let clears = StyledText(language("  Esc clears", "  Esc 지우기"), .dim)
    return StyledText.spread(line, clears, size.columns)
  }

  // MARK: Input line

  private func openLine(_ line: WatchState.OpenLine) -> [StyledText] {
    let head = StyledText(prompt(line.kind), .heading)
    let shown = head + StyledText(line.editor.visible(cells: size.columns - head.width).text)
    let remark = line.problem.map { StyledText($0, .warning) } ?? remark(line)
    // A remark that does not fit next to the input goes above it: input is never covered.
    if shown.width + 4 + remark.width <= size.columns { return [shown + "   " + remark] }
    let room = max(1, size.columns - head.width)
    var lines = remark.wrapped(to: room)
    // What is left out of a remark is marked.
    if lines.count > 2 { lines = [lines[0], StyledText(whole: [lines[1] + lines[2]], cells: room)] }
    return lines.map { StyledText(blanks: head.width) + $0 } + [shown]
  }

  private func prompt(_ kind: WatchState.OpenLine.Kind) -> String {
    kind == .filter ? "/ " : language("alert> ", "알림> ")
  }

  private func remark(_ line: WatchState.OpenLine) -> StyledText {
    switch line.kind {
    case .filter:
      if let problem = WatchFilter(state.filter, board).problem {
        return StyledText(problem.mistake.text(language), .warning)
      }
      let count = language.part(state.visible.count, of: board.pairs.count)
      return StyledText(count + language("   Esc clears  Enter keeps", "   Esc 지우기  Enter 유지"), .dim)
    case .alert:
      let keys = language("Enter arms, Tab fields, Esc leaves", "Enter 등록, Tab 항목, Esc 나가기")
      guard let rule = try? AlertRule(parsing: line.editor.text, board.alertNames),
        let figures = (rule.pair ?? state.cursor).flatMap({ board[$0] })
      else { return StyledText(keys, .dim) }
      let reading = AlertReading(figures, AlertReading.Shared(board.state, at: board.now))
      let now = rule.condition.values.map { "\($0.name(language)) \(AlertText.figure($0, reading))" }
      let figuresNow = "\(language("now", "지금")) \(figures.pair) \(now.joined(separator: ", "))"
      return StyledText(whole: [StyledText(figuresNow, .dim), StyledText("; \(keys)", .dim)], cells: size.columns - 8)
    }
  }

  private var lineColumn: Int? {
    state.line.map { line in
      let head = TerminalText.width(of: prompt(line.kind))
      return head + line.editor.visible(cells: size.columns - head).cursor
    }
  }

  // MARK: Screens

  private func pairs() -> WatchFrame {
    let top = header.lines(subject, premiumBasis)
    let fitsTwo = size.columns >= Self.twoPanes
    let height = fitsTwo || state.isTable ? 1 : 2
    // A pair below the titles matters more than anything about it.
    let least = top.count + 1 + height
    var bottom = bottom(.pairs, below: least)
    let notes = about(state.visible) + (fitsTwo ? [] : aboutCursor)
    bottom = notes.prefix(max(0, size.rows - least - bottom.count)) + bottom
    let room = max(0, size.rows - top.count - bottom.count)
    // The right pane gets the width its figures need, and on a wide screen what the table has no use for.
    let width = fitsTwo ? size.columns - sideWidth - 2 : size.columns
    let list = PairList(board: board, state: state, isTable: fitsTwo || state.isTable, width: width)
    // Of thousands, only the visible ones are drawn; if fewer, all, so that columns do not shift while scrolling.
    let place = state.cursor.flatMap { state.visible.firstIndex(of: $0) }
    let window = Window(count: state.visible.count, height: height, at: place, room: room - 1)
    let isLong = state.visible.count > Self.maximumDrawn
    let (titles, drawn) = list.lines(Array(isLong ? state.visible[window.shown] : state.visible[...]))
    let pairs = isLong ? drawn : Array(drawn[window.shown.clamped(to: drawn.indices)])
    var body = [titles.dimmed] + pairs.flatMap(\.self).prefix(max(0, room - 1)) + rest(window)
    if state.visible.isEmpty { body = [StyledText("  " + nothing, .dim)] }
    if fitsTwo, let cursor = state.cursor, let figures = board[cursor] {
      let left = (body + armed(below: body.count, room, width)).map { $0.shortened(to: width + 1) }
      body = Array(StyledText.beside([left, side(of: figures, room)], at: [0, width + 2]).prefix(room))
    }
    let shown = state.visible[window.shown.clamped(to: state.visible.indices)]
    let targets =
      [.titles(titles.plainText)]
      + shown.flatMap { Array(repeating: WatchTarget.pair($0), count: height) }
    return frame(top, body, bottom, targets: targets, targetsEnd: fitsTwo ? width : nil)
  }

  /// Returns the alerts, shown below a list that leaves room for them.
  private func armed(below height: Int, _ room: Int, _ width: Int) -> [StyledText] {
    let list = AlertList(board: live, alerts: state.alerts, problems: state.commandProblems, cursor: nil, width: width)
    let lines = state.alerts.rules.isEmpty ? [] : list.lines().lines
    guard !lines.isEmpty, lines.count + 2 <= room - height else { return [] }
    return Array(repeating: StyledText(""), count: room - height - lines.count - 1) + [list.title] + lines
  }

  /// Returns caveats about the prices and their comparison.
  func about(_ pairs: [Pair]) -> [StyledText] {
    var lines: [StyledText] = []
    if let line = board.conversionLine(pairs, cells: size.columns) { lines.append(line) }
    if !state.beside.isEmpty {
      let names = state.beside.enumerated().map { place, key in
        StyledText((place == 0 ? "" : ", ") + "\(key.name(language)) \(key.pair)")
      }
      let keys = StyledText(language("   c chart b book t tape  Esc drops", "   c 차트 b 호가 t 체결  Esc 취소"), .dim)
      let head = StyledText(language("compare: ", "비교: "), .heading)
      lines.append(StyledText(whole: [head + names[0]] + names.dropFirst() + [keys], cells: size.columns))
    }
    return lines
  }

  var nothing: String {
    if state.list != nil, board.pairs.isEmpty {
      return board.state.isSettled ? language("no pair", "종목 없음") : language("asking ..", "조회 중 ..")
    }
    if state.showsFavoritesOnly, state.favorites.pairs.isEmpty {
      return language("no favourites yet; F shows all pairs, f marks one", "즐겨찾기 없음; F 전체 종목, f 추가")
    }
    return board.pairs.isEmpty
      ? language("no pairs followed: market favorites add BTC/USDT", "즐겨찾기 없음: market favorites add BTC/USDT")
      : language("nothing matches the filter", "맞는 종목 없음")
        + (WatchFilter(state.filter, board).suggestion(
          board.pairs.prefix(Self.maximumSuggested), settings
        ).map { language("; did you mean \($0)?", "; \($0)?") } ?? "")
  }

  private var premiumBasis: String {
    size.columns >= WatchHeader.widths.oneLine ? state.basis.text(language) : ""
  }

  /// `left out of BTC/USDT: Luno stale 6m, Hyperliquid mid (no last trade)`, and exchanges polled while others stream.
  private var aboutCursor: [StyledText] {
    guard let cursor = state.cursor, let figures = board[cursor] else { return [] }
    if let absence = board.absence(of: cursor) {
      return [StyledText("\(cursor): \(absence)", .warning).shortened(to: size.columns)]
    }
    return absences(of: figures)
      + [
        line(language("left out of \(cursor): ", "\(cursor) 제외: "), board.leftOut(of: figures)),
        line(language("by REST: ", "REST 조회: "), board.polledExchanges(figures), mayCut: true),
      ].compactMap { $0?.shortened(to: size.columns) }
  }

  /// Returns why the pair has no premium or no kimchi premium, for which the table only has a `-`; empty if it has both.
  func absences(of figures: PairFigures) -> [StyledText] {
    var reasons: [String] = []
    var local = figures.localAbsence[state.basis]
    let name = WatchSort.kimchi.title(language, state.basis)
    if let absence = figures.snapshot.premium.failure {
      let isOfBoth = absence.usable == nil && local == .noPrice(figures.pair)
      let both = isOfBoth ? language(", no \(name)", ", \(name)") : ""
      if isOfBoth { local = nil }
      reasons.append(
        language(
          "no premium\(both) of \(figures.pair): \(absence.brief(.english))",
          "\(figures.pair) 프리미엄\(both) 없음: \(absence.brief(.korean))"))
    }
    if let local {
      let (of, pair) = reasons.isEmpty ? (" of \(figures.pair)", "\(figures.pair) ") : ("", "")
      reasons.append(
        language("no \(name)\(of): \(local.text(.english))", "\(pair)\(name) 없음: \(local.text(.korean))"))
    }
    return reasons.isEmpty ? [] : StyledText(reasons.joined(separator: "; "), .dim).wrapped(to: size.columns)
  }

  /// Returns as many exchanges with their reasons as fit; nil if there are none.
  ///
  /// - Parameter mayCut: whether the first may be truncated; no reason has a number that would become another one.
  private func line(_ head: String, _ all: [(exchange: String, reason: String)], mayCut: Bool = false) -> StyledText? {
    var text = head
    for (place, one) in all.enumerated() {
      let next = (place == 0 ? "" : ", ") + "\(one.exchange) \(one.reason)"
      let more = all.count - place
      let rest = language(" and \(more) more", " 외 \(more)곳")
      let isLast = place == all.count - 1
      let room = size.columns - (isLast ? 0 : TerminalText.width(of: rest))
      guard TerminalText.width(of: TerminalText.sanitized(text + next)) <= room else {
        let first = mayCut ? next : language(more.counted("row"), "\(more)곳")
        return StyledText(text + (place == 0 ? first : rest), .dim)
      }
      text += next
    }
    return all.isEmpty ? nil : StyledText(text, .dim)
  }

  private var sideWidth: Int {
    min(max(size.columns - Self.listWidth - 2, Self.sideWidths.lowerBound), Self.sideWidths.upperBound)
  }

  private func side(of figures: PairFigures, _ room: Int) -> [StyledText] {
    let screen = PairScreen(
      board: board, figures: figures, order: state.rows, cursor: nil, beside: state.beside, basis: state.basis,
      width: sideWidth, day: dayBars(of: figures.pair))
    let head = [screen.title] + screen.premium + dayRemark(of: figures.pair, width: sideWidth)
    let lines = head + screen.lines().lines
    if lines.count > room, let fitting = screen.lines(within: room - head.count) { return head + fitting.lines }
    let window = Window(count: lines.count, height: 1, at: nil, room: room)
    return Array(lines[window.shown]) + rest(window)
  }

  private func pair(_ pair: Pair) -> WatchFrame {
    guard let figures = board[pair] else {
      return frame(header.lines(subject), [StyledText("  " + nothing, .dim)], bottom(.pair, below: 2))
    }
    let screen = PairScreen(
      board: board, figures: figures, order: state.rows, cursor: state.row, beside: state.beside, basis: state.basis,
      width: size.columns, day: hasDayBars ? dayBars(of: pair) : nil)
    let top = [header.line(screen.title)] + screen.premium
    var bottom = bottom(.pair, below: top.count + 1)
    let remark = hasDayBars ? dayRemark(of: pair, width: size.columns) : []
    bottom = (remark + about([pair])).prefix(max(0, size.rows - top.count - 1 - bottom.count)) + bottom
    let (lines, keys) = screen.lines()
    let room = size.rows - top.count - bottom.count
    // Until rows are looked at one by one, both ends of each part are in view.
    if state.row == state.rows.first, lines.count > room, let (lines, keys) = screen.lines(within: room) {
      return frame(top, lines, bottom, targets: keys.map { $0.map(WatchTarget.row) })
    }
    return scrolled(
      top, lines, at: keys.firstIndex { $0 != nil && $0 == state.row }, bottom, keys.map { $0.map(WatchTarget.row) })
  }

  private func row(_ key: RowKey) -> WatchFrame {
    let title = StyledText("\(key.pair)", .heading) + StyledText("  \(key.name(language))")
    let asking = StyledText("  " + language("asking \(key.exchange) ..", "\(key.exchange) 조회 중 .."), .dim)
    let known = state.explanation.flatMap { $0.key == key ? $0.lines : nil }
    let lines = known?.flatMap { StyledText($0).wrapped(to: size.columns - 2) }.map { "  " + $0 }
    return frame([header.line(title)], lines ?? [asking], bottom(.row, below: 2))
  }

  private func feeds() -> WatchFrame {
    let list = FeedList(board: board, order: state.feeds, cursor: state.feed, width: size.columns)
    let (titles, rows, keys) = list.lines()
    var top = [header.line(list.title), list.counts, titles.dimmed]
    if size.rows < 12 { top.remove(at: 1) }
    let detail = size.rows >= 16 ? [StyledText("")] + list.detail() : []
    return scrolled(
      top, rows, at: state.feed.flatMap { keys.firstIndex(of: $0) }, detail + bottom(.feeds, below: top.count + 1),
      keys.map(WatchTarget.feed))
  }

  private func alerts() -> WatchFrame {
    let list = AlertList(
      board: live, alerts: state.alerts, problems: state.commandProblems, cursor: state.alert, width: size.columns)
    let (lines, cursor) = list.lines()
    return scrolled(
      [header.line(list.title)], lines, at: cursor.map { $0 * 2 }, bottom(.alerts, below: 3),
      state.alerts.rules.flatMap { Array(repeating: WatchTarget.alert($0.text), count: 2) })
  }

  private func balances() -> WatchFrame {
    let list = BalanceList(balances: state.balances, board: live, cursor: state.balanceRow, width: size.columns)
    let (titles, rows, notes) = list.lines()
    let most = max(1, size.rows / 4)
    let top = [header.line(list.title)] + list.excluded(lines: most) + (titles.map { [$0.dimmed] } ?? [])
    let bottom = bottom(.balances, below: top.count + 1)
    guard !rows.isEmpty else { return scrolled(top, notes, at: nil, bottom, []) }
    // Notes may use what the rows leave free, which is all but one of them on the lowest screens.
    let free = size.rows - top.count - bottom.count
    let notesShown = list.notes(notes, lines: max(most, free - rows.count)).prefix(max(0, free - 1))
    return scrolled(
      top, rows, at: min(state.balanceRow, rows.count - 1), notesShown + bottom,
      rows.indices.map(WatchTarget.balance))
  }

  private func help() -> WatchFrame {
    let isList = state.list != nil
    let command = isList ? "market list" : "market watch"
    let top = [header.line(StyledText(language("Keys of \(command)", "\(command) 단축키"), .heading))]
    let bottom = bottom(.help, below: top.count + 1)
    let lines = board.help(width: size.columns)
    return frame(top, state.helpPage.shown(lines, room: size.rows - top.count - bottom.count, language), bottom)
  }

  // MARK: Layout

  func frame(
    _ top: [StyledText], _ body: [StyledText], _ bottom: [StyledText], targets: [WatchTarget?] = [],
    targetsEnd end: Int? = nil
  ) -> WatchFrame {
    WatchFrame(top: top, body: body, bottom: bottom, size, cursor: lineColumn, targets: targets, targetsEnd: end)
  }

  /// Returns a body with as many lines as fit, including the one with the cursor.
  ///
  /// - Parameter targets: the mouse targets of all lines.
  private func scrolled(
    _ top: [StyledText], _ lines: [StyledText], at cursor: Int?, _ bottom: [StyledText], _ targets: [WatchTarget?]
  ) -> WatchFrame {
    let room = size.rows - top.count - bottom.count
    let window = Window(count: lines.count, height: 1, at: cursor, room: room)
    return frame(
      top, Array(lines[window.shown]) + rest(window), bottom,
      targets: Array(targets[window.shown.clamped(to: targets.indices)]))
  }

  /// Returns a line about what is out of view.
  func rest(_ window: Window) -> [StyledText] {
    guard window.above > 0 || window.below > 0 else { return [] }
    let parts = [
      window.below > 0 ? language("\(window.below) more", "\(window.below)개 더") : nil,
      window.above > 0 ? language("\(window.above) above", "위에 \(window.above)개") : nil,
    ]
    return [StyledText("⋮ " + parts.compactMap(\.self).joined(separator: ", "), .dim)]
  }
}

/// The visible part of rows that do not all fit: those around the cursor, leaving a line about the rest.
struct Window {
  let shown: Range<Int>
  let above: Int
  let below: Int

  /// - Parameters:
  ///   - height: the number of lines per row.
  ///   - cursor: the row's index.
  init(count: Int, height: Int, at cursor: Int?, room: Int) {
    guard count * height > room else {
      (shown, above, below) = (0..<count, 0, 0)
      return
    }
    // One is begun even without room for all its lines, or for the line about the rest.
    let fitting = max(room > 0 ? 1 : 0, (room - 1) / height)
    let first = min(max(0, (cursor ?? 0) - fitting / 2), count - fitting)
    shown = first..<first + fitting
    (above, below) = (first, count - first - fitting)
  }
}
