/// Text of an exchange or a file, made safe to send to a terminal.
extension TerminalText {
  /// The text with everything invisible or active replaced by a visible escape: ESC becomes `\u{1B}`.
  ///
  /// Escapes rather than U+FFFD: they show what came, and two different texts stay different. Replaced are
  /// - control characters (C0 with tab and newline, DEL, C1), so no escape sequence survives;
  /// - line and paragraph separators;
  /// - marks, overrides and isolates of bidirectional text, which can reorder a whole line;
  /// - what has no width: zero-width spaces, invisible operators, fillers, tags, variation selectors;
  /// - private, unassigned and non-characters, whose width is unknown;
  /// - more than `maximumMarks` combining marks on one letter, which would smear over the lines above and below.
  ///
  /// Letters of every script stay. ZWJ and the emoji selectors stay behind a picture, ZWNJ and ZWJ between letters
  /// that need them (Persian, Indic scripts).
  ///
  /// - Parameters:
  ///   - form: how an escape is written.
  package static func sanitized(_ text: String, escaping form: EscapeForm = .braces) -> String {
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
        result.append(contentsOf: form.escape(scalar).unicodeScalars)
      }
    }
    return String(result)
  }

  /// Text of several lines, each of them cleaned.
  package static func sanitizedLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { sanitized(String($0)) }.joined(separator: "\n")
  }

  /// How the escape of a scalar is written.
  package enum EscapeForm: Sendable {
    /// `\u{202E}`, for people.
    case braces
    /// `\u202e`, beyond the first 65,536 scalars a pair of surrogates (RFC 8259 §7): inside the strings of JSON, and
    /// the names of a JSONPath, the escaped text means the same as before.
    case json

    fileprivate func escape(_ scalar: Unicode.Scalar) -> String {
      switch self {
      case .braces:
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      case .json:
        String(scalar).utf16.map { unit in
          let digits = String(unit, radix: 16)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
      }
    }
  }

  /// No living language stacks more than four or so.
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

  /// True for an invisible scalar that changes how its visible neighbours are drawn, in the place meant for it.
  private static func isNeededHere(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Bool {
    guard let previous else { return false }
    switch scalar {
    case textSelector, emojiSelector:
      return previous.properties.isEmoji
    case joiner, nonJoiner:
      guard let next else { return false }
      return isPicture(previous) && isPicture(next) && scalar == joiner || isJoining(previous) && isJoining(next)
    default:
      return false
    }
  }

  /// A picture, or what may stand between a picture and the joiner behind it.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    scalar == emojiSelector || scalar.value > 0xFF && scalar.properties.isEmoji
  }

  /// A letter or mark of a script from Arabic to the Indic ones, where the joiners are part of the spelling.
  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    (0x600...0x109F).contains(scalar.value)
      && (scalar.properties.isAlphabetic || scalar.properties.canonicalCombiningClass == .virama)
  }
}
