import Formats
import JSON
import Mapping
package import MarketData
package import Quotes
package import Terminal

/// Candles as a chart: for one exchange its candles, middle line and volumes; for several their closes as lines; and
/// the premium of one over another.
package struct ChartReport: LineReport {
  package struct Source: Sendable {
    package fileprivate(set) var answer: PairAnswer<CandleSeries>
    /// The short label at the end of the line.
    package let badge: String
    /// The closes in the chart's currency.
    package let closes: PriceLine
    /// The conversion at a rate that stands in for past ones; nil if the closes are converted at rates of their time, or
    /// not at all.
    let estimate: Conversion?
    /// What the closes are converted by; nil if they are not.
    let basis: RateBasis?

    var drawn: LineChart.Line { LineChart.Line(name: badge, closes) }
    /// Why there are no candles; nil if there are some.
    var absence: String? {
      guard answer.value?.candles.isEmpty ?? true else { return nil }
      return answer.failure?.reason.code ?? Missing.emptyAnswer.code
    }

    /// - Parameter rate: returns the price of one unit of the payment currency in the chart's currency at a given time,
    ///   or nil if unknown.
    package init(
      _ answer: PairAnswer<CandleSeries>, badge: String, estimate: Conversion? = nil, basis: RateBasis? = nil,
      rate: (Instant) -> TimedRate? = { _ in TimedRate(1) }
    ) {
      self.answer = answer
      self.badge = badge
      self.estimate = estimate
      self.basis = basis
      closes =
        answer.value.map { PriceLine(closesOf: $0, findings: answer.findings, rate: rate) }
        ?? PriceLine([], on: CandleGrid(.oneDay))
    }
  }

  /// What prices in one currency are converted by to compare them with those in another. The premium at the official
  /// rate is another figure than that at a token's price.
  package enum RateBasis: Sendable, Hashable {
    /// The official rate, and the latest one for all candles.
    case official
    /// The price of a dollar token in local money, candle by candle.
    case token(Pair)

    func words(_ language: Language) -> String {
      switch self {
      case .official: language("at the latest official rate", "최신 공식 환율 기준")
      case .token(let pair): language("by \(pair)", "\(pair) 기준")
      }
    }

    /// `official`, `USDT/KRW`
    var code: String {
      switch self {
      case .official: "official"
      case .token(let pair): "\(pair)"
      }
    }
  }

  let sources: [Source]
  /// The currency of line charts; candles have their own.
  let currency: String
  let premium: Premium?
  package let time: Instant
  let zone: ClockZone
  let rows: Int
  let scale: ChartScale
  /// What is to be said about the rates at which prices were converted.
  let rateNotes: [String]

  /// A premium to show as well: that of one source over another.
  struct Premium {
    let high: Source
    let low: Source
    let values: PremiumLine
    /// What tells each from the other: the exchange, or its pair as well.
    let names: (of: String, over: String)

    /// `premium of Upbit over Binance`
    func title(_ language: Language) -> String { language.premium(of: names.of, over: names.over) }

    var line: PriceLine { values.line }
    /// What makes the two prices comparable; nil if they are of one currency.
    var basis: RateBasis? {
      high.answer.pair.payment == low.answer.pair.payment ? nil : [high, low].lazy.compactMap(\.basis).first
    }
    /// Why there is no premium; nil if there is one.
    var absence: String? {
      guard line.points.isEmpty else { return nil }
      return [high, low].lazy.compactMap(\.absence).first ?? values.leftOut?.cause.code ?? "no-common-interval"
    }
    var drawn: LineChart.Line { LineChart.Line(name: "\(high.badge)>\(low.badge)", line) }
    fileprivate var namesJSON: JSONValue {
      [
        "of": .string(high.answer.exchange), "ofPair": .string("\(high.answer.pair)"),
        "over": .string(low.answer.exchange), "overPair": .string("\(low.answer.pair)"),
      ]
    }
  }

  /// - Parameters:
  ///   - premium: the indexes of two sources; the premium is that of the first over the second.
  ///   - identity: decides whether prices can belong to the same coin.
  ///   - time: the time used to decide whether a candle is complete.
  ///   - rows: the chart's height on a terminal, without titles.
  ///   - scale: how prices are drawn; the premium is always in percent.
  ///   - language: that of the notes of the answers.
  package init(
    _ sources: [Source], currency: String, premium: (of: Int, over: Int)? = nil,
    identity: IdentityCheck, at time: Instant, zone: ClockZone, rows: Int = 24,
    scale: ChartScale = .price, rateNotes: [String] = [], _ language: Language = .english
  ) {
    self.rateNotes = rateNotes
    self.scale = scale
    // The latest rate may be far from that of an old candle.
    let isOld = sources.contains { source in
      source.closes.points.last.map { !$0.isContemporaneous && $0.start.isOld(for: time) } ?? false
    }
    let identity = isOld ? identity.ofMultiples : identity
    let sources = sources.count > 1 ? Self.noting(identity, sources, language) : sources
    self.sources = sources
    self.currency = currency
    self.time = time
    self.zone = zone
    self.rows = rows
    self.premium = premium.map { pair in
      let (high, low) = (sources[pair.of], sources[pair.over])
      let names = sources.map(\.answer).sourceNames()
      let values = PremiumLine(of: high.closes, over: low.closes, of: names[pair.over], identity: identity)
      return Premium(high: high, low: low, values: values, names: (names[pair.of], names[pair.over]))
    }
  }

  /// Returns the sources, with a note on those that cannot be of the same coin as the others, judged by what is drawn:
  /// the newest common closes in the chart's currency.
  private static func noting(_ identity: IdentityCheck, _ sources: [Source], _ language: Language) -> [Source] {
    let answers = sources.map(\.answer)
    let flags = identity.findings(zip(answers.sourceNames(), sources).map { IdentityCheck.Line($0, $1.closes) })
    return zip(sources, answers.noting(flags, language)).map { source, answer in
      var source = source
      source.answer = answer
      return source
    }
  }

  package var isEmpty: Bool { usable.isEmpty }

  /// Whether the premium that was asked for has no point.
  package var lacksPremium: Bool { premium?.absence != nil }

  var usable: [Source] { sources.filter { $0.absence == nil } }

  /// The only source of a candle chart, with the currency of its prices: the requested one if there is a rate to it.
  /// nil for line charts.
  var single: (source: Source, series: CandleSeries, currency: String)? {
    guard !drawsLines, let source = usable.first, let series = source.answer.value else {
      return nil
    }
    guard let conversion = source.answer.conversion, let converted = series.converted(conversion) else {
      return (source, series, source.answer.pair.payment)
    }
    return (source, converted, conversion.currency)
  }

  /// The common grid; lines can only be compared if their intervals share one.
  var grid: CandleGrid? { usable.first?.closes.grid }

  var data: CandlesReport {
    // The data of lines have the prices that are drawn.
    let isConverted = sources.contains { $0.answer.pair.payment != currency }
    return CandlesReport(
      drawsLines ? lineAnswers : sources.map(\.answer), at: time, zone: zone,
      closes: drawsLines && isConverted ? sources.map { ConvertedCloses($0.closes, in: currency) } : nil)
  }

  /// The answers of a line chart. Lines are converted at the rates of their candles: another rate is named only for those
  /// that use it, whether or not a currency was requested.
  var lineAnswers: [PairAnswer<CandleSeries>] {
    sources.map { source in
      var answer = source.answer
      answer.conversion = source.estimate
      return answer
    }
  }

  /// Whether there are lines, of several sources, rather than the candles of one.
  private var drawsLines: Bool { sources.count > 1 || premium != nil }

  // MARK: Text

  package func text(on page: Page) -> String {
    let words = page.language
    var sections = [page.header("\(sources.map(\.answer).pairTitle()) \(words("chart", "차트"))", time: time)]
    for source in sources where source.absence != nil {
      sections.append(page.lines([StyledText("\(source.answer.title(words))  ") + source.answer.absence]))
    }
    var undrawn = 0
    if let single {
      let chart = CandleChart(
        single.series, at: time, columns: page.pictureWidth, rows: rows, zone: zone, scale: scale)
      undrawn = chart.undrawn
      sections.append(candles(chart, single.source, in: single.currency, on: page))
    } else if !usable.isEmpty {
      let charts = charts(width: page.pictureWidth)
      undrawn = charts[0].undrawn
      sections.append(lines(charts[0], below: charts.dropFirst().first, on: page))
    }
    sections.append(page.remarks(pictureNotes(undrawn: undrawn, words)))
    return sections.filter { !$0.isEmpty }.joined()
  }

  private func candles(_ chart: CandleChart, _ source: Source, in money: String, on page: Page) -> String {
    let words = page.language
    let inMoney = source.answer.conversion == nil ? [] : [words.shown(in: money)]
    let head = StyledText.flow(
      [StyledText(source.answer.title(words), .heading)] + (facts(chart, words) + inMoney).map { StyledText($0, .dim) },
      width: page.pictureWidth)
    let reading =
      chart.shown.candles.last.map {
        Self.reading($0, of: chart.shown, source.answer.pair.asset, at: time, zone, on: page)
      } ?? []
    return page.lines(head + reading + chart.lines)
  }

  private func facts(_ chart: CandleChart, _ words: Language) -> [String] {
    let shown = chart.shown.candles.count
    let part = shown == chart.total ? "" : "\(shown)" + words(" of ", "/")
    let count = part + words(chart.total.counted("candle"), "\(chart.total)개")
    let start = chart.shown.candles.first.map { words.from(Self.moment($0.start, chart.shown.grid, zone)) } ?? ""
    return ["\(words.bar(chart.shown.grid.interval))  \(count)\(start)"]
      + [scale.words(words)].compactMap(\.self)
      + (chart.columnsPerCandle == 1 && shown > 1 ? [words("no room for the middle line", "중간선을 그릴 자리 없음")] : [])
  }

  /// Returns `2026-11-18 08:40 KST`, or just the date for daily candles and longer.
  package static func moment(_ moment: Instant, _ grid: CandleGrid, _ zone: ClockZone) -> String {
    grid.text(of: moment, in: grid.zone(preferring: zone)) + (grid.interval < .oneDay ? " \(zone.name)" : "")
  }

  /// Returns a candle in full digits.
  ///
  /// - Parameter most: the maximum number of lines, on which the close comes first if it would have no room; nil for as
  ///   many as needed.
  static func reading(
    _ candle: Candle, of series: CandleSeries, _ asset: String, at time: Instant, _ zone: ClockZone, on page: Page,
    lines most: Int? = nil
  ) -> [StyledText] {
    let words = page.language
    func price(_ english: String, _ korean: String, _ value: Decimal) -> StyledText {
      StyledText("\(words(english, korean)) \(page.number(value))")
    }
    let moment = StyledText(Self.moment(candle.start, series.grid, zone))
    let others = [
      price("open", "시가", candle.open), price("high", "고가", candle.high), price("low", "저가", candle.low),
    ]
    let close = [
      price("close", "종가", candle.close),
      candle.changePercent.map { StyledText(percent: $0, unit: "%") } ?? "",
    ]
    let rest: [StyledText] = [
      StyledText("\(words("middle", "중간값")) \(candle.middle.shortest)"),
      StyledText(words("volume ", "거래량 ")) + candle.volume.text { "\(page.number($0)) \(asset)" },
      StyledText(series.isComplete(candle, at: time) ? "" : words.running, .dim),
    ]
    let width = page.pictureWidth
    let lines = StyledText.flow([moment] + others + close + rest, width: width)
    guard let most, lines.count > most else { return lines }
    let hasClose = StyledText.flow([moment] + others + close, width: width).count <= most
    return Array((hasClose ? lines : StyledText.flow([moment] + close + others + rest, width: width)).prefix(most))
  }

  /// Returns the chart of the lines, and that of the premium if it has points.
  private func charts(width: Int) -> [LineChart] {
    let starts = usable.flatMap { $0.closes.points.map(\.start) }
    // The lower chart takes a third, and its title one line. A premium without points has only the title.
    let drawn = lacksPremium ? nil : premium?.drawn
    let lower = drawn == nil ? 0 : max(4, rows / 3)
    var panes = [LineChart.Pane(usable.map(\.drawn), scale, rows: max(4, rows - lower))]
    if let drawn { panes.append(LineChart.Pane(percents: [drawn], rows: lower)) }
    return LineChart.stacked(panes, columns: width, zone: zone, from: starts.min(), to: starts.max())
  }

  private func lines(_ chart: LineChart, below: LineChart?, on page: Page) -> String {
    let (width, words) = (page.pictureWidth, page.language)
    let newest = usable.flatMap { $0.closes.points.map(\.start) }.max()
    let names = usable.enumerated().map { index, source in
      var last =
        source.closes.points.last.map { last in
          source.closes.shown(last.value) + (last.start == newest ? "" : words.at(pointTime(last)))
        } ?? "-"
      // Its changes are from there, not from the left edge.
      if scale == .percent, let first = chart.shown[index].points.points.first, first.start != chart.start {
        last += words.from(pointTime(first))
      }
      return StyledText(
        "\(source.badge) \(source.answer.exchange) \(source.answer.pair) \(last)", LineChart.style(ofLine: index))
    }
    let count = chart.count == chart.total ? "\(chart.count)" : words.part(chart.count, of: chart.total)
    let start = chart.start.flatMap { start in grid.map { words.from(Self.moment(start, $0, zone)) } } ?? ""
    let facts = [
      grid.map { words.bar($0.interval) } ?? "", words("\(count) intervals", "\(count)구간") + start,
      words.shown(in: currency),
    ]
    let head = StyledText((facts + [scale.words(words)].compactMap(\.self)).joined(separator: "  "), .dim)
    var text = page.lines(StyledText.flow(names + [head], width: width) + chart.lines)
    if let premium {
      text += page.lines(StyledText.flow(figureParts(premium, below, on: page), width: width) + (below?.lines ?? []))
    }
    return text
  }

  private func figureParts(_ premium: Premium, _ chart: LineChart?, on page: Page) -> [StyledText] {
    let title = StyledText(premium.title(page.language), .heading)
    guard let figures = chart?.shown.first?.points.figures else {
      return [title, StyledText("-  \(premium.absence ?? "")", .dim)]
    }
    return [title, StyledText("\(figures.last.value.signedPercentText) %", Style(ofChange: figures.last.value))]
      + (premium.basis.map { [StyledText($0.words(page.language), .dim)] } ?? [])
      + premiumWords(figures, page.language).map { StyledText($0) }
  }

  func premiumWords(_ figures: PriceLine.Summary, _ language: Language = .english) -> [String] {
    // The exchanges may have had no candle in common for long, or the lines may end long ago.
    let isNewest = figures.last.start == usable.flatMap { $0.closes.points.map(\.start) }.max()
    let isCurrent = isNewest && (grid.map { $0.moment(2, after: figures.last.start) > time } ?? false)
    let words = language.words(for: figures)
    let last = pointTime(figures.last)
    let when = isCurrent ? language("now", "현재") : language("last, at \(last),", "마지막 (\(last))")
    return [
      words.high + language.at(pointTime(figures.high)), words.low + language.at(pointTime(figures.low)), words.mean,
      "\(when) \(words.place)",
    ]
  }

  /// Returns when a point's interval begins, without today's date.
  private func pointTime(_ point: PriceLine.Point) -> String {
    guard let grid else { return "" }
    guard grid.interval < .oneDay else { return grid.text(of: point.start, in: grid.zone(preferring: zone)) }
    let day = zone.day(point.start)
    return (day == zone.day(time) ? "" : "\(day) ") + zone.hourAndMinute(point.start)
  }

  // MARK: Data

  /// Returns the candles of a single source; for several their lines, the premium and all candles.
  package func json() -> [UInt8] {
    if !drawsLines { return data.json() }
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.member("currency", currency)
    writer.member("lines", .list(usable, json))
    writer.member("premium", premium.map(json) ?? nil)
    // Those about single exchanges are with their candles.
    writer.member("notes", .texts(rateNotes + lineNotes(.english)))
    writer.key("candles")
    data.write(into: &writer)
    writer.endObject()
    return writer.finished()
  }

  private func json(of source: Source) -> JSONValue {
    [
      "exchange": .string(source.answer.exchange), "market": .string(source.answer.market.rawValue),
      "product": .text(source.answer.product), "pair": .string("\(source.answer.pair)"),
      "badge": .string(source.badge),
      "points": .list(source.closes.points) {
        [
          "start": .string($0.start.iso8601), "price": .string(source.closes.written($0.value).shortest),
          "rateOfItsTime": .bool($0.isContemporaneous),
        ]
      },
    ]
  }

  private func json(of premium: Premium) -> JSONValue {
    let figures = premium.line.figures
    return premium.namesJSON + [
      "currency": .string(currency), "basis": .text(premium.basis?.code), "mean": .text(figures?.mean.quotientText),
      "low": figures.map { json(of: $0.low) } ?? nil, "high": figures.map { json(of: $0.high) } ?? nil,
      "last": figures.map { json(of: $0.last) } ?? nil, "percentile": .integer(figures?.percentile),
      "reason": .text(premium.absence),
      "points": .list(premium.line.points, json),
      // The intervals whose two prices must not be compared.
      "leftOut": premium.values.leftOut.map {
        ["count": .integer($0.count), "reason": .string($0.cause.code), "message": .string($0.cause.message)]
      } ?? nil,
    ]
  }

  private func json(of point: PriceLine.Point) -> JSONValue {
    [
      "start": .string(point.start.iso8601), "percent": .string(point.value.quotientText),
      "rateOfItsTime": .bool(point.isContemporaneous),
    ]
  }

  package func ndjson() -> [UInt8] {
    var lines = LineWriter()
    if let premium {
      let names = premium.namesJSON
      for point in premium.line.points { lines.object("premium", names + json(of: point)) }
      if let absence = premium.absence {
        lines.object("premium", names + ["start": nil, "percent": nil, "reason": .string(absence)])
      }
    }
    return lines.bytes + data.ndjson()
  }

  /// Returns the premium if one was requested, otherwise the candles.
  package func csv() -> [UInt8] {
    guard let premium else { return data.csv() }
    var writer = CSVWriter(titles: ["of", "over", "start", "percent", "rateOfItsTime", "ofPair", "overPair"])
    let names = CSVWriter.part([.text(premium.high.answer.exchange), .text(premium.low.answer.exchange)])
    let pairs = CSVWriter.part([.text("\(premium.high.answer.pair)"), .text("\(premium.low.answer.pair)")])
    for point in premium.line.points {
      writer.add(part: names)
      writer.add(point.start)
      writer.add(.number(point.value.quotientText))
      writer.add(point.isContemporaneous)
      writer.add(part: pairs)
      writer.end()
    }
    return writer.finished()
  }
}

extension IdentityCheck.Line {
  init(_ name: String, _ line: PriceLine) {
    let points = line.points
    self.init(name, on: line.grid, starts: points.map(\.start)) { points[$0].value }
  }
}

extension CandleSeries {
  /// Returns the candles with prices in another currency, or nil if there is no rate.
  func converted(_ conversion: Conversion) -> CandleSeries? {
    guard conversion.payment != conversion.currency else { return self }
    func price(_ sent: Decimal) -> Decimal? { conversion.converted(sent)?.rounded(toSignificantDigits: 12) }
    let candles = candles.compactMap { candle in
      guard let open = price(candle.open), let high = price(candle.high), let low = price(candle.low),
        let close = price(candle.close)
      else { return nil as Candle? }
      return Candle(
        start: candle.start, open: open, high: high, low: low, close: close, volume: candle.volume,
        turnover: .missing(.notRequested))
    }
    return candles.isEmpty && !self.candles.isEmpty ? nil : with(candles)
  }
}
