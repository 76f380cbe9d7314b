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
  package private(set) var showsLines = true
  package private(set) var showsPremium: Bool
  /// Whether lines show percent relative to the left edge.
  package private(set) var isPercent = false
  package private(set) var money = DisplayCurrency.sent
  /// The bar before which older ones were requested, by source; each page is requested once.
  private var asked: [Int: Instant] = [:]
  private var interval: CandleInterval?

  private static let zooms = [6, 4, 3, 2, 1]
  private static let intervals: [CandleInterval] = [
    .oneMinute, .fiveMinutes, .tenMinutes, .thirtyMinutes, .oneHour, .fourHours, .oneDay, .oneWeek,
  ]

  package static let keys = [
    KeyText("[ ]", ("interval", "봉 주기"), ("shorter bars, longer bars", "더 짧은 봉, 더 긴 봉")),
    KeyText("+ -", ("zoom", "확대/축소"), ("wider bars, narrower bars", "봉을 넓게, 좁게")),
    KeyText("h l", ("crosshair", "십자선"), ("move a crosshair bar by bar; also arrows", "봉을 하나씩 읽기; 화살표도")),
    KeyText("H L", ("scroll", "이동"), ("half a screen back, forward; also PgUp PgDn", "반 화면 앞뒤로; PgUp PgDn도")),
    KeyText("g", nil, ("back to the newest bar", "최신 봉으로")),
    KeyText("o", ("overlay", "겹치기"), ("the other exchanges as lines, or candles", "다른 거래소를 선으로, 또는 봉으로")),
    KeyText("p", ("premium", "프리미엄"), ("the premium of the first over the second", "첫 거래소의 둘째 거래소 대비 프리미엄")),
    KeyText("w", ("won/$", "원/$"), ("prices in won, in dollars, as sent", "가격을 원, 달러, 원래 통화로")),
    KeyText("%", ("percent", "퍼센트"), ("lines in percent from the left edge", "왼쪽 끝 기준 등락률로")),
  ]

  /// Up scrolls into the past.
  package static var wheel: (up: Key, down: Key) { (Key(.left), Key(.right)) }

  package init(showsPremium: Bool = false) { self.showsPremium = showsPremium }

  // MARK: State

  package mutating func take(_ board: PairBoard) {
    if interval != board.interval {
      if interval != nil { (end, hair, asked) = (nil, nil, [:]) }
      interval = board.interval
    }
  }

  /// Returns how many bars fit.
  private func count(_ room: ScreenSize) -> Int { CandleChart.count(columns: room.columns, columnsPerCandle: zoom) }

  private func series(_ board: PairBoard) -> CandleSeries? { board.sources.first?.candles }

  package mutating func press(_ key: Key, _ board: PairBoard, _ room: ScreenSize, effects: inout [PairEffect]) -> Bool {
    switch key.code {
    case .character("["), .character("]"):
      let intervals = Self.intervals
      let next =
        key == "[" ? intervals.last { $0 < board.interval } : intervals.first { $0 > board.interval }
      guard let next else { break }
      (end, hair, asked) = (nil, nil, [:])
      interval = next
      effects.append(.show(next))
    case .character("+"), .character("="): zoom = Self.zooms.last { $0 > zoom } ?? zoom
    case .character("-"): zoom = Self.zooms.first { $0 < zoom } ?? zoom
    case .character("h"), .left: moveHair(-1, board, room)
    case .character("l"), .right: moveHair(1, board, room)
    case .character("H"), .pageUp: scroll(-max(1, count(room) / 2), board, room)
    case .character("L"), .pageDown: scroll(max(1, count(room) / 2), board, room)
    case .character("g"), .end: (end, hair) = (nil, nil)
    case .character("w"): money = DisplayCurrency.allCases.next(after: money)
    case .character("o") where board.sources.count > 1: showsLines.toggle()
    case .character("p") where board.sources.count > 1: showsPremium.toggle()
    case .character("%") where board.sources.count > 1: isPercent.toggle()
    case .escape where hair != nil: hair = nil
    default: return false
    }
    return true
  }

  private mutating func moveHair(_ bars: Int, _ board: PairBoard, _ room: ScreenSize) {
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
    retryFailedPages(bars, board)
    guard let series = series(board), let first = series.candles.first, let last = series.candles.last else { return }
    let least = min(last.start, series.grid.moment(count(room) / 2, after: first.start))
    show(max(least, series.grid.moment(bars, after: end ?? last.start)), series)
  }

  private mutating func show(_ end: Instant, _ series: CandleSeries) {
    self.end = series.candles.last.map { end >= $0.start } ?? true ? nil : end
  }

  /// Older bars are requested one screen ahead.
  package mutating func wanted(_ board: PairBoard, _ room: ScreenSize) -> [PairEffect] {
    let count = count(room)
    var effects: [PairEffect] = []
    for (place, source) in board.sources.enumerated() {
      guard let series = source.candles, let first = series.candles.first, let last = series.candles.last,
        source.hasHistory, source.mayHaveOlder, asked[place] != first.start
      else { continue }
      let wanted = series.grid.moment(1 - 2 * count, after: end ?? last.start)
      guard first.start > wanted else { continue }
      asked[place] = first.start
      effects.append(.older(source: place, before: first.start, count: max(50, min(200, count))))
    }
    return effects
  }

  // MARK: Drawing

  package func content(_ scene: PairScene) -> PairContent {
    guard let first = scene.board.sources.first else { return PairContent(lines: []) }
    if scene.board.sources.count > 1, showsLines || showsPremium { return PairContent(lines: lines(scene)) }
    let notes = moneyLines([first], scene)
    guard let (chart, series) = chart(of: first, below: notes.count, scene) else {
      return PairContent(lines: [status(first, nil, scene)] + notes)
    }
    let read = hair.flatMap { hair in series.candles.last { $0.start <= hair } } ?? window(series).candles.last
    let reading =
      read.map {
        ChartReport.reading($0, of: series, first.pair.asset, at: scene.now, scene.zone, on: scene.page)
      } ?? []
    let head = [status(first, chart.shown, scene)] + reading.prefix(2)
    let blank = Array(repeating: StyledText(""), count: max(0, 3 - head.count))
    return PairContent(lines: head + blank + notes + chart.lines)
  }

  /// Returns a source's candles as drawn, and all of them; nil if there are none. The chart's own axis decides how many
  /// bars fit.
  ///
  /// - Parameter lines: The number of lines about the currency above the chart.
  private func chart(
    of source: PairBoard.Source, below lines: Int, _ scene: PairScene
  ) -> (chart: CandleChart, series: CandleSeries)? {
    guard let sent = source.candles, !sent.candles.isEmpty, let series = sent.converted(conversion(of: source, scene))
    else { return nil }
    let rows = max(4, scene.room.rows - 3 - lines)
    let chart = CandleChart(
      window(series), at: scene.now, columns: scene.width, rows: rows, zone: scene.zone, zoom: zoom, hair: hair,
      amount: scene.language.amount)
    return (chart, series)
  }

  /// Returns the screen as a report, with candle prices as sent.
  private func report(_ scene: PairScene) -> ChartReport {
    let board = scene.board
    let drawsLines = board.sources.count > 1 && (showsLines || showsPremium)
    let shown = board.sources.prefix(drawsLines ? board.sources.count : 1)
    let newest = shown.compactMap { $0.candles.flatMap { window($0).candles.last?.start } }.max()
    let drawn = drawsLines ? nil : shown.first.flatMap { chart(of: $0, below: moneyLines([$0], scene).count, scene) }
    let first = drawn?.chart.shown.candles.first?.start
    let sources = shown.map { source in
      let series = source.candles.map { series in
        newest.map {
          window(series).within(
            first ?? series.grid.moment(1 - count(scene.room), after: $0), series.grid.end(of: $0))
        }
          ?? series
      }
      let rate = rate(of: source, scene)
      let conversion = conversion(of: source, scene)
      return ChartReport.Source(
        source.answer(series), badge: source.badge, estimate: rate?.isContemporaneous == true ? nil : conversion
      ) { _ in rate }
    }
    let premium = drawsLines && showsPremium && sources.count > 1 ? (of: 0, over: 1) : nil
    return ChartReport(
      sources, currency: currency(board) ?? "", premium: premium, identity: scene.settings.identity, at: scene.now,
      zone: scene.zone)
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
  private func currency(_ board: PairBoard) -> String? {
    let sent = board.sources.first?.pair.payment
    return switch money {
    case .sent: sent
    case .local: board.rate?.pair.payment ?? sent
    case .dollars: board.rate?.pair.asset ?? sent
    }
  }

  private func conversion(of source: PairBoard.Source, _ scene: PairScene) -> Conversion {
    scene.conversion(from: source.pair.payment, to: currency(scene.board) ?? source.pair.payment)
  }

  /// Returns the price of one unit of a source's payment currency, or nil if unknown. Only the latest rate is ever known.
  private func rate(of source: PairBoard.Source, _ scene: PairScene) -> TimedRate? {
    let conversion = conversion(of: source, scene)
    return conversion.converted(1).map { TimedRate($0, isContemporaneous: conversion.payment == conversion.currency) }
  }

  /// Returns the rates used for prices shown in another currency than sent.
  private func moneyLines(_ sources: [PairBoard.Source], _ scene: PairScene) -> [StyledText] {
    let language = scene.language
    guard money != .sent else { return [] }
    guard scene.board.rate != nil else { return [StyledText(language("no exchange rate yet", "아직 환율 없음"), .warning)] }
    let conversions = sources.map { conversion(of: $0, scene) }
    guard let line = conversions.conversionLine(at: scene.now, language, cells: scene.width) else { return [] }
    guard conversions.contains(where: { $0.rate?.quote != nil }) else { return [line] }
    // Shown at any width, since past bars are converted at a rate that was not theirs.
    let remark = StyledText(language("at the latest rate", "최신 환율 적용"), .warning)
    return line.width + 2 + remark.width <= scene.width ? [line + StyledText("  ") + remark] : [line, remark]
  }

  private func window(_ series: CandleSeries) -> CandleSeries {
    guard let end else { return series }
    return series.within(Instant(nanoseconds: .min), series.grid.end(of: end))
  }

  /// `1h  34 bars from 2026-11-18 08:40 KST  poll 1s  older bars: loading`
  private func status(_ source: PairBoard.Source, _ shown: CandleSeries?, _ scene: PairScene) -> StyledText {
    let language = scene.language
    let interval = language.bar(scene.board.interval)
    var parts = [
      StatusPart(
        needed: ["\(source.marketName(language)) \(interval)", "\(source.exchange) \(interval)"].map {
          StyledText($0, .heading)
        })
    ]
    if let shown, let first = shown.candles.first {
      let start = ChartReport.moment(first.start, shown.grid, scene.zone)
      let count = shown.candles.count
      parts.append(StatusPart(StyledText(language("\(count) bars from \(start)", "\(start)부터 봉 \(count)개"), .dim)))
    }
    let older = language("older bars", "이전 봉")
    parts.append(StatusPart(needed: source.problemTexts(language)))
    parts.append(StatusPart(needed: language.unfilledTexts(older, source, at: scene.now)))
    parts.append(StatusPart(needed: source.feedTexts(language, at: scene.now)))
    parts.append(StatusPart(needed: ended(source, scene)))
    // The state of older bars is shown only near the left edge.
    let known = source.candles?.candles.first?.start
    if source.unfilled == nil, let known, let first = shown?.candles.first, first.start <= known {
      let edge =
        switch source.shortfall {
        case .notOffered: StyledText(language("no more", "더 이상 없음"), .dim)
        case .notRecorded: StyledText(older + language(": not recorded", ": 기록 없음"), .dim)
        case .page(let failure): StyledText("\(older): \(failure.reason.code)", .warning)
        case nil where scene.settings.isStill: StyledText(older + language(": not requested", ": 조회 안 함"), .dim)
        case nil: StyledText(older + language(": loading", ": 불러오는 중"), .dim)
        }
      parts.append(StatusPart(edge))
    }
    return .fitting(parts, "  ", width: scene.width)
  }

  // MARK: Lines

  /// Returns a source's line in the currency of the first one.
  private func line(_ source: PairBoard.Source, _ scene: PairScene) -> PriceLine? {
    guard let series = source.candles, let rate = rate(of: source, scene) else { return nil }
    return PriceLine(closesOf: window(series), findings: source.findings) { _ in rate }
  }

  private typealias Shown = (source: PairBoard.Source, line: PriceLine)

  /// The lines on the screen, and the premium of the first over the second.
  private struct Overlay {
    let shown: [Shown]
    let premium: PremiumLine?
    let grid: CandleGrid
    /// The starts of the oldest and of the newest bar.
    let start: Instant
    let end: Instant
  }

  private func lines(_ scene: PairScene) -> [StyledText] {
    let all = scene.board.sources.map { (source: $0, line: line($0, scene)) }
    let usable: [Shown] = all.compactMap { source, line in
      line.flatMap { $0.points.isEmpty ? nil : (source: source, line: $0) }
    }
    let absent = all.filter { $0.line?.points.isEmpty ?? true }.map { absence(of: $0.source, scene) }
    guard let overlay = overlay(usable, scene) else { return absent }
    var head = [title(overlay.shown, scene)] + moneyLines(scene.board.sources, scene) + absent
    head += overlay.shown.compactMap { silence(of: $0.source, scene) }
    // A premium of the only two says it itself.
    if overlay.premium == nil || overlay.shown.count > 2 {
      head += identityLines(overlay.shown, scene)
    }
    if let hair { head.append(reading(overlay, hair, scene)) }
    head = head.flatMap { $0.wrapped(to: scene.width) }
    return head + charts(overlay, rows: scene.room.rows - head.count, scene)
  }

  /// Says why a source has no line.
  private func absence(of source: PairBoard.Source, _ scene: PairScene) -> StyledText {
    let language = scene.language
    let why =
      source.candles == nil
      ? source.feedTexts(language, at: scene.now)[0]
      : StyledText(language("-  no rate to \(currency(scene.board) ?? "-")", "-  환율 없음"), .dim)
    return StyledText("\(source.name(scene.language)) \(source.pair)  ") + why
  }

  /// Returns how long ago the newest bar ended, if the next one is complete as well.
  private func ended(_ source: PairBoard.Source, _ scene: PairScene) -> [StyledText] {
    guard let series = source.candles, let newest = series.candles.last else { return [] }
    let end = series.grid.end(of: newest.start)
    return scene.language.oldTexts(end, at: scene.now, over: series.grid.interval.nanoseconds)
  }

  /// Says that a line's feed is dead or its last bar old, since a line that just ends looks like a market without trades;
  /// nil if neither is.
  private func silence(of source: PairBoard.Source, _ scene: PairScene) -> StyledText? {
    let ended = ended(source, scene)
    guard source.isSilent(at: scene.now) || source.problem != nil || !ended.isEmpty else { return nil }
    let parts = [
      StatusPart(needed: [StyledText("\(source.name(scene.language)) \(source.pair)"), StyledText(source.mark)]),
      StatusPart(needed: source.problemTexts(scene.language)),
      StatusPart(needed: source.feedTexts(scene.language, at: scene.now)), StatusPart(needed: ended),
    ]
    return .fitting(parts, "  ", width: scene.width)
  }

  /// Returns as much of the lines as fits; nil without lines.
  private func overlay(_ lines: [Shown], _ scene: PairScene) -> Overlay? {
    guard let grid = lines.first?.line.grid, let end = lines.compactMap({ $0.line.points.last?.start }).max() else {
      return nil
    }
    let oldest = lines.compactMap { $0.line.points.first?.start }.min() ?? end
    let start = max(oldest, grid.moment(1 - count(scene.room), after: end))
    let shown = lines.map { (source: $0.source, line: $0.line.since(start)) }
    let premium =
      showsPremium && shown.count > 1
      ? PremiumLine(
        of: shown[0].line, over: shown[1].line, of: shown[1].source.name(beside: shown[0].source, scene.language),
        identity: scene.settings.identity) : nil
    return Overlay(shown: shown, premium: premium, grid: grid, start: start, end: end)
  }

  /// Returns the chart of the lines, that of the premium, or both with the premium taking the lower third.
  private func charts(_ overlay: Overlay, rows room: Int, _ scene: PairScene) -> [StyledText] {
    let rows = max(4, room - (overlay.premium == nil ? 0 : 1))
    let lower = overlay.premium == nil ? 0 : showsLines ? max(4, rows / 3) : rows
    var panes: [LineChart.Pane] = []
    if rows > lower {
      let lines = overlay.shown.map { LineChart.Line(name: $0.source.mark, isPercent ? $0.line.inPercent : $0.line) }
      panes.append(LineChart.Pane(lines, isPercent ? .percent : .price, rows: rows - lower))
    }
    if let premium = overlay.premium {
      let name = overlay.shown.prefix(2).map(\.source.mark).joined(separator: ">")
      panes.append(LineChart.Pane([LineChart.Line(name: name, premium.line)], .percent, rows: lower))
    }
    let charts = LineChart.stacked(
      panes, columns: scene.width, zone: scene.zone, from: overlay.start, to: overlay.end, hair: hair
    ).map(\.lines)
    guard let premium = overlay.premium, let below = charts.last else { return charts.flatMap(\.self) }
    let figures = figuresLine(premium, overlay, scene)
    return charts.dropLast().flatMap(\.self) + [figures] + below
  }

  /// `1h  120 bars  Binance 91542.31  Upbit 134512000 = 92036.9  at the latest rate`
  private func title(_ shown: [Shown], _ scene: PairScene) -> StyledText {
    let language = scene.language
    let bars = shown.map(\.line.points.count).max() ?? 0
    var line = StyledText(
      language.bar(scene.board.interval) + language("  \(bars) bars", " \(bars)개"), .dim)
    for (index, one) in shown.enumerated() {
      let last = one.line.points.isEmpty ? nil : one.source.candles.flatMap { window($0).currentCandles.last }
      let own = last?.close.shortest ?? "-"
      let isConverted = one.source.pair.payment != currency(scene.board)
      let converted = isConverted ? one.line.points.last.map { " = \($0.value.rateText)" } ?? "" : ""
      line += StyledText(
        "  \(one.source.mark) \(one.source.name(language)) \(own)\(converted)", LineChart.style(ofLine: index))
    }
    if money == .sent, shown.contains(where: { $0.line.estimatedCount > 0 }) {
      line += StyledText(language("  at the latest rate", "  최신 환율 적용"), .warning)
    }
    return line
  }

  /// Names the lines that cannot be of the same coin as the others.
  private func identityLines(_ shown: [Shown], _ scene: PairScene) -> [StyledText] {
    let names = shown.map { $0.source.answer($0.source.candles) }.sourceNames()
    let flags = scene.settings.identity.findings(zip(names, shown).map { IdentityCheck.Line($0, $1.line) })
    return zip(shown, flags).compactMap { one, flag in
      flag.map { StyledText("\(one.source.name(scene.language)) \(one.source.pair)  \($0.code)", .warning) }
    }
  }

  /// Returns the values under the crosshair.
  private func reading(_ overlay: Overlay, _ hair: Instant, _ scene: PairScene) -> StyledText {
    var line = StyledText(ChartReport.moment(hair, overlay.grid, scene.zone))
    for one in overlay.shown {
      let value = one.line.points.first { $0.start == hair }.map { StyledText(one.line.shown($0.value)) }
      line += StyledText("  \(one.source.mark) ") + (value ?? .nothing)
    }
    if let percent = overlay.premium?.line.points.first(where: { $0.start == hair })?.value {
      line += StyledText(scene.language("  premium ", "  프리미엄 ")) + StyledText(percent: percent, unit: " %")
    }
    return line
  }

  /// `premium of Upbit over Binance +0.54 %  high +0.83  low +0.31  mean +0.57`
  private func figuresLine(_ premium: PremiumLine, _ overlay: Overlay, _ scene: PairScene) -> StyledText {
    let language = scene.language
    let (high, low) = (overlay.shown[0].source, overlay.shown[1].source)
    let (one, other) = (high.name(beside: low, language), low.name(beside: high, language))
    let title = StyledText(language("premium of \(one) over \(other)", "\(one)의 \(other) 대비 프리미엄"), .heading)
    guard let figures = premium.line.figures else {
      let reason = premium.leftOut?.code ?? language("no bar has both prices", "두 가격이 함께 있는 봉 없음")
      return title + StyledText("  -  \(reason)", .dim)
    }
    // If the newest bar has no premium, the line names the bar of the last one.
    let moment: StyledText? =
      figures.last.start == overlay.end
      ? nil
      : StyledText(
        language("at ", "") + ChartReport.moment(figures.last.start, premium.line.grid, scene.zone), .warning)
    let leftOut = premium.leftOut.map {
      StyledText(language("\($0.count) left out: \($0.code)", "\($0.count)개 제외: \($0.code)"), .warning)
    }
    let words = [
      language("high ", "최고 ") + figures.high.value.signedPercentText,
      language("low ", "최저 ") + figures.low.value.signedPercentText,
      language("mean ", "평균 ") + figures.mean.signedPercentText,
      language("above \(figures.percentile) % of what is shown", "표시 구간의 \(figures.percentile) %보다 높음"),
    ]
    let parts =
      [StyledText(percent: figures.last.value, unit: " %"), moment, leftOut].compactMap(\.self)
      + words.map { StyledText($0) }
    return .fitting([StatusPart(needed: [title])] + parts.map { StatusPart($0) }, "  ", width: scene.width)
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

  /// The name that distinguishes it from another: the market, with the pair if both are of one.
  fileprivate func name(beside other: PairBoard.Source, _ language: Language) -> String {
    let name = name(language)
    return name == other.name(language) ? "\(name) \(pair)" : name
  }
}

extension PriceLine {
  /// The points as percent changes from the first one.
  fileprivate var inPercent: PriceLine {
    guard let base = points.first?.value, base.signum > 0 else { return PriceLine([], on: grid) }
    return PriceLine(
      points.compactMap { point in
        point.value.percent(above: base).map {
          Point(start: point.start, value: $0, isContemporaneous: point.isContemporaneous)
        }
      }, on: grid)
  }
}
