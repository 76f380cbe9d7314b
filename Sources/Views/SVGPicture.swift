import MarketData
import Quotes
package import Terminal

extension ChartReport {
  /// Returns the chart as an SVG document with real text, for light and dark mode. The same data give the same bytes.
  package func svg(scheme: ColorScheme) -> [UInt8] {
    var picture = SVGPicture(
      title: svgTitle, description: svgDescription, notes: svgNotes, scheme: scheme,
      figures: svgFigures)
    if let single {
      picture.drawCandles(single.series.placed(on: scale), scale, zone: zone, at: time)
    } else if let grid {
      let starts = usable.flatMap { $0.closes.points.map(\.start) }
      if let first = starts.min(), let last = starts.max() {
        let time = TimeAxis(grid, from: first, count: grid.count(from: first, to: last) + 1, zone: zone)
        let split = premium == nil ? SVGPicture.bottom : SVGPicture.top + 260
        picture.drawLines(svgLines, scale, scale.form, time, from: SVGPicture.top, to: split)
        if let premium {
          let basis = premium.basis.map { ", \($0.words(.english))" } ?? ""
          picture.text(premium.title(.english) + basis, x: SVGPicture.left, y: split + 24, "strong")
          picture.drawLines([premium.drawn], .price, .percent, time, from: split + 34, to: SVGPicture.bottom)
        }
        picture.drawTimes(time)
      }
    }
    return picture.document
  }

  /// What failed, and the notes of a picture with room for all bars.
  private var svgNotes: [String] {
    let undrawn =
      single.map { $0.series.candles.count - $0.series.placed(on: scale).candles.count }
      ?? scale.undrawn(of: usable.map(\.closes))
    return failures + pictureNotes(undrawn: undrawn)
  }

  /// The figures beside the panes; the longest determines how much room they need.
  private var svgFigures: [String] {
    if let single {
      let series = single.series.placed(on: scale)
      let axis = CandleAxis(series, scale)
      return (axis.map { axis in axis.labels.ticks(atMost: 8).map { axis.form.text($0) } + [axis.lastText] } ?? [])
        + [Self.volumeText(series)].compactMap(\.self)
    }
    return svgLines.map { SVGPicture.figure(of: $0, scale.form) }
      + (premium.map { ["\($0.drawn.name) +10.00 %"] } ?? [])
  }

  private var svgLines: [LineChart.Line] { usable.map { $0.drawn.drawn(on: scale) } }

  /// What the height of the volume bars stands for; nil without volumes.
  fileprivate static func volumeText(_ series: CandleSeries) -> String? {
    let most = series.candles.compactMap(\.volume.value).max() ?? 0
    return most.signum > 0 ? "volume up to \(most.compactText)" : nil
  }

  private var svgTitle: String {
    let names = sources.map(\.answer.exchange).joined(separator: ", ")
    let interval = grid.map { ", \($0.interval.rawValue)" } ?? ""
    let isSent = single.map { $0.source.answer.conversion == nil } ?? false
    let money = isSent ? "" : ", in \(single?.currency ?? currency)"
    let scale = scale.words(.english).map { ", \($0)" } ?? ""
    return "\(sources.map(\.answer).pairTitle()) \(names)\(interval)\(money)\(scale)"
  }

  /// A description of the chart for those who cannot see it.
  private var svgDescription: String {
    var sentences = usable.compactMap { source -> String? in
      guard let series = single?.series ?? source.answer.value, let first = series.candles.first,
        let last = series.candles.last,
        let high = series.candles.map(\.high).max(), let low = series.candles.map(\.low).min()
      else { return nil }
      return "\(source.answer.title): \(series.candles.count.counted("candle")) of \(series.grid.interval.rawValue) "
        + "from \(Self.moment(first.start, series.grid, zone)) to \(Self.moment(last.start, series.grid, zone)), "
        + "low \(low.shortest), high \(high.shortest), last \(last.close.shortest) \(single?.currency ?? source.answer.pair.payment)."
    }
    if let premium, let figures = premium.line.figures {
      sentences.append(
        "\(premium.title(.english)): \(figures.last.value.signedPercentText) %, "
          + premiumWords(figures).joined(separator: ", ")
          + ".")
    }
    return (sentences + svgNotes.map { "\($0)." }).joined(separator: " ")
  }
}

