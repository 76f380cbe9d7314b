package import MarketData
package import Quotes
package import Terminal

/// What holds for a live view of one pair as long as it runs.
package struct PairSettings: Sendable {
  package var language: Language
  /// By whose clock times are shown.
  package var zone: ClockZone
  /// Tokens that count as a dollar where prices are converted.
  package var dollarTokens: [String] = []
  /// Holds the prices of different exchanges against each other.
  package var identity = IdentityCheck()
  /// Whether recordings answer: the screen says so.
  package var isReplay = false
  /// The colours of pictures in files.
  package var scheme = ColorScheme.us
  /// Whether it was opened out of another screen: leaving it leads back there.
  package var isVisit = false

  package init(language: Language, zone: ClockZone, isReplay: Bool = false) {
    self.language = language
    self.zone = zone
    self.isReplay = isReplay
  }

  /// What reports are laid out on.
  func page(_ width: Int) -> Page {
    Page(palette: .plain, width: width, language: language)
  }
}

/// What has to be done outside of a screen.
package enum PairEffect: Sendable, Hashable {
  case quit
  /// Candles before this moment are wanted of a source.
  case older(source: Int, before: Instant, count: Int)
  /// Candles of another interval are wanted.
  case show(CandleInterval)
  /// What is on the screen, into the clipboard.
  case copy(String)
  /// Into a new file.
  case save(SavedView)
  /// The page of a source's exchange is wanted.
  case page(source: Int)
}

/// One kind of live view of a pair: what a person has made of it, as a value. What it shows comes from a ``PairBoard``.
package protocol LivePairScreen: SavedScreen, Sendable {
  /// The keys that the wheel of the mouse stands for.
  static var wheel: (up: Key, down: Key) { get }
  /// Those that mean something with these sources.
  func keys(_ board: PairBoard) -> [PairKey]
  /// Whether keys are text of a line.
  var isLineOpen: Bool { get }
  /// Which of the sources is shown, the first of them where there are several.
  var source: Int { get }
  /// Takes in what is new.
  mutating func take(_ board: PairBoard)
  /// - Parameter room: the cells of the whole screen.
  /// - Returns: false for a key that means nothing here.
  mutating func press(_ key: Key, _ board: PairBoard, _ room: ScreenSize, effects: inout [PairEffect]) -> Bool
  mutating func paste(_ text: String)
  /// What has to be asked for so that all that is shown, and what may be shown next, is there.
  mutating func wanted(_ board: PairBoard, _ room: ScreenSize) -> [PairEffect]
  /// The lines below the header and above the keys.
  func content(_ board: PairBoard, _ settings: PairSettings, _ room: ScreenSize, at now: Instant) -> PairContent
}

extension LivePairScreen {
  package static var wheel: (up: Key, down: Key) { (Key(.up), Key(.down)) }
  package var isLineOpen: Bool { false }
  package var source: Int { 0 }
  package mutating func paste(_ text: String) {}
  package mutating func wanted(_ board: PairBoard, _ room: ScreenSize) -> [PairEffect] { [] }
}

/// Which sources stand on a screen: all that there is room for, or one.
package struct SourceChoice: Sendable {
  package private(set) var showsAll = true
  /// The one that is shown where there is no room for more.
  package private(set) var source = 0

  /// All, then each by itself.
  ///
  /// - Parameter isTwofold: whether there is room for two; without it the first one is seen already.
  mutating func next(of board: PairBoard, isTwofold: Bool) {
    if showsAll {
      (showsAll, source) = (false, isTwofold ? 0 : 1)
    } else if source + 1 < board.sources.count {
      source += 1
    } else {
      (showsAll, source) = (true, 0)
    }
  }

  mutating func keep(within board: PairBoard) { source = min(source, max(0, board.sources.count - 1)) }
}

/// What a screen shows in its room.
package struct PairContent: Sendable {
  package var lines: [StyledText]
  /// The line that is being typed in, in the place of the keys, and the column of its cursor.
  package var open: (line: StyledText, cursor: Int)?

  package init(_ lines: [StyledText], open: (line: StyledText, cursor: Int)? = nil) {
    self.lines = lines
    self.open = open
  }
}

