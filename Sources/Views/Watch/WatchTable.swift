import Mapping
import MarketData
import Quotes
import Terminal

/// The pairs of a live view: two-line cards with each pair's highest and lowest price, or a table with one line each.
struct PairList {
  let board: WatchBoard
  let state: WatchState
  let isTable: Bool
  let width: Int

  private var settings: WatchSettings { board.settings }
  private var language: Language { settings.language }

  func lines(_ pairs: [Pair]) -> (titles: StyledText, pairs: [[StyledText]]) {
    let figures = pairs.compactMap { board[$0] }
    return isTable ? table(figures) : cards(figures)
  }

  /// `▸*BTC/USDT`
  private func name(_ figures: PairFigures) -> String {
    let isHere = state.cursor == figures.pair
    let isMarked = state.favorites.pairs.contains(figures.pair)
    return (isHere ? "▸" : " ") + (isMarked ? "*" : " ") + figures.pair.description
  }

  // What columns reserve, so that a live screen does not move sideways: a badge, one with an age, two of them, a change.
  private static let (badge, agedBadge, badges, change) = (3, 7, 7, 7)

  // MARK: Cards

  /// The length at which names on a card are cut.
  private static let maximumNameWidth = 18
  /// The width of a card with usual names and premiums.
  private static let cardWidth = 16

  private func cards(_ figures: [PairFigures]) -> (titles: StyledText, pairs: [[StyledText]]) {
    let disparity = language("disparity", "괴리율")
    var lines = cardLines(figures)
    if !lines[0].plainText.contains(disparity) {
      // An old price without its exchange is better than none. The premium names the exchanges, too, but nothing else has
      // the ages.
      let narrow = cardLines(figures, isAgeAlone: true)
      let isTooWide = lines.contains { $0.width > width }
      if isTooWide || narrow[0].plainText.contains(disparity) { lines = narrow }
    }
    // Where the disparity would be; on a narrow screen, behind what is shown.
    let titles = lines[0].plainText
    let place = titles.ranges(of: disparity).first?.lowerBound
    let start =
      place.map { TerminalText.width(of: String(titles[..<$0])) }
      ?? (lines.map(\.width).max() ?? 0) + TableLayout.gap
    for (place, pair) in figures.enumerated() {
      for (line, forms) in zip([2 * place + 1, 2 * place + 2], kimchi(pair)) {
        // If only a cell is missing, it is taken from the gap.
        func column(of text: StyledText) -> Int { min(start, width - text.width) }
        guard let text = forms.first(where: { lines[line].width < column(of: $0) }) else { break }
        lines[line] = lines[line].padded(to: column(of: text)) + text
      }
    }
    return (lines[0], stride(from: 1, to: lines.count - 1, by: 2).map { [lines[$0], lines[$0 + 1]] })
  }

  /// - Parameter isAgeAlone: Whether an age takes the place of the exchange's badge.
  private func cardLines(_ figures: [PairFigures], isAgeAlone: Bool = false) -> [StyledText] {
    var table = Table(columns: [
      // It contains the premium, and numbers are never shortened.
      TableColumn("  " + language("pair", "종목"), reserved: Self.cardWidth),
      TableColumn(language("high / low", "최고 / 최저"), .right),
      TableColumn(language("at", ""), reserved: Self.agedBadge),
      TableColumn("24h% ", .right, dropping: 3, reserved: Self.change),
      TableColumn(language("disparity", "괴리율"), .right, dropping: 2),
      TableColumn(language("at", ""), dropping: 2, reserved: Self.badge),
      TableColumn(language("first / last", "선물 가격"), .right, dropping: 0),
      TableColumn("24h% ", .right, dropping: 1, reserved: Self.change),
    ])
    for pair in figures { for row in card(pair, isAgeAlone: isAgeAlone) { table.addRow(row) } }
    return table.lines(width: width, namesHidden: false)
  }

