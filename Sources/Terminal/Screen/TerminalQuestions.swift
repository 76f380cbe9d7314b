/// What a terminal has said of itself.
package struct TerminalTraits: Hashable, Sendable {
  /// The cells of `┃`, whose width is ambiguous; nil: it has not said.
  package var barWidth: Int?
  /// The cells of `한`: two, or something else where the terminal reads no UTF-8.
  package var hangulWidth: Int?
  package var ground: Ground?
  /// Name and version, such as `tmux 3.3a`.
  package var version: String?
  /// Whether it answers at all.
  package var answers = false

  package init() {}
}

/// The questions at the start of a live screen, and what the answers mean.
///
/// All are asked in one write; the last is answered by every terminal, so its answer ends the wait for the others.
/// Answers that come later than that are dropped: nobody knows any more which question they belong to.
package struct TerminalQuestions: Sendable {
  package private(set) var traits = TerminalTraits()
  /// True once no more answers are expected.
  package private(set) var isOver = false
  /// The bytes that ask, for a terminal that shows the alternate screen. They leave its first line empty.
  package let bytes: [UInt8]

  /// How many places of the cursor have been told.
  private var places = 0

  /// How long a terminal may take.
  package static let nanoseconds: Int64 = 1_000_000_000

  /// - Parameter environment: `TERM`, `TERM_PROGRAM` and `COLORFGBG` are looked at.
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

  /// "Device status report" (DSR 5): its answer says that all before it has been read.
  package static let readiness = "\u{1B}[5n"

  /// Takes an answer. Returns true where it changed what is known.
  package mutating func take(_ reply: TerminalReply) -> Bool {
    let before = traits
    switch reply {
    // Of its own accord, whenever it is.
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

  /// The time is up.
  package mutating func giveUp() {
    isOver = true
  }
}

extension Ground {
  /// The nearer of black and white, by relative luminance as WCAG 2.1 has it; each part from 0 to 1.
  init(red: Double, green: Double, blue: Double) {
    // A square instead of the exact curve: within 0.03 of it, which decides nothing.
    let luminance = 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue
    // Where black and white text contrast alike: (1 + 0.05) / (L + 0.05) == (L + 0.05) / 0.05.
    self = luminance > 0.179 ? .light : .dark
  }

  /// `COLORFGBG` of rxvt, Konsole and others: `15;0`, or `15;default;0`; the last is the ground among 16 colours.
  init?(colorsVariable: String?) {
    guard let last = colorsVariable?.split(separator: ";").last, let color = Int(last), (0...15).contains(color) else {
      return nil
    }
    self = color == 7 || color >= 9 ? .light : .dark
  }
}
