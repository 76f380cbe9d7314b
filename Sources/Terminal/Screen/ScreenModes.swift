/// What is switched on a terminal while a live screen stands on it: one list, done in order and undone backwards.
///
/// All bytes are ready beforehand, so that a handler of signals can send them.
package struct ScreenModes: Hashable, Sendable {
  /// DEC private modes (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html), and whether the screen sets or resets
  /// them.
  private struct Mode: Hashable, Sendable {
    let number: Int
    let isOn: Bool
  }

  private let modes: [Mode]
  /// The shape of the cursor, a steady block; the console of Linux has other sequences for that.
  private let hasCursorShape: Bool
  private let hasLinks: Bool

  /// - Parameters:
  ///   - hasMouse: the mouse is heard, which takes selecting text from the terminal.
  ///   - environment: `TERM` says whether it is the console of Linux, which knows no links either.
  package init(hasMouse: Bool = false, environment: (String) -> String?) {
    var modes = [
      Mode(number: 1049, isOn: true),  // the alternate screen
      Mode(number: 25, isOn: false),  // the cursor
      Mode(number: 7, isOn: false),  // going to the next line at the edge
      Mode(number: 1007, isOn: true),  // the wheel moves as the arrow keys do
      Mode(number: 1004, isOn: true),  // the terminal says when it gets and loses the focus
      Mode(number: 2004, isOn: true),  // a paste is marked as one
      Mode(number: 2031, isOn: true),  // the terminal says when it turns light or dark
    ]
    if hasMouse { modes += Self.mouse }
    self.modes = modes
    hasCursorShape = environment("TERM") != "linux"
    hasLinks = Hyperlink.areShown(environment: environment)
  }

  /// Presses, releases and drags, in numbers of any size.
  private static let mouse = [Mode(number: 1002, isOn: true), Mode(number: 1006, isOn: true)]

  /// Turns the terminal into a screen of ours.
  package var entering: [UInt8] {
    Array((modes.map { Self.sequence($0, isOn: $0.isOn) } + [hasCursorShape ? "\u{1B}[2 q" : ""]).joined().utf8)
  }

  /// Turns it back, whatever was being sent: an unfinished string, an open link and an unfinished frame are ended first. Undoes the
  /// mouse too, which may have been turned on since.
  package var leaving: [UInt8] {
    let undone = (modes.filter { !Self.mouse.contains($0) } + Self.mouse).reversed()
    let link = hasLinks ? Hyperlink.sequence(nil) : ""
    let first = ["\u{1B}\\", link, FrameDiff.end, "\u{1B}[m", hasCursorShape ? "\u{1B}[0 q" : ""]
    return Array((first + undone.map { Self.sequence($0, isOn: !$0.isOn) }).joined().utf8)
  }

  /// Turns hearing the mouse on or off.
  package static func mouse(isOn: Bool) -> [UInt8] {
    Array(mouse.map { sequence($0, isOn: isOn) }.joined().utf8)
  }

  private static func sequence(_ mode: Mode, isOn: Bool) -> String {
    "\u{1B}[?\(mode.number)\(isOn ? "h" : "l")"
  }
}
