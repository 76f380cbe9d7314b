package import Quotes

/// An interactive screen: events go in, pictures come out. It has no terminal and no clock of its own.
///
///     struct Greeting: LiveScreen {
///       var isLineOpen: Bool { false }
///       mutating func handle(_ event: LiveEvent, at now: Instant) -> LiveOutcome {
///         if case .key("q") = event { .end } else { .unchanged }
///       }
///       func picture(in size: ScreenSize, at now: Instant) -> LivePicture {
///         LivePicture(lines: ["hello", StyledText("q end", .dim)])
///       }
///     }
package protocol LiveScreen {
  /// Whether keys are text for a line rather than commands. If so, they are passed on as typed, and there are fewer
  /// data frames, so that the input method can draw the incomplete syllable at the cursor.
  var isLineOpen: Bool { get }

  mutating func handle(_ event: LiveEvent, at now: Instant) -> LiveOutcome

  /// Returns the current picture. Called when a frame is due, at most 60 times a second; anything outside the size is
  /// cut.
  func picture(in size: ScreenSize, at now: Instant) -> LivePicture
}

/// The lines of a screen, and the position of the terminal's cursor; nil if it is hidden.
package struct LivePicture: Hashable, Sendable {
  package var lines: [StyledText]
  package var cursor: ScreenPlace?

  package init(lines: [StyledText], cursor: ScreenPlace? = nil) {
    self.lines = lines
    self.cursor = cursor
  }
}

/// An event of a live screen.
package enum LiveEvent: Hashable, Sendable {
  /// The new size of the screen; always the first event.
  case resized(ScreenSize)
  /// A key. Where keys are commands, a standalone Korean letter is the key in its position. Ctrl-C, Ctrl-Z, Ctrl-L, and
  /// the commands `C` and `m` are never passed on: they belong to the loop.
  case key(Key)
  /// A Korean syllable was typed where keys are commands. It has no effect, and the screen explains why.
  case hangulIsOn
  /// A paste into the open line; not sent if no line is open.
  case paste(String)
  case mouse(MouseEvent)
  /// The user has turned mouse input on, or off, which leaves it to the terminal for selecting text.
  case mouseSwitched(Bool)
  /// The user has chosen other colours of up and down, or none; nil if the terminal is to have none at all.
  case colorsSwitched(Palette?)
  /// A feed has woken the loop; its news is in the state shared by screen and feed.
  case news
  case second
  /// The machine was asleep, or the program was stopped: prices and clocks are out of date.
  case awoke
}

/// The outcome of an event.
package struct LiveOutcome: Hashable, Sendable {
  /// A side effect besides the picture.
  package enum Effect: Hashable, Sendable {
    case copy(String)
    case bell
    /// Rings the bell, and shows a notification if the terminal can.
    case notify(title: String, body: String)
  }

  /// Whether there is anything new to show.
  package var isChanged: Bool
  package var isEnd: Bool
  package var effects: [Effect]

  package init(isChanged: Bool = true, isEnd: Bool = false, effects: [Effect] = []) {
    self.isChanged = isChanged
    self.isEnd = isEnd
    self.effects = effects
  }

  package static let unchanged = LiveOutcome(isChanged: false)
  package static let changed = LiveOutcome()
  package static let end = LiveOutcome(isEnd: true)
}