  private func card(_ figures: PairFigures, isAgeAlone: Bool) -> [[StyledText]] {
    let digits = PriceDigits(figures, on: board)
    let snapshot = figures.snapshot
    let name = TerminalText.prefix(of: TerminalText.sanitized(name(figures)), cells: Self.maximumNameWidth)
    var first = StyledText(name, state.cursor == figures.pair ? .heading : .neutral)
    // An exchange that failed or does not list the pair has no row that could be missing in the figures.
    let leftOut = figures.snapshot.rows.count { $0.ticker.headlineObjection(settings.rule) != nil }
    if leftOut > 0 { first += StyledText("  !\(leftOut)", .alert) }
    let second: StyledText
    let (high, low): (TickerRow?, TickerRow?)
    switch snapshot.premium {
    case .success(let premium):
      let ends = snapshot.ends(of: premium)
      (high, low) = (ends.high, ends.low)
      let (highBadge, lowBadge) = (board.badge(ends.high.ticker.exchange), board.badge(ends.low.ticker.exchange))
      let percent = StyledText(premium, settings.alert, unit: "%")
      let blanks = max(1, 10 - highBadge.count - percent.width)
      second = StyledText("  \(highBadge)") + StyledText(blanks: blanks) + percent + StyledText(" \(lowBadge)")
    case .failure:
      (high, low) = (figures.leadRow ?? figures.lastRow, nil)
      second = StyledText("        - %", .dim)
    }
    let ranking = snapshot.ranking
    return [
      [first] + end(high, digits, isOld: figures.lead == nil, isAgeAlone: isAgeAlone && low != nil)
        + disparity(ranking.first, figures, digits, isAgeAlone: isAgeAlone),
      [second] + end(low, digits, isAgeAlone: isAgeAlone)
        + disparity(ranking.last, figures, digits, isAgeAlone: isAgeAlone),
    ]
  }

  /// - Parameters:
  ///   - isOld: Whether the price is in no headline.
  ///   - isAgeAlone: Whether an age takes the place of the badge.
  private func end(
    _ row: TickerRow?, _ digits: PriceDigits, isOld: Bool = false, isAgeAlone: Bool
  ) -> [StyledText] {
    guard let row else { return [StyledText.nothing, StyledText(""), StyledText("- ", .dim)] }
    return [
      digits.text(row.ticker, isOld ? .dim : nil),
      place(of: row, isAgeAlone: isAgeAlone),
      isOld ? row.ticker.changeCell.dimmed : row.ticker.changeCell,
    ]
  }

  /// Returns the badge of a price's exchange, and its age if it may be out of date: `UP 1m`.
  ///
  /// - Parameters:
  ///   - isAgeAlone: Whether an age takes the place of the badge.
  ///   - quiet: The age up to which it is not told, besides the ten seconds for which none is.
  private func place(of row: TickerRow, isAgeAlone: Bool, quietFor quiet: Int64 = 0) -> StyledText {
    // A live stream implies that its prices are current, unless it has fallen silent, or its messages have none. With
    // `--every` the row is as old as the picture, whatever its stream has sent since.
    let isLive =
      board.feed(of: row.ticker)?.phase(of: row.ticker.pair, at: board.now) == .live
      && board.pictured(row.ticker)?.isSilent(at: board.now) == false
      && row.ticker.priceArrival == row.ticker.lastArrival
    let badge = StyledText(board.badge(row.ticker.exchange))
    guard !isLive, let nanoseconds = board.age(of: row), nanoseconds >= quiet,
      let age = language.quietAge(nanoseconds: nanoseconds)
    else { return badge }
    return isAgeAlone ? StyledText(age, .dim) : badge + StyledText(" \(age)", .dim)
  }

  /// Returns the kimchi premium by what it is measured by now, and dim by the other, where a card has no disparity:
  /// `kimchi +0.54%`, `by USDT/KRW -0.36%`. The first is shorter on a narrow screen if it names a token: `USDT -0.36%`.
  /// Without a name it would be taken for a disparity.
  private func kimchi(_ figures: PairFigures) -> [[StyledText]] {
    guard figures.snapshot.ranking.first == nil, figures.localPremium[state.basis] != nil else { return [] }
    let bases = [state.basis, state.basis == .official ? .token : .official]
    return bases.filter { figures.localPremium[$0] != nil }.map { basis in
      let cell = figures.localPremiumCell(basis, unit: "%")
      if basis == state.basis {
        let name = language("kimchi ", "김프 ")
        return (basis == .official ? [name] : ["USDT " + name, "USDT "]).map { StyledText($0) + cell }
      }
      let by =
        basis == .official
        ? language("at official rate ", "공식 환율 기준 ") : language("by USDT/KRW ", "USDT/KRW 기준 ")
      return [StyledText(by + cell.plainText, .dim)]
    }
  }

  private func disparity(
    _ disparity: Disparity?, _ figures: PairFigures, _ digits: PriceDigits, isAgeAlone: Bool
  ) -> [StyledText] {
    guard let disparity else { return [] }
    let row = figures.snapshot.futuresRow(of: disparity)
    return [
      // On 80 columns an age costs the price of the future, so that of a polled one has none while it is in turn.
      StyledText(percent: disparity.percent, unit: "%"),
      place(of: row, isAgeAlone: isAgeAlone, quietFor: 60 * Instant.second),
      digits.text(row.ticker), row.ticker.changeCell,
    ]
  }

  // MARK: Table

  /// Whether there is room for each pair's name and its highest and lowest price.
  private var isWide: Bool { width >= 96 }

