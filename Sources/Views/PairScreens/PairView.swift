package import MarketData
package import Quotes
package import Terminal

/// The fixed settings of a live view of one pair.
package struct PairSettings: Sendable {
  package var language: Language
  package var zone: ClockZone
  /// The tokens that count as a dollar when prices are converted.
  package var dollarTokens: [String] = []
  /// The check that compares the prices of different exchanges.
  package var identity: IdentityCheck
  /// The rule by which a ticker's price is a headline, the same as in the list that it was opened from.
  package var rule: HeadlineRule
  /// Whether answers are replayed from recordings, which the screen shows.
  package var isReplay = false
  /// The colors of charts in files.
  package var scheme = ColorScheme.us
  /// Whether it was opened from another screen, to which leaving it returns.
  package var isVisit = false
  /// Whether it is a single picture, for which nothing more is requested.
  package var isStill = false

  package init(
    language: Language, zone: ClockZone, identity: IdentityCheck, rule: HeadlineRule, isReplay: Bool = false
  ) {
    self.language = language
    self.zone = zone
    self.identity = identity
    self.rule = rule
    self.isReplay = isReplay
  }

  func page(_ width: Int) -> Page { Page(palette: .plain, width: width, language: language) }
}

/// What a live view of one pair shows, how and where.
package struct PairScene: Sendable {
  package let board: PairBoard
  package let settings: PairSettings
  package let room: ScreenSize
  package let now: Instant

  var language: Language { settings.language }
  var zone: ClockZone { settings.zone }
  var width: Int { room.columns }
  var page: Page { settings.page(width) }

  /// What makes the rate doubtful in a word or two, for figures that it is part of; nil if nothing does.
  var rateDoubt: StyledText? { board.rate?.quote.flatMap { RateView($0, at: now).doubt(language, hasAge: false) } }

  /// Returns the price of the dollar token if it converts between two currencies; nil if not.
  func tokenRates(from payment: String, to currency: String) -> TokenRates? {
    let rates = board.token.map { TokenRates($0, dollarTokens: settings.dollarTokens) }
    return rates.flatMap { $0.covers(from: payment, to: currency) ? $0 : nil }
  }

  func conversion(from payment: String, to currency: String) -> Conversion {
    Conversion(from: payment, to: currency, by: board.rate, dollarTokens: settings.dollarTokens, at: now)
  }
}

/// An effect to be carried out outside of a screen.
package enum PairEffect: Sendable, Hashable {
  case quit
  /// Request a source's candles before this moment.
  case older(source: Int, before: Instant, count: Int)
  /// Request candles of another interval.
  case show(CandleInterval)
  case copy(String)
  case save(SavedView)
  case page(source: Int)
  /// Why a key had no effect, which the screen itself says.
  case say(PairNotice)

  fileprivate var isNotice: Bool { if case .say = self { true } else { false } }
  fileprivate var changesInterval: Bool { if case .show = self { true } else { false } }
}

/// Why a key had no effect on a live view of one pair.
package enum PairNotice: Sendable, Hashable {
  case scaleIsOfPrices
  case linesAreHidden
  case midlineIsOfNarrowBars
  case barsAreWidest
  case barsAreNarrowest
  case isFrozen

  fileprivate func text(_ language: Language) -> String {
    switch self {
    case .scaleIsOfPrices:
      language("the scale applies to prices; o shows them", "눈금은 가격에만 적용; o로 가격 보기")
    case .linesAreHidden: language("Tab selects a line; o shows them", "Tab은 선을 선택함; o로 선 보기")
    case .midlineIsOfNarrowBars:
      language("the midline is between the bars; - narrows them to one column", "중간선은 봉 사이에 있음; -로 봉을 한 칸으로")
    case .barsAreWidest: language("bars cannot be wider; [ shows shorter ones", "봉을 더 넓힐 수 없음; [로 더 짧은 봉")
    case .barsAreNarrowest: language("bars cannot be narrower; ] shows longer ones", "봉을 더 좁힐 수 없음; ]로 더 긴 봉")
    case .isFrozen: language("not while the display is frozen; Space resumes", "화면 고정 중에는 안 됨; Space 다시 시작")
    }
  }
}

/// A kind of live view of a pair, holding the user's choices as a value. Its data comes from a ``PairBoard``.
package protocol LivePairScreen: Sendable {
  /// `chart`, used in file names.
  static var subject: String { get }
  static var savedForms: [SavedForm] { get }
  /// The keys that the mouse wheel stands for.
  static var wheel: (up: Key, down: Key) { get }
  static var keys: [KeyText] { get }
  /// Whether keys are input to a text line.
  var isLineOpen: Bool { get }
  /// The source that is shown; with several, the first of them.
  var source: Int { get }
  /// The price of a dollar that the title's premium of local over dollar prices is measured by.
  var premiumBasis: DollarBasis { get }
  mutating func take(_ board: PairBoard)
  /// - Parameter room: the size of the whole screen in cells.
  /// - Returns: false for a key with no meaning here.
  mutating func press(_ key: Key, _ board: PairBoard, _ room: ScreenSize, effects: inout [PairEffect]) -> Bool
  mutating func paste(_ text: String)
  /// Returns what must be requested for everything that is shown now and may be shown next.
  mutating func wanted(_ board: PairBoard, _ room: ScreenSize) -> [PairEffect]
  /// Returns the lines below the header and above the keys.
  func content(_ scene: PairScene) -> PairContent
  /// Returns the content in a format other than text, from the same reports as the non-interactive commands; nil if
  /// there is none.
  func saved(as form: SavedForm, _ scene: PairScene) -> [UInt8]?
}

