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
  /// How many trades of each tape are above the first visible row; 0 follows the newest.
  package private(set) var offset = 0
  package private(set) var choice = SourceChoice()
  package var source: Int { choice.source }
  /// The trade counts by source when the tape was scrolled away from the newest.
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
    let now = board.sources.map(\.tradeCount)
    // Rows below the newest stay in place.
    if offset > 0, counts.count == now.count, let most = zip(now, counts).map({ $0 - $1 }).max() { offset += most }
    counts = now
  }

  package mutating func press(_ key: Key, _ board: PairBoard, _ room: ScreenSize, effects: inout [PairEffect]) -> Bool {
    let page = max(1, room.rows - 5)
    switch key.code {
    case .tab: showsDays.toggle()
    case .character("+"), .character("="): least = least.map { Steps.after($0) } ?? usualSize(board)
    case .character("-"):
      if let size = least, let usual = usualSize(board) { least = size > usual ? Steps.before(size) : nil }
    case .character("o") where board.sources.count > 1:
      choice.next(of: board, fitsTwo: room.columns >= Self.twoTapesWidth)
    case .character("j"), .down: move(1, board)
    case .character("k"), .up: move(-1, board)
    case .pageDown: move(page, board)
    case .pageUp: move(-page, board)
    case .character("g"), .home: offset = 0
    case .escape where offset > 0: offset = 0
    default: return false
    }
    return true
  }

  private mutating func move(_ rows: Int, _ board: PairBoard) {
    let most = board.sources.map(\.trades.count).max() ?? 0
    offset = max(0, min(offset + rows, max(0, most - 1)))
  }

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
        lines: [status(source, room.columns, scene)] + days(source, room.columns, scene))
    }
    let gap = 3
    // Days need about fifty cells.
    let daysWidth = hasDays ? min(58, room.columns / 3) : 0
    let rest = room.columns - (hasDays ? daysWidth + gap : 0)
    let width = (rest - gap * (places.count - 1)) / max(1, places.count)
    var blocks = places.map { place in
      ([status(board.sources[place], width, scene)] + tape(board.sources[place], width, scene))
        .map { $0.shortened(to: width) }
    }
    if hasDays {
      let source = board.sources[places[0]]
      let name = StyledText(source.exchange + pair(of: source, scene), .heading)
      let days = [name] + days(source, daysWidth, scene)
      blocks.append(days.map { $0.shortened(to: daysWidth) })
    }
    let columns = blocks.indices.map { $0 * (width + gap) }
    return PairContent(lines: StyledText.beside(blocks, at: columns, rows: room.rows))
  }

  /// `Upbit spot, poll 1s, buys 61.2 %, 214 a minute`
  private func status(_ source: PairBoard.Source, _ width: Int, _ scene: PairScene) -> StyledText {
    let language = scene.language
    let pair = pair(of: source, scene)
    let older = language("older trades", "이전 체결")
    var parts = [
      StatusPart(
        needed: ["\(source.marketName)\(pair)", source.exchange].map { StyledText($0) }),
      StatusPart(needed: source.problemTexts(language)),
      StatusPart(needed: language.unfilledTexts(older, source, at: scene.now)),
      StatusPart(needed: source.feedTexts(language, at: scene.now)),
    ]
    if let gap = source.gaps.last {
      let clock = scene.zone.clock(gap.noticed)
      parts.append(StatusPart(StyledText(language("trades missed at \(clock)", "\(clock) 체결 누락"), .warning)))
    }
    parts.append(StatusPart(needed: language.oldTexts(source.tape.last?.time, at: scene.now, over: 60_000_000_000)))
    if offset > 0 { parts.append(StatusPart(StyledText(language("\(offset) above", "위에 \(offset)건"), .warning))) }
    if let least {
      let text = language("from ", "최소 ") + "\(least.shortest) \(source.pair.asset)"
      parts.append(StatusPart(StyledText(text, .highlight)))
    }
    let trades = source.sinceStart(tape(of: source))
    if let percent = TradeSummary(trades).buyPercent {
      parts.append(StatusPart(StyledText(language("buys ", "매수 ") + "\(percent.fixedText(places: 1)) %", .dim)))
    }
    let minute = scene.now.advanced(by: .milliseconds(-60_000))
    let recent = trades.count { $0.time > minute }
    // A feed that fails has no last minute.
    if recent > 0, source.failure == nil {
      // The answer may begin within the minute or have gaps; then there may have been more.
      let isWhole =
        trades.first.map { $0.time <= minute } ?? false && !source.gaps.contains { $0.noticed > minute }
      let more = isWhole ? "" : "+"
      parts.append(StatusPart(StyledText(language("\(recent)\(more) a minute", "1분에 \(recent)\(more)건"), .dim)))
    }
    return .fitting(parts, ", ", width: width)
  }

  /// Returns the pair with a blank before it; empty for a single pair, which the title already names.
  private func pair(of source: PairBoard.Source, _ scene: PairScene) -> String {
    Set(scene.board.sources.map(\.pair)).count > 1 ? " \(source.pair)" : ""
  }

  /// Returns the trades that pass the size filter, oldest first.
  private func tape(of source: PairBoard.Source) -> [Trade] {
    let tape = source.tape
    return least.map { least in tape.filter { ($0.size.value ?? least) >= least } } ?? tape
  }

  /// Returns the lines of a tape below its status.
  private func tape(_ source: PairBoard.Source, _ width: Int, _ scene: PairScene) -> [StyledText] {
    let (language, rows) = (scene.language, scene.room.rows - 1)
    let known = tape(of: source)
    guard !known.isEmpty else {
      if case .loading = source.feed { return [StyledText("  " + language("no trade yet", "아직 체결 없음"), .dim)] }
      return [StyledText("  " + language("no trade", "체결 없음"), .dim)]
    }
    let answer = source.answer(known)
    let room = max(0, rows - 1)
    // Large trades are measured against all trades; hidden ones need no row.
    let counted = source.sinceStart(known)
    let minutes = width >= 72 ? self.minutes(counted, scene.zone, room) : []
    let side = minutes.isEmpty ? 0 : 18
    let indent = StyledText(width < 50 ? "" : "  ")
    let shown = known.dropLast(min(offset, max(0, known.count - 1))).suffix(max(1, room))
    let lines = TradesReport([answer], at: scene.now, zone: scene.zone)
      .table(
        Array(shown), answer, on: scene.settings.page(width - side - indent.width),
        summary: TradeSummary(counted), namesHidden: false)
    let head = StyledText(language("1m buy █ sell ░", "1분 매수█매도░"), .dim)
    return lines.prefix(rows).enumerated().map { row, line in
      let own = indent + line
      guard side > 0 else { return own }
      let right = row == 0 ? head : row - 1 < minutes.count ? minutes[row - 1] : StyledText("")
      return right.width > 0 ? own.padded(to: width - side) + right : own
    }
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

  private func days(_ source: PairBoard.Source, _ width: Int, _ scene: PairScene) -> [StyledText] {
    switch source.days {
    case nil: return [StyledText("  " + scene.language("loading", "불러오는 중"), .dim)]
    case .failure(let failure): return [StyledText("  -  \(failure.reason.code)", .dim)]
    case .success:
      let report = DailyReport([source.answer(of: source.days)], newest: max(1, scene.room.rows - 2), at: scene.now)
      return report.table(0, on: scene.settings.page(width - 2), namesHidden: false).map {
        StyledText("  ") + $0
      }
      .filter { $0.width <= width }
    }
  }

  // MARK: Files

  package static var subject: String { "trades" }

  package func saved(as form: SavedForm, _ scene: PairScene) -> [UInt8] {
    let sources = scene.board.sources
    guard !showsDays else {
      return DailyReport(sources.map { $0.answer(of: $0.days) }, at: scene.now).saved(as: form)
    }
    let trades = sources.map { source in source.answer(source.trades.isEmpty ? nil : tape(of: source)) }
    return TradesReport(trades, at: scene.now, zone: scene.zone).saved(as: form)
  }
}
