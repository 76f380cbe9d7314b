import MarketData
import Quotes
import Terminal

/// An order book as lines: best prices at the spread, each level's size as a solid bar and the running total as a
/// shaded one, all on one scale.
struct OrderBookDrawing {
  private enum Placement {
    case alone, left, right
  }

  /// The book as shown.
  private let book: OrderBook
  private let answer: PairAnswer<OrderBook>
  private let step: Decimal?
  private let last: StyledText?
  private let time: Instant
  private let zone: ClockZone
  private let page: Page
  private let words: Language

  private typealias Row = (level: OrderBook.Level, total: Decimal)

  private let asks: [Row]
  private let bids: [Row]
  private let pricePlaces: Int
  private let sizePlaces: Int
  private let totalWidth: Int
  private let sizeWidth: Int
  private let priceWidth: Int

  /// - Parameter last: the last paid price, with what is to be said about it; nil if it is not known.
  init(
    _ answer: PairAnswer<OrderBook>, _ book: OrderBook, step: Decimal?, last: StyledText? = nil, at time: Instant,
    zone: ClockZone, on page: Page
  ) {
    words = page.language
    self.last = last
    self.answer = answer
    self.book = book
    self.step = step
    self.time = time
    self.zone = zone
    self.page = page
    asks = book.asks.withTotals
    bids = book.bids.withTotals
    let all = asks + bids
    func places(_ value: Decimal) -> Int { max(0, -Int((page.digits == .full ? value : value.normalized).exponent)) }
    let pricePlaces = all.map { places($0.level.price) }.max() ?? 0
    let sizePlaces = all.map { places($0.level.size) }.max() ?? 0
    func width(_ title: String, _ text: (Row) -> String) -> Int {
      max(TerminalText.width(of: title), all.map { text($0).count }.max() ?? 0)
    }
    totalWidth = width(words("total", "누적")) { $0.total.fixedText(places: sizePlaces) }
    sizeWidth = width(words("size", "잔량")) { $0.level.size.fixedText(places: sizePlaces) }
    priceWidth = width(words("price", "가격")) { $0.level.price.fixedText(places: pricePlaces) }
    self.pricePlaces = pricePlaces
    self.sizePlaces = sizePlaces
  }

  // MARK: Widths

  private var figuresWidth: Int { totalWidth + sizeWidth + priceWidth + 3 * Self.gap }
  private static let gap = 2

  /// The width in cells needed for all figures and a useful bar.
  var minimumWidth: Int { max(48, figuresWidth + 14) }

  /// The titles of the columns for which a lone drawing has no room.
  func hiddenTitles(_ width: Int) -> [String] {
    if figuresWidth - Self.gap <= width { return [] }
    let total = words("total", "누적")
    return sizeWidth + Self.gap + priceWidth <= width ? [total] : [total, words("size", "잔량")]
  }

  private var largestTotal: Decimal { max(asks.last?.total ?? 0, bids.last?.total ?? 0) }

  // MARK: Lines

  /// Draws books for side by side, with their spreads level; two are mirrored, so that their prices meet in the middle.
  ///
  /// - Parameters:
  ///   - drawings: nil for a place without a book.
  ///   - width: of each; at least ``minimumWidth`` if they are two.
  /// - Returns: each book's lines, and whether it is the right one of two mirrored ones.
  static func beside(_ drawings: [OrderBookDrawing?], _ width: Int) -> [(lines: [StyledText], isAtRight: Bool)?] {
    let asks = drawings.compactMap { $0?.asks.count }.max() ?? 0
    let bids = drawings.compactMap { $0?.bids.count }.max() ?? 0
    let middles = drawings.compactMap { $0?.middle(width).count }.max() ?? 1
    let isMirrored = drawings.count == 2 && drawings.allSatisfy { $0 != nil }
    // Two that face each other are compared, so their bars have one scale.
    let most = isMirrored ? drawings.compactMap { $0?.largestTotal }.max() : nil
    return drawings.enumerated().map { place, drawing in
      let placement: Placement = !isMirrored ? .alone : place == 0 ? .left : .right
      return drawing.map {
        ($0.lines(width, placement, most: most, asks: asks, bids: bids, middles: middles), placement == .right)
      }
    }
  }

