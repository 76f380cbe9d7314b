import Mapping
import MarketData
import Quotes
import Terminal

/// Several exchanges as lines, and the premium of the first over the second.
extension CandleScreen {
  /// Returns a source's line in the currency of the first one.
  private func line(_ source: PairBoard.Source, _ scene: PairScene) -> PriceLine? {
    source.candles.map {
      PriceLine(closesOf: window($0), findings: source.findings, rate: rates(of: source, scene))
    }
  }

  /// A line, and which source of the board it is of.
  private typealias Shown = (place: Int, source: PairBoard.Source, line: PriceLine)

  /// The lines on the screen, and the premium of the first over the second.
  private struct Overlay {
    let shown: [Shown]
    let premium: PremiumLine?
    let grid: CandleGrid
    /// The starts of the oldest and of the newest bar.
    let start: Instant
    let end: Instant
    /// The start of the newest bar that is known of any source, be it shown or not.
    let newest: Instant
  }

  func lines(_ scene: PairScene) -> [StyledText] {
    let sources = scene.board.sources
    let usable: [Shown] = sources.enumerated().compactMap { place, source in
      line(source, scene).flatMap { $0.points.isEmpty ? nil : (place, source, $0) }
    }
    let overlay = overlay(usable, scene)
    let places = overlay?.shown.map(\.place) ?? []
    let absent = sources.indices.filter { !places.contains($0) }.map { absence(of: sources[$0], scene) }
    guard let overlay else { return absent.flatMap { $0.wrapped(to: scene.width) } }
    var head = [title(overlay, scene)] + moneyLines(scene.board.sources, scene) + absent
    head += overlay.shown.flatMap { silence(of: $0.source, scene) }
    // A premium of the only two says it itself.
    if overlay.premium == nil || overlay.shown.count > 2 {
      head += identityLines(overlay.shown, scene)
    }
    // The lines end where the screen does: beyond it, bars would look missing.
    if let hair, overlay.start <= hair, hair <= overlay.end { head += reading(overlay, hair, scene) }
    head = head.flatMap { $0.wrapped(to: scene.width) }
    return head + charts(overlay, rows: scene.room.rows - head.count, scene)
  }

  /// `Upbit BTC/KRW  -  no bars here  older bars: loading`: why a source has no line.
  private func absence(of source: PairBoard.Source, _ scene: PairScene) -> StyledText {
    let language = scene.language
    var parts = [StyledText("\(source.name(language)) \(source.pair)")]
    if let series = source.candles {
      let token = tokenRates(of: source, scene)
      let hasRate = token == nil ? rate(of: source, scene) != nil : window(series).candles.isEmpty
      let reason = token.map { " \($0.words(language)): \($0.absence(language))" } ?? ""
      parts.append(
        hasRate
          ? StyledText(language("-  no bars here", "-  이 구간에 봉 없음"), .dim)
          : StyledText(language("-  no rate to \(currency(scene.board) ?? "-")", "-  환율 없음") + reason, .dim))
      // What is shown lies before the first bar that is known.
      if hasRate, window(series).candles.isEmpty {
        parts.append(
          language.unfilledTexts(language.olderBars, source, at: scene.now).first ?? older(source, scene))
      }
      parts += ended(source, scene).prefix(1)
    } else {
      parts.append(source.feedTexts(language, at: scene.now)[0])
    }
    return parts.joined(separator: "  ")
  }

  /// Says that a line's feed is dead or its last bar old, since a line that just ends looks like a market without trades;
  /// empty if neither is.
  private func silence(of source: PairBoard.Source, _ scene: PairScene) -> [StyledText] {
    let ended = ended(source, scene)
    guard source.isSilent(at: scene.now) || source.problem != nil || !ended.isEmpty else { return [] }
    let parts = [
      StatusPart(needed: [StyledText("\(source.name(scene.language)) \(source.pair)"), StyledText(source.mark)]),
      StatusPart(needed: source.problemTexts(scene.language, scene.zone)),
      StatusPart(needed: source.feedTexts(scene.language, at: scene.now)), StatusPart(needed: ended),
    ]
    return StyledText.fitting(parts, "  ", width: scene.width)
  }

