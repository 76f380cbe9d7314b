import MarketData

// The cursors of the screens: what they are on, and how they move.

extension WatchState {
  /// Returns what a cursor is on: the same as before if the user has placed it and that is still there.
  func followed<Element: Equatable>(_ element: Element?, _ cursor: Cursor, in all: [Element]) -> Element? {
    if placed.contains(cursor), let element, all.contains(element) { return element }
    return all.first
  }

  /// The cursor on screen; nil if there is none to be followed.
  var shownCursor: Cursor? {
    switch screen {
    case .pairs: .pair
    case .pair: .row
    case .feeds: .feed
    case .alerts: .alert
    case .row, .balances: nil
    }
  }

  /// Returns whether a command places the cursor, or uses what is under it.
  func placesCursor(_ command: WatchCommand) -> Bool {
    switch command {
    case .open, .detail, .favorite, .togglePinned, .pause, .page, .copyRow, .visit: true
    case .askNow: screen == .feeds
    default: command.isMove
    }
  }

  mutating func move(by distance: Int) {
    if let shownCursor { placed.insert(shownCursor) }
    switch screen {
    case .pairs: (cursor, home) = (visible.element(distance, from: cursor), nil)
    case .feeds: feed = feeds.element(distance, from: feed)
    case .alerts: alert = alerts.rules.map(\.text).element(distance, from: alert)
    case .pair: row = rows.element(distance, from: row)
    case .balances:
      let last = max(0, (balances?.count ?? 0) - 1)
      balanceRow = min(max(0, min(balanceRow, last) + distance), last)
    case .row: break
    }
  }

  // MARK: Mouse

  /// Handles a click on a line: selects it, or opens it if already selected. Clicking a title sorts by it.
  ///
  /// - Parameter column: counted from 0.
  package mutating func click(_ target: WatchTarget, at column: Int, _ board: WatchBoard) -> WatchEffect? {
    let isSecond: Bool
    switch target {
    case .titles(let titles):
      let language = board.settings.language
      let all =
        list == nil ? WatchSort.columns.map { $0.title(language, basis) } : board.sortColumns.map { $0.title(language) }
      guard let place = all.firstIndex(where: { titles.hasTitle($0, at: column) }) else { return nil }
      return perform(.sort(place + 1), board, page: 1)
    case .pair(let pair): (isSecond, cursor, home) = (cursor == pair, pair, nil)
    case .row(let key): (isSecond, row) = (row == key, key)
    case .feed(let key): (isSecond, feed) = (feed == key, key)
    case .alert(let text): (isSecond, alert) = (alert == text, text)
    case .balance(let place): (isSecond, balanceRow) = (false, place)
    }
    return perform(isSecond ? .open : .move(0), board, page: 1)
  }
}

extension Array where Element: Equatable {
  /// Returns the element at a distance from another one, clamped to the ends.
  fileprivate func element(_ distance: Int, from element: Element?) -> Element? {
    guard !isEmpty else { return nil }
    let place = element.flatMap { firstIndex(of: $0) } ?? 0
    return self[Swift.min(Swift.max(0, place + distance), count - 1)]
  }
}
