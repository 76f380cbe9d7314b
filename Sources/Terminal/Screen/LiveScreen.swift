package import Quotes

/// A screen that lives: what happens goes in, pictures come out. It knows no terminal and no clock of its own.
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
  /// Whether keys are text of a line, not commands. Then they come as they were typed, and frames of data are fewer, so
  /// that the input method can draw the unfinished syllable at the cursor.
  var isLineOpen: Bool { get }

  mutating func handle(_ event: LiveEvent, at now: Instant) -> LiveOutcome

  /// What is seen now. Called when a frame is due, at most 60 times a second; what lies outside of the size is cut.
  func picture(in size: ScreenSize, at now: Instant) -> LivePicture
}

/// The lines of a screen, and where the cursor of the terminal is seen; nil: nowhere.
package struct LivePicture: Hashable, Sendable {
  package var lines: [StyledText]
  package var cursor: ScreenPlace?

  package init(lines: [StyledText], cursor: ScreenPlace? = nil) {
    self.lines = lines
    self.cursor = cursor
  }
}

/// What happens to a live screen.
package enum LiveEvent: Hashable, Sendable {
  /// How large the screen is from now on; the first thing that happens to it.
  case resized(ScreenSize)
  /// Where keys are commands, a Korean letter by itself is the key at its place. Ctrl-C, Ctrl-Z, Ctrl-L, and as commands `C`
  /// and `m`, never come: they are the loop's.
  case key(Key)
  /// A Korean syllable was typed where keys are commands: it does nothing, and the screen says why.
  case hangulIsOn
  /// Into the open line; there is none where no line is open.
  case paste(String)
  case mouse(MouseEvent)
  /// The user has turned the mouse on, or left it to the terminal, which selects text with it.
  case mouseIsHeard(Bool)
  /// A feed has woken the loop: what it has to say lies where screen and feed keep it.
  case news
  /// A second of the clock has begun.
  case second
  /// The machine has slept, or the program was stopped: prices and clocks are old.
  case awoke
}

/// What became of an event.
package struct LiveOutcome: Hashable, Sendable {
  /// Something beside the picture.
  package enum Effect: Hashable, Sendable {
    /// Puts a text into the clipboard.
    case copy(String)
    /// Rings.
    case bell
    /// Rings, and shows a notification where the terminal can.
    case notify(title: String, body: String)
  }

  /// Whether there is something new to see.
  package var isChanged: Bool
  package var isEnd: Bool
  package var effects: [Effect]

  package init(isChanged: Bool = true, isEnd: Bool = false, effects: [Effect] = []) {
    self.isChanged = isChanged
    self.isEnd = isEnd
    self.effects = effects
  }

  /// The picture is still the same.
  package static let unchanged = LiveOutcome(isChanged: false)
  package static let changed = LiveOutcome()
  /// The screen is left.
  package static let end = LiveOutcome(isEnd: true)
}