extension LivePairScreen {
  package static var savedForms: [SavedForm] { [.text, .csv, .json] }
  package static var wheel: (up: Key, down: Key) { (Key(.up), Key(.down)) }
  package var isLineOpen: Bool { false }
  package var source: Int { 0 }
  package var premiumBasis: DollarBasis { .official }
  package mutating func paste(_ text: String) {}
  package mutating func wanted(_ board: PairBoard, _ room: ScreenSize) -> [PairEffect] { [] }
}

/// Which sources are on screen: as many as fit, or one.
package struct SourceChoice: Sendable {
  package private(set) var showsAll = true
  /// The source that is shown if only one fits.
  package private(set) var source = 0

  /// Cycles through all sources together, then each on its own.
  ///
  /// - Parameter fitsTwo: whether two fit; if not, the first one has already been shown.
  mutating func next(of board: PairBoard, fitsTwo: Bool) {
    if showsAll {
      (showsAll, source) = (false, fitsTwo ? 0 : 1)
    } else if source + 1 < board.sources.count {
      source += 1
    } else {
      (showsAll, source) = (true, 0)
    }
  }

  mutating func keep(within board: PairBoard) { source = min(source, max(0, board.sources.count - 1)) }
}

package struct PairContent: Sendable {
  package var lines: [StyledText]
  /// The input line, shown instead of the keys, and its cursor column.
  package var open: (line: StyledText, cursor: Int)?
}