/// A chart under construction: 960 units wide, and 540 high with its notes below that.
private struct SVGPicture {
  static let width = 960.0
  static let left = 16.0
  static let top = 44.0
  /// The bottom of the last pane, above the times.
  static let bottom = 506.0

  /// The x position where the panes end and the figures begin.
  private let right: Double
  private let height: Int
  private let title: String
  private let details: String
  private let scheme: ColorScheme
  private var body = ""

  /// - Parameters:
  ///   - notes: lines below the chart.
  ///   - figures: the texts that must fit beside the panes.
  init(title: String, description: String, notes: [String], scheme: ColorScheme, figures: [String]) {
    self.title = title
    details = description
    self.scheme = scheme
    // A digit of a bold font is up to eight and a half units wide.
    let widest = figures.map { TerminalText.width(of: TerminalText.sanitized($0)) }.max() ?? 0
    right = max(480, Self.width - 20 - 8.5 * Double(widest))
    // As many text columns as the chart is wide, by the same measure.
    let lines = notes.flatMap { TerminalText.wrapped(TerminalText.sanitized($0), cells: Int(Self.width / 7.4) - 8) }
    height = 540 + 16 * lines.count
    for (index, line) in lines.enumerated() { text(line, x: Self.left, y: 548 + 16 * Double(index)) }
  }

  // MARK: Document

