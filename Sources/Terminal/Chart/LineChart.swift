package import Quotes

/// A chart of lines in braille, each ending in its name and, in a current one, its last figure, for a number of columns and
/// rows.
///
/// Two points are only connected if their intervals are adjacent.
package struct LineChart: Sendable {
  package struct Line: Sendable, Hashable {
    /// A badge or a short name.
    package let name: String
    package let points: PriceLine

    package init(name: String, _ points: PriceLine) {
      self.name = name
      self.points = points
    }

    /// Returns the line with what a scale draws of it: the prices that have a place on it, or their changes from the
    /// first of those in percent.
    package func drawn(on scale: ChartScale) -> Line {
      guard scale != .price else { return self }
      let placed = points.points.filter { scale.hasPlace(for: $0.value) }
      guard scale == .percent, let base = placed.first?.value else { return Line(name: name, points.with(placed)) }
      let changes = placed.compactMap { point in
        point.value.percent(above: base).map {
          PriceLine.Point(start: point.start, value: $0, isContemporaneous: point.isContemporaneous)
        }
      }
      return Line(name: name, PriceLine(changes, on: points.grid))
    }
  }

  /// One of several charts, one below the other.
  package struct Pane: Sendable {
    /// All on the same grid.
    let lines: [Line]
    let form: ValueForm
    /// How prices are drawn; one without a place is not.
    let scale: ChartScale
    /// The index of a line that is drawn twice as thick, above the others.
    let strongest: Int?
    let rows: Int

    /// A pane of prices.
    package init(_ lines: [Line], _ scale: ChartScale = .price, strongest: Int? = nil, rows: Int) {
      (self.lines, self.form, self.scale, self.strongest, self.rows) = (lines, .price, scale, strongest, rows)
    }

    /// A pane of values that are percentages themselves.
    package init(percents lines: [Line], rows: Int) {
      (self.lines, self.form, self.scale, self.strongest, self.rows) = (lines, .percent, .price, nil, rows)
    }
  }

  /// The newest points that fit.
  package let shown: [Line]
  /// The start of the oldest interval shown; nil without points.
  package let start: Instant?
  /// The number of intervals shown, and of all intervals.
  package let count: Int
  package let total: Int
  /// The number of prices that have no place on the scale, since the start.
  package let undrawn: Int

  private let form: ValueForm
  private let columns: Int
  private let pane: Pane
  private let zone: ClockZone
  private let hasTimes: Bool
  private let axis: ValueAxis?
  private let axisColumns: Int
  private let hair: Instant?
  private let isCurrent: Bool

  /// - Parameters:
  ///   - hasTimes: Whether the last row shows the times, which a chart directly above another one does not need.
  ///   - start: The start of the chart, to align two charts; nil means the oldest point.
  ///   - hair: The start of the interval marked by a vertical line.
  ///   - axisColumns: The minimum width of the figures on the right, also to align two charts.
  ///   - isCurrent: Whether the last figures are the newest; others would pass for those, and are left out.
  package init(
    _ pane: Pane, columns: Int, zone: ClockZone, from start: Instant? = nil, to end: Instant? = nil,
    axisColumns least: Int = 0, hasTimes: Bool = true, hair: Instant? = nil, isCurrent: Bool = true
  ) {
    let (lines, scale, rows) = (pane.lines, pane.scale, pane.rows)
    let form = scale == .price ? pane.form : scale.form
    self.hair = hair
    self.isCurrent = isCurrent
    self.form = form
    self.columns = columns
    self.pane = pane
    self.zone = zone
    self.hasTimes = hasTimes
    let starts = lines.flatMap { $0.points.points.map(\.start) }
    guard let grid = lines.first?.points.grid, let oldest = start ?? starts.min(), let newest = end ?? starts.max()
    else {
      (shown, self.start, count, total, undrawn, axis, axisColumns) = (lines, nil, 0, 0, 0, nil, 0)
      return
    }
    total = grid.count(from: oldest, to: newest) + 1
    var (shown, first, count) = (lines.map { $0.drawn(on: scale) }, oldest, total)
    var axisColumns = 0
    // What is shown determines the width of the figures, which determines what is shown.
    for _ in 0..<3 {
      let axis = Self.axis(of: shown, scale)
      let needed = max(least, Self.axisColumns(axis, shown, form: form, rows: rows, zone, isCurrent: isCurrent))
      guard needed > axisColumns else { break }
      axisColumns = columns - needed < 8 ? 0 : needed
      // A cell holds two intervals.
      count = min(total, max(1, 2 * (columns - axisColumns)))
      first = grid.moment(1 - count, after: newest)
      shown = lines.map { Line(name: $0.name, $0.points.since(first)).drawn(on: scale) }
    }
    (self.shown, self.start, self.count, self.axisColumns) = (shown, first, count, axisColumns)
    axis = Self.axis(of: shown, scale)
    undrawn = scale.undrawn(of: lines.map { $0.points.since(first) })
  }

  private static func axis(of lines: [Line], _ scale: ChartScale) -> ValueAxis? {
    ValueAxis(lines.flatMap { $0.points.points.map(\.value) }, isLogarithmic: scale == .log)
  }

  /// Returns charts to be shown one below the other: their times line up, and only the last one shows them.
  package static func stacked(
    _ panes: [Pane], columns: Int, zone: ClockZone, from start: Instant?, to end: Instant?, hair: Instant? = nil,
    isCurrent: Bool = true
  ) -> [LineChart] {
    func charts(axisColumns: Int) -> [LineChart] {
      panes.enumerated().map { index, pane in
        LineChart(
          pane, columns: columns, zone: zone, from: start, to: end, axisColumns: axisColumns,
          hasTimes: index == panes.count - 1, hair: hair, isCurrent: isCurrent)
      }
    }
    return charts(axisColumns: charts(axisColumns: 0).map(\.axisColumns).max() ?? 0)
  }

  private static func axisColumns(
    _ axis: ValueAxis?, _ lines: [Line], form: ValueForm, rows: Int, _ zone: ClockZone, isCurrent: Bool
  ) -> Int {
    let ticks = axis?.ticks(atMost: max(1, rows / 3)).map { form.text($0) } ?? []
    let texts = ticks + lines.map { ending(of: $0, form, isCurrent: isCurrent) } + [zone.name]
    return 1 + (texts.map { TerminalText.width(of: $0) }.max() ?? 0)
  }

  /// `UP 92037`
  private static func ending(of line: Line, _ form: ValueForm, isCurrent: Bool) -> String {
    guard isCurrent, let last = line.points.points.last?.value else { return line.name }
    return "\(line.name) \(form == .price ? line.points.shown(last) : form.text(last.rounded(toPlaces: 2)))"
  }

  /// Returns the colour of a line by its index, which only distinguishes lines.
  package static func style(ofLine index: Int) -> Style { Style.lines[index % Style.lines.count] }

  // MARK: Drawing

  private var timeRows: Int { hasTimes && pane.rows >= 4 ? 1 : 0 }
  private var valueRows: Int { max(0, pane.rows - timeRows) }

  /// The lines of the chart, one for each row.
  package var lines: [StyledText] {
    var canvas = Canvas(columns: columns, rows: pane.rows)
    guard let axis, let start, let grid = shown.first?.points.grid, valueRows > 0 else { return canvas.lines }
    let time = TimeAxis(grid, from: start, count: count, zone: zone)
    let dots = 2 * (columns - axisColumns)
    func x(_ index: Int) -> Int { count > 1 ? index * (dots - 1) / (count - 1) : dots - 1 }
    let quarters = 4 * valueRows
    if let hair, hair >= start, case let index = time.index(of: hair), index < count {
      canvas.markColumn(x(index) / 2, rows: valueRows)
    }
    if axis.low.signum < 0, axis.high.signum > 0 {
      let zero = axis.part(of: 0, among: quarters)
      for x in stride(from: 0, to: dots, by: 4) { canvas.dot(x: x, y: zero, .dim) }
    }
    for (index, line) in shown.enumerated() where index != pane.strongest {
      draw(line, Self.style(ofLine: index), axis, time, on: &canvas, x: x)
    }
    if let strongest = pane.strongest, shown.indices.contains(strongest) {
      for isSecond in [true, false] {
        draw(shown[strongest], Self.style(ofLine: strongest), axis, time, on: &canvas, isSecond: isSecond, x: x)
      }
    }
    if timeRows > 0 {
      canvas.writeTimes(
        time, row: pane.rows - 1, within: columns - axisColumns,
        zoneColumn: axisColumns > 0 ? columns - axisColumns + 1 : nil,
        room: Double(9 * count) / Double(max(1, columns - axisColumns))
      ) { x($0) / 2 }
    }
    if axisColumns > 0 { drawFigures(axis, on: &canvas) }
    return canvas.lines
  }

  /// - Parameter isSecond: Whether the dots next to those of the line are drawn, which make it thick.
  private func draw(
    _ line: Line, _ style: Style, _ axis: ValueAxis, _ time: TimeAxis, on canvas: inout Canvas, isSecond: Bool = false,
    x: (Int) -> Int
  ) {
    let quarters = 4 * valueRows
    var before: (index: Int, place: (x: Int, y: Int))?
    for point in line.points.points {
      let interval = time.index(of: point.start)
      let y = axis.part(of: point.value, among: quarters)
      let place = (x: x(interval), y: !isSecond ? y : y + 1 < quarters ? y + 1 : y - 1)
      let isNeighbour = before.map { interval - $0.index == 1 } ?? false
      canvas.line(from: isNeighbour ? before?.place ?? place : place, to: place, style)
      before = (interval, place)
    }
  }

  private func drawFigures(_ axis: ValueAxis, on canvas: inout Canvas) {
    let column = columns - axisColumns + 1
    var taken = Set<Int>()
    for (row, index) in endingRows(axis) {
      let ending = Self.ending(of: shown[index], form, isCurrent: isCurrent)
      canvas.write(ending, column: column, row: row, Self.style(ofLine: index))
      taken.insert(row)
    }
    for tick in axis.ticks(atMost: max(1, valueRows / 3)) {
      let row = axis.part(of: tick, among: 4 * valueRows) / 4
      if taken.insert(row).inserted { canvas.write(form.text(tick), column: column, row: row, .dim) }
    }
  }

  /// Returns the row of each line's ending: that of its last figure or the nearest free one, highest figure first.
  private func endingRows(_ axis: ValueAxis) -> [(row: Int, line: Int)] {
    let endings = shown.indices.compactMap { index in
      shown[index].points.points.last.map { (line: index, value: $0.value) }
    }.sorted { $0.value > $1.value }.prefix(valueRows)
    let rows = endings.map { axis.part(of: $0.value, among: 4 * valueRows) / 4 }
    return zip(rows.apart(by: 1, within: valueRows - 1), endings).map { ($0, $1.line) }
  }
}

extension Array where Element: Comparable & AdditiveArithmetic {
  /// Returns ascending places, moved so that neighbours are at least a gap apart: further on, and back again from the
  /// limit if the last one is beyond it.
  package func apart(by gap: Element, within limit: Element) -> [Element] {
    var places = self
    for index in indices.dropFirst() { places[index] = Swift.max(places[index], places[index - 1] + gap) }
    guard let last = places.last, last > limit else { return places }
    var limit = limit
    for index in indices.reversed() {
      places[index] = Swift.min(places[index], limit)
      limit = places[index] - gap
    }
    return places
  }
}
