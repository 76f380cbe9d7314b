import Mapping
package import MarketData
package import Quotes
package import Terminal

/// The user's state of a live view: the current screen, sort order and cursor position. A value; its data comes from a
/// ``WatchBoard``.
package struct WatchState: Sendable {
  package enum Screen: Sendable, Hashable {
    case pairs
    case pair(Pair)
    case row(RowKey)
    case feeds
    case alerts
    case balances

    /// Whether it shows pairs or one of them, and not feeds, alerts or balances.
    var showsPrices: Bool { self == .pairs || pair != nil }

    /// The pair it is about; nil if it is not about a single one.
    var pair: Pair? {
      switch self {
      case .pair(let pair): pair
      case .row(let key): key.pair
      case .pairs, .feeds, .alerts, .balances: nil
      }
    }
  }

  enum Cursor { case pair, row, feed, alert }

  /// A line being typed.
  package struct OpenLine: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case filter
      /// - replacing: the text of the alert that is edited; nil for a new one.
      case alert(replacing: String?)
    }

    package let kind: Kind
    package internal(set) var editor: LineEditor
    /// Why Enter did not accept it.
    package internal(set) var problem: String? { didSet { cause = nil } }
    /// What has the ongoing problem that is the reason; nil if the reason is the text itself.
    var cause: WatchProblem.Subject?
  }

  package internal(set) var screen = Screen.pairs
  package private(set) var isTable = false
  package private(set) var showsHelp = false
  private(set) var helpPage = HelpScroll()
  package private(set) var sort = WatchSort.list
  /// For a list of all pairs of a market: its sort order and the payment currency it is restricted to; nil for a
  /// watchlist.
  package private(set) var list: (sort: ListSort, payment: String?)?
  package private(set) var isReversed = false
  /// The filter for pairs; empty for none.
  package internal(set) var filter = ""
  package internal(set) var line: OpenLine?
  /// Whether the next key selects a file format.
  package internal(set) var choosesForm = false
  package private(set) var showsFavoritesOnly = false
  package private(set) var basis = DollarBasis.official
  package private(set) var money = DisplayCurrency.sent
  /// Rows of one asset set beside the selected one in the pair screens.
  package private(set) var beside: [RowKey] = []
  /// What a screen in front is about, which commands apply to, wherever the cursor is; nil if there is none.
  var visited: (pair: Pair, row: RowKey?)?
  /// The pair, row, feed and alert under the cursor.
  package internal(set) var cursor: Pair?
  /// The cursors that the user has placed, or used what they are on: they stay with that. Any other is on the first row,
  /// whatever arrives above.
  var placed: Set<Cursor> = []
  /// Whether all feeds have answered: from then on the cursor of pairs stays with its pair, too, except that it follows
  /// the best match of a filter being typed.
  private var isSettled = false
  /// The pair that a filter has taken the cursor from, which gets it back unless it is moved.
  var home: Pair?
  package internal(set) var row: RowKey?
  package internal(set) var feed: FeedKey?
  package internal(set) var alert: String?
  package internal(set) var balanceRow = 0
  package var favorites: Favorites
  package internal(set) var alerts = AlertWatch()
  /// By the text of an alert: why its command failed the last time.
  package var commandProblems: [String: AlertCommandProblem] = [:]
  /// The alerts that fired last, all at the same moment, until the user clears them.
  package internal(set) var alarms: [AlertFiring] = []
  /// How many others fired before those and have not been cleared, either.
  package private(set) var earlierAlarms = 0
  /// The explanation of a row; nil until available.
  package var explanation: (key: RowKey, lines: [String])?
  /// The balances of the user's accounts; nil before they are requested.
  package var balances: WatchBalances?
  /// A message shown until the next key.
  package var message: String? { didSet { (page, cause, subject) = (nil, nil, nil) } }
  /// What has the ongoing problem that the message is about.
  private var cause: WatchProblem.Subject?
  /// What the message is about that may change later.
  private var subject: WatchProblem.Subject?
  /// The URL of an exchange's page, shown instead of a message.
  package private(set) var page: Hyperlink?
  package var problems: [WatchProblem] = [] { didSet { forgetSolvedProblems() } }
  package private(set) var frozen: WatchBoard?

  package private(set) var visible: [Pair] = []
  /// The rows of the shown pair, and the feeds, in display order.
  private(set) var rows: [RowKey] = []
  private(set) var feeds: [FeedKey] = []
  /// All pairs in sort order.
  private var order: [Pair] = []
  private var rowsPair: Pair?
  private var sorted: Instant?
  var lastKey: Instant?
  private var subjects = FilterSubjects()

  /// The maximum number of exchanges side by side.
  package static let maximumPinned = 6
  /// How long rows stay in place, also after a key press.
  private static let restMilliseconds = 3000

  package init(
    favorites: Favorites = Favorites(), sort: WatchSort = .list, isTable: Bool = false, screen: Screen = .pairs
  ) {
    self.favorites = favorites
    self.sort = sort
    self.isTable = isTable
    self.screen = screen
    if case .pair(let pair) = screen { (cursor, placed) = (pair, [.pair]) }
  }

  /// Creates the state for a list of all pairs of a market.
  package init(listSortedBy sort: ListSort, isReversed: Bool, filter: String, favorites: Favorites) {
    self.init(favorites: favorites)
    self.isReversed = isReversed
    self.filter = filter
    list = (sort, nil)
  }

  // MARK: Data

  /// Returns the board to draw: the frozen one, if any.
  package func shown(_ board: WatchBoard) -> WatchBoard { frozen ?? board }

  /// Returns the number of changes since the display was frozen.
  package func waitingChanges(_ board: WatchBoard) -> UInt64 {
    frozen.map { board.state.updates - min($0.state.updates, board.state.updates) } ?? 0
  }

  /// Takes in new figures, and re-sorts rows that have stayed in place long enough.
  package mutating func take(_ board: WatchBoard) {
    let board = shown(board)
    let mayMove = mayMove(at: board.time)
    let isMoved = mayMove || Set(board.pairs) != Set(order)
    if isMoved { sortPairs(board) }
    // Computing the figures of thousands of pairs on each change, just for a filter, would be too expensive.
    if isMoved || list == nil || !WatchFilter.compares(filter) { filterPairs(board) }
    followCursors(board, mayMove: mayMove)
    if board.state.isSettled, cursor != nil { isSettled = true }
  }

  /// Shows alerts that have fired, in front of those not yet cleared.
  mutating func take(_ firings: [AlertFiring]) {
    guard !firings.isEmpty else { return }
    earlierAlarms += alarms.count
    alarms = firings
  }

  mutating func clearAlarms() { (alarms, earlierAlarms) = ([], 0) }

  /// Shows the result of a command until the next key.
  package mutating func take(_ answer: WatchAnswer) {
    switch answer {
    case .text(let text, let about): (message, subject) = (text, about)
    case .withdrawn(let about): if subject == about { message = nil }
    case .page(let link): (message, page) = (nil, link)
    case .refused(let change): take(change)
    }
  }

  /// Says why a change was not made. What was typed stays in its line.
  private mutating func take(_ change: RefusedChange) {
    if let alert = change.alert, line == nil {
      line = OpenLine(
        kind: .alert(replacing: alert.replaced), editor: LineEditor(alert.text), problem: change.sentence,
        cause: change.cause)
    } else {
      message = change.sentence + (change.alert.map { ": \($0.text)" } ?? "")
      cause = change.cause
    }
  }

  private mutating func forgetSolvedProblems() {
    func isSolved(_ cause: WatchProblem.Subject) -> Bool { !problems.contains { $0.subject == cause } }
    if let cause, isSolved(cause) { message = nil }
    if let cause = line?.cause, isSolved(cause) { line?.problem = nil }
  }

  var answerLine: StyledText? { page.map { StyledText($0, .heading) } ?? message.map { StyledText($0, .warning) } }

  private func mayMove(at time: Instant) -> Bool {
    [sorted, lastKey].allSatisfy { time.isPast(.milliseconds(Self.restMilliseconds), after: $0) }
  }

  private mutating func sortPairs(_ board: WatchBoard) {
    if let list, let listing = board.listing {
      let language = board.settings.language
      order = list.sort.ordered(listing.entries, reversed: isReversed, listing.rule, language).map(\.pair)
    } else {
      order = sort.order(board.figures, reversed: isReversed, basis)
    }
    sorted = board.time
  }

  /// Determines the visible pairs. Unless sorted otherwise, the best filter matches come first.
  private mutating func filterPairs(_ board: WatchBoard) {
    var kept = showsFavoritesOnly ? order.filter(Set(favorites.pairs).contains) : order
    if let payment = list?.payment { kept.removeAll { $0.payment != payment } }
    let places = WatchFilter(filter, board).places(
      kept, board, &subjects, isRanked: list == nil && sort == .list && !isReversed)
    visible = places.map { kept[$0] }
    let isPlaced = placed.contains(.pair)
    guard isPlaced || isSettled && !(line?.kind == .filter && !filter.isEmpty) else {
      if isSettled { home = home ?? cursor }
      cursor = visible.first
      return
    }
    if let home, visible.contains(home), isPlaced || filter.isEmpty { (cursor, self.home) = (home, nil) }
    if cursor.map(visible.contains) != true { (home, cursor) = (home ?? cursor, visible.first) }
  }

  private mutating func followCursors(_ board: WatchBoard, mayMove: Bool) {
    // No pair is drawn beside a list.
    let wanted = list == nil ? screen.pair ?? cursor : screen.pair
    let listed = wanted.flatMap { board[$0] }.map { PairRows($0).keys } ?? []
    if mayMove || wanted != rowsPair || Set(listed) != Set(rows) { rows = listed }
    rowsPair = wanted
    row = followed(row, .row, in: rows)
    let all = FeedList.order(board)
    if mayMove || Set(all) != Set(feeds) { feeds = all }
    feed = followed(feed, .feed, in: feeds)
    let rules = alerts.rules.map(\.text)
    alert = followed(alert, .alert, in: rules)
  }

  // MARK: Commands

  /// Executes the command of a key.
  ///
  /// - Parameters:
  ///   - page: the number of rows per page.
  ///   - columns: the width of the screen.
  /// - Returns: what must be done outside of the screen; nil if only the screen has changed.
  package mutating func perform(
    _ command: WatchCommand, _ board: WatchBoard, page: Int, columns: Int = 80
  ) -> WatchEffect? {
    lastKey = board.time
    message = nil
    let isTurned = showsHelp && turnHelp(command, board, ScreenSize(columns: columns, rows: page))
    let effect = isTurned ? nil : carryOut(command, board, page: page)
    // Moving leaves the pairs as they are.
    if command.isMove { followCursors(shown(board), mayMove: false) } else { updateVisible(board) }
    return effect
  }

  /// Determines the visible pairs anew after a key, while rows stay in place.
  mutating func updateVisible(_ board: WatchBoard) {
    let board = shown(board)
    filterPairs(board)
    followCursors(board, mayMove: false)
  }

  private mutating func carryOut(_ command: WatchCommand, _ board: WatchBoard, page: Int) -> WatchEffect? {
    let shown = shown(board)
    // What would change on a list that is not shown would only be seen later.
    if !screen.showsPrices, WatchKey.changesPairs(command) { return nil }
    // A match that is used is the user's choice.
    if placesCursor(command), let shownCursor, placed.insert(shownCursor).inserted, shownCursor == .pair { home = nil }
    switch command {
    case .move(let distance): move(by: distance)
    case .movePage(let pages): move(by: Self.lines(pages, of: page))
    case .first: move(by: -1_000_000)
    case .last: move(by: 1_000_000)
    case .open: return open()
    case .detail: return screen == .pairs ? open() : nil
    case .back: back()
    case .quit: return quit()
    case .sortNext: sortByNextColumn(shown)
    case .reverseSort:
      isReversed.toggle()
      sortPairs(shown)
    case .sort(let column): sort(byColumn: column, shown)
    case .switchPayment(let step): switchPayment(by: step, shown)
    case .switchLayout: isTable.toggle()
    case .feeds: screen = screen == .feeds ? .pairs : .feeds
    case .alerts:
      if screen == .alerts { openLine(.alert(replacing: nil), "") } else { screen = .alerts }
    case .balances:
      screen = screen == .balances ? .pairs : .balances
      return screen == .balances ? .askBalances : nil
    case .silence:
      let isSilent = alerts.isSilent(at: board.now)
      if isSilent { alerts.unmute() } else { alerts.mute(from: board.now, seconds: 3600) }
      message = AlertText.silence(!isSilent, shown.settings.language)
    case .help: (showsHelp, helpPage) = (true, HelpScroll())
    case .freeze: frozen = frozen == nil ? board : nil
    case .favorite: if let pair = selectedPair { return .toggleFavorite(pair) }
    case .onlyFavorites: showsFavoritesOnly.toggle()
    case .switchBasis:
      basis = basis == .official ? .token : .official
      message = basis.text(shown.settings.language)
    case .switchCurrency: money = DisplayCurrency.allCases.next(after: money)
    case .togglePinned: togglePinned(shown)
    case .filter:
      screen = .pairs
      openLine(.filter, filter)
    case .askNow where screen == .balances: return .askBalancesAgain
    case .askNow: return .askNow(screen == .feeds ? feed : nil)
    case .pause:
      if screen == .feeds, let feed { return .togglePause(feed) }
      if screen == .alerts, let alert { return .removeAlert(alert) }
    case .page: return selectedRow.map { .page($0) }
    case .copyRow where screen == .balances, .copyScreen where screen == .balances:
      message = shown.settings.language(
        "balances are not copied, where other programs could read them; x saves them",
        "잔고는 다른 프로그램이 읽을 수 있어 복사하지 않음; x로 저장")
    case .copyRow: return lineUnderCursor(shown).map { .copy($0) }
    case .copyScreen: return .copyScreen
    case .save:
      // With a single format, there is nothing to choose.
      guard savedForms.count > 1 else { return .save(.text) }
      (choosesForm, message) = (true, SavedForm.question(savedForms, shown.settings.language))
    case .visit(let visit):
      if let pair = selectedPair {
        return .visit(visit, pair, row: selectedRow, beside: beside.filter { $0.pair.asset == pair.asset })
      }
    }
    return nil
  }

  private mutating func sortByNextColumn(_ board: WatchBoard) {
    if let list {
      self.list?.sort = board.sortColumns.next(after: list.sort)
    } else {
      sort = WatchSort.allCases.next(after: sort)
    }
    isReversed = false
    sortPairs(board)
  }

  /// Sorts by the column with this number, from 1; by the same column again, in reverse.
  private mutating func sort(byColumn number: Int, _ board: WatchBoard) {
    let count = list == nil ? WatchSort.columns.count : board.sortColumns.count
    guard (1...count).contains(number) else {
      message = board.settings.language("columns to sort by: 1 to \(count)", "정렬할 수 있는 열: 1-\(count)")
      return
    }
    if let list {
      let wanted = board.sortColumns[number - 1]
      isReversed = wanted == list.sort && !isReversed
      self.list?.sort = wanted
    } else {
      let wanted = WatchSort.columns[number - 1]
      isReversed = wanted == sort && !isReversed
      sort = wanted
    }
    sortPairs(board)
  }

  /// Handles keys while the help is shown. Returns false if a key has its usual effect, which closes the help.
  private mutating func turnHelp(_ command: WatchCommand, _ board: WatchBoard, _ room: ScreenSize) -> Bool {
    let count = board.help(width: room.columns).count
    if helpPage.take(command, of: count, room: room.rows) { return true }
    showsHelp = false
    return [.back, .help, .quit].contains(command)
  }

  static func lines(_ pages: Int, of page: Int) -> Int {
    let (product, overflow) = pages.multipliedReportingOverflow(by: max(1, page))
    return overflow ? 0 : product
  }

  /// The pair that commands apply to.
  private var selectedPair: Pair? { visited?.pair ?? (screen == .pairs ? cursor : screen.pair) }

  private var selectedRow: RowKey? {
    if let visited { return visited.row }
    return switch screen {
    case .pair: row
    case .row(let key): key
    case .pairs, .feeds, .alerts, .balances: nil
    }
  }

  /// Sets the selected row beside others of its asset, or removes it. For a pair, that is its leading row.
  private mutating func togglePinned(_ board: WatchBoard) {
    guard let pair = selectedPair, let key = selectedRow ?? board[pair]?.leadRow?.ticker.key else { return }
    let rest = beside.filter { $0 != key && $0.pair.asset == pair.asset }
    let language = board.settings.language
    if beside.contains(key) {
      beside = rest
    } else if rest.count < Self.maximumPinned {
      beside = rest + [key]
    } else {
      message = language("already comparing six exchanges", "이미 여섯 곳을 비교 중")
    }
  }

  private mutating func open() -> WatchEffect? {
    switch screen {
    case .pairs:
      guard let selectedPair else { return nil }
      screen = .pair(selectedPair)
      row = nil
      placed.remove(.row)
    case .pair:
      guard let row else { return nil }
      screen = .row(row)
      explanation = nil
      return .explain(row)
    case .alerts: openLine(.alert(replacing: alert), alert ?? "")
    case .row, .feeds, .balances: break
    }
    return nil
  }

  private mutating func openLine(_ kind: OpenLine.Kind, _ text: String) {
    line = OpenLine(kind: kind, editor: LineEditor(text), problem: nil)
  }

  private mutating func back() {
    if frozen != nil {
      frozen = nil
    } else if case .row(let key) = screen {
      screen = .pair(key.pair)
    } else if screen != .pairs {
      screen = .pairs
    } else if !alarms.isEmpty {
      clearAlarms()
    } else if !beside.isEmpty {
      beside = []
    } else if !filter.isEmpty {
      filter = ""
    } else if showsFavoritesOnly {
      showsFavoritesOnly = false
    } else {
      list?.payment = nil
    }
  }

  private mutating func quit() -> WatchEffect? {
    switch screen {
    case .pairs: return .quit
    case .row(let key): screen = .pair(key.pair)
    case .pair, .feeds, .alerts, .balances: screen = .pairs
    }
    return nil
  }

  /// Cycles through all pairs, then those of each payment currency, starting with the one that has the most pairs.
  private mutating func switchPayment(by step: Int, _ board: WatchBoard) {
    guard let list, let listing = board.listing else { return }
    let payments = [nil] + ListSort.groups(listing.entries, by: \.pair.payment).map { $0[0].pair.payment }
    let place = payments.firstIndex(of: list.payment) ?? 0
    self.list?.payment = payments[(place + step + payments.count) % payments.count]
    screen = .pairs
  }
}
