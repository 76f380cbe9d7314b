/// The width of text in the cells of a terminal.
extension TerminalText {
  /// Returns the number of cells by which a terminal advances its cursor for the text.
  ///
  ///     TerminalText.width(of: "하나은행") == 8
  ///     TerminalText.width(of: "e\u{301}") == 1
  ///     TerminalText.width(of: "👩‍👩‍👧") == 2
  ///
  /// Control characters have no width: sanitize the text first.
  package static func width(of text: String) -> Int {
    if isPlain(text) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  package static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard scalars.count > 1, let first = scalars.first else {
      return scalars.first.map(width(of:)) ?? 0
    }
    if isEmojiSequence(first, scalars) { return 2 }
    // The parts of a syllable (a leading jamo is wide, the others have no width) or of a conjunct (one cell per
    // letter).
    return scalars.reduce(0) { $0 + width(of: $1) }
  }

  /// Returns whether a cluster is a flag, a keycap, an emoji with a skin tone or in emoji form, or several joined by
  /// ZWJ: drawn as one emoji.
  private static func isEmojiSequence(_ first: Unicode.Scalar, _ scalars: Character.UnicodeScalarView) -> Bool {
    guard first.properties.isEmoji else { return false }
    return scalars.dropFirst().contains { scalar in
      scalar == emojiSelector || scalar == joiner || scalar == keycap || scalar.properties.isEmojiModifier
        || isRegionalIndicator(scalar)
    }
  }

  /// Returns the width of a scalar on its own: 0, 1 or 2.
  static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return isControl(scalar) || scalar.value == 0xAD ? 0 : 1 }
    if isInNarrowHangul(scalar) { return 0 }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    if properties.isDefaultIgnorableCodePoint, scalar.value != hangulFiller { return 0 }
    return isWide(scalar) ? 2 : 1
  }

  static let joiner: Unicode.Scalar = "\u{200D}"
  static let nonJoiner: Unicode.Scalar = "\u{200C}"
  static let textSelector: Unicode.Scalar = "\u{FE0E}"
  static let emojiSelector: Unicode.Scalar = "\u{FE0F}"
  private static let keycap: Unicode.Scalar = "\u{20E3}"
  private static let hangulFiller: UInt32 = 0x3164

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// Returns whether a scalar is a vowel or final consonant of conjoining Hangul, which joins the leading consonant and
  /// its two cells.
  private static func isInNarrowHangul(_ scalar: Unicode.Scalar) -> Bool {
    (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
  }

  /// Returns whether East Asian Width (UAX #11) is W or F.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100 else { return false }
    var low = 0
    var high = wideRanges.count
    while low < high {
      let middle = (low + high) / 2
      if wideRanges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    if low < wideRanges.count, wideRanges[low].contains(scalar.value) { return true }
    // Characters that are emoji by default are all W, a list that the standard library keeps up to date. Half a flag is
    // the exception.
    return scalar.properties.isEmojiPresentation && !isRegionalIndicator(scalar)
  }

  /// The scalars that are two cells wide (East Asian Width W or F, UAX #11, Unicode 16), except emoji, ascending.
  ///
  /// Includes unassigned scalars between two wide neighbours, as later versions of Unicode assign wide ones there.
  static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // leading jamo
    0x2329...0x232A,  // angle brackets
    0x2E80...0x303E,  // CJK radicals, Kangxi, CJK punctuation
    0x3041...0x3247,  // kana, bopomofo, compatibility jamo, CJK symbols
    0x3250...0xA4CF,  // enclosed and squared CJK, Han extension A, hexagrams, Han, Yi
    0xA960...0xA97F,  // leading jamo, extended A
    0xAC00...0xD7A3,  // Hangul syllables
    0xF900...0xFAFF,  // compatibility Han
    0xFE10...0xFE19,  // vertical forms
    0xFE30...0xFE6F,  // compatibility and small forms
    0xFF01...0xFF60,  // fullwidth forms
    0xFFE0...0xFFE6,  // fullwidth signs, among them the won
    0x16FE0...0x18DFF,  // Tangut, Khitan
    0x1AFF0...0x1B2FF,  // kana extensions, Nushu
    0x1D300...0x1D376,  // Tai Xuan Jing symbols, counting rods
    0x1F200...0x1F265,  // enclosed ideographs
    0x20000...0x3FFFD,  // Han extensions B and later
  ]
}
