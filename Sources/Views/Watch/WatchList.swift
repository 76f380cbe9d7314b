import Mapping
import MarketData
import Quotes
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
  /// The divisor for the share of screen lines that the leaders may take.
  private static let leadersShare = 8
  private static let minimumRowsForNotes = 20

  func list(_ listing: PairListing) -> WatchFrame {
    guard let order = state.list else { return frame([], [], []) }
    // They are those of the whole market.
    let entries = state.filter.isEmpty ? settings.leaders.ranked(in: listing) : []
    let leaders = LeaderLines(items: entries, language: language)
      .fitting(lines: size.rows / Self.leadersShare, width: size.columns)
    let summary = FeedSummary(live)
    let feeds = size.columns >= WatchHeader.widths.short ? summary.long : summary.short
    let room = size.columns - feeds.width - 1
    let titles = leaders.isEmpty ? [] : [leaders.titleWithAbsence, leaders.title]
    let about = titles.first { $0.width <= room } ?? titles.last ?? ""
    let top =
      [header.line(subject(listing, order.payment)), StyledText.spread(about, feeds, size.columns)]
      + leaders.lines(width: size.columns)
    let bottom = bottom(.list, below: top.count + 2)
    let absences = listing.exchange == nil ? state.cursor.flatMap { board[$0] }.map { self.absences(of: $0) } ?? [] : []
    // A pair below the titles matters more than anything about it.
    let money = (absences + self.about(state.visible)).prefix(max(0, size.rows - top.count - 2 - bottom.count))
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

  private func table(_ listing: PairListing, _ order: (sort: ListSort, payment: String?)) -> PairTable {
    var table = board.table(listing, order, state)
    table.cursor = state.cursor
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

extension [Leader] {
  /// Returns the current leaders with the price history of those already loaded, which is done hourly.
  fileprivate func ranked(in listing: PairListing) -> [(entry: PairListing.Entry, leader: Leader)] {
    guard !isEmpty else { return [] }
    return Leader.entries(of: listing).map { entry in
      (entry, first { $0.pair == entry.pair } ?? Leader(entry.pair, .failure(TableFailure(.notRequested))))
    }
  }
}
