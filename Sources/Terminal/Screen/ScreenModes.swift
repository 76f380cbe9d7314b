/// The terminal modes that a live screen switches on: one list, applied in order and undone in reverse.
///
/// All bytes are computed in advance, so that a signal handler can send them.
package struct ScreenModes: Hashable, Sendable {
  /// DEC private modes (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html), and whether the screen sets or resets
  /// each.
  private static let modes = [
    (number: 1049, isOn: true),  // the alternate screen
    (number: 25, isOn: false),  // the cursor
    (number: 7, isOn: false),  // going to the next line at the edge
    (number: 1007, isOn: true),  // the wheel moves as the arrow keys do
    (number: 1004, isOn: true),  // the terminal says when it gets and loses the focus
    (number: 2004, isOn: true),  // a paste is marked as one
    (number: 2031, isOn: true),  // the terminal says when it turns light or dark
  ]
  /// Presses, releases and drags, with coordinates of any size.
  private static let mouse = [(number: 1002, isOn: true), (number: 1006, isOn: true)]

  /// The cursor shape, a steady block; the Linux console uses other sequences for that.
  private let hasCursorShape: Bool
  private let hasLinks: Bool

  /// - Parameter environment: `TERM` identifies the Linux console, which does not support links either.
  package init(environment: (String) -> String?) {
    hasCursorShape = environment("TERM") != "linux"
    hasLinks = Hyperlink.areShown(environment: environment)
  }

  /// The bytes that prepare the terminal for the screen.
  package var entering: [UInt8] {
    let sequences = Self.modes.map { Self.sequence($0.number, isOn: $0.isOn) }
    return Array((sequences + [hasCursorShape ? "\u{1B}[2 q" : ""]).joined().utf8)
  }

  /// The bytes that restore the terminal, whatever was being sent: first they end an unfinished string, an open link
  /// and an unfinished frame. Also disables the mouse, which may have been turned on since.
  package var leaving: [UInt8] {
    let undone = (Self.modes + Self.mouse).reversed()
    let shape = hasCursorShape ? "\u{1B}[0 q" : ""
    return Array((ending + shape + undone.map { Self.sequence($0.number, isOn: !$0.isOn) }.joined()).utf8)
  }

  /// The bytes that blank the alternate screen, to be sent right before ``leaving``. On any other screen they would erase
  /// the user's own lines.
  ///
  /// tmux 3.3a otherwise keeps some of the lines above the prompt if the window has grown.
  package var blanking: [UInt8] { Array((ending + "\u{1B}[H\u{1B}[2J").utf8) }

  /// Ends an unfinished string, an open link, an unfinished frame and a style.
  private var ending: String {
    ["\u{1B}\\", hasLinks ? Hyperlink.sequence(nil) : "", FrameDiff.end, "\u{1B}[m"].joined()
  }

  /// Returns the bytes that turn mouse events on or off.
  package static func mouse(isOn: Bool) -> [UInt8] {
    Array(mouse.map { sequence($0.number, isOn: isOn) }.joined().utf8)
  }

  private static func sequence(_ mode: Int, isOn: Bool) -> String { "\u{1B}[?\(mode)\(isOn ? "h" : "l")" }
}
