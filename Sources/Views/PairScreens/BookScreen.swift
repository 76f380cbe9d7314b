import Mapping
package import MarketData
package import Quotes
package import Terminal

/// `market orderbook -w`: the books of one exchange or two side by side, and the cost of an order of a given size.
package struct BookScreen: LivePairScreen {
  /// Levels are joined to multiples of this, above zero, in the payment currency of the first book; nil for no joining.
  package private(set) var step: Decimal?
  /// The size, above zero, of an order to fill from the books; nil for none.
  package private(set) var order: Decimal?
  package private(set) var choice = SourceChoice()
  package var source: Int { choice.source }
  /// The size input line; nil if closed.
  private var editor: LineEditor?
  /// Why the input is not a valid size.
  private var problem: String?

  private static let twoBooksWidth = 99

  package static let keys = [
    KeyText("+ -", ("step", "단위"), ("group levels by a larger step, by a smaller one", "호가를 더 큰 단위, 작은 단위로 묶기")),
    KeyText("z", ("order size", "주문 수량"), ("walk the books for an order of this size", "이 수량으로 주문할 때의 평균가와 슬리피지")),
    .otherExchange,
  ]

  package init(step: Decimal? = nil, order: Decimal? = nil) {
    self.step = step
    self.order = order
  }

  // MARK: State

  package var isLineOpen: Bool { editor != nil }

  package mutating func take(_ board: PairBoard) { choice.keep(within: board) }

  package mutating func paste(_ text: String) {
    editor?.insert(text)
    problem = nil
  }

  package mutating func press(_ key: Key, _ board: PairBoard, _ room: ScreenSize, effects: inout [PairEffect]) -> Bool {
    if editor != nil {
      type(key)
      return true
    }
    switch key.code {
    case .character("+"), .character("="): step = greater(board)
    case .character("-"): step = smaller(board)
    case .character("z"): editor = LineEditor(order?.shortest ?? "")
    case .character("o") where board.sources.count > 1:
      choice.next(of: board, fitsTwo: room.columns >= Self.twoBooksWidth)
    case .escape where order != nil: order = nil
    default: return false
    }
    return true
  }

  private mutating func type(_ key: Key) {
    switch key.code {
    case .escape: (editor, problem) = (nil, nil)
    case .enter:
      let text = editor?.text.filter { $0 != " " } ?? ""
      if text.isEmpty {
        (editor, problem, order) = (nil, nil, nil)
      } else if let size = AmountText.aboveZero(text) {
        (editor, problem, order) = (nil, nil, size)
      } else {
        problem = text
      }
    default:
      if editor?.handle(key) == .changed { problem = nil }
    }
  }

  /// Returns the books in the currency of the step.
  private func books(_ board: PairBoard) -> [OrderBook] {
    board.sources.filter { $0.pair.payment == board.sources.first?.pair.payment }.compactMap(\.book)
  }

  private func greater(_ board: PairBoard) -> Decimal? {
    let books = books(board)
    guard let tick = books.compactMap(\.tick).min() else { return step }
    let next = Steps.after(step ?? tick)
    // A step as large as the price would leave a single level.
    guard let price = books.compactMap(\.middle).min(), next < price else { return step }
    return next
  }

  private func smaller(_ board: PairBoard) -> Decimal? {
    guard let step, let tick = books(board).compactMap(\.tick).min() else { return nil }
    let next = Steps.before(step)
    return next > tick ? next : nil
  }

  // MARK: Drawing

  package func content(_ scene: PairScene) -> PairContent {
    let answers = scene.board.sources.map { $0.answer($0.book(at: scene.now)) }
    var order: [StyledText] = []
    if let size = self.order, answers.contains(where: { $0.value != nil }) {
      let asked = OrderBookReport.Order(size: size, takerFees: scene.board.sources.map(\.takerFee))
      let report = OrderBookReport(
        scene.board.sources.map { $0.currentBook(at: scene.now) }, depth: 1, order: asked,
        identity: scene.settings.identity, at: scene.now, zone: scene.zone)
      // The books take priority: below its title, state and columns, one has a level on the lowest screen.
      let most = min(max(4, scene.room.rows / 3), scene.room.rows - 4)
      order = report.orderLines(asked, on: scene.page, upTo: max(0, most))
    }
    let rows = max(1, scene.room.rows - order.count)
    let lines = books(answers, rows: rows, scene)
    let blank = Array(repeating: StyledText(""), count: max(0, rows - lines.count))
    return PairContent(lines: Array(lines.prefix(rows)) + blank + order, open: open(scene.board, scene.language))
  }

  private func open(_ board: PairBoard, _ language: Language) -> (line: StyledText, cursor: Int)? {
    guard let editor else { return nil }
    let asset = board.sources.first?.pair.asset ?? ""
    let prompt = language("order size in \(asset): ", "주문 수량 (\(asset)): ")
    let hint =
      problem.map { StyledText(language("   '\($0)' is not a size above zero", "   '\($0)'은(는) 0보다 큰 수량이 아님"), .alert) }
      ?? StyledText(language("   Enter walks the books, Esc leaves", "   Enter 적용, Esc 나가기"), .dim)
    let (text, cursor) = editor.visible(cells: 24)
    let head = StyledText(prompt, .heading)
    return (head + StyledText(text) + hint, head.width + cursor)
  }

  private func books(_ answers: [PairAnswer<OrderBook>], rows: Int, _ scene: PairScene) -> [StyledText] {
    let gap = 3
    var places = choice.showsAll ? Array(scene.board.sources.indices.prefix(2)) : [choice.source]
    let steps = Steps.ofBooks(answers.map { ($0.pair.payment, $0.value) }, step)
    func drawings(_ depth: Int) -> [OrderBookDrawing?] {
      places.map { place in
        answers[place].value.map { whole in
          let book = (steps[place].map { whole.stepped(by: $0) } ?? whole).best(depth)
          return OrderBookDrawing(
            answers[place], book, step: steps[place], last: last(of: scene.board.sources[place], scene), at: scene.now,
            zone: scene.zone, on: scene.page)
        }
      }
    }
    if places.count > 1, drawings(rows).contains(where: { ($0?.minimumWidth ?? 48) > (scene.width - gap) / 2 }) {
      places = [choice.source]
    }
    let width = (scene.width - gap * (places.count - 1)) / places.count
    let identity = answers.identityFlags(scene.settings.identity) {
      $0.flags.contains(where: \.excludes) ? nil : $0.price
    }
    func blocks(_ depth: Int) -> [[StyledText]] {
      zip(places, OrderBookDrawing.beside(drawings(depth), width)).map { place, drawn in
        block(of: scene.board.sources[place], identity[place], drawn, width, scene)
      }
    }
    func height(_ blocks: [[StyledText]]) -> Int { blocks.map(\.count).max() ?? 0 }
    // How many lines are not levels is only known after drawing. Half of the difference, rounded down: a level more is
    // one on each side, but one side may have none left.
    var depth = max(1, (rows - 6) / 2)
    var shown = blocks(depth)
    let most = answers.compactMap { $0.value.map { max($0.asks.count, $0.bids.count) } }.max() ?? depth
    var better = min(max(1, depth + ((rows - height(shown)) >> 1)), max(1, most))
    while better != depth {
      depth = better
      shown = blocks(depth)
      if height(shown) > rows { better = max(1, depth - 1) }
    }
    return StyledText.beside(shown, at: shown.indices.map { $0 * (width + gap) })
  }

  /// Returns the last paid price, with what keeps it out of headlines, and its age if it is old; nil if there is none, or if
  /// the exchange's price is not that of a trade.
  private func last(of source: PairBoard.Source, _ scene: PairScene) -> StyledText? {
    guard let last = source.lastPrice(at: scene.now, scene.settings.rule) else { return nil }
    if case .basis = last.objection { return nil }
    return StyledText(last.price.shortest) + (last.remark(scene.language, isBrief: true) ?? "")
  }

  /// How far a book may be from its own last price, which may be minutes old, in percent.
  private static let tickerPercent: Decimal = 50

  /// Returns a drawn book with the feed after its title, which a mirrored book has at its right end; without a book,
  /// the exchange and its feed.
  ///
  /// - Parameter identity: why the book cannot be of the same coin as the others; nil if it can.
  private func block(
    of source: PairBoard.Source, _ identity: Flag?, _ drawn: (lines: [StyledText], isAtRight: Bool)?, _ width: Int,
    _ scene: PairScene
  ) -> [StyledText] {
    let book = source.book(at: scene.now)
    let findings = book.map { book in
      BookCheck.findings(
        book, ticker: source.ticker, identityPercent: max(Self.tickerPercent, scene.settings.identity.limitPercent))
    }
    let codes = ((book?.flags ?? []) + [identity].compactMap(\.self)).map(\.code)
    let flags = StyledText((codes + (findings ?? []).map(\.kind.rawValue)).map { " \($0)" }.joined(), .warning)
    let feed = StatusPart(needed: source.feedTexts(scene.language, at: scene.now).map { $0 + flags })
    let names = [source.currentBook(at: scene.now).title(scene.language), source.exchange]
    let parts = [StatusPart(needed: names.map { StyledText($0, .heading) }), feed]
    let head = StyledText.fitting(parts, "  ", width: width, isMirrored: drawn?.isAtRight ?? false)
    guard let (lines, isAtRight) = drawn else { return head }
    // Lines are too few here to wrap what is shown of the book.
    return head.map { isAtRight ? $0.aligned(to: width) : $0 } + [lines[1].shortened(to: width)] + lines.dropFirst(2)
  }

  // MARK: Files

  package static var subject: String { "orderbook" }

  package func saved(as form: SavedForm, _ scene: PairScene) -> [UInt8]? {
    let sources = scene.board.sources
    let books = sources.map { $0.currentBook(at: scene.now) }
    // All known levels, since a file has room for them.
    let depth = books.compactMap { $0.value.map { max($0.bids.count, $0.asks.count) } }.max() ?? 1
    return OrderBookReport(
      books, depth: max(1, depth), step: step,
      order: order.map { OrderBookReport.Order(size: $0, takerFees: sources.map(\.takerFee)) },
      identity: scene.settings.identity, at: scene.now, zone: scene.zone
    ).saved(as: form)
  }
}

extension PairBoard.Source {
  /// The book, or why there is no current one: the last one of an exchange that has failed fills no order.
  fileprivate func currentBook(at now: Instant) -> PairAnswer<OrderBook> {
    answer(of: failure.map { .failure($0) } ?? book(at: now).map { .success($0) })
  }
}