  private func table(_ figures: [PairFigures]) -> (titles: StyledText, pairs: [[StyledText]]) {
    let prices =
      isWide
      ? [
        TableColumn(language("name", "이름"), minimumWidth: 6, shortening: 0, dropping: 0),
        TableColumn(language("low", "최저"), .right), TableColumn(language("at", ""), reserved: Self.badge),
        TableColumn(language("high", "최고"), .right), TableColumn(language("at", ""), reserved: Self.badge),
      ]
      : [
        TableColumn(language("lead price", "대표가"), .right), TableColumn(language("at", ""), reserved: Self.badge),
      ]
    // Beside the lowest and the highest price, the change is that of a third exchange.
    let owner = isWide ? [TableColumn(language("at", "곳"), dropping: 5, reserved: Self.badge)] : []
    let change = [TableColumn(title(.change) + " ", .right, dropping: 5, reserved: Self.change)] + owner
    let rest = [
      TableColumn(title(.premium), .right),
      TableColumn(isWide ? "" : language("hi>lo", "최고>최저"), dropping: 0, reserved: isWide ? 0 : Self.badges),
      TableColumn(title(.disparity), .right, dropping: 4),
      TableColumn(language("at", ""), dropping: 4, reserved: Self.badge),
      TableColumn(title(.kimchi), .right, dropping: 3),
      TableColumn(title(.exchanges), .right, dropping: 1),
      // The age column only exists if there is an age to show. It is the last to be dropped: without it, old prices would
      // look like new ones.
      TableColumn(figures.contains { age(of: $0) != nil } ? language("age", "경과") : "", .right, dropping: 6),
    ]
    var table = Table(
      columns: [TableColumn("  " + title(.pair), minimumWidth: 10, shortening: 1, isKey: true)] + prices + change
        + rest)
    for pair in figures { table.addRow(row(pair)) }
    let lines = table.lines(width: width, namesHidden: false)
    return (lines[0], lines.dropFirst().map { [$0] })
  }

  /// Returns the title, with a mark if rows are sorted by it.
  private func title(_ column: WatchSort) -> String {
    let title = column.title(language, state.basis)
    guard column == state.sort else { return title }
    return title + (column.isDescending != state.isReversed ? "▾" : "▴")
  }

  private func row(_ figures: PairFigures) -> [StyledText] {
    let digits = PriceDigits(figures, on: board)
    let snapshot = figures.snapshot
    let premium = try? snapshot.premium.get()
    let ends = premium.map(snapshot.ends)
    let name = StyledText(name(figures), state.cursor == figures.pair ? .heading : .neutral)
    let isOld = figures.lead == nil
    let lead = figures.leadRow ?? figures.lastRow
    func price(_ row: TickerRow?) -> [StyledText] {
      [
        row.map { digits.text($0.ticker, isOld ? .dim : nil) } ?? .nothing,
        StyledText(row.map { board.badge($0.ticker.exchange) } ?? ""),
      ]
    }
    let prices =
      isWide
      ? [StyledText(settings.name(of: figures.pair) ?? "", .dim)]
        + price(ends?.low ?? lead) + price(ends?.high)
      : price(lead)
    let owner = isWide ? [StyledText(lead.map { board.badge($0.ticker.exchange) } ?? "")] : []
    let cell = lead.map { isOld ? $0.ticker.changeCell.dimmed : $0.ticker.changeCell } ?? StyledText("- ", .dim)
    let change = [cell] + owner
    let percent = premium.map { StyledText($0, settings.alert) } ?? .nothing
    let badges = ends.map { [$0.high, $0.low].map { board.badge($0.ticker.exchange) }.joined(separator: ">") }
    let first = snapshot.ranking.first
    let disparity = [
      first.map { StyledText(percent: $0.percent) } ?? "",
      StyledText(first.map { board.badge(snapshot.futuresRow(of: $0).ticker.exchange) } ?? ""),
    ]
    return [name] + prices + change + [percent, StyledText(isWide ? "" : badges ?? "")] + disparity + [
      figures.localPremiumCell(state.basis), StyledText("\(figures.usable)"), StyledText(age(of: figures) ?? "", .dim),
    ]
  }

  /// Returns the age of the oldest price in the line.
  private func age(of figures: PairFigures) -> String? {
    let snapshot = figures.snapshot
    var rows = [figures.leadRow ?? figures.lastRow].compactMap(\.self)
    if let ends = (try? snapshot.premium.get()).map(snapshot.ends) { rows += [ends.low, ends.high] }
    if let first = snapshot.ranking.first { rows.append(snapshot.futuresRow(of: first)) }
    return language.quietAge(nanoseconds: rows.compactMap(board.age).max())
  }
}
