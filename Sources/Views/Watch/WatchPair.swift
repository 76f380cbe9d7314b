import Mapping
import MarketData
import Quotes
import Terminal

/// The rows of a pair in display order: usable ones, highest price first; excluded ones; and futures by disparity.
struct PairRows {
  let usable: [TickerRow]
  let leftOut: [TickerRow]
  let futures: [(row: TickerRow, disparity: Result<Disparity, DisparityAbsence>)]

  /// - Parameter order: the order to keep where possible; nil for the newest.
  init(_ figures: PairFigures, keeping order: [RowKey]? = nil) {
    let snapshot = figures.snapshot
    var usable: [TickerRow] = []
    var leftOut: [TickerRow] = []
    for row in snapshot.spot {
      if row.ticker.headlineObjection(snapshot.rule) == nil { usable.append(row) } else { leftOut.append(row) }
    }
    self.leftOut = leftOut
    self.usable = usable.ranked(by: \.ticker.price.value, isDescending: true).keeping(order, \.ticker.key)
    futures = zip(snapshot.futures, snapshot.disparities).map { (row: $0, disparity: $1) }
      .ranked(by: { (try? $0.disparity.get())?.percent }, isDescending: true).keeping(order, \.row.ticker.key)
  }

  var keys: [RowKey] { (usable + leftOut + futures.map(\.row)).map(\.ticker.key) }
}

/// One pair on all exchanges: highest price first; what is excluded, and why; futures by disparity.
struct PairScreen {
  let board: WatchBoard
  let figures: PairFigures
  /// The established order of rows; nil for the newest.
  let order: [RowKey]?
  /// The row under the cursor; nil if there is no cursor.
  let cursor: RowKey?
  /// The rows set side by side in the pair screens.
  let beside: [RowKey]
  let basis: DollarBasis
  let width: Int
  /// The closes of a day as bars, for the title; nil if unknown, or without room for them.
  var day: StyledText?

  private var language: Language { board.settings.language }
  private var digits: PriceDigits { PriceDigits(figures, on: board) }

  /// `BTC/USDT  Bitcoin   BN 91542.31 +1.36  24h ▃▄▄▃▁▁▃▄▇▇██`
  var title: StyledText {
    var pieces = [StyledText("\(figures.pair)", .heading)]
    if let name = board.settings.name(of: figures.pair) { pieces.append(StyledText("  \(name)", .dim)) }
    if let lead = figures.leadRow {
      pieces.append(
        StyledText("   \(board.badge(lead.ticker.exchange)) ") + digits.text(lead.ticker) + " "
          + lead.ticker.changeCell)
    }
    if let day { pieces.append(StyledText("  \(language("24h", "24시간")) ", .dim) + day) }
    return StyledText(whole: pieces, cells: width)
  }

  /// `premium 0.13%  ID 91600.65 over KR 91479.10   kimchi +0.54%`; why there is no kimchi premium may take a second line.
  var premium: [StyledText] {
    let name = StyledText(language("premium ", "프리미엄 "))
    var pieces: [StyledText]
    switch figures.snapshot.premium {
    case .failure(let absence):
      pieces = [name + .nothing, StyledText("  (\(absence.text(language)))", .dim)]
    case .success(let premium):
      pieces = [name + StyledText(premium, board.settings.alert, unit: "%")]
      let (high, low) = figures.snapshot.ends(of: premium)
      func end(_ row: TickerRow) -> StyledText {
        StyledText("\(board.badge(row.ticker.exchange)) ") + digits.text(row.ticker, .neutral)
      }
      pieces.append("  " + end(high) + StyledText(language(" over ", " > ")) + end(low))
    }
    if figures.localPremium[basis] != nil {
      let by = basis == .official ? "" : " (USDT)"
      let cell = StyledText("   \(language("kimchi", "김프"))\(by) ") + figures.localPremiumCell(basis, unit: "%")
      // The header has no room for the rate on a narrow screen.
      let quote = basis == .official ? board.state.rate?.quote : nil
      let doubt = quote.flatMap { RateView($0, at: board.now).doubt(language, hasAge: false) }
      pieces.append(cell + (doubt.map { " (" + $0 + ")" } ?? ""))
    }
    let line = StyledText(whole: pieces, cells: width)
    // Between other currencies no one expects one.
    guard let absence = figures.localAbsence[basis], absence != .otherCurrency else { return [line] }
    let title = WatchSort.kimchi.title(language, basis).dropLast()
    let none = StyledText("\(title) ") + .nothing + StyledText("  (\(absence.text(language)))", .dim)
    return line.width + 3 + none.width <= width
      ? [line + "   " + none] : [line, none.shortened(to: width)]
  }

