import Mapping
package import MarketData
package import Quotes
package import Terminal

/// `market trades -w`: the newest trades on top, buys against sells minute by minute, and the days.
package struct TapeScreen: LivePairScreen {
  /// Smaller trades are hidden; nil for none.
  package private(set) var least: Decimal?
  /// Whether the days replace the tape if there is no room for both.
  package private(set) var showsDays = false
  /// How many of each tape's shown trades are above its first visible row; 0 follows the newest.
  private var offsets: [Int] = []
  /// The largest of them.
  package var offset: Int { offsets.max() ?? 0 }
  package private(set) var choice = SourceChoice()
  package var source: Int { choice.source }
  /// The trades counted so far, by source.
  private var counts: [Int] = []

  package static let keys = [
    KeyText("Tab", ("tape/days", "체결/일별"), ("the tape or the days", "체결/일별 전환")),
    KeyText("+ -", ("least size", "최소 수량"), ("leave out smaller trades, or show them again", "작은 체결 숨기기, 다시 표시")),
    KeyText(
      "j k", nil, ("move; also arrows, g, PgUp PgDn: new trades then wait", "이동; 화살표, g, PgUp PgDn: 그동안 새 체결은 대기")),
    .otherExchange,
  ]

  package init(least: Decimal? = nil, showsDays: Bool = false) {
    self.least = least
    self.showsDays = showsDays
  }

  // MARK: State

  package mutating func take(_ board: PairBoard) {
    choice.keep(within: board)
    defer { counts = board.sources.map(\.tradeCount) }
    guard counts.count == board.sources.count, offsets.count == counts.count else {
      offsets = board.sources.map { _ in 0 }
      return
    }
    // Rows below the newest stay in place.
    for (place, source) in board.sources.enumerated() where offsets[place] > 0 {
      let new = source.trades.suffix(max(0, source.tradeCount - counts[place]))
      offsets[place] = min(offsets[place] + new.count(where: isShown), lastRow(of: source))
    }
  }

  package mutating func press(_ key: Key, _ board: PairBoard, _ room: ScreenSize, effects: inout [PairEffect]) -> Bool {
    let page = max(1, room.rows - 5)
    switch key.code {
    case .tab: showsDays.toggle()
    case .character("+"), .character("="): filter(from: least.map { Steps.after($0) } ?? usualSize(board))
    case .character("-"):
      if let size = least, let usual = usualSize(board) { filter(from: size > usual ? Steps.before(size) : nil) }
    case .character("o") where board.sources.count > 1:
      choice.next(of: board, fitsTwo: room.columns >= Self.twoTapesWidth)
    case .character("j"), .down: move(1, board)
    case .character("k"), .up: move(-1, board)
    case .pageDown: move(page, board)
    case .pageUp: move(-page, board)
    case .character("g"), .home: follow()
    case .escape where offset > 0: follow()
    default: return false
    }
    return true
  }

  private mutating func move(_ rows: Int, _ board: PairBoard) {
    for (place, source) in board.sources.enumerated() where offsets.indices.contains(place) {
      offsets[place] = max(0, min(offsets[place] + rows, lastRow(of: source)))
    }
  }

  /// Shows the newest trades.
  private mutating func follow() { offsets = offsets.map { _ in 0 } }

  private mutating func filter(from size: Decimal?) {
    guard size != least else { return }
    least = size
    // Other trades are above the first row then.
    follow()
  }

  private func lastRow(of source: PairBoard.Source) -> Int { max(0, source.trades.count(where: isShown) - 1) }

  /// Returns whether a trade passes the size filter.
  private func isShown(_ trade: Trade) -> Bool { least.map { (trade.size.value ?? $0) >= $0 } ?? true }

  /// Returns the median size to one digit, where filtering starts.
  private func usualSize(_ board: PairBoard) -> Decimal? {
    let place = choice.source
    guard board.sources.indices.contains(place), let median = TradeSummary(board.sources[place].tape).medianSize,
      median.signum > 0
    else { return nil }
    return Steps.before(Steps.after(median))
  }

  // MARK: Drawing

  /// The minimum widths for two tapes side by side, and for days beside one tape.
  private static let twoTapesWidth = 120
  private static let tapeAndDaysWidth = 150

  package func content(_ scene: PairScene) -> PairContent {
    let (board, room) = (scene.board, scene.room)
    let isWide = room.columns >= Self.twoTapesWidth
    let places = isWide && choice.showsAll ? Array(board.sources.indices.prefix(2)) : [choice.source]
    let hasDays = room.columns >= Self.tapeAndDaysWidth || isWide && places.count == 1
    if showsDays, !hasDays {
      let source = board.sources[places[0]]
      return PairContent(
        lines: status(source, 0, room.columns, scene, isOfDays: true) + days(source, room.columns, scene))
    }
    let gap = 3
    // Days need about fifty cells.
    let daysWidth = hasDays ? min(58, room.columns / 3) : 0
    let rest = room.columns - (hasDays ? daysWidth + gap : 0)
    let width = (rest - gap * (places.count - 1)) / max(1, places.count)
    var blocks = places.map { place in
      let status = status(board.sources[place], offset(of: place), width, scene)
      let rows = room.rows - status.count
      return (status + tape(board.sources[place], offset(of: place), rows, width, scene))
        .map { $0.shortened(to: width) }
    }
    if hasDays {
      let source = board.sources[places[0]]
      let name = StyledText(source.exchange + pair(of: source, scene), .heading)
      let parts = [StatusPart(needed: [name])] + stateOfDays(source, scene)
      let days = StyledText.fitting(parts, ", ", width: daysWidth) + days(source, daysWidth, scene)
      blocks.append(days.map { $0.shortened(to: daysWidth) })
    }
    let columns = blocks.indices.map { $0 * (width + gap) }
    return PairContent(lines: StyledText.beside(blocks, at: columns, rows: room.rows))
  }

  private func offset(of place: Int) -> Int { offsets.indices.contains(place) ? offsets[place] : 0 }

  /// `Upbit spot, poll 1s, buys 61.2 %, 214 a minute`; on more lines if problems have no room on one.
  ///
  /// - Parameter isOfDays: whether the days are below it.
  private func status(
    _ source: PairBoard.Source, _ offset: Int, _ width: Int, _ scene: PairScene, isOfDays: Bool = false
  ) -> [StyledText] {
    let language = scene.language
    let pair = pair(of: source, scene)
    let older = language("older trades", "이전 체결")
    var parts = [
      StatusPart(needed: ["\(source.marketName(language))\(pair)", source.exchange].map { StyledText($0) }),
      StatusPart(needed: source.problemTexts(language, scene.zone)),
      StatusPart(needed: language.unfilledTexts(older, source, at: scene.now)),
      StatusPart(needed: source.feedTexts(language, at: scene.now)),
    ]
    if isOfDays { parts += stateOfDays(source, scene) }
    if let gap = source.gaps.last {
      let clock = scene.zone.clock(gap.noticed)
      parts.append(StatusPart(language("trades missed at \(clock)", "\(clock) 체결 누락"), .warning))
    }
    parts.append(StatusPart(needed: language.oldTexts(source.lastTraded, at: scene.now, over: 60_000_000_000)))
    if offset > 0 { parts.append(StatusPart(language("\(offset) above", "위에 \(offset)건"), .warning)) }
    if let least {
      parts.append(StatusPart(language("from ", "최소 ") + "\(least.shortest) \(source.pair.asset)", .highlight))
    }
    return StyledText.fitting(parts + traffic(of: source, scene), ", ", width: width)
  }

  /// `buys 61.2 %, 214 a minute`
  private func traffic(of source: PairBoard.Source, _ scene: PairScene) -> [StatusPart] {
    let language = scene.language
    let trades = source.counted(tape(of: source))
    var parts: [StatusPart] = []
    if let percent = TradeSummary(trades).buyPercent {
      parts.append(StatusPart(language("buys ", "매수 ") + "\(percent.shownShare.fixedText(places: 1)) %", .dim))
    }
    let minute = scene.now.advanced(by: .milliseconds(-60_000))
    let recent = trades.count { $0.time > minute }
    // A feed that fails has no last minute.
    if recent > 0, source.failure == nil {
      // The answer may begin within the minute, have gaps, or have trades whose time is unknown; then there may have
      // been more.
      let isWhole =
        trades.first.map { $0.time <= minute } ?? false && !source.gaps.contains { $0.noticed > minute }
        && !source.impossibleTrades.contains { $0.time > minute }
      let more = isWhole ? "" : "+"
      parts.append(StatusPart(language("\(recent)\(more) a minute", "1분에 \(recent)\(more)건"), .dim))
    }
    return parts
  }

  /// Returns the pair with a blank before it; empty for a single pair, which the title already names.
  private func pair(of source: PairBoard.Source, _ scene: PairScene) -> String {
    Set(scene.board.sources.map(\.pair)).count > 1 ? " \(source.pair)" : ""
  }

  /// Returns the trades that pass the size filter, oldest first.
  private func tape(of source: PairBoard.Source) -> [Trade] {
    least == nil ? source.tape : source.tape.filter(isShown)
  }

  /// - Parameter rows: the number of lines there is room for, with that of the titles.
  private func tape(
    _ source: PairBoard.Source, _ offset: Int, _ rows: Int, _ width: Int, _ scene: PairScene
  ) -> [StyledText] {
    let language = scene.language
    let known = tape(of: source)
    guard !known.isEmpty else { return [StyledText("  " + absence(of: source, language), .dim)] }
    let answer = source.answer(known)
    let room = max(0, rows - 1)
    // Large trades are measured against all trades; hidden ones need no row.
    let counted = source.counted(known)
    let minutes = width >= 72 ? self.minutes(counted, scene.zone, room) : []
    let side = minutes.isEmpty ? 0 : 18
    let indent = StyledText(width < 50 ? "" : "  ")
    let shown = known.dropLast(min(offset, max(0, known.count - 1))).suffix(max(1, room))
    let lines = TradesReport([answer], at: scene.now, zone: scene.zone)
      .table(
        Array(shown), answer, on: scene.settings.page(width - side - indent.width),
        summary: TradeSummary(counted), namesHidden: false)
    let head = StyledText(language("1m buy █ sell ░", "1분 매수 █ 매도 ░"), .dim)
    return lines.prefix(max(0, rows)).enumerated().map { row, line in
      let own = indent + line
      guard side > 0 else { return own }
      let right = row == 0 ? head : row - 1 < minutes.count ? minutes[row - 1] : ""
      return right.width > 0 ? own.padded(to: width - side) + right : own
    }
  }

  /// Why a tape is empty.
  private func absence(of source: PairBoard.Source, _ language: Language) -> String {
    if let least, !source.trades.isEmpty {
      let size = "\(least.shortest) \(source.pair.asset)"
      return language("no trade of \(size) or more", "\(size) 이상 체결 없음")
    }
    if let failure = source.failure { return "-  \(failure.reason.code)" }
    if case .loading = source.feed { return language("no trade yet", "아직 체결 없음") }
    return language("no trade", "체결 없음")
  }

  /// Returns buys against sells, one line per minute: `██████░░░ 14:12`.
  private func minutes(_ trades: [Trade], _ zone: ClockZone, _ rows: Int) -> [StyledText] {
    let grid = CandleGrid(.oneMinute)
    let groups = Dictionary(grouping: trades) { grid.start(containing: $0.time) }
    return groups.sorted { $0.key > $1.key }.prefix(rows).compactMap { start, trades in
      guard let share = TradeSummary(trades).buyPercent, let axis = ValueAxis([0, 100]) else { return nil }
      let cells = 9
      // Any nonzero share gets a cell, since an empty bar would mean none.
      var solid = axis.part(of: 100 - share, among: cells + 1)
      if share.signum > 0 { solid = max(1, solid) }
      if share < 100 { solid = min(cells - 1, solid) }
      return StyledText(String(repeating: "█", count: solid), .up)
        + StyledText(String(repeating: "░", count: cells - solid), .down)
        + StyledText(" \(zone.hourAndMinute(start))", .dim)
    }
  }

  /// `candle-shape, candle-jump, days 40s old`
  private func stateOfDays(_ source: PairBoard.Source, _ scene: PairScene) -> [StatusPart] {
    (source.daysProblemTexts.map { [$0] } + [source.daysTexts(scene.language, at: scene.now)])
      .map { StatusPart(needed: $0) }
  }

  private func days(_ source: PairBoard.Source, _ width: Int, _ scene: PairScene) -> [StyledText] {
    guard let (answer, isCurrent) = source.days(at: scene.now, scene.settings.rule) else {
      return [StyledText("  " + scene.language("loading", "불러오는 중"), .dim)]
    }
    if let failure = answer.failure { return [StyledText("  -  \(failure.reason.code)", .dim)] }
    let report = DailyReport([answer], newest: max(1, scene.room.rows - 2), at: scene.now)
    return report.table(0, on: scene.settings.page(width - 2), namesHidden: false, isCurrent: isCurrent)
      .map { "  " + $0 }.filter { $0.width <= width }
  }

  // MARK: Files

  package static var subject: String { "trades" }

  package func saved(as form: SavedForm, _ scene: PairScene) -> [UInt8]? {
    let sources = scene.board.sources
    guard !showsDays else {
      let answers = sources.map { $0.days(at: scene.now, scene.settings.rule)?.answer ?? $0.answer(of: nil) }
      return DailyReport(answers, at: scene.now).saved(as: form)
    }
    let trades = sources.map { source in source.answer(source.trades.isEmpty ? nil : tape(of: source)) }
    return TradesReport(trades, at: scene.now, zone: scene.zone).saved(as: form)
  }
}
