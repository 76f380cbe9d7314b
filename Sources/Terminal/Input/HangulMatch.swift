/// Matches names, especially Korean ones, with a text being typed, so that the intended name never drops out halfway.
///
/// A syllable matches itself, and a standalone consonant any syllable that starts with it (ㅂㅌ = 비트코인). The last
/// syllable may be incomplete: its keys only have to be a prefix (빝 finds 비트코인, since its final becomes the next
/// initial). Case is ignored.
package struct HangulMatch: Hashable, Sendable {
  /// A name prepared for repeated searches.
  package struct Name: Hashable, Sendable {
    /// Composed and in lower case.
    fileprivate let scalars: [UInt32]
    /// The keys of the name, one byte each; 0 for anything not typed in Korean.
    fileprivate let keys: [UInt8]
    /// The index in `keys` at which each scalar starts.
    fileprivate let keyStarts: [Int]

    package init(_ text: String) {
      scalars = HangulMatch.folded(text)
      var keys: [UInt8] = []
      keyStarts = scalars.map { scalar in
        defer { keys += Hangul.keys(of: scalar) ?? [0] }
        return keys.count
      }
      self.keys = keys
    }
  }

  /// How well a name matches; lower is better.
  package enum Fit: Comparable, Sendable {
    /// It equals the typed text.
    case whole
    case start
    /// It starts with syllables whose initials were typed.
    case initials
    case inside
  }

  private let pattern: [UInt32]
  /// The keys of the last scalar if that is a syllable.
  private let lastKeys: [UInt8]?
  /// Whether all scalars are standalone consonants.
  private let isInitials: Bool

  package init(_ typed: String) { self.init(pattern: Self.folded(typed)) }

  fileprivate init(pattern: [UInt32]) {
    // Some input methods join two consonants, but initials are meant individually.
    self.pattern = pattern.flatMap { scalar -> [UInt32] in
      guard Hangul.consonants.contains(scalar), let keys = Hangul.keys(of: scalar), keys.count > 1 else {
        return [scalar]
      }
      return keys.compactMap(Hangul.letter(on:))
    }
    lastKeys = self.pattern.last.flatMap { Hangul.syllables.contains($0) ? Hangul.keys(of: $0) : nil }
    isInitials = self.pattern.allSatisfy(Hangul.consonants.contains)
  }

  /// Returns the scalars of a text, composed and in lower case.
  static func folded(_ text: String) -> [UInt32] {
    Hangul.composed(text.lowercased().unicodeScalars.map(\.value))
  }

  /// Returns nil if the name does not match.
  package func fit(in name: Name) -> Fit? {
    guard !pattern.isEmpty else { return .start }
    guard name.scalars.count >= pattern.count else { return nil }
    if matches(name, at: 0) {
      if isInitials { return .initials }
      return name.scalars == pattern ? .whole : .start
    }
    for start in 1..<max(1, name.scalars.count - pattern.count + 1) where matches(name, at: start) { return .inside }
    return nil
  }

  private func matches(_ name: Name, at start: Int) -> Bool {
    for (offset, wanted) in pattern.enumerated() {
      let found = name.scalars[start + offset]
      if found == wanted { continue }
      if offset == pattern.count - 1, let lastKeys {
        return name.keys[name.keyStarts[start + offset]...].starts(with: lastKeys)
      }
      guard Hangul.consonants.contains(wanted), let parts = Hangul.parts(of: found),
        Hangul.initials[parts.initial] == wanted
      else { return false }
    }
    return true
  }
}

// MARK: - The wrong keyboard

extension HangulMatch {
  /// Returns the Korean text typed as Latin letters: 비트 for `qlxm`. Returns nil for anything else.
  ///
  /// - Parameter isWord: Whether to accept only complete syllables, as in words; `eth` makes ㄷ소, which no one types.
  package static func meantInKorean(_ typed: String, isWord: Bool) -> HangulMatch? {
    guard let text = Hangul.typed(by: Array(typed.utf8)), !text.isEmpty,
      !isWord || text.allSatisfy(Hangul.syllables.contains)
    else { return nil }
    return HangulMatch(pattern: text)
  }

  /// Returns the Latin text typed as Korean letters: `btc` for ㅠㅅㅊ. Returns nil for anything else, and for a single
  /// key.
  package static func meantInLatin(_ typed: String) -> String? {
    let scalars = folded(typed)
    var keys: [UInt8] = []
    for scalar in scalars {
      if let more = Hangul.keys(of: scalar) {
        keys += more
      } else if let ascii = Unicode.Scalar(scalar), ascii.isASCII {
        keys.append(UInt8(scalar))
      } else {
        return nil
      }
    }
    guard keys.count > 1, scalars.contains(where: { Hangul.keys(of: $0) != nil }) else { return nil }
    return String(decoding: keys, as: UTF8.self).lowercased()
  }
}