  /// All lines, and the rows they are about.
  func lines() -> (lines: [StyledText], rows: [RowKey?]) {
    let lines = parts.flatMap { $0.heads + $0.lines }
    return (lines.map(\.text), lines.map(\.key))
  }

  /// Returns lines of every part, as many as fit in all; nil if there is not even room for the ends of each.
  func lines(within room: Int) -> (lines: [StyledText], rows: [RowKey?])? {
    guard let fitted = PairPart.fitted(parts, room: room) else { return nil }
    let lines = fitted.flatMap { part, count -> [PairPart.Line] in
      part.heads + part.shown(count) { StyledText(language("⋮ \($0) more", "⋮ \($0)개 더"), .dim) }
    }
    return (lines.map(\.text), lines.map(\.key))
  }

  private var parts: [PairPart] {
    let rows = PairRows(figures, keeping: order)
    func marked(_ line: StyledText, _ key: RowKey?) -> PairPart.Line {
      let isHere = key != nil && key == cursor
      let isMarked = key.map { beside.contains($0) } ?? false
      return PairPart.Line(StyledText((isHere ? "▸" : " ") + (isMarked ? "+" : " ")) + line, key)
    }
    func part(_ table: [StyledText], _ keys: [RowKey], weight: Int) -> PairPart {
      PairPart(
        head: "  " + table[0].dimmed, lines: zip(table.dropFirst(), keys).map { marked($0, $1) },
        hasEnds: true, weight: weight)
    }
    var parts = [
      rows.usable.isEmpty
        ? PairPart(lines: [PairPart.Line(StyledText("  " + nothingYet, .dim), nil)])
        : part(spotTable(rows.usable), rows.usable.map(\.ticker.key), weight: 3)
    ]
    let absent = leftOutTable(rows.leftOut)
    if !absent.isEmpty {
      let head = StyledText(language("left out of premium and disparity", "프리미엄과 괴리율에서 제외"), .dim)
      parts.append(PairPart(head: head, lines: absent.map { marked($0.line, $0.key) }, weight: 2))
    }
    let polled = board.polledExchanges(figures).map { exchange, reason in
      let text = language("polled by REST: ", "REST 조회: ") + "\(exchange) \(reason)"
      return PairPart.Line(StyledText(text, .warning).shortened(to: width), nil)
    }
    if !polled.isEmpty { parts.append(PairPart(lines: polled)) }
    if !rows.futures.isEmpty {
      parts.append(part(futuresTable(rows.futures), rows.futures.map(\.row.ticker.key), weight: 2))
    }
    return parts
  }

  private var nothingYet: String {
    let asked = figures.snapshot.reports.filter { $0.market == .spot }
    if let absence = board.absence(of: figures.pair) { return absence }
    if asked.isEmpty { return language("no answer yet", "아직 응답 없음") }
    return asked.allSatisfy { $0.status == .notListed }
      ? NoListing().text(nil, language)
      : language("no usable price", "사용 가능한 가격 없음")
  }

  // MARK: Spot

