package import Quotes

/// A chart of candles, the line of their midpoints and their volumes, for a number of columns and rows.
///
/// A candle is accurate to half a cell: its body `┃`, its wick `│`, and halves of them; in ASCII, bodies also show the
/// direction (``GlyphSet``). By definition its midpoint is within its body, so the line is only drawn between candles, in
/// braille: both are visible and they never share a cell. An interval without a candle stays empty, and no line crosses it.
package struct CandleChart: Sendable {
  /// The newest candles that fit.
  package let shown: CandleSeries
  package let total: Int
  /// The columns from one candle to the next: 6 to 1, as many as fit.
  package let columnsPerCandle: Int
  /// The number of candles that have no place on the scale, since the first one shown.
  package let undrawn: Int

  private let columns: Int
  private let rows: Int
  private let now: Instant
  private let zone: ClockZone
  /// The axis of the candles; nil if there are none.
  private let axis: CandleAxis?
  private let axisColumns: Int
  private let hair: Instant?
  private let isCurrent: Bool
  private let isMidline: Bool
  private let amount: @Sendable (Decimal) -> String

  /// - Parameters:
  ///   - now: The time by which the newest candle is judged to be complete.
  ///   - zoom: The columns from one candle to the next; nil means as many as fit.
  ///   - hair: The start of the candle marked by a vertical line.
  ///   - isCurrent: Whether the newest candle has the last price, which is then marked.
  ///   - isMidline: Whether the line of midpoints is drawn in place of the candles.
  ///   - scale: A candle without a place on it is not drawn.
  ///   - amount: Writes a volume in a few characters.
  package init(
    _ series: CandleSeries, at now: Instant, columns: Int, rows: Int, zone: ClockZone, zoom: Int? = nil,
    hair: Instant? = nil, isCurrent: Bool = true, isMidline: Bool = false, scale: ChartScale = .price,
    amount: @escaping @Sendable (Decimal) -> String = { $0.compactText }
  ) {
    self.hair = hair
    self.isCurrent = isCurrent && series.candles.last.map { scale.hasPlace(for: $0) } ?? true
    self.isMidline = isMidline
    self.amount = amount
    total = series.candles.count
    self.columns = columns
    self.rows = rows
    self.now = now
    self.zone = zone
    let placed = series.placed(on: scale)
    var shown = placed
    var axisColumns = 0
    var columnsPerCandle = 1
    // The candles shown determine the width of the figures, which determines the candles shown.
    for _ in 0..<3 {
      let axis = CandleAxis(shown, scale)
      let volume = Self.mostVolume(shown, rows: rows).map(amount)
      let needed = Self.axisColumns(axis, volume, rows: rows, zone)
      guard needed > axisColumns else { break }
      axisColumns = columns - needed < 8 ? 0 : needed
      (shown, columnsPerCandle) = Self.fitting(placed, columns: columns - axisColumns, zoom)
    }
    self.shown = shown
    self.columnsPerCandle = columnsPerCandle
    self.axisColumns = axisColumns
    axis = CandleAxis(shown, scale)
    // With all that have a place, those before the first of them are missing from the picture as well.
    let start = shown.candles.count < placed.candles.count ? shown.candles.first?.start : nil
    undrawn = series.candles.count { candle in
      !scale.hasPlace(for: candle) && start.map { candle.start >= $0 } ?? true
    }
  }

  /// Returns about how many candles fit: how wide their prices are is only known from the candles.
  package static func count(columns: Int, columnsPerCandle: Int = 2) -> Int {
    let priceWidth = 9
    return max(1, (columns - priceWidth - 2 + columnsPerCandle - 1) / columnsPerCandle)
  }

  /// Returns the newest candles that fit, and the columns for each.
  private static func fitting(
    _ series: CandleSeries, columns: Int, _ zoom: Int?
  ) -> (CandleSeries, columnsPerCandle: Int) {
    guard let first = series.candles.first, let last = series.candles.last else { return (series, 1) }
    let count = series.grid.count(from: first.start, to: last.start) + 1
    let widest: Int? = (1...6).last { (count - 1) * $0 + 1 <= columns }
    let spread = max(1, zoom ?? widest ?? 1)
    let most = (max(1, columns) - 1) / spread + 1
    guard count > most else { return (series, spread) }
    let start = series.grid.moment(1 - most, after: last.start)
    return (series.with(series.candles.filter { $0.start >= start }), spread)
  }

  // MARK: Axis

  private var timeRows: Int { rows >= 4 ? 1 : 0 }
  private var volumeRows: Int { Self.volumeRows(shown, rows: rows) }
  private var priceRows: Int { max(0, rows - timeRows - volumeRows) }

  private static func volumeRows(_ series: CandleSeries, rows: Int) -> Int {
    guard series.candles.contains(where: { ($0.volume.value?.signum ?? 0) > 0 }) else { return 0 }
    return rows >= 18 ? 3 : rows >= 12 ? 2 : rows >= 6 ? 1 : 0
  }

  private static func ticks(_ axis: CandleAxis?, priceRows: Int) -> [(value: Decimal, text: String)] {
    axis.map { axis in
      axis.labels.ticks(atMost: max(1, priceRows / 3)).map { ($0, axis.form.text($0)) }
    } ?? []
  }

  /// Returns the width of the axis: one column of space, one for the arrow, and the widest figure.
  private static func axisColumns(
    _ axis: CandleAxis?, _ volume: String?, rows: Int, _ zone: ClockZone
  ) -> Int {
    let texts = ticks(axis, priceRows: rows).map(\.text) + [axis?.lastText ?? "", volume ?? "", zone.name]
    return 2 + (texts.map(TerminalText.width).max() ?? 0)
  }

  /// Returns the largest volume; nil if there is no room for volumes.
  private static func mostVolume(_ series: CandleSeries, rows: Int) -> Decimal? {
    volumeRows(series, rows: rows) > 0 ? series.candles.compactMap(\.volume.value).max() : nil
  }

  // MARK: Drawing

  /// The lines of the chart, one for each row.
  package var lines: [StyledText] {
    var canvas = Canvas(columns: columns, rows: rows)
    guard let axis, let first = shown.candles.first, let last = shown.candles.last, priceRows > 0 else {
      return canvas.lines
    }
    let count = shown.grid.count(from: first.start, to: last.start) + 1
    let time = TimeAxis(shown.grid, from: first.start, count: count, zone: zone)
    let left = max(0, columns - axisColumns - (count - 1) * columnsPerCandle - 1)
    let places = shown.candles.map { left + time.index(of: $0.start) * columnsPerCandle }
    if let hair, hair >= first.start, hair <= last.start {
      canvas.markColumn(left + time.index(of: hair) * columnsPerCandle, rows: priceRows)
    }
    drawLine(axis.prices, time, places, on: &canvas)
    if !isMidline {
      for (candle, column) in zip(shown.candles, places) { draw(candle, axis.prices, column, on: &canvas) }
    }
    drawVolumes(places, on: &canvas)
    if timeRows > 0 { drawTimes(time, left, on: &canvas) }
    if axisColumns > 0 { drawFigures(axis, last, on: &canvas) }
    return canvas.lines
  }

  private func style(of candle: Candle) -> Style {
    shown.isComplete(candle, at: now) ? Style(from: candle.open, to: candle.close) : .dim
  }

  private enum Half: Int { case empty, wick, body }

  private func draw(_ candle: Candle, _ axis: ValueAxis, _ column: Int, on canvas: inout Canvas) {
    let halves = 2 * priceRows
    func half(_ price: Decimal) -> Int { axis.part(of: price, among: halves) }
    func span(_ prices: Decimal...) -> ClosedRange<Int> {
      let places = prices.map(half)
      return (places.min() ?? 0)...(places.max() ?? 0)
    }
    let body = span(candle.open, candle.close)
    let wick = span(candle.extent.upperBound, candle.extent.lowerBound)
    func content(_ half: Int) -> Half { body.contains(half) ? .body : wick.contains(half) ? .wick : .empty }
    for row in wick.lowerBound / 2...wick.upperBound / 2 {
      guard let glyph = Self.glyphs[content(2 * row).rawValue][content(2 * row + 1).rawValue] else { continue }
      canvas.put(glyph, column: column, row: row, style(of: candle))
    }
  }

  /// By what is in the upper half of a cell, then by what is in the lower one.
  private static let glyphs: [[Character?]] = [[nil, "╷", "╻"], ["╵", "│", "╽"], ["╹", "╿", "┃"]]

  /// Draws the line of midpoints, from candle to candle unless intervals between them are missing.
  private func drawLine(_ axis: ValueAxis, _ time: TimeAxis, _ places: [Int], on canvas: inout Canvas) {
    guard columnsPerCandle > 1 || isMidline else { return }
    let quarters = 4 * priceRows
    func dot(_ index: Int) -> (x: Int, y: Int) {
      (2 * places[index], axis.part(of: shown.candles[index].middle, among: quarters))
    }
    for index in shown.candles.indices {
      // Without candles, one beside a gap would be missing.
      if isMidline { canvas.line(from: dot(index), to: dot(index)) }
      guard index > 0 else { continue }
      let (before, candle) = (shown.candles[index - 1], shown.candles[index])
      guard time.index(of: candle.start) - time.index(of: before.start) == 1 else { continue }
      if isMidline {
        canvas.line(from: dot(index - 1), to: dot(index))
        continue
      }
      let start = (x: 2 * places[index - 1] + 1, y: axis.part(of: before.middle, among: quarters))
      let end = (x: 2 * places[index], y: axis.part(of: candle.middle, among: quarters))
      let gap = places[index - 1] + 1..<places[index]
      canvas.line(from: start, to: end) { gap.contains($0) }
    }
  }

  private func drawVolumes(_ places: [Int], on canvas: inout Canvas) {
    guard let most = Self.mostVolume(shown, rows: rows), let axis = ValueAxis([0, most]) else { return }
    for (candle, column) in zip(shown.candles, places) {
      guard let volume = candle.volume.value, volume.signum > 0 else { continue }
      let eighths = 8 * volumeRows
      var rest = max(1, eighths - Int((axis.depth(volume) * Double(eighths)).rounded()))
      var row = priceRows + volumeRows - 1
      while rest > 0 {
        canvas.put(Sparkline.bars[min(8, rest) - 1], column: column, row: row, style(of: candle))
        rest -= 8
        row -= 1
      }
    }
    if axisColumns > 0 {
      canvas.write(amount(most), column: columns - axisColumns + 2, row: priceRows, .dim)
    }
  }

  private func drawTimes(_ time: TimeAxis, _ left: Int, on canvas: inout Canvas) {
    canvas.writeTimes(
      time, row: rows - 1, within: columns - axisColumns, zoneColumn: axisColumns > 0 ? columns - axisColumns + 2 : nil,
      room: Double(9) / Double(columnsPerCandle)
    ) { left + $0 * columnsPerCandle }
  }

  private func drawFigures(_ axis: CandleAxis, _ last: Candle, on canvas: inout Canvas) {
    let column = columns - axisColumns + 1
    let lastRow = isCurrent ? axis.prices.part(of: last.close, among: 2 * priceRows) / 2 : nil
    for tick in Self.ticks(axis, priceRows: priceRows) {
      let row = axis.labels.part(of: tick.value, among: 2 * priceRows) / 2
      if row != lastRow { canvas.write(tick.text, column: column + 1, row: row, .dim) }
    }
    if let lastRow { canvas.write("◂" + axis.lastText, column: column, row: lastRow) }
  }
}

extension Canvas {
  /// Marks a column by dots, which anything drawn later overwrites.
  mutating func markColumn(_ column: Int, rows: Int) {
    for y in 0..<4 * rows { dot(x: 2 * column, y: y, .dim) }
  }

  /// Writes the times below a chart, and the name of their time zone.
  ///
  /// - Parameters:
  ///   - end: The column that no time may reach.
  ///   - zoneColumn: The column for the name of the time zone; nil for none.
  ///   - room: The number of intervals needed for a label.
  ///   - place: The column of an interval.
  mutating func writeTimes(
    _ time: TimeAxis, row: Int, within end: Int, zoneColumn: Int?, room: Double, place: (Int) -> Int
  ) {
    var free = 0
    for label in time.labels(room: room) {
      let column = place(label.index)
      guard column >= free, column + label.text.utf8.count <= end else { continue }
      write(label.text, column: column, row: row, .dim)
      free = column + label.text.utf8.count + 2
    }
    if let zoneColumn { write(time.zone.name, column: zoneColumn, row: row, .dim) }
  }
}