/// A live view of one pair: takes events and keys, returns frames. It knows neither terminal nor clock.
package struct PairView<Screen: LivePairScreen>: Sendable {
  package private(set) var board: PairBoard
  package private(set) var screen: Screen
  private let settings: PairSettings
  /// The board shown while the display is frozen, and since when.
  private var frozen: (board: PairBoard, time: Instant)?
  /// The page of the help; nil while it is not shown.
  private var helpPage: HelpScroll?
  /// Whether the next key selects a file format.
  private var choosesForm = false
  /// A line shown until the next key.
  private var notice: StyledText?
  /// The source whose page that line shows.
  private var pageSource: Int?

  package init(_ board: PairBoard, _ screen: Screen, _ settings: PairSettings) {
    self.board = board
    self.screen = screen
    self.settings = settings
    self.screen.take(board)
  }

  /// Whether keys are line input or the answer to a question.
  package var isLineOpen: Bool { screen.isLineOpen || choosesForm }

  // MARK: Events

  /// Takes what the clock shows now.
  package mutating func advance(to now: Instant) { board.advance(to: now) }

  package mutating func take(_ events: [PairEvent], _ room: ScreenSize) -> [PairEffect] {
    for event in events { board.take(event) }
    guard frozen == nil else { return [] }
    screen.take(board)
    return screen.wanted(board, room)
  }

  /// Handles the result of looking up a source's page; nil if the config has none.
  package mutating func takePage(_ page: Hyperlink?, ofSource place: Int) {
    pageSource = place
    if let page {
      notice = StyledText(page, .heading)
    } else {
      say(LiveText.pageNotice(board.sources[place].exchange, settings.language))
    }
  }

  /// Scrolling the wheel is equivalent to pressing a key several times.
  package mutating func scroll(up: Bool, _ room: ScreenSize, at now: Instant) -> [PairEffect] {
    guard !isLineOpen else { return [] }
    let wheel = helpPage == nil ? Screen.wheel : (up: Key(.up), down: Key(.down))
    let key = up ? wheel.up : wheel.down
    return (0..<WatchLive.wheelLines).flatMap { _ in press(key, room, at: now) }
  }

  package mutating func paste(_ text: String) { screen.paste(text) }

  /// Shows a message until the next key.
  package mutating func say(_ text: String) { notice = StyledText(text, .warning) }

  package mutating func press(_ key: Key, _ room: ScreenSize, at now: Instant) -> [PairEffect] {
    let lastPage = pageSource
    (notice, pageSource) = (nil, nil)
    var effects: [PairEffect] = []
    if screen.isLineOpen {
      _ = screen.press(key, shown, room, effects: &effects)
      return effects
    }
    if choosesForm { return chooseForm(by: key, room, at: now) }
    if helpPage != nil { return turnHelp(by: key, room) }
    switch key.code {
    case .character("?"), .function(1): helpPage = HelpScroll()
    case .character("x"):
      choosesForm = true
      say(SavedForm.question(Screen.savedForms, settings.language))
    case .character("Y"):
      let picture = text(room, at: now)
      say(settings.language.copiedScreen(picture))
      return [.copy(picture)]
    case .character("u"):
      guard let first = board.sources.indices.contains(screen.source) ? screen.source : board.sources.indices.first
      else { break }
      effects.append(.page(source: lastPage.map { ($0 + 1) % board.sources.count } ?? first))
    case .character(" "):
      if frozen == nil {
        frozen = (board, now)
      } else {
        frozen = nil
        screen.take(board)
      }
    default:
      guard let own = passOn(key, room) else { return [.quit] }
      effects = own
    }
    return effects + screen.wanted(shown, room)
  }

  private mutating func chooseForm(by key: Key, _ room: ScreenSize, at now: Instant) -> [PairEffect] {
    choosesForm = false
    guard let form = SavedForm.chosen(by: key, of: Screen.savedForms) else { return [] }
    if let file = saved(as: form, room, at: now) { return [.save(file)] }
    say(settings.language("nothing to save yet", "아직 저장할 내용 없음"))
    return []
  }

  private mutating func turnHelp(by key: Key, _ size: ScreenSize) -> [PairEffect] {
    let room = room(size, beside: 2)
    let count = KeyText.help(KeyText.applicable(Screen.keys, for: shown), settings, width: room.columns).count
    if helpPage?.take(WatchKey.command(key), of: count, room: room.rows) != true { helpPage = nil }
    return key == "q" ? [.quit] : []
  }

  /// Leaves a key to the screen. Returns nil if it quits.
  private mutating func passOn(_ key: Key, _ room: ScreenSize) -> [PairEffect]? {
    let before = screen
    var effects: [PairEffect] = []
    let hasMeaning = screen.press(key, shown, room, effects: &effects)
    // If there is nothing else to leave, Esc quits like q.
    if !hasMeaning, key == "q" || key.code == .escape { return nil }
    // The frozen picture has no bars of another interval, and would not know of a second change.
    if frozen != nil, effects.contains(where: \.changesInterval) { (screen, effects) = (before, [.say(.isFrozen)]) }
    for case .say(let notice) in effects { say(notice.text(settings.language)) }
    effects.removeAll(where: \.isNotice)
    for case .show(let interval) in effects { board.show(interval) }
    return effects
  }

  private var shown: PairBoard { frozen?.board ?? board }

  /// Returns what is shown; while the display is frozen, as it was then, since ages and sums change with time alone.
  private func scene(_ room: ScreenSize, at now: Instant) -> PairScene {
    PairScene(board: shown, settings: settings, room: room, now: frozen?.time ?? now)
  }

  // MARK: Files

  private func saved(as form: SavedForm, _ size: ScreenSize, at now: Instant) -> SavedView? {
    let pair = board.sources.first.map { "\($0.pair)" } ?? ""
    let bytes =
      form == .text
      ? Array(text(size, at: now).utf8)
      // Beside a header, the keys, and the line about a frozen display.
      : screen.saved(as: form, scene(room(size, beside: frozen == nil ? 2 : 3), at: now))
    return bytes.map { SavedView("\(Screen.subject)-\(pair)", form, $0) }
  }

  /// Returns the screen without colors.
  private func text(_ size: ScreenSize, at now: Instant) -> String { frame(in: size, at: now).text(with: .plain) }

  // MARK: Drawing

  /// Returns the room left by lines at the top and bottom of a screen.
  private func room(_ size: ScreenSize, beside lines: Int) -> ScreenSize {
    ScreenSize(columns: size.columns, rows: max(1, size.rows - lines))
  }

  package func frame(in size: ScreenSize, at now: Instant) -> WatchFrame {
    if let frame = LiveText.tooSmall(size, settings.language) { return frame }
    let header = PairHeader(
      scene: scene(size, at: now), leading: screen.source, basis: screen.premiumBasis, clock: now)
    let top = [header.line]
    let keysOfScreen = KeyText.applicable(Screen.keys, for: shown)
    let keys = KeyText.line(keysOfScreen, settings, width: size.columns)
    if let helpPage {
      let room = room(size, beside: top.count + 1)
      let lines = KeyText.help(keysOfScreen, settings, width: size.columns)
      return WatchFrame(
        top: top, body: helpPage.shown(lines, room: room.rows, settings.language), bottom: [keys], size)
    }
    var bottom: [StyledText] = []
    if let frozen {
      let (time, waiting) = (settings.zone.clock(frozen.time), board.revision - frozen.board.revision)
      bottom.append(LiveText.frozen(since: (frozen.time, time), at: now, waiting: waiting, settings.language))
    }
    if let notice { bottom.append(notice.shortened(to: size.columns)) }
    let room = room(size, beside: top.count + bottom.count + 1)
    let content = screen.content(scene(room, at: now))
    bottom.append(content.open?.line ?? keys)
    return WatchFrame(top: top, body: content.lines, bottom: bottom, size, cursor: content.open?.cursor)
  }
}