  /// Returns as much of the lines as fits, without those that have nothing there; nil without lines.
  private func overlay(_ lines: [Shown], _ scene: PairScene) -> Overlay? {
    guard let grid = lines.first?.line.grid, let end = lines.compactMap({ $0.line.points.last?.start }).max() else {
      return nil
    }
    let oldest = lines.compactMap { $0.line.points.first?.start }.min() ?? end
    let start = max(oldest, grid.moment(1 - count(scene.room), after: end))
    let shown: [Shown] = lines.map { ($0.place, $0.source, $0.line.since(start)) }.filter { !$0.line.points.isEmpty }
    // That of two others would stand for the one that is wanted.
    let premium =
      showsPremium && shown.prefix(2).map(\.place) == [0, 1]
      ? PremiumLine(
        of: shown[0].line, over: shown[1].line, of: shown[1].source.name(beside: shown[0].source, scene.language),
        identity: scene.settings.identity) : nil
    let newest = scene.board.sources.compactMap { $0.candles?.candles.last?.start }.max() ?? end
    return Overlay(shown: shown, premium: premium, grid: grid, start: start, end: end, newest: newest)
  }

  /// Returns the chart of the lines, that of the premium, or both with the premium taking the lower third.
  private func charts(_ overlay: Overlay, rows room: Int, _ scene: PairScene) -> [StyledText] {
    let figures = overlay.premium.map { figuresLines($0, overlay, scene) } ?? []
    let rows = max(4, room - figures.count)
    let lower = overlay.premium == nil ? 0 : showsLines ? max(4, rows / 3) : rows
    var panes: [LineChart.Pane] = []
    if rows > lower {
      let lines = overlay.shown.map { LineChart.Line(name: $0.source.mark, $0.line) }
      let strongest = overlay.shown.firstIndex { isSelected($0) }
      panes.append(LineChart.Pane(lines, scale, strongest: strongest, rows: rows - lower))
    }
    if let premium = overlay.premium {
      let name = overlay.shown.prefix(2).map(\.source.mark).joined(separator: ">")
      panes.append(LineChart.Pane(percents: [LineChart.Line(name: name, premium.line)], rows: lower))
    }
    let charts = LineChart.stacked(
      panes, columns: scene.width, zone: scene.zone, from: overlay.start, to: overlay.end, hair: hair,
      isCurrent: isCurrent
    ).map(\.lines)
    guard overlay.premium != nil, let below = charts.last else { return charts.flatMap(\.self) }
    return charts.dropLast().flatMap(\.self) + figures + below
  }

  /// Whether a line is drawn stronger. With only the premium on the screen, none is.
  private func isSelected(_ one: Shown) -> Bool { showsLines && one.place == selected }

  /// `1h  120 bars  Binance 91542.31  Upbit 134512000 = 92036.9  at the latest rate`; a close of an older bar than others
  /// has its time: `Upbit 134512000 at 13:00`. In percent, so does the first close of a line that begins later than the
  /// chart, since its changes are from there: `Upbit 134512000 from 09:00`.
  private func title(_ overlay: Overlay, _ scene: PairScene) -> StyledText {
    let (language, shown) = (scene.language, overlay.shown)
    let bars = shown.map(\.line.points.count).max() ?? 0
    var line = StyledText(
      language.bar(scene.board.interval) + language("  \(bars.counted("bar"))", " \(bars)개"), .dim)
    for (index, one) in shown.enumerated() {
      let last = one.source.candles.flatMap { window($0).currentCandles.last }
      let time = last.flatMap { momentTexts(of: $0.start, overlay, scene).last }.map { " \($0)" } ?? ""
      let own = (last?.close.shortest ?? "-") + time
      let isConverted = one.source.pair.payment != currency(scene.board)
      let converted = isConverted ? one.line.points.last.map { " = \($0.value.rateText)" } ?? "" : ""
      let base = scale == .percent ? one.line.points.first { scale.hasPlace(for: $0.value) }?.start : nil
      let from = base.flatMap { $0 == overlay.start ? nil : times(of: $0, overlay, scene).last }
      line += StyledText(
        "  \(isSelected(one) ? "▸" : "")\(one.source.mark) \(one.source.name(language)) \(own)\(converted)"
          + (from.map { language(" from \($0)", " \($0)부터") } ?? ""),
        LineChart.style(ofLine: index))
    }
    for text in scaleTexts(language, undrawn: scale.undrawn(of: shown.map(\.line))) { line += "  " + text }
    if let token = shown.lazy.compactMap({ tokenRates(of: $0.source, scene) }).first {
      line += StyledText("  \(token.words(language))", .dim)
    }
    if money == .sent, shown.contains(where: { $0.line.estimatedCount > 0 }) { line += "  " + latestRate(scene) }
    return line
  }

