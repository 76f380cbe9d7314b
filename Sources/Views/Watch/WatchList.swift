import Mapping
import MarketData
package import Quotes
import Terminal

// All pairs of a market on a live screen: `market list --watch`.

extension WatchBoard {
  var sortColumns: [ListSort] { ListSort.columns(ofMany: listing?.exchange == nil) }

  fileprivate func table(_ listing: PairListing, _ order: (sort: ListSort, payment: String?), _ state: WatchState)
    -> PairTable
  {
    var table = PairTable(
      listing: listing, sort: order.sort, isReversed: state.isReversed, language: settings.language,
      favorites: Set(state.favorites.pairs), digits: settings.list?.digits ?? .short, alert: settings.alert,
      badge: badge)
    table.isInOwnMoney = money == .sent
    // Same as the printed list, except for flashing and converted prices.
    if settings.list?.digits != .full || money != .sent {
      table.prices = { entry in
        PriceDigits(
          entry.rows.map(\.ticker).filter { $0.headlineObjection(settings.rule) == nil }, ticks: ticks,
          in: conversion(of: entry.pair))
      }
    }
    return table
  }

  /// Returns the list entry under the cursor as a line, with prices as sent; nil for a watchlist.
  func listLine(of pair: Pair, _ state: WatchState) -> String? {
    guard let listing, let order = state.list, let entry = entry(of: pair) else { return nil }
    return shown(in: .sent).table(listing, order, state).line(entry)
  }
}

extension WatchScreen {
  /// Returns the rows whose closes this screen draws, the most important first; empty if none are requested.
  ///
  /// - Parameter most: The maximum number of those below the leaders of a list.
  package func trendRows(ofRows most: Int = .max) -> [RowKey] {
    guard let trends = settings.trends, !state.showsHelp else { return [] }
    switch state.screen {
    case .pairs:
      guard let listing = board.listing else {
        return size.columns < Self.twoPanes ? [] : state.cursor.flatMap { trendRow(of: $0) }.map { [$0] } ?? []
      }
      let shown = Trend.hasColumns(in: size.columns) ? frame().pairs.prefix(most).compactMap(board.entry(of:)) : []
      return (fittingLeaders(of: listing).items.map(\.entry) + shown)
        .map { trends.row(among: $0.rows, lead: $0.leadRow, settings.rule) }.unique
    case .pair(let pair): return hasDayBars ? trendRow(of: pair).map { [$0] } ?? [] : []
    case .row, .feeds, .alerts, .balances: return []
    }
  }

  /// Whether the title of a pair's own screen has room for a day's closes.
  var hasDayBars: Bool { size.columns >= WatchHeader.widths.oneLine }

  /// Returns the row whose closes stand for a pair followed on many exchanges; nil if it has no price.
  private func trendRow(of pair: Pair) -> RowKey? {
    guard let trends = settings.trends, let figures = board[pair], let lead = figures.leadRow else { return nil }
    return trends.row(among: figures.snapshot.spot, lead: lead, settings.rule)
  }

  /// Returns the closes of a day for the title of a pair, after the badge of their exchange if that is not the one of its
  /// price; nil if none have been requested.
  func dayBars(of pair: Pair) -> StyledText? {
    guard let row = trendRow(of: pair), let reading = settings.trends?[row] else { return nil }
    let isOfLead = row.exchange == board[pair]?.leadRow?.ticker.exchange
    let bars = reading.trend?.bars(of: Trend.day, cells: Trend.dayCells, at: board.now)
    return (bars ?? (reading.failure == nil ? nil : .nothing)).map {
      StyledText(isOfLead ? "" : board.badge(row.exchange) + " ") + $0
    }
  }

  /// Returns why the title of a pair has no closes, or what they lack.
  func dayRemark(of pair: Pair, width: Int) -> [StyledText] {
    remark(on: trendRow(of: pair), hours: Trend.day, width: width)
  }

  private func remark(on row: RowKey?, hours: Int, width: Int) -> [StyledText] {
    guard let row, let reading = settings.trends?[row] else { return [] }
    let remark = reading.remark(on: row, hours: hours, at: board.now, language, zone: board.zone)
    return remark.map { StyledText($0, .dim).wrapped(to: width) } ?? []
  }

  /// The divisor for the share of screen lines that the leaders may take.
  private static let leadersShare = 8
  private static let minimumRowsForNotes = 20

  /// Returns as many of the leaders as fit; none while the list is filtered, since they are those of the whole market.
  private func fittingLeaders(of listing: PairListing) -> LeaderLines {
    LeaderLines(
      state.filter.isEmpty ? listing.leaders : [], listing, settings.trends ?? [:], at: board.now, language
    ).fitting(lines: size.rows / Self.leadersShare, width: size.columns)
  }

