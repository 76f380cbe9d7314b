/// What a terminal has reported about itself.
package struct TerminalTraits: Hashable, Sendable {
  /// The width of `┃`, which is ambiguous, in cells; nil if not reported.
  package var barWidth: Int?
  /// The width of `한` in cells: two, or something else if the terminal does not support UTF-8.
  package var hangulWidth: Int?
  package var ground: Ground?
  /// Name and version, such as `tmux 3.3a`.
  package var version: String?
  package var answers = false

  package init() {}
}

/// The questions at the start of a live screen, and the meaning of the answers.
///
/// All are asked in one write. Every terminal answers the last one, so its answer ends the wait for the others. Later
/// answers are dropped, as it is unclear which question they belong to.
package struct TerminalQueries: Sendable {
  package private(set) var traits = TerminalTraits()
  /// Whether no more answers are expected.
  package private(set) var isOver = false
  /// The bytes of the questions, for a terminal showing the alternate screen. They leave its first line empty.
  package let bytes: [UInt8]

  /// The number of cursor positions reported.
  private var places = 0

  /// How long a terminal may take to answer.
  package static let nanoseconds: Int64 = 1_000_000_000

  /// - Parameter environment: `TERM`, `TERM_PROGRAM` and `COLORFGBG` are read.
  package init(environment: (String) -> String?) {
    let isConsole = environment("TERM") == "linux"
    var questions = "\u{1B}[H┃\u{1B}[6n\u{1B}[H한\u{1B}[6n\u{1B}[H\u{1B}[K"
    if !isConsole {
      // Terminal.app shows the question as text.
      if environment("TERM_PROGRAM") != "Apple_Terminal" { questions += "\u{1B}]11;?\u{1B}\\" }
      questions += "\u{1B}[>0q"
    }
    bytes = Array((questions + Self.fence).utf8)
    traits.ground = Ground(colorsVariable: environment("COLORFGBG")) ?? (isConsole ? .dark : nil)
  }

  /// "Primary device attributes" (DA1).
  package static let fence = "\u{1B}[c"

  /// "Device status report" (DSR 5), whose answer means that everything before it has been read.
  package static let readiness = "\u{1B}[5n"

  /// Handles an answer. Returns whether it changed what is known.
  package mutating func take(_ reply: TerminalReply) -> Bool {
    let before = traits
    switch reply {
    // Unsolicited, at any time.
    case .ground(let ground): traits.ground = ground
    // However late: it does answer.
    case .attributes:
      traits.answers = true
      isOver = true
    case .cursor(let place) where !isOver:
      // Both were written in the first column.
      if places == 0 { traits.barWidth = place.column } else if places == 1 { traits.hangulWidth = place.column }
      places += 1
    case .background(let red, let green, let blue) where !isOver:
      traits.ground = Ground(red: red, green: green, blue: blue)
    case .version(let version) where !isOver: traits.version = version
    case .cursor, .background, .version, .ready: break
    }
    return traits != before
  }

  package mutating func giveUp() { isOver = true }
}

extension Ground {
  /// Creates whichever of black and white is nearer, by relative luminance as in WCAG 2.1; each part is from 0 to 1.
  init(red: Double, green: Double, blue: Double) {
    // A square instead of the exact curve, which is within 0.03 and makes no difference here.
    let luminance = 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue
    // Where black and white text have equal contrast: (1 + 0.05) / (L + 0.05) == (L + 0.05) / 0.05.
    self = luminance > 0.179 ? .light : .dark
  }

  /// Parses `COLORFGBG` of rxvt, Konsole and others: `15;0`, or `15;default;0`; the last is the background among 16
  /// colours.
  init?(colorsVariable: String?) {
    guard let last = colorsVariable?.split(separator: ";").last, let color = Int(last), (0...15).contains(color) else {
      return nil
    }
    self = color == 7 || color >= 9 ? .light : .dark
  }
}
