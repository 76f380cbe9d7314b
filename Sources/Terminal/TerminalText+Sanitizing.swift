import Quotes

/// Making text from an exchange or a file safe to send to a terminal.
extension TerminalText {
  /// Returns the text with everything invisible or active replaced by a visible escape: ESC becomes `\u{1B}`.
  ///
  /// Escapes rather than U+FFFD: they show what arrived, and different texts stay different. Replaced are
  /// - control characters (C0 including tab and newline, DEL, C1), so that no escape sequence survives;
  /// - line and paragraph separators;
  /// - marks, overrides and isolates of bidirectional text, which can reorder a whole line;
  /// - characters without width: zero-width spaces, invisible operators, fillers, tags, variation selectors;
  /// - private, unassigned and non-characters, whose width is unknown;
  /// - more than `maximumMarks` combining marks on one letter, which would smear over the lines above and below.
  ///
  /// Letters of every script are kept, as are ZWJ and emoji selectors after an emoji, and ZWNJ and ZWJ between letters
  /// that need them (Persian, Indic scripts).
  package static func sanitized(_ text: String, escaping form: EscapeForm = .braces) -> String {
    replacingUnsafe(in: text) { form.escape($0) }
  }

  /// Returns the text without everything that ``sanitized(_:escaping:)`` would escape.
  static func visible(_ text: String) -> String { replacingUnsafe(in: text) { _ in "" } }

  private static func replacingUnsafe(in text: String, by replacement: (Unicode.Scalar) -> String) -> String {
    if isPlain(text) { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var marks = 0
    for (index, scalar) in scalars.enumerated() {
      marks = isMark(scalar) ? marks + 1 : 0
      let previous = index > 0 ? scalars[index - 1] : nil
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      if marks <= maximumMarks, isSafe(scalar, after: previous, before: next) {
        result.append(scalar)
      } else {
        result.append(contentsOf: replacement(scalar).unicodeScalars)
      }
    }
    return String(result)
  }

  package static func sanitizedLines(_ text: String, escaping form: EscapeForm = .braces) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { sanitized(String($0), escaping: form) }.joined(separator: "\n")
  }

  package enum EscapeForm: Sendable {
    /// `\u{202E}`, for humans.
    case braces
    /// `\u202e`, or a surrogate pair beyond the first 65,536 scalars (RFC 8259 §7): in JSON strings and the names of a
    /// JSONPath, the escaped text keeps its meaning.
    case json

    fileprivate func escape(_ scalar: Unicode.Scalar) -> String {
      switch self {
      case .braces:
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      case .json:
        String(scalar).utf16.map { "\\u" + $0.hexadecimal(digits: 4) }.joined()
      }
    }
  }

  /// No living language stacks more than about four.
  private static let maximumMarks = 6

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }

  private static func isSafe(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint {
      return isNeededHere(scalar, after: previous, before: next)
    }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
    default: return true
    }
  }

  /// Returns whether an invisible scalar is used as intended, changing how its visible neighbours are drawn.
  private static func isNeededHere(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Bool {
    guard let previous else { return false }
    switch scalar {
    case textSelector, emojiSelector: return previous.properties.isEmoji
    case joiner, nonJoiner:
      guard let next else { return false }
      return isPicture(previous) && isPicture(next) && scalar == joiner || isJoining(previous) && isJoining(next)
    default: return false
    }
  }

  /// Returns whether a scalar is an emoji, or may come between an emoji and the joiner after it.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    scalar == emojiSelector || scalar.value > 0xFF && scalar.properties.isEmoji
  }

  /// Returns whether a scalar is a letter or mark of a script from Arabic to the Indic ones, which use joiners in their
  /// spelling.
  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    (0x600...0x109F).contains(scalar.value)
      && (scalar.properties.isAlphabetic || scalar.properties.canonicalCombiningClass == .virama)
  }
}
