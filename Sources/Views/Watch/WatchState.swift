package import MarketData
package import Quotes

/// What a person does at a live view, whatever key it is on.
package enum WatchCommand: Sendable, Hashable {
  case move(Int)
  case movePage(Int)
  case first, last
  /// The pair's screen; on the feeds' its request.
  case open
  /// Out of a line, a filter, a screen.
  case back
  case quit
  case sortNext, turnSort
  /// The column of that number, from 1.
  case sort(Int)
  case switchLayout
  case detail, feeds, help
  case freeze
  case favorite, onlyFavorites
  case switchBasis
  case filter
  case askNow, pause
}

/// What follows from it outside of the screen.
package enum WatchEffect: Sendable, Hashable {
  case quit
  case toggleFavorite(Pair)
  /// Ask all feeds, or one, within the limits.
  case askNow(FeedKey?)
  case togglePause(FeedKey)
}

/// What a person has made of a live view: which screen, in which order, where the cursor is. A value; what it shows comes from
/// a ``WatchBoard``.
package struct WatchState: Sendable {
  package enum Screen: Sendable, Hashable {
    case pairs
    case pair(Pair)
    case feeds
  }

  package private(set) var screen = Screen.pairs
  package private(set) var isTable = false
  package private(set) var showsHelp = false
  package private(set) var sort = WatchSort.list
  package private(set) var isReversed = false
  /// What the pairs are filtered by; empty shows all.
  package private(set) var filter = ""
  /// Whether the line of the filter is open.
  package private(set) var isFiltering = false
  package private(set) var showsFavoritesOnly = false
  package private(set) var basis = DollarBasis.official
  /// The pair, the row of its screen, and the feed that the cursor is on.
  package private(set) var cursor: Pair?
  package private(set) var row = 0
  package private(set) var feed: FeedKey?
  package private(set) var favorites: Favorites
  /// A line for the user that stands until the next key: `favorites.json is broken: …`.
  package var message: String?
  /// The picture that stands while it is frozen.
  package private(set) var frozen: WatchBoard?

  /// All pairs in the order in which they stand.
  private var order: [Pair] = []
  private var sorted: Instant?
  private var lastKey: Instant?

  /// Rows stay where they are for so long, and for so long after a key.
  private static let restMilliseconds = 3000

  package init(
    favorites: Favorites = Favorites(), sort: WatchSort = .list, isTable: Bool = false, screen: Screen = .pairs
  ) {
    self.favorites = favorites
    self.sort = sort
    self.isTable = isTable
    self.screen = screen
    if case .pair(let pair) = screen { cursor = pair }
  }

  // MARK: Data

  /// The board to draw: the one that stands while the picture is frozen.
  package func shown(_ board: WatchBoard) -> WatchBoard { frozen ?? board }

  /// How many pairs have changed since the picture was frozen.
  package func waitingChanges(_ board: WatchBoard) -> UInt64 {
    frozen.map { board.state.revision - min($0.state.revision, board.state.revision) } ?? 0
  }

  /// Takes in new figures: sorts the rows anew where they have stood long enough.
  package mutating func take(_ board: WatchBoard) {
    let board = shown(board)
    let pairs = board.figures.map(\.pair)
    if Set(pairs) != Set(order) || mayMove(at: board.now) {
      order = sort.order(board.figures, reversed: isReversed, basis)
      sorted = board.now
    }
    let visible = self.visible(board)
    if cursor.map({ !visible.contains($0) }) ?? true { cursor = visible.first }
    let feeds = FeedList.order(board)
    if feed.map({ !feeds.contains($0) }) ?? true { feed = feeds.first }
  }

  private func mayMove(at now: Instant) -> Bool {
    [sorted, lastKey].allSatisfy { moment in
      moment.map { now >= $0.adding(milliseconds: Self.restMilliseconds) || now < $0 } ?? true
    }
  }

  /// The pairs that are shown, in their order.
  package func visible(_ board: WatchBoard) -> [Pair] {
    let words = PairFilter(filter)
    return order.filter { pair in
      words.matches(pair, name: board.settings.names[pair]) && (!showsFavoritesOnly || favorites.pairs.contains(pair))
    }
  }

  package mutating func follow(_ favorites: Favorites) { self.favorites = favorites }

  // MARK: Keys

  /// Does what a key asks for.
  ///
  /// - Returns: what has to be done outside; nil where the screen alone has changed.
  package mutating func perform(_ command: WatchCommand, _ board: WatchBoard, page: Int) -> WatchEffect? {
    lastKey = board.now
    message = nil
    let shown = shown(board)
    switch command {
    case .move(let distance): move(by: distance, shown)
    case .movePage(let pages):
      let (product, overflow) = pages.multipliedReportingOverflow(by: max(1, page))
      move(by: overflow ? 0 : product, shown)
    case .first: move(by: -1_000_000, shown)
    case .last: move(by: 1_000_000, shown)
    case .open, .detail: open()
    case .back: return back()
    case .quit: return .quit
    case .sortNext: sort(by: WatchSort.allCases.next(after: sort), shown)
    case .turnSort: sort(by: sort, turned: true, shown)
    case .sort(let column):
      let columns = WatchSort.allCases
      guard column > 0, column < columns.count else { break }
      let wanted = columns[column]
      sort(by: wanted, turned: wanted == sort, shown)
    case .switchLayout: isTable.toggle()
    case .feeds: screen = screen == .feeds ? .pairs : .feeds
    case .help: showsHelp.toggle()
    case .freeze: frozen = frozen == nil ? board : nil
    case .favorite: if let cursor, screen != .feeds { return .toggleFavorite(cursor) }
    case .onlyFavorites: showsFavoritesOnly.toggle()
    case .switchBasis: basis = basis == .official ? .token : .official
    case .filter:
      isFiltering = true
      screen = .pairs
    case .askNow: return .askNow(screen == .feeds ? feed : nil)
    case .pause: if screen == .feeds, let feed { return .togglePause(feed) }
    }
    return nil
  }

  /// Takes the text of the filter's line as it is typed.
  package mutating func type(filter text: String, at now: Instant) {
    filter = text
    lastKey = now
  }

  /// Ends the filter's line: what was typed holds.
  package mutating func endFiltering() { isFiltering = false }

  private mutating func open() {
    switch screen {
    case .pairs:
      guard let cursor else { return }
      screen = .pair(cursor)
      row = 0
    case .pair, .feeds: break
    }
  }

  /// One step out.
  private mutating func back() -> WatchEffect? {
    if isFiltering || !filter.isEmpty {
      (isFiltering, filter) = (false, "")
    } else if showsHelp {
      showsHelp = false
    } else if frozen != nil {
      frozen = nil
    } else if screen != .pairs {
      screen = .pairs
    } else if showsFavoritesOnly {
      showsFavoritesOnly = false
    }
    return nil
  }

  private mutating func sort(by wanted: WatchSort, turned: Bool = false, _ board: WatchBoard) {
    isReversed = turned ? !isReversed : false
    sort = wanted
    order = sort.order(board.figures, reversed: isReversed, basis)
    sorted = board.now
  }

  private mutating func move(by distance: Int, _ board: WatchBoard) {
    switch screen {
    case .pairs: cursor = visible(board).element(distance, from: cursor)
    case .feeds: feed = FeedList.order(board).element(distance, from: feed)
    case .pair(let pair):
      let count = board[pair].map { $0.snapshot.spot.count + $0.snapshot.futures.count } ?? 0
      row = min(max(0, row + distance), max(0, count - 1))
    }
  }
}

extension Array where Element: Equatable {
  /// The element so many places from another one, or the one at the end that was run into.
  fileprivate func element(_ distance: Int, from element: Element?) -> Element? {
    guard !isEmpty else { return nil }
    let place = element.flatMap { firstIndex(of: $0) } ?? 0
    return self[Swift.min(Swift.max(0, place + distance), count - 1)]
  }

  fileprivate func next(after element: Element) -> Element {
    let place = firstIndex(of: element).map { $0 + 1 } ?? 0
    return self[place < count ? place : 0]
  }
}
