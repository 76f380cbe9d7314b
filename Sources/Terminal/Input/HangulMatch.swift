/// Finds what a person is typing in names, Korean ones above all, so that the wanted name never drops out on the way.
///
/// Syllables stand for themselves and a consonant by itself for a syllable that begins with it (ㅂㅌ = 비트코인). The last
/// syllable may be half typed: what counts are its keys, as they go on from there (빝 finds 비트코인, since its final
/// becomes the next initial). Capitals are small letters.
package struct HangulMatch: Hashable, Sendable {
  /// A name made ready to be searched often.
  package struct Name: Hashable, Sendable {
    /// Composed, and in small letters.
    fileprivate let scalars: [UInt32]
    /// The keys of all of it, one byte each; 0 for what is not typed in Korean.
    fileprivate let keys: [UInt8]
    /// Where in them each scalar begins.
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

    package var isEmpty: Bool { scalars.isEmpty }
  }

  /// How well a name fits; the better, the less.
  package enum Fit: Int, Comparable, Sendable {
    /// It is what was typed.
    case whole
    case start
    /// It begins with syllables whose initials were typed.
    case initials
    case inside

    package static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
  }

  private let pattern: [UInt32]
  /// The keys of the last scalar, where that is a syllable.
  private let lastKeys: [UInt8]?
  /// Whether all of it are consonants by themselves.
  private let isInitials: Bool

  package init(_ typed: String) {
    self.init(pattern: Self.folded(typed))
  }

  fileprivate init(pattern: [UInt32]) {
    // Some input methods join two consonants, but initials are meant one by one.
    self.pattern = pattern.flatMap { scalar -> [UInt32] in
      guard Hangul.consonants.contains(scalar), let keys = Hangul.keys(of: scalar), keys.count > 1 else {
        return [scalar]
      }
      return keys.compactMap(Hangul.letter(on:))
    }
    lastKeys = self.pattern.last.flatMap { Hangul.syllables.contains($0) ? Hangul.keys(of: $0) : nil }
    isInitials = self.pattern.allSatisfy(Hangul.consonants.contains)
  }

  fileprivate static func folded(_ text: String) -> [UInt32] {
    Hangul.composed(text.lowercased().unicodeScalars.map(\.value))
  }

  /// nil: the name does not have it.
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
  /// What was meant by Latin letters that are Korean keys: `qlxm` is 비트. nil for anything else.
  ///
  /// - Parameter isWord: only what makes whole syllables, as words do; `eth` makes ㄷ소, which nobody types.
  package static func meantInKorean(_ typed: String, isWord: Bool) -> HangulMatch? {
    guard let text = Hangul.typed(by: Array(typed.utf8)), !text.isEmpty,
      !isWord || text.allSatisfy(Hangul.syllables.contains)
    else { return nil }
    return HangulMatch(pattern: text)
  }

  /// What was meant by Korean letters that are Latin keys: ㅠㅅㅊ is `btc`. nil for anything else, and for a single key.
  package static func meantInLatin(_ typed: String) -> String? {
    let scalars = folded(typed)
    var keys: [UInt8] = []
    for scalar in scalars {
      if let more = Hangul.keys(of: scalar) {
        keys += more
      } else if let digit = Unicode.Scalar(scalar), digit.isASCII {
        keys.append(UInt8(scalar))
      } else {
        return nil
      }
    }
    guard keys.count > 1, scalars.contains(where: { Hangul.keys(of: $0) != nil }) else { return nil }
    return String(decoding: keys, as: UTF8.self).lowercased()
  }
}