  func list(_ listing: PairListing) -> WatchFrame {
    guard let order = state.list else { return frame([], [], []) }
    let leaders = fittingLeaders(of: listing)
    let summary = FeedSummary(live)
    let feeds = size.columns >= WatchHeader.widths.short ? summary.long : summary.short
    let room = size.columns - feeds.width - 1
    let titles = leaders.isEmpty ? [] : [leaders.titleWithAbsence, leaders.title]
    let about = titles.first { $0.width <= room } ?? titles.last ?? ""
    let top =
      [header.line(subject(listing, order.payment)), StyledText.spread(about, feeds, size.columns)]
      + (leaders.isEmpty ? [] : leaders.lines(width: size.columns))
    let bottom = bottom(.list, below: top.count + 2)
    let absences = listing.exchange == nil ? state.cursor.flatMap { board[$0] }.map { self.absences(of: $0) } ?? [] : []
    // A pair below the titles matters more than anything about it.
    let money = (absences + trendRemark + self.about(state.visible)).prefix(
      max(0, size.rows - top.count - 2 - bottom.count))
    let table = table(listing, order)
    func window(_ notes: Int) -> Window {
      Window(
        count: state.visible.count, height: 1, at: state.cursor.flatMap { state.visible.firstIndex(of: $0) },
        room: size.rows - top.count - bottom.count - money.count - notes - 1)
    }
    // Notes take room from the rows, so they are computed for the most rows there could be.
    let all = window(0)
    let notes =
      size.rows < Self.minimumRowsForNotes
      ? []
      : table.notes(state.visible[all.shown].compactMap(board.entry(of:))).map { StyledText($0, .dim) }
        .filter { $0.width <= size.columns }.suffix(2)
    let shown = window(notes.count)
    let pairs = state.visible[shown.shown]
    let lines = table.table(pairs.compactMap(board.entry(of:))).lines(width: size.columns, namesHidden: false)
    let body =
      state.visible.isEmpty ? [StyledText("  " + nothing, .dim)] : [lines[0].dimmed] + lines.dropFirst() + rest(shown)
    return frame(
      top, body, notes + money + bottom, targets: [.titles(lines[0].plainText)] + pairs.map(WatchTarget.pair))
  }

  /// Why the row under the cursor has no sparklines, or what they lack.
  private var trendRemark: [StyledText] {
    guard Trend.hasColumns(in: size.columns), let trends = settings.trends, let pair = state.cursor,
      let entry = board.entry(of: pair)
    else { return [] }
    let row = trends.row(among: entry.rows, lead: entry.leadRow, settings.rule)
    return remark(on: row, hours: Trend.week, width: size.columns)
  }

  private func table(_ listing: PairListing, _ order: (sort: ListSort, payment: String?)) -> PairTable {
    var table = board.table(listing, order, state)
    table.cursor = state.cursor
    if Trend.hasColumns(in: size.columns), let trends = settings.trends { table.trends = (trends, board.now) }
    table.age = { entry in
      let ends = entry.premium.map { [entry.rows[$0.low], entry.rows[$0.high]] } ?? []
      return language.quietAge(nanoseconds: ([entry.leadRow] + ends).compactMap(board.age).max())
    }
    table.feeds = { entry in
      let feeds = entry.rows.compactMap { board.feed(of: $0.ticker) }
      return FeedSummary(board, feeds.map { ($0, $0.phase(of: entry.pair, at: board.now)) }).short
    }
    if listing.exchange == nil, listing.market == .spot, listing.rate != nil {
      table.kimchi = { board[$0].map { $0.localPremiumCell(state.basis) } ?? .nothing }
      table.basis = state.basis
    }
    return table
  }

  /// `Upbit spot KRW  120 of 248 pairs  filter: ㅂㅌ  replay`
  private func subject(_ listing: PairListing, _ payment: String?) -> StyledText {
    let (visible, all) = (state.visible.count, board.pairs.count)
    let who = listing.exchange ?? language("all exchanges", "전체 거래소")
    let name = [who, language.word(for: listing.market), payment].compactMap(\.self).joined(separator: " ")
    let count = visible == all ? "\(all)" : language.part(visible, of: all)
    var line = StyledText(name + "  " + language("\(count) \(all == 1 ? "pair" : "pairs")", "\(count)종목"), .heading)
    if state.showsFavoritesOnly { line += StyledText("  " + language("favourites", "즐겨찾기")) }
    let replay = LiveText.replay(settings.isReplay, language)
    return line + filter("", within: size.columns - line.width - replay.width) + replay
  }
}
