import Mapping
package import MarketData
package import Quotes
package import Terminal

/// `market chart -w`: candles that can be zoomed, scrolled and inspected; several exchanges as lines, and the premium
/// of the first over the second.
package struct CandleScreen: LivePairScreen {
  /// The number of columns per bar.
  package private(set) var zoom = 2
  /// The start of the last visible bar; nil follows the newest.
  package private(set) var end: Instant?
  /// The bar under the crosshair; nil for none.
  package private(set) var hair: Instant?
  /// Whether lines are drawn if there are several sources.
  package private(set) var showsLines: Bool
  /// What the premium is measured by; nil if it is not shown.
  package private(set) var premiumRate: DollarBasis?
  var showsPremium: Bool { premiumRate != nil }
  package var premiumBasis: DollarBasis { premiumRate ?? .official }
  /// Whether the line of midpoints is drawn in place of candles, where those have a column each and no gaps for it.
  package private(set) var showsMidline = false
  /// The source whose line is drawn stronger and read by the crosshair; nil for none.
  package private(set) var selected: Int?
  /// How prices are drawn; the premium is always in percent.
  package private(set) var scale: ChartScale
  package private(set) var money = DisplayCurrency.sent
  /// The bar before which older ones were requested, by source; each page is requested once.
  private var asked: [Int: Instant] = [:]
  /// When the token's newest bars were requested: the newest arrival by then.
  private var askedRates: Instant?
  private static let rateNanoseconds: Int64 = 10_000_000_000
  private var interval: CandleInterval?
  /// After a change of the interval in the past: the end of the last visible bar, until the new bars reach back to it.
  private var sought: Instant?
  /// How many bars are requested to reach it, at most, and on one page.
  private static let reach = (bars: 1000, page: 200)

  private static let zooms = [6, 4, 3, 2, 1]
  /// The room for the status and the figures of a bar, above a chart.
  private static let headRows = 3
  private static let intervals: [CandleInterval] = [
    .oneMinute, .fiveMinutes, .tenMinutes, .thirtyMinutes, .oneHour, .fourHours, .oneDay, .oneWeek,
  ]

  package static let keys = [
    KeyText("[ ]", ("interval", "봉 주기"), ("shorter bars, longer bars", "더 짧은 봉, 더 긴 봉")),
    KeyText("+ -", ("zoom", "봉 너비"), ("wider bars, narrower bars", "봉을 넓게, 좁게")),
    KeyText("h l", ("crosshair", "십자선"), ("move a crosshair bar by bar; also arrows", "봉을 하나씩 읽기; 화살표도")),
    KeyText(
      "H L", ("scroll", "이동"), ("half a screen back, forward; also PgUp PgDn", "반 화면 앞뒤로; PgUp PgDn도"),
      givesWay: true),
    KeyText("Tab", nil, ("the midline in place of bars one column wide", "한 칸 폭의 봉 대신 중간선")),
    KeyText("g", nil, ("back to the newest bar", "최신 봉으로")),
    KeyText(
      "o", ("lines", "겹치기"), ("the other exchanges as lines, or candles", "다른 거래소를 선으로, 또는 봉으로"),
      isOfSeveral: true),
    KeyText(
      "p", ("premium", "프리미엄"),
      (
        "the premium of the first over the second, at the official rate or a token's",
        "첫째의 둘째 대비 프리미엄: 공식 환율 또는 테더 기준"
      ), isOfSeveral: true),
    KeyText(
      "Tab", ("line", "선"), ("the next line thicker and in full digits, at last none", "다음 선을 굵게, 전체 자릿수로; 끝에서 해제"),
      isOfSeveral: true),
    KeyText("w", ("won/$", "원/$"), ("prices in won, in dollars, as sent", "가격을 원, 달러, 원래 통화로")),
    KeyText("%", ("scale", "눈금"), ("prices, percent from the left edge, logarithm", "가격, 왼쪽 끝 기준 등락률, 로그 눈금")),
  ]

  /// Up scrolls into the past.
  package static var wheel: (up: Key, down: Key) { (Key(.left), Key(.right)) }

  package init(showsLines: Bool = true, showsPremium: Bool = false, scale: ChartScale = .price) {
    (self.showsLines, self.scale) = (showsLines, scale)
    premiumRate = showsPremium ? .official : nil
  }

  // MARK: State

  package mutating func take(_ board: PairBoard) {
    if interval != board.interval {
      if interval != nil { (end, hair, asked, askedRates, sought) = (nil, nil, [:], nil, nil) }
      interval = board.interval
    }
  }

  /// Returns how many bars fit.
  func count(_ room: ScreenSize) -> Int { CandleChart.count(columns: room.columns, columnsPerCandle: zoom) }

  private func series(_ board: PairBoard) -> CandleSeries? { board.sources.first?.candles }

  package mutating func press(_ key: Key, _ board: PairBoard, _ room: ScreenSize, effects: inout [PairEffect]) -> Bool {
    switch key.code {
    case .character("["), .character("]"):
      let intervals = Self.intervals
      let next =
        key == "[" ? intervals.last { $0 < board.interval } : intervals.first { $0 > board.interval }
      guard let next else { break }
      if let end, let series = series(board) { sought = series.grid.end(of: end) }
      (end, hair, asked, askedRates) = (nil, nil, [:], nil)
      interval = next
      effects.append(.show(next))
    case .character("+"), .character("="): zoom(to: Self.zooms.last { $0 > zoom }, or: .barsAreWidest, &effects)
    case .character("-"): zoom(to: Self.zooms.first { $0 < zoom }, or: .barsAreNarrowest, &effects)
    case .character("h"), .left: moveHair(-1, board, room)
    case .character("l"), .right: moveHair(1, board, room)
    case .character("H"), .pageUp: scroll(-max(1, count(room) / 2), board, room)
    case .character("L"), .pageDown: scroll(max(1, count(room) / 2), board, room)
    case .character("g"), .end: (end, hair, sought) = (nil, nil, nil)
    case .tab:
      if drawsLines(board) {
        if showsLines { selectNext(of: board, room) } else { effects.append(.say(.linesAreHidden)) }
      } else if zoom == 1 {
        showsMidline.toggle()
      } else {
        effects.append(.say(.midlineIsOfNarrowBars))
      }
    case .character("w"): money = DisplayCurrency.allCases.next(after: money)
    case .character("o") where board.sources.count > 1: showsLines.toggle()
    case .character("p") where board.sources.count > 1:
      premiumRate = premiumRate == nil ? .official : premiumRate == .official && board.token != nil ? .token : nil
    case .character("%"):
      let hasPrices = showsLines || !drawsLines(board)
      if hasPrices { scale = ChartScale.allCases.next(after: scale) } else { effects.append(.say(.scaleIsOfPrices)) }
    case .escape where hair != nil: hair = nil
    default: return false
    }
    return true
  }

  /// - Parameter limit: what to say if there is no further width.
  private mutating func zoom(to width: Int?, or limit: PairNotice, _ effects: inout [PairEffect]) {
    if let width { zoom = width } else { effects.append(.say(limit)) }
  }

  /// Selects the next line that has bars on the screen; after the last one, none.
  private mutating func selectNext(of board: PairBoard, _ room: ScreenSize) {
    let newest = board.sources.map { $0.candles.flatMap { window($0).currentCandles.last?.start } }
    guard let grid = series(board)?.grid, let end = newest.compactMap(\.self).max() else { return }
    let start = grid.moment(1 - count(room), after: end)
    let lines = newest.indices.filter { place in newest[place].map { $0 >= start } ?? false }
    selected = lines.first { place in selected.map { place > $0 } ?? true }
  }

  private mutating func moveHair(_ bars: Int, _ board: PairBoard, _ room: ScreenSize) {
    sought = nil
    retryFailedPages(bars, board)
    guard let series = series(board), let first = series.candles.first, let last = series.candles.last else { return }
    let shown = end ?? last.start
    let next = hair.map { series.grid.moment(bars, after: $0) } ?? shown
    let place = min(max(first.start, next), last.start)
    hair = place
    // The chart scrolls with the crosshair.
    let left = series.grid.moment(1 - count(room), after: shown)
    if place < left { show(series.grid.moment(count(room) - 1, after: place), series) }
    if place > shown { show(place, series) }
  }

  /// Allows failed pages to be requested again when moving into the past.
  private mutating func retryFailedPages(_ bars: Int, _ board: PairBoard) {
    guard bars < 0 else { return }
    for (place, source) in board.sources.enumerated() {
      if case .page = source.shortfall { asked[place] = nil }
    }
  }

  private mutating func scroll(_ bars: Int, _ board: PairBoard, _ room: ScreenSize) {
    sought = nil
    retryFailedPages(bars, board)
    guard let series = series(board), let first = series.candles.first, let last = series.candles.last else { return }
    show(max(least(first, last, series, room), series.grid.moment(bars, after: end ?? last.start)), series)
  }

  /// Returns the earliest bar that can be the last visible one: half a screen of bars stays.
  private func least(_ first: Candle, _ last: Candle, _ series: CandleSeries, _ room: ScreenSize) -> Instant {
    min(last.start, series.grid.moment(count(room) / 2, after: first.start))
  }

  /// Scrolls towards the sought moment as far as there are bars.
  private mutating func seek(_ board: PairBoard, _ room: ScreenSize) {
    guard let sought, let source = board.sources.first, let series = source.candles, let first = series.candles.first,
      let last = series.candles.last
    else { return }
    let target = series.grid.start(containing: Instant(nanoseconds: sought.nanoseconds - 1))
    let isTooFar = series.grid.count(from: target, to: last.start) > Self.reach.bars
    if !isTooFar { show(max(least(first, last, series, room), target), series) }
    let isThere = end ?? last.start <= target
    if isTooFar || isThere || source.hasHistory && !source.mayHaveOlder { self.sought = nil }
  }

  private mutating func show(_ end: Instant, _ series: CandleSeries) {
    self.end = series.candles.last.map { end >= $0.start } ?? true ? nil : end
  }

  /// Older bars are requested one screen ahead.
  package mutating func wanted(_ board: PairBoard, _ room: ScreenSize) -> [PairEffect] {
    seek(board, room)
    let count = count(room)
    var effects: [PairEffect] = []
    for (place, source) in board.sources.enumerated() {
      guard let series = source.candles, let first = series.candles.first, let last = series.candles.last,
        source.hasHistory, source.mayHaveOlder, asked[place] != first.start
      else { continue }
      let wanted = series.grid.moment(1 - 2 * count, after: sought ?? end ?? last.start)
      guard first.start > wanted else { continue }
      asked[place] = first.start
      let page = sought == nil ? max(50, min(Self.reach.page, count)) : Self.reach.page
      effects.append(.older(source: place, before: first.start, count: page))
    }
    return effects + wantedRates(board, room)
  }

  /// Returns the requests for a token's bars if the premium is measured by them: the newest every ten seconds, and those
  /// from before the ones that are known.
  private mutating func wantedRates(_ board: PairBoard, _ room: ScreenSize) -> [PairEffect] {
    guard premiumRate == .token, let token = board.token, let grid = series(board)?.grid,
      let last = board.sources.compactMap({ $0.candles?.candles.last?.start }).max(),
      let now = board.sources.compactMap(\.answered).max()
    else { return [] }
    let (place, known) = (board.sources.count, token.candles?.candles)
    let start = grid.moment(1 - 2 * count(room), after: sought ?? end ?? last)
    func page(from start: Instant, to end: Instant) -> PairEffect {
      .older(source: place, before: end, count: min(Self.reach.bars, max(1, grid.count(from: start, to: end))))
    }
    var effects: [PairEffect] = []
    // They are requested anew by a clock that was set back, or they would stall until that catches up.
    if askedRates.map({ now < $0 || now.nanoseconds(since: $0) >= Self.rateNanoseconds }) ?? true {
      askedRates = now
      effects.append(page(from: known?.last?.start ?? start, to: grid.end(of: last)))
    }
    if let first = known?.first?.start, first > start, token.mayHaveOlder, asked[place] != first {
      asked[place] = first
      effects.append(page(from: start, to: first))
    }
    return effects
  }

  // MARK: Drawing

  package func content(_ scene: PairScene) -> PairContent {
    guard let first = scene.board.sources.first else { return PairContent(lines: []) }
    if drawsLines(scene.board) { return PairContent(lines: lines(scene)) }
    let notes = moneyLines([first], scene)
    guard let (chart, series) = chart(of: first, below: notes.count, scene) else {
      return PairContent(lines: status(first, nil, scene) + notes)
    }
    let head = status(first, chart, scene) + reading(series, of: first, scene)
    let blank = Array(repeating: StyledText(""), count: max(0, Self.headRows - head.count))
    let surplus = max(0, head.count - Self.headRows)
    let drawn = surplus == 0 ? chart : self.chart(of: first, below: notes.count + surplus, scene)?.chart ?? chart
    return PairContent(lines: head + blank + notes + drawn.lines)
  }

  /// Returns whether there are lines of several sources, not the candles of the first.
  private func drawsLines(_ board: PairBoard) -> Bool { board.sources.count > 1 && (showsLines || showsPremium) }

  /// Returns the figures of the bar under the crosshair, or of the newest visible one if there is no crosshair, on two
  /// lines at most.
  ///
  /// - Parameter lead: what comes before them.
  func reading(
    _ series: CandleSeries, of source: PairBoard.Source, _ scene: PairScene, lead: StyledText = ""
  ) -> [StyledText] {
    let grid = series.grid
    func figures(_ bar: Candle) -> [StyledText] {
      let page = scene.settings.page(scene.width - lead.width)
      let lines = ChartReport.reading(
        bar, of: series, source.pair.asset, at: scene.now, scene.zone, on: page, lines: 2)
      return lines.prefix(1).map { lead + $0 } + lines.dropFirst()
    }
    guard let hair else { return window(series).candles.last.map(figures) ?? [] }
    if let bar = series.candles.last(where: { $0.start <= hair && hair < grid.end(of: $0.start) }) {
      return figures(bar)
    }
    let moment = StyledText(ChartReport.moment(hair, grid, scene.zone))
    return [lead + moment + StyledText(scene.language("  -  no bar", "  -  봉 없음"), .dim)]
  }

  /// Returns a source's candles as drawn, and all of them; nil if there are none. The chart's own axis decides how many
  /// bars fit.
  ///
  /// - Parameter lines: the number of lines about the currency above the chart.
  private func chart(
    of source: PairBoard.Source, below lines: Int, _ scene: PairScene
  ) -> (chart: CandleChart, series: CandleSeries)? {
    guard let sent = source.candles, !sent.candles.isEmpty, let series = sent.converted(conversion(of: source, scene))
    else { return nil }
    let rows = max(4, scene.room.rows - Self.headRows - lines)
    let chart = CandleChart(
      window(series), at: scene.now, columns: scene.width, rows: rows, zone: scene.zone, zoom: zoom, hair: hair,
      isCurrent: isCurrent, isMidline: showsMidline && zoom == 1, scale: scale, amount: scene.language.amount)
    return (chart, series)
  }

  /// Returns the screen as a report, with candle prices as sent.
  private func report(_ scene: PairScene) -> ChartReport {
    let board = scene.board
    let drawsLines = drawsLines(board)
    let shown = drawsLines ? board.sources : Array(board.sources.prefix(1))
    let newest = shown.compactMap { $0.candles.flatMap { window($0).candles.last?.start } }.max()
    let drawn = drawsLines ? nil : shown.first.flatMap { chart(of: $0, below: moneyLines([$0], scene).count, scene) }
    let first = drawn?.chart.shown.candles.first?.start
    func visible(_ series: CandleSeries) -> CandleSeries {
      guard let newest else { return series }
      let start = first ?? series.grid.moment(1 - count(scene.room), after: newest)
      return window(series).within(start, series.grid.end(of: newest))
    }
    let sources = shown.map { source in
      let isOfItsTime = tokenRates(of: source, scene) != nil || rate(of: source, scene)?.isContemporaneous == true
      return ChartReport.Source(
        source.answer(source.candles.map(visible)), badge: source.badge,
        estimate: isOfItsTime ? nil : conversion(of: source, scene), basis: basis(of: source, scene),
        rate: rates(of: source, scene))
    }
    let premium = drawsLines && showsPremium && sources.count > 1 ? (of: 0, over: 1) : nil
    return ChartReport(
      sources, currency: currency(board) ?? "", premium: premium, identity: scene.settings.identity, at: scene.now,
      zone: scene.zone, scale: scale,
      rateNotes: shown.compactMap { tokenRates(of: $0, scene)?.words(.english) }.unique.map { "converted \($0)" })
  }

  package static var subject: String { "chart" }
  package static var savedForms: [SavedForm] { SavedForm.allCases }

  package func saved(as form: SavedForm, _ scene: PairScene) -> [UInt8]? {
    // A chart without a bar has no content but the reasons, which JSON has room for.
    let isEmpty = scene.board.sources.allSatisfy { $0.candles?.candles.isEmpty ?? true }
    guard form == .json || !isEmpty else { return nil }
    let report = report(scene)
    return form == .svg ? report.svg(scheme: scene.settings.scheme) : report.saved(as: form)
  }

  // MARK: Currency

  /// Returns the display currency; if there is no rate yet, the first source's payment currency.
  func currency(_ board: PairBoard) -> String? {
    board.rate.flatMap { money.currency(of: $0.pair) } ?? board.sources.first?.pair.payment
  }

  func conversion(of source: PairBoard.Source, _ scene: PairScene) -> Conversion {
    scene.conversion(from: source.pair.payment, to: currency(scene.board) ?? source.pair.payment)
  }

  /// Returns a token's price bar by bar if the premium is measured by it and it converts a source's prices; nil if not.
  func tokenRates(of source: PairBoard.Source, _ scene: PairScene) -> TokenRates? {
    guard premiumRate == .token, let currency = currency(scene.board) else { return nil }
    return scene.tokenRates(from: source.pair.payment, to: currency)
  }

  /// Returns what gives the price of one unit of a source's payment currency for a bar, nil where it is unknown.
  func rates(of source: PairBoard.Source, _ scene: PairScene) -> (Instant) -> TimedRate? {
    if let token = tokenRates(of: source, scene) { return { token.rate(from: source.pair.payment, at: $0) } }
    let latest = rate(of: source, scene)
    return { _ in latest }
  }

  /// Returns the latest price of one unit of a source's payment currency, or nil if unknown.
  func rate(of source: PairBoard.Source, _ scene: PairScene) -> TimedRate? {
    let conversion = conversion(of: source, scene)
    return conversion.converted(1).map { TimedRate($0, isContemporaneous: conversion.payment == conversion.currency) }
  }

  /// Returns what a source's prices are converted by; nil if they are not, or one to one.
  func basis(of source: PairBoard.Source, _ scene: PairScene) -> ChartReport.RateBasis? {
    if let token = tokenRates(of: source, scene) { return token.basis }
    let conversion = conversion(of: source, scene)
    return conversion.payment == conversion.currency || conversion.rate?.quote == nil ? nil : .official
  }

  /// Returns the rates used for prices shown in another currency than sent.
  func moneyLines(_ sources: [PairBoard.Source], _ scene: PairScene) -> [StyledText] {
    let language = scene.language
    guard money != .sent else { return [] }
    let (all, sources) = (sources, sources.filter { tokenRates(of: $0, scene) == nil })
    // What is left may be of the currency shown, and need no rate.
    if sources.count < all.count, sources.allSatisfy({ $0.pair.payment == currency(scene.board) }) { return [] }
    guard scene.board.rate != nil else { return [StyledText(language("no exchange rate yet", "아직 환율 없음"), .warning)] }
    let conversions = sources.map { conversion(of: $0, scene) }
    func line(hasDoubts: Bool, cells: Int) -> StyledText? {
      conversions.conversionLine(at: scene.now, language, hasDoubts: hasDoubts, cells: cells)
    }
    guard let whole = line(hasDoubts: true, cells: .max) else { return [] }
    // A line with everything about the rate has its doubts; any other leaves them to the remark, which has one at any width.
    let isWhole = whole.width <= scene.width
    let line = isWhole ? whole : line(hasDoubts: false, cells: scene.width) ?? whole
    guard conversions.contains(where: { $0.rate?.quote != nil }) else { return [line] }
    // Shown at any width, since past bars are converted at a rate that was not theirs.
    let remark = latestRate(scene, hasDoubt: !isWhole)
    return line.width + 2 + remark.width <= scene.width ? [line + "  " + remark] : [line, remark]
  }

  /// `at the latest rate, unconfirmed`: what prices are converted at, and what makes it doubtful.
  ///
  /// - Parameter hasDoubt: false if the doubt is shown beside it.
  func latestRate(_ scene: PairScene, hasDoubt: Bool = true) -> StyledText {
    let text = StyledText(scene.language("at the latest rate", "최신 환율 적용"), .warning)
    return (hasDoubt ? scene.rateDoubt : nil).map { text + ", " + $0 } ?? text
  }

  /// Whether the chart ends in the newest bar.
  var isCurrent: Bool { end == nil }

  func window(_ series: CandleSeries) -> CandleSeries {
    guard let end else { return series }
    return series.within(Instant(nanoseconds: .min), series.grid.end(of: end))
  }

  /// `1h  34 bars from 2026-11-18 08:40 KST  poll 1s  older bars: loading`; on more lines if problems have no room on one.
  private func status(_ source: PairBoard.Source, _ chart: CandleChart?, _ scene: PairScene) -> [StyledText] {
    let language = scene.language
    let shown = chart?.shown
    let interval = language.bar(scene.board.interval)
    let names = ["\(source.marketName(language)) \(interval)", "\(source.exchange) \(interval)"]
    var parts = [StatusPart(needed: names.map { StyledText($0, .heading) })]
    if let shown, let first = shown.candles.first {
      let start = ChartReport.moment(first.start, shown.grid, scene.zone)
      let count = shown.candles.count
      parts.append(StatusPart(language("\(count.counted("bar")) from \(start)", "\(start)부터 봉 \(count)개"), .dim))
    }
    let needed =
      scaleTexts(language, undrawn: chart?.undrawn ?? 0).map { [$0] } + [
        source.problemTexts(language, scene.zone),
        language.unfilledTexts(language.olderBars, source, at: scene.now),
        source.feedTexts(language, at: scene.now), ended(source, scene), language.missingParts(of: shown),
      ]
    parts += needed.map { StatusPart(needed: $0) }
    // The state of older bars is shown only near the left edge.
    if source.unfilled == nil, let known = source.candles?.candles.first?.start, let first = shown?.candles.first,
      first.start <= known
    {
      parts.append(StatusPart(older(source, scene)))
    }
    return StyledText.fitting(parts, "  ", width: scene.width)
  }

  /// Names the scale, unless it is that of prices, and says how many bars have no place on it; empty for neither.
  func scaleTexts(_ language: Language, undrawn: Int) -> [StyledText] {
    [
      scale.words(language).map { StyledText($0, .dim) },
      scale.absence(of: undrawn, language).map { StyledText($0, .warning) },
    ].compactMap(\.self)
  }

  /// Returns what is known of bars before the first one.
  func older(_ source: PairBoard.Source, _ scene: PairScene) -> StyledText {
    let language = scene.language
    let older = language.olderBars
    return switch source.shortfall {
    case .notOffered: StyledText(language("no more", "더 이상 없음"), .dim)
    case .notRecorded: StyledText(older + language(": not recorded", ": 기록 없음"), .dim)
    case .page(let failure): StyledText("\(older): \(failure.reason.code)", .warning)
    case nil where scene.settings.isStill: StyledText(older + language(": not requested", ": 조회 안 함"), .dim)
    case nil: StyledText(older + language(": loading", ": 불러오는 중"), .dim)
    }
  }

  /// Returns how long ago the newest bar ended, if the next one is complete as well, or how much of it is missing.
  func ended(_ source: PairBoard.Source, _ scene: PairScene) -> [StyledText] {
    guard let series = source.candles, let newest = series.candles.last else { return [] }
    if let age = series.nanosecondsBehind {
      let language = scene.language
      let text = language.age(nanoseconds: age)
      return [StyledText(language("the last \(text) missing", "마지막 \(text) 없음"), .warning)]
    }
    let end = series.grid.end(of: newest.start)
    return scene.language.oldTexts(end, at: scene.now, over: series.grid.interval.nanoseconds)
  }
}

extension Language {
  var olderBars: String { self("older bars", "이전 봉") }

  /// Returns how many of the shorter bars are missing that bars were built from: their volumes lack something; empty if
  /// none are.
  fileprivate func missingParts(of series: CandleSeries?) -> [StyledText] {
    guard let series, let source = series.source else { return [] }
    let gaps = series.nanosecondsBehind == nil ? series.sourceGaps[...] : series.sourceGaps.dropLast()
    let count = gaps.reduce(0) { $0 + $1.count }
    guard count > 0 else { return [] }
    return [StyledText(self("built without \(count) of \(bar(source))", "\(bar(source)) \(count)개 없이 합침"), .warning)]
  }
}

extension PairBoard.Source {
  /// Whether there may be candles before the first known one.
  fileprivate var mayHaveOlder: Bool {
    switch shortfall {
    case nil, .page: true
    case .notOffered, .notRecorded: false
    }
  }
}
