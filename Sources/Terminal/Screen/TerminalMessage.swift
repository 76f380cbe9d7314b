import Quotes

/// Messages to a terminal apart from the picture, as bytes.
package enum TerminalMessage {
  /// The longest copy that common terminals and tmux accept.
  private static let maximumCopyLength = 74_994

  /// Copies text to the clipboard (OSC 52). Returns nil if it is too long to be accepted whole.
  package static func copy(_ text: String) -> [UInt8]? {
    guard canCopy(text) else { return nil }
    return Array("\u{1B}]52;c;".utf8) + Base64.encode(Array(text.utf8)).utf8 + Array("\u{1B}\\".utf8)
  }

  /// Whether it is short enough to be accepted whole.
  package static func canCopy(_ text: String) -> Bool { (text.utf8.count + 2) / 3 * 4 <= maximumCopyLength }

  /// Returns a notification: BEL, which tmux and window managers highlight, then the form that the terminal is known to
  /// support.
  ///
  /// - Parameters:
  ///   - version: The terminal's own name for itself.
  ///   - environment: `TMUX`, `TERM_PROGRAM`, `LC_TERMINAL` and `VTE_VERSION` are read.
  package static func notification(
    title: String, body: String, version: String?, environment: (String) -> String?
  ) -> [UInt8] {
    let (title, body) = (plain(title), plain(body))
    let names = [version, environment("TERM_PROGRAM"), environment("LC_TERMINAL")].compactMap { $0?.lowercased() }
    func isCalled(_ name: String) -> Bool { names.contains { $0.contains(name) } }
    let message: String? =
      if isCalled("kitty") {
        "\u{1B}]99;;\(title): \(body)\u{1B}\\"
      } else if isCalled("iterm") {
        // A leading number would be another command, such as the 4 of a progress bar.
        "\u{1B}]9;\(title.first?.isNumber == true ? "market: " : "")\(title): \(body)\u{1B}\\"
      } else if ["vte", "foot", "ghostty", "wezterm", "tmux"].contains(where: isCalled)
        || environment("VTE_VERSION") != nil
      {
        "\u{1B}]777;notify;\(title);\(body)\u{1B}\\"
      } else {
        nil
      }
    guard let message else { return [0x07] }
    guard environment("TMUX") != nil else { return [0x07] + message.utf8 }
    // tmux passes on what is wrapped like this, with each Esc doubled, if its user allows it.
    let escaped = message.map { $0 == "\u{1B}" ? "\u{1B}\u{1B}" : String($0) }.joined()
    return [0x07] + Array("\u{1B}Ptmux;\(escaped)\u{1B}\\".utf8)
  }

  /// Returns the text without field separators of notifications, and without anything active.
  private static func plain(_ text: String) -> String {
    String(TerminalText.sanitized(text).map { $0 == ";" ? "," : $0 }.prefix(200))
  }
}
