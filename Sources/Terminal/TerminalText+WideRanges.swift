extension TerminalText {
  /// Scalars two cells wide (East Asian Width W or F, UAX #11, Unicode 16), emoji left out, ascending.
  ///
  /// Unassigned scalars between two wide neighbours are counted in: later versions of Unicode fill them with wide ones.
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