  /// - Parameters:
  ///   - most: the total of a whole bar; nil for the book's own.
  ///   - asks: how many lines the asks take; likewise `bids` and `middles`.
  private func lines(
    _ width: Int, _ placement: Placement, most: Decimal?, asks: Int, bids: Int, middles: Int
  ) -> [StyledText] {
    let most = most ?? largestTotal
    let blanks = { (count: Int) in Array(repeating: StyledText(""), count: max(0, count)) }
    let head = head(width).map { placement == .right ? $0.aligned(to: width) : $0 }
    let middle = middle(width)
    let asksLines = self.asks.reversed().map { line($0, .down, width, placement, most) }
    let bidsLines = self.bids.map { line($0, .up, width, placement, most) }
    return head + [titles(width, placement)] + blanks(asks - self.asks.count) + asksLines + middle
      + blanks(middles - middle.count) + bidsLines + blanks(bids - self.bids.count) + sums(width)
  }

  /// Returns the title, and how much of the book is shown. Beside another drawing they are cut; otherwise it is up to the
  /// page to wrap them.
  private func head(_ width: Int) -> [StyledText] {
    let whole = answer.value ?? book
    func fitted(_ text: StyledText) -> StyledText { width < page.pictureWidth ? text.shortened(to: width) : text }
    var text = extent(of: whole)
    if let step { text = words("step", "단위") + " \(step.shortest), " + text }
    if let moment = whole.time {
      let age = max(0, time.nanoseconds(since: moment))
      let old = age < 10_000_000_000 ? "" : ", " + words.old(words.age(nanoseconds: age))
      text += ", \(zone.clock(moment)) \(zone.name)\(old)"
    }
    return [fitted(StyledText(answer.title(page.language), .heading)), fitted(StyledText(text, .dim))]
  }

  /// `4 + 5 of 150 + 150 levels`, `all 4 asks and 5 bids`
  private func extent(of whole: OrderBook) -> String {
    guard (asks.count, bids.count) == (whole.asks.count, whole.bids.count) else {
      return words(
        "\(asks.count) + \(bids.count) of \(whole.asks.count) + \(whole.bids.count) levels",
        "호가 \(asks.count) + \(bids.count) / \(whole.asks.count) + \(whole.bids.count)")
    }
    // `all 1 ask` is no English.
    let hasMany = min(asks.count, bids.count) > 1
    return words(
      (hasMany ? "all " : "") + "\(asks.count.counted("ask")) and \(bids.count.counted("bid"))",
      "매도 \(asks.count), 매수 \(bids.count)" + (hasMany ? " 전부" : ""))
  }

  private func titles(_ width: Int, _ placement: Placement) -> StyledText {
    figures(
      StyledText(words("total", "누적"), .heading), StyledText(words("size", "잔량"), .heading),
      StyledText(words("price", "가격"), .heading),
      bar: StyledText(
        placement == .left ? words("░ total █ size", "░ 누적 █ 잔량") : words("size █ total ░", "잔량 █ 누적 ░"), .dim),
      width, placement)
  }

  /// Returns the columns of a line. A lone drawing on a narrow screen drops first the bar, then the total, then the
  /// size.
  private func figures(
    _ total: StyledText, _ size: StyledText, _ price: StyledText, bar: StyledText, _ width: Int, _ placement: Placement
  ) -> StyledText {
    let gap = StyledText(blanks: Self.gap)
    let (total, price) = (total.aligned(to: totalWidth), price.aligned(to: priceWidth))
    let (size, room) = (size.aligned(to: sizeWidth), width - figuresWidth)
    switch placement {
    case .left: return bar.shortened(to: room).aligned(to: room) + gap + total + gap + size + gap + price
    case .right: return price + gap + size + gap + total + gap + bar.shortened(to: room)
    case .alone:
      let sized = size + gap + price
      let shown = [total + gap + sized, sized, price][hiddenTitles(width).count]
      return room >= 4 && bar.width > 0 ? shown + gap + bar.shortened(to: room) : shown
    }
  }

  private func line(
    _ row: Row, _ style: Style, _ width: Int, _ placement: Placement, _ most: Decimal
  ) -> StyledText {
    figures(
      StyledText(row.total.fixedText(places: sizePlaces)), StyledText(row.level.size.fixedText(places: sizePlaces)),
      StyledText(row.level.price.fixedText(places: pricePlaces), style),
      bar: bar(row, width - figuresWidth, placement, most), width, placement)
  }

  /// Draws the size solid and the total shaded behind it, to the nearest cell. Solid bars end on an eighth of a cell;
  /// those growing to the left on a half, the only fraction with a character.
  private func bar(_ row: Row, _ room: Int, _ placement: Placement, _ most: Decimal) -> StyledText {
    guard room > 0, let axis = ValueAxis([0, most]) else { return "" }
    func parts(_ value: Decimal, ofCell parts: Int) -> Int {
      Int(((1 - axis.depth(value)) * Double(parts * room)).rounded())
    }
    let whole = placement == .left ? 2 : 8
    let solid = max(1, parts(row.level.size, ofCell: whole))
    let cells = (solid + whole - 1) / whole
    let total = max(cells, min(room, (parts(row.total, ofCell: 8) + 4) / 8))
    let shade = StyledText(String(repeating: "░", count: total - cells), .dim)
    guard placement == .left else { return StyledText(Self.bar(eighths: solid)) + shade }
    return shade + StyledText((solid % whole == 0 ? "" : "▐") + String(repeating: "█", count: solid / whole))
  }