  /// Returns which bar a figure is of, if a newer one is known: `at 2026-11-18 13:00 KST`, then shorter, `at 13:00` for one
  /// of today; empty for the newest bar.
  private func momentTexts(of start: Instant, _ overlay: Overlay, _ scene: PairScene) -> [String] {
    guard start != overlay.newest else { return [] }
    return times(of: start, overlay, scene).map { scene.language("at \($0)", "\($0) 기준") }
  }

  /// Returns when a bar begins: `2026-11-18 13:00 KST`, then shorter, `13:00` for one of today.
  private func times(of start: Instant, _ overlay: Overlay, _ scene: PairScene) -> [String] {
    let whole = ChartReport.moment(start, overlay.grid, scene.zone)
    guard overlay.grid.interval < .oneDay else { return [whole] }
    let (day, time) = (scene.zone.day(start), scene.zone.hourAndMinute(start))
    return [whole, day == scene.zone.day(scene.now) ? time : "\(day.dropFirst(5)) \(time)"]
  }

  /// Names the lines that cannot be of the same coin as the others.
  private func identityLines(_ shown: [Shown], _ scene: PairScene) -> [StyledText] {
    let names = shown.map { $0.source.answer($0.source.candles) }.sourceNames()
    let flags = scene.settings.identity.findings(zip(names, shown).map { IdentityCheck.Line($0, $1.line) })
    return zip(shown, flags).compactMap { one, flag in
      flag.map { StyledText("\(one.source.name(scene.language)) \(one.source.pair)  \($0.code)", .warning) }
    }
  }

  /// Returns the prices of all lines at the crosshair, or the whole bar of the selected one, as sent or in the currency
  /// that was chosen; then the premium.
  private func reading(_ overlay: Overlay, _ hair: Instant, _ scene: PairScene) -> [StyledText] {
    var lines = priceReading(overlay, hair, scene)
    if let percent = overlay.premium?.line.points.first(where: { $0.start == hair })?.value, !lines.isEmpty {
      lines[lines.count - 1] +=
        StyledText(scene.language("  premium ", "  프리미엄 ")) + StyledText(percent: percent, unit: " %")
    }
    return lines
  }

  private func priceReading(_ overlay: Overlay, _ hair: Instant, _ scene: PairScene) -> [StyledText] {
    if let index = overlay.shown.firstIndex(where: { isSelected($0) }), let sent = overlay.shown[index].source.candles {
      let source = overlay.shown[index].source
      let series = money == .sent ? sent : sent.converted(conversion(of: source, scene)) ?? sent
      return reading(series, of: source, scene, lead: StyledText("\(source.mark)  ", LineChart.style(ofLine: index)))
    }
    var line = StyledText(ChartReport.moment(hair, overlay.grid, scene.zone))
    for one in overlay.shown {
      let value = one.line.points.first { $0.start == hair }.map { StyledText(one.line.shown($0.value)) }
      line += StyledText("  \(one.source.mark) ") + (value ?? .nothing)
    }
    return [line]
  }