  private func spotTable(_ rows: [TickerRow]) -> [StyledText] {
    let conversion = figures.snapshot.conversion
    let digits = digits
    // A converted price is shown next to the original.
    let other =
      digits.conversion == nil
      ? conversion.map { language("in \($0.currency)", $0.currency) } : figures.pair.payment
    var table = Table(columns: [
      TableColumn(language("exchange", "거래소"), minimumWidth: 8, shortening: 0),
      TableColumn(language("price", "가격"), .right), TableColumn("", minimumWidth: 0),
      TableColumn(language("over low", "최저 대비"), .right), TableColumn("", minimumWidth: 0, dropping: 2),
      TableColumn("24h% ", .right, dropping: 4), TableColumn(language("turnover", "거래대금"), .right, dropping: 1),
      TableColumn(other ?? "", .right, dropping: 0),
      TableColumn(language("feed", "연결"), dropping: 3), ageColumn(of: rows),
    ])
    let largest = rows.compactMap { figures.snapshot.percentOverLowest($0) }.max() ?? 0
    for row in rows {
      let percent = figures.snapshot.percentOverLowest(row)
      let beside =
        digits.conversion == nil
        ? row.ticker.price.value.flatMap { conversion?.converted($0)?.rateText } : row.ticker.text(.price)
      table.addRow([
        StyledText(row.ticker.exchange), digits.text(row.ticker), basisLabel(of: row),
        percent.map { StyledText("\($0.signedPercentText)%") } ?? .nothing,
        StyledText(percent.map { Self.bar($0, of: largest) } ?? ""), change(of: row),
        row.ticker.turnover24.value.map { digits.converted($0, language.amount) ?? StyledText(language.amount($0)) }
          ?? row.ticker.cellText(.turnover24),
        other == nil ? "" : beside.map { StyledText($0, .dim) } ?? PriceDigits.noRate,
        source(of: row), age(of: row),
      ])
    }
    return table.lines(width: width - 2, namesHidden: false)
  }

  /// Returns a bar in eighths of a cell; the largest value gets seven cells.
  static func bar(_ part: Decimal, of largest: Decimal) -> String {
    guard largest.signum > 0, part.signum > 0,
      let share = part.divided(by: largest)?.scaledByPowerOfTen(2).rounded(toPlaces: 0).shortest,
      let percent = Int(share)
    else { return "" }
    return OrderBookDrawing.bar(eighths: min(56, max(0, percent) * 56 / 100))
  }

  /// `mid` of a price that is no last trade.
  private func basisLabel(of row: TickerRow) -> StyledText {
    StyledText(row.ticker.priceBasis.label ?? "", .warning)
  }

  /// The change or, if the line has room for it, why there is none.
  private func change(of row: TickerRow) -> StyledText {
    width >= 100 ? row.ticker.changeOrReason : row.ticker.changeCell
  }

  /// `stream`, `poll 2s`
  private func source(of row: TickerRow) -> StyledText {
    guard let feed = board.feed(of: row.ticker) else { return "" }
    return FeedList.state(feed.phase(of: figures.pair, at: board.now), language)
  }

  /// The ages of old prices, the last column to be dropped: without it they would look like new ones.
  private func ageColumn(of rows: [TickerRow]) -> TableColumn {
    let isAny = rows.contains { age(of: $0).width > 0 }
    return TableColumn(isAny ? language("age", "경과") : "", .right, dropping: 5)
  }

  private func age(of row: TickerRow) -> StyledText {
    StyledText(language.quietAge(nanoseconds: board.age(of: row)) ?? "", .dim)
  }

  // MARK: Excluded