  /// Returns a bar that grows to the right, of this many eighths of a cell.
  static func bar(eighths: Int) -> String {
    String(repeating: "█", count: eighths / 8) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
  }

  /// Returns the spread: the best prices, the gap between them, and the middle.
  private func middle(_ width: Int) -> [StyledText] {
    // Based on the original book, since joined levels are farther apart.
    let book = answer.value ?? book
    func best(_ name: String, _ levels: [OrderBook.Level], none: String) -> StyledText {
      levels.first.map { StyledText("\(name) ") + StyledText(page.number($0.price)) } ?? StyledText(none, .dim)
    }
    var parts = [
      best(words("ask", "최우선 매도"), book.asks, none: words("no asks", "매도 호가 없음")),
      best(words("bid", "최우선 매수"), book.bids, none: words("no bids", "매수 호가 없음")),
    ]
    if let spread = book.spread, let percent = book.spreadPercent {
      parts.append(StyledText(words("spread", "스프레드") + " \(spread.shortest) (\(percent.finePercentText) %)"))
    }
    if let middle = book.middle {
      parts.append(StyledText(words("mid", "중간가") + " \(middle.shortest)"))
      if let conversion = answer.conversion, conversion.currency != answer.pair.payment,
        let converted = conversion.converted(middle)
      {
        parts.append(StyledText("= \(converted.rateText) \(conversion.currency)", .dim))
      }
    }
    if let last { parts.append(StyledText(words("last", "현재가") + " ") + last) }
    if book.isCrossed { parts.append(StyledText("book-crossed", .alert)) }
    return StyledText.flow(parts, width: width - 2).map { "  " + $0 }
  }

  /// Returns bids against asks: for what is shown, and near the middle.
  private func sums(_ width: Int) -> [StyledText] {
    // A book mixing two moments, or with swapped sides, is not summed.
    guard !book.isCrossed else { return [] }
    let sums = book.sizes()
    guard let share = OrderBookReport.share(sums) else { return inPart(width) }
    let ends = (
      StyledText("  \(words("bid", "매수")) \(sums.bids.shortest) "),
      StyledText(" \(sums.asks.shortest) \(words("ask", "매도"))  \(OrderBookReport.ratio(share))")
    )
    let room = min(40, width - ends.0.width - ends.1.width)
    var line = ends.0
    if room >= 4, let axis = ValueAxis([0, 100]) {
      let solid = axis.part(of: 100 - share, among: room + 1)
      line +=
        StyledText(String(repeating: "█", count: solid), .up)
        + StyledText(String(repeating: "░", count: room - solid), .down)
    }
    var lines = line.width + ends.1.width <= width ? [line + ends.1] : [ends.0, " " + ends.1]
    let whole = answer.value ?? book
    if let near = OrderBookReport.share(whole.sizes(within: OrderBookReport.nearPercent)), whole.middle != nil {
      let percent = OrderBookReport.nearPercent.shortest
      let text =
        words("  within \(percent) % of the middle  ", "  중간가 \(percent) % 이내  ") + OrderBookReport.ratio(near)
      let reach = OrderBookReport.reachesNear(whole) ? "" : words("(these levels end sooner)", "(호가가 그 안에서 끝남)")
      lines += StyledText.flow([StyledText(text, .dim), StyledText(reach, .dim)], width: width, indent: 2)
    }
    return lines + inPart(width)
  }

  /// Names the merged levels that the received book ends within: there may be more at them.
  private func inPart(_ width: Int) -> [StyledText] {
    let ends = book.endsWithinStep
    let sides = [(ends.asks, book.asks, answer.value?.asks), (ends.bids, book.bids, answer.value?.bids)]
    let levels = sides.compactMap { endsWithinStep, shown, received in
      endsWithinStep ? shown.last.flatMap { level in received?.last.map { (level.price, $0.price) } } : nil
    }
    guard !levels.isEmpty else { return [] }
    let shown = levels.map(\.0.shortest).joined(separator: ", ")
    let received = levels.map(\.1.shortest).joined(separator: ", ")
    let parts = [
      StyledText(words("  in part: ", "  일부만: ") + shown, .dim),
      StyledText(words("(the book ends at \(received))", "(호가 끝 \(received))"), .dim),
    ]
    return StyledText.flow(parts, width: width, indent: 2)
  }
}