  /// `premium of Upbit over Binance  +0.54 %  at the latest official rate  high +0.83  low +0.31  mean +0.57`; on more lines
  /// if what the figure is made of has no room on one.
  private func figuresLines(_ premium: PremiumLine, _ overlay: Overlay, _ scene: PairScene) -> [StyledText] {
    let language = scene.language
    let (high, low) = (overlay.shown[0].source, overlay.shown[1].source)
    let (one, other) = (high.name(beside: low, language), low.name(beside: high, language))
    let title = StyledText(language.premium(of: one, over: other), .heading)
    let brief = StyledText(language("premium \(high.mark)>\(low.mark)", "프리미엄 \(high.mark)>\(low.mark)"), .heading)
    guard let figures = premium.line.figures else {
      let reason = premium.leftOut?.cause.code ?? language("no bar has both prices", "두 가격이 함께 있는 봉 없음")
      let none = StatusPart(needed: [StyledText("-  \(reason)", .dim)])
      return StyledText.fitting([StatusPart(needed: [title, brief]), none], "  ", width: scene.width)
    }
    // What the figure is made of is needed at any width, or it would pass for the current one.
    let moments = momentTexts(of: figures.last.start, overlay, scene).map { StyledText($0, .warning) }
    let leftOut = premium.leftOut.map { leftOut in
      let texts = [
        language("\(leftOut.count) left out: \(leftOut.cause.code)", "\(leftOut.count)개 제외: \(leftOut.cause.code)"),
        leftOut.cause.code,
      ]
      return StatusPart(needed: texts.map { StyledText($0, .warning) })
    }
    let told = language.words(for: figures)
    let words = [told.high, told.low, told.mean, told.place]
    let isOfOneCurrency = high.pair.payment == low.pair.payment
    let bases = isOfOneCurrency ? [] : [high, low].compactMap { basisParts($0, overlay, scene) }
    let isOfficial = !isOfOneCurrency && [high, low].allSatisfy { tokenRates(of: $0, scene) == nil }
    let provider = (isOfficial ? scene.board.rate?.quote?.provider : nil).map { provider in
      StatusPart(language("rate from \(provider)", "\(provider) 환율"), .dim)
    }
    let parts =
      [
        StatusPart(needed: [title, brief]), StatusPart(needed: [StyledText(percent: figures.last.value, unit: " %")]),
      ] + (bases.first ?? [])
      + [StatusPart(needed: moments), leftOut].compactMap(\.self) + words.map { StatusPart(StyledText($0)) }
      + [provider].compactMap(\.self)
    return StyledText.fitting(parts, "  ", width: scene.width)
  }

  /// Returns what converts a source's prices, and from where: `by USDT/KRW at Upbit`, with the number of bars that have no
  /// rate, or the official rate; nil if nothing does.
  private func basisParts(_ source: PairBoard.Source, _ overlay: Overlay, _ scene: PairScene) -> [StatusPart]? {
    let language = scene.language
    guard let token = tokenRates(of: source, scene) else {
      return basis(of: source, scene).map { [basisPart($0, scene)] }
    }
    let rate = rates(of: source, scene)
    let bars = source.candles.map { window($0).currentCandles.filter { $0.start >= overlay.start } } ?? []
    let count = bars.count { rate($0.start) == nil }
    let forms = [token.words(language), token.basis.words(language)].map { StyledText($0, .dim) }
    guard count > 0 else { return [StatusPart(needed: forms)] }
    let short = language("\(count) without a rate", "환율 없음 \(count)개")
    let holes = ["\(short): \(token.absence(language))", short].map { StyledText($0, .warning) }
    return [StatusPart(needed: forms), StatusPart(needed: holes)]
  }

  /// `at the latest official rate`, shortened to `latest rate`; with a doubt about the rate, at last to that alone.
  private func basisPart(_ basis: ChartReport.RateBasis, _ scene: PairScene) -> StatusPart {
    let language = scene.language
    guard let doubt = scene.rateDoubt else {
      let forms = [basis.words(language), language("latest rate", "최신 환율")]
      return StatusPart(needed: forms.map { StyledText($0, .dim) })
    }
    return StatusPart(needed: [
      StyledText(basis.words(language), .dim) + ", " + doubt, StyledText(language("rate ", "환율 "), .warning) + doubt,
      doubt,
    ])
  }
}

extension PairBoard.Source {
  /// The name that distinguishes it from another: the market, with the pair if both are of one.
  fileprivate func name(beside other: PairBoard.Source, _ language: Language) -> String {
    let name = name(language)
    return name == other.name(language) ? "\(name) \(pair)" : name
  }
}