  /// Returns the rows, and failed exchanges and those that do not trade the pair, with their reasons, each on as many
  /// lines as it takes, up to a limit.
  private func leftOutTable(_ rows: [TickerRow]) -> [(line: StyledText, key: RowKey?)] {
    var table = Table(columns: [TableColumn("-", minimumWidth: 8, shortening: 1), TableColumn("-", .right)])
    var reasons: [(text: String, key: RowKey?)] = []
    let digits = digits
    for row in rows {
      let objection = row.ticker.headlineObjection(board.settings.rule)
      table.addRow([StyledText(row.ticker.exchange, .dim), digits.text(row.ticker, .dim)])
      reasons.append((objection.map { $0.remark(language) } ?? "", row.ticker.key))
    }
    for report in figures.snapshot.reports where report.status == .failed || report.isHalted {
      let message = report.message(language)
      table.addRow([StyledText(report.market.name(of: report.exchange, language), .dim), StyledText.nothing])
      reasons.append(((report.reason ?? language("failed", "실패")) + (message.map { " (\($0))" } ?? ""), nil))
    }
    let heads = table.lines(width: max(8, width - 2 - Self.reasonWidth), namesHidden: false).dropFirst()
    let indent = (heads.map(\.width).max() ?? 0) + 2
    // Beside the table, which cannot be scrolled, one long list of reasons must not push out everything else.
    let most = cursor == nil && reasons.count > Self.reasonLines ? 1 : Self.reasonLines
    return zip(heads, reasons).flatMap { head, reason in
      lines(of: reason.text, upTo: most, cells: max(8, width - 2 - indent)).enumerated().map { place, text in
        ((place == 0 ? head : "").padded(to: indent) + text, place == 0 ? reason.key : nil)
      }
    }
  }

  /// Returns a reason on as many lines as it takes, up to a limit, with a mark where it is cut.
  private func lines(of reason: String, upTo most: Int, cells: Int) -> [StyledText] {
    let reason = StyledText(reason, .dim)
    let all = reason.wrapped(to: cells)
    guard all.count > most else { return all }
    let last = most == 1 ? reason : all[most - 1] + StyledText(" ..", .dim)
    return all.prefix(most - 1) + [last.shortened(to: cells)]
  }

  // Of a reason: the room that names leave it, and its lines. An exchange's own words may go on for long.
  private static let (reasonWidth, reasonLines) = (24, 3)

  // MARK: Futures

  private func futuresTable(_ rows: [(row: TickerRow, disparity: Result<Disparity, DisparityAbsence>)]) -> [StyledText]
  {
    let snapshot = figures.snapshot
    let digits = digits
    // A row with a reason has no difference. The reason itself is cut only once nothing but the price and the disparity
    // would go on without it.
    let hasReasons = rows.contains { $0.disparity.failure != nil }
    var table = Table(columns: [
      TableColumn(language("futures", "선물"), minimumWidth: 8, shortening: 1),
      TableColumn("", dropping: hasReasons ? 1 : 0),
      TableColumn(language("price", "가격"), .right), TableColumn(language("disparity", "괴리율"), .right),
      TableColumn(language("difference", "차이"), .right, dropping: hasReasons ? 0 : 1),
      TableColumn("24h% ", .right, dropping: 3),
      TableColumn("", minimumWidth: 5, shortening: 0, dropping: 2, isKey: true), ageColumn(of: rows.map(\.row)),
    ])
    for (row, result) in rows {
      let disparity = try? result.get()
      let remark: StyledText
      switch result {
      // The label says so.
      case .failure(.futures(.basis)): remark = StyledText("")
      case .failure(let absence): remark = StyledText(absence.text(language), .dim)
      case .success(let own):
        remark = StyledText(
          own == snapshot.ranking.first
            ? language("first", "최고") : own == snapshot.ranking.last ? language("last", "최저") : "")
      }
      table.addRow([
        StyledText(row.ticker.exchange), StyledText(row.ticker.product ?? "", .dim), digits.text(row.ticker),
        StyledText(percent: disparity?.percent, unit: "%"),
        disparity.map { digits.converted($0.difference, \.rateText) ?? StyledText($0.difference.shortest) }
          ?? .nothing, change(of: row), [basisLabel(of: row), remark].joined(), age(of: row),
      ])
    }
    return table.lines(width: width - 2, namesHidden: false)
  }
}