  var document: [UInt8] {
    Array(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 \(height)" width="960" height="\(height)" role="img" \
      aria-labelledby="title description" font-size="12" font-family="system-ui, 'Noto Sans KR', 'Noto Sans CJK KR', \
      'Apple SD Gothic Neo', 'Malgun Gothic', sans-serif">
      <title id="title">\(Self.escaped(title))</title>
      <desc id="description">\(Self.escaped(details))</desc>
      <style>
      \(style)
      </style>
      <rect class="ground" width="960" height="\(height)"/>
      <text class="strong" x="16" y="27" font-size="15">\(Self.escaped(title))</text>
      \(body)</svg>

      """.utf8)
  }

  private var style: String {
    let (light, dark) = (colors(isDark: false), colors(isDark: true))
    let series = (0..<4).map { ".line\($0) { stroke: \(Self.lines[$0]) } .name\($0) { fill: \(Self.lines[$0]) }" }
    return """
      .ground { fill: #ffffff } text { fill: #57606a } .strong { fill: #1f2328; font-weight: 600 } .grid { stroke: #d8dee4 }
      .up { fill: \(light.up); stroke: \(light.up) } .down { fill: \(light.down); stroke: \(light.down) }
      .level { fill: #57606a; stroke: #57606a } .running { opacity: 0.45 } .volume { opacity: 0.55; stroke: none }
      .middle { fill: none; stroke: #1f2328; stroke-width: 1.2; stroke-linecap: round }
      .line { fill: none; stroke-width: 1.6; stroke-linecap: round }
      \(series.joined(separator: "\n"))
      @media (prefers-color-scheme: dark) {
      .ground { fill: #0d1117 } text { fill: #9198a1 } .strong { fill: #f0f6fc } .grid { stroke: #30363d }
      .up { fill: \(dark.up); stroke: \(dark.up) } .down { fill: \(dark.down); stroke: \(dark.down) }
      .level { fill: #9198a1; stroke: #9198a1 } .middle { stroke: #f0f6fc }
      }
      """
  }

  /// Tones that are readable on light and dark backgrounds.
  private static let lines = ["#0d8f8f", "#c2409f", "#a87900", "#7a5fd0"]

  private func colors(isDark: Bool) -> (up: String, down: String) {
    let (red, blue) = isDark ? ("#ff6b6b", "#5aa2ff") : ("#cf222e", "#0a5fd8")
    let (green, orange) = isDark ? ("#3fb950", "#f0883e") : ("#1a7f37", "#bc4c00")
    return switch scheme {
    case .kr: (red, blue)
    case .us: (green, red)
    case .cb: (blue, orange)
    }
  }

  // MARK: Primitives

  /// Formats a coordinate to a tenth, with the same digits on every machine.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let fraction = abs(tenths) % 10
    return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10)" + (fraction == 0 ? "" : ".\(fraction)")
  }

  private static func escaped(_ text: String) -> String {
    TerminalText.sanitized(text).escapedMarkup.replacing("\"", with: "&quot;")
  }

  private mutating func add(_ element: String) { body += element + "\n" }

  mutating func text(_ text: String, x: Double, y: Double, _ className: String = "") {
    let name = className.isEmpty ? "" : " class=\"\(className)\""
    add("<text\(name) x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">\(Self.escaped(text))</text>")
  }

  private mutating func path(_ commands: [String], _ className: String) {
    guard !commands.isEmpty else { return }
    add("<path class=\"\(className)\" d=\"\(commands.joined())\"/>")
  }

  /// Draws round values with grid lines across a pane.
  private mutating func drawTicks(
    _ axis: ValueAxis, _ form: ValueForm, from top: Double, to bottom: Double, besides taken: [Double]
  ) {
    for tick in axis.ticks(atMost: max(1, Int((bottom - top) / 50))) {
      let y = top + axis.depth(tick) * (bottom - top)
      add(
        "<line class=\"grid\" x1=\"\(Self.number(Self.left))\" x2=\"\(Self.number(right))\" y1=\"\(Self.number(y))\" y2=\"\(Self.number(y))\"/>"
      )
      if taken.allSatisfy({ abs($0 - y) >= 13 }) { text(form.text(tick), x: right + 8, y: y + 4) }
    }
  }

  /// Returns the width of an interval.
  private func slot(_ time: TimeAxis) -> Double { (right - Self.left) / Double(max(1, time.count)) }

  private func x(_ index: Int, _ time: TimeAxis) -> Double { Self.left + (Double(index) + 0.5) * slot(time) }

  mutating func drawTimes(_ time: TimeAxis) {
    for label in time.labels(room: 70 / slot(time)) where x(label.index, time) < right - 30 {
      add(
        "<text x=\"\(Self.number(x(label.index, time)))\" y=\"526\" text-anchor=\"middle\">\(Self.escaped(label.text))</text>"
      )
    }
    text(time.zone.name, x: right + 8, y: 526)
  }

  // MARK: Candles

  mutating func drawCandles(_ series: CandleSeries, _ scale: ChartScale, zone: ClockZone, at now: Instant) {
    guard let first = series.candles.first, let last = series.candles.last, let axis = CandleAxis(series, scale)
    else { return }
    let time = TimeAxis(
      series.grid, from: first.start, count: series.grid.count(from: first.start, to: last.start) + 1, zone: zone)
    let most = series.candles.compactMap(\.volume.value).max() ?? 0
    let bottom = most.signum > 0 ? Self.bottom - 96 : Self.bottom
    func y(_ price: Decimal) -> Double { Self.top + axis.prices.depth(price) * (bottom - Self.top) }
    drawTicks(axis.labels, axis.form, from: Self.top, to: bottom, besides: [y(last.close)])
    let width = min(14, slot(time) * 0.7)
    var wicks: [String: [String]] = [:]
    var bodies: [String: [String]] = [:]
    var volumes: [String: [String]] = [:]
    let volumeAxis = most.signum > 0 ? ValueAxis([0, most]) : nil
    for candle in series.candles {
      let x = self.x(time.index(of: candle.start), time)
      let direction = candle.close > candle.open ? "up" : candle.close < candle.open ? "down" : "level"
      let name = series.isComplete(candle, at: now) ? direction : "\(direction) running"
      let (highest, lowest) = (y(candle.extent.upperBound), y(candle.extent.lowerBound))
      wicks[name, default: []].append("M\(Self.number(x)) \(Self.number(highest))V\(Self.number(lowest))")
      let (top, height) = (y(max(candle.open, candle.close)), abs(y(candle.open) - y(candle.close)))
      bodies[name, default: []].append(Self.box(x - width / 2, top, width, max(1, height)))
      if let volume = candle.volume.value, volume.signum > 0, let volumeAxis {
        let height = (1 - volumeAxis.depth(volume)) * 76
        volumes[name, default: []].append(Self.box(x - width / 2, Self.bottom - height, width, max(0.5, height)))
      }
    }
    for name in ["up", "down", "level"].flatMap({ [$0, "\($0) running"] }) {
      path(wicks[name] ?? [], name)
      path(bodies[name] ?? [], name)
      path(volumes[name] ?? [], "\(name) volume")
    }
    path(joined(series.candles.map { ($0.start, $0.middle) }, time, y: y), "middle")
    text(axis.lastText, x: right + 8, y: y(last.close) + 4, "strong")
    if let volume = ChartReport.volumeText(series) { text(volume, x: right + 8, y: Self.bottom - 70) }
    drawTimes(time)
  }

  private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
    "M\(number(x)) \(number(y))h\(number(width))v\(number(height))h\(number(-width))z"
  }

  /// Returns the line segments through values, broken where an interval has none. A value between two such intervals is
  /// a line of no length, which its round ends make a dot.
  private func joined(_ values: [(Instant, Decimal)], _ time: TimeAxis, y: (Decimal) -> Double) -> [String] {
    let places = values.map { time.index(of: $0.0) }
    func isJoined(_ place: Int) -> Bool {
      place > 0 && place < places.count && places[place] - places[place - 1] == 1
    }
    return places.indices.map { place in
      let point = "\(Self.number(x(places[place], time))) \(Self.number(y(values[place].1)))"
      if isJoined(place) { return "L\(point)" }
      return "M\(point)" + (isJoined(place + 1) ? "" : "h0")
    }
  }

  // MARK: Lines

  /// Returns the label at the end of a line.
  static func figure(of line: LineChart.Line, _ form: ValueForm) -> String {
    let last = line.points.points.last?.value
    let figure = last.map { form == .price ? line.points.shown($0) : "\($0.signedPercentText) %" }
    return "\(line.name) \(figure ?? "")"
  }

  mutating func drawLines(
    _ lines: [LineChart.Line], _ scale: ChartScale, _ form: ValueForm, _ time: TimeAxis, from top: Double,
    to bottom: Double
  ) {
    let values = lines.flatMap { $0.points.points.map(\.value) }
    guard let axis = ValueAxis(values, isLogarithmic: scale == .log) else { return }
    func y(_ value: Decimal) -> Double { top + axis.depth(value) * (bottom - top) }
    // Labels at the ends of lines, highest first, far enough apart to be legible.
    var ends: [(index: Int, y: Double)] = []
    for (index, line) in lines.enumerated() {
      if let last = line.points.points.last { ends.append((index, y(last.value))) }
    }
    ends.sort { ($0.y, $0.index) < ($1.y, $1.index) }
    let labels = ends.map(\.y).apart(by: 14, within: bottom)
    drawTicks(axis, form, from: top, to: bottom, besides: labels)
    for (index, line) in lines.enumerated() {
      path(joined(line.points.points.map { ($0.start, $0.value) }, time, y: y), "line line\(index % 4)")
    }
    for (end, y) in zip(ends, labels) {
      text(Self.figure(of: lines[end.index], form), x: right + 8, y: y + 4, "name\(end.index % 4)")
    }
  }
}