/// A live view of one pair: events and keys go in, pictures come out. It knows no terminal and no clock.
package struct PairView<Screen: LivePairScreen>: Sendable {
  /// The newest that is known.
  package private(set) var board: PairBoard
  package private(set) var screen: Screen
  private let settings: PairSettings
  /// What stands while the picture is frozen, and since when.
  private var frozen: (board: PairBoard, time: Instant)?
  private var showsHelp = false
  /// Whether the next key says in which form the screen is saved.
  private var choosesForm = false
  /// A line that stands until the next key.
  private var notice: StyledText?
  /// Whose page that line is.
  private var pageSource: Int?

  /// The smallest screen that something is drawn on.
  private static var smallest: ScreenSize { ScreenSize(columns: 40, rows: 8) }

  package init(_ board: PairBoard, _ screen: Screen, _ settings: PairSettings) {
    self.board = board
    self.screen = screen
    self.settings = settings
    self.screen.take(board)
  }

  /// Whether keys are text of a line, or the answer to a question.
  package var isLineOpen: Bool { screen.isLineOpen || choosesForm }

  // MARK: Events

  package mutating func take(_ events: [PairEvent], _ room: ScreenSize) -> [PairEffect] {
    for event in events { board.take(event) }
    guard frozen == nil else { return [] }
    screen.take(board)
    return screen.wanted(board, room)
  }

  /// A syllable was typed where keys are commands.
  package mutating func takeHangul() { say(LoopKey.hangulNotice(settings.language)) }

  /// The mouse was turned on or off.
  package mutating func takeMouse(isOn: Bool) { say(LoopKey.mouseNotice(isOn: isOn, settings.language)) }

  /// The page of a source was looked for; nil: the config has none.
  package mutating func takePage(_ page: Hyperlink?, ofSource place: Int) {
    pageSource = place
    if let page {
      notice = StyledText(page, .heading)
    } else {
      say(LoopKey.pageNotice(board.sources[place].exchange, settings.language))
    }
  }

  /// What scrolling by the wheel does is what a key does, some times.
  package mutating func scroll(up: Bool, _ room: ScreenSize, at now: Instant) -> [PairEffect] {
    guard !showsHelp, !isLineOpen else { return [] }
    let key = up ? Screen.wheel.up : Screen.wheel.down
    return (0..<WatchLive.wheelLines).flatMap { _ in press(key, room, at: now) }
  }

  package mutating func paste(_ text: String) { screen.paste(text) }

  /// Says something until the next key.
  package mutating func say(_ text: String) { notice = StyledText(text, .warning) }

  package mutating func press(_ key: Key, _ room: ScreenSize, at now: Instant) -> [PairEffect] {
    let pageSource = pageSource
    (notice, self.pageSource) = (nil, nil)
    var effects: [PairEffect] = []
    if screen.isLineOpen {
      _ = screen.press(key, shown, room, effects: &effects)
      return effects
    }
    if choosesForm {
      choosesForm = false
      return SavedForm.chosen(by: key, of: Screen.savedForms).map { [.save(saved(as: $0, room, at: now))] } ?? []
    }
    if showsHelp {
      showsHelp = false
      return key == "q" ? [.quit] : []
    }
    switch key.code {
    case .character("?"), .function(1): showsHelp = true
    case .character("x"):
      choosesForm = true
      say(SavedForm.question(Screen.savedForms, settings.language))
    case .character("Y"):
      say(settings.language("copied the screen", "화면 복사함"))
      return [.copy(text(room, at: now))]
    case .character("u"):
      guard let first = board.sources.indices.contains(screen.source) ? screen.source : board.sources.indices.first
      else { break }
      effects.append(.page(source: pageSource.map { ($0 + 1) % board.sources.count } ?? first))
    case .character(" "):
      if frozen == nil {
        frozen = (board, now)
      } else {
        frozen = nil
        screen.take(board)
      }
    default:
      if !screen.press(key, shown, room, effects: &effects) {
        // What Esc has nothing else to leave, it ends, as q does.
        if key == "q" || key.code == .escape { return [.quit] }
      }
    }
    for case .show(let interval) in effects { board.show(interval) }
    return effects + screen.wanted(shown, room)
  }

  private var shown: PairBoard { frozen?.board ?? board }

  // MARK: Files

  private func saved(as form: SavedForm, _ size: ScreenSize, at now: Instant) -> SavedView {
    let pair = board.sources.first.map { "\($0.pair)" } ?? ""
    let bytes =
      form == .text
      ? Array(text(size, at: now).utf8)
      : screen.saved(as: form, shown, settings, room(size, beside: 2), at: frozen?.time ?? now)
    return SavedView("\(Screen.subject)-\(pair)", form, bytes)
  }

  /// What is on the screen, without colours.
  private func text(_ size: ScreenSize, at now: Instant) -> String { frame(in: size, at: now).text(with: .plain) }

  // MARK: Picture

  /// What lines at the top and the bottom leave of a screen.
  private func room(_ size: ScreenSize, beside lines: Int) -> ScreenSize {
    ScreenSize(columns: size.columns, rows: max(1, size.rows - lines))
  }

  package func frame(in size: ScreenSize, at now: Instant) -> WatchFrame {
    let language = settings.language
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      let line = language(
        "too small: \(size.columns)x\(size.rows), at least \(Self.smallest.columns)x\(Self.smallest.rows)",
        "화면이 작음: \(size.columns)x\(size.rows), 최소 \(Self.smallest.columns)x\(Self.smallest.rows)")
      return WatchFrame(top: [StyledText(line, .alert)], body: [], bottom: [], size)
    }
    let top = [PairHeader(board: shown, settings: settings, width: size.columns).line(at: now)]
    let keysOfScreen = screen.keys(shown)
    let keys = PairKey.line(keysOfScreen, settings, width: size.columns)
    if showsHelp {
      return WatchFrame(top: top, body: PairKey.help(keysOfScreen, settings), bottom: [keys], size)
    }
    var bottom: [StyledText] = []
    if let frozen {
      let age = max(0, now.nanoseconds(since: frozen.time)) / 1_000_000_000
      let (time, waiting) = (settings.zone.clock(frozen.time), board.revision - frozen.board.revision)
      bottom.append(
        StyledText(
          language(
            "FROZEN \(time)  \(age)s ago, \(waiting) changes wait   Space goes on",
            "고정 \(time)  \(age)초 전, 변경 \(waiting)건 대기   Space 다시 시작"), .warning))
    }
    if let notice { bottom.append(notice.shortened(to: size.columns)) }
    let room = room(size, beside: top.count + bottom.count + 1)
    let content = screen.content(shown, settings, room, at: now)
    bottom.append(content.open?.line ?? keys)
    return WatchFrame(top: top, body: content.lines, bottom: bottom, size, cursor: content.open?.cursor)
  }
}
