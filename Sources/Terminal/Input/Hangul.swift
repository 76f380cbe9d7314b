/// Hangul arithmetic (The Unicode Standard §3.12), and the keys of Dubeolsik, the common Korean keyboard (KS X 5002).
package enum Hangul {
  static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
  /// Standalone consonants and vowels, as sent by a keyboard.
  static let consonants: ClosedRange<UInt32> = 0x3131...0x314E
  static let vowels: ClosedRange<UInt32> = 0x314F...0x3163

  /// The initial letters of syllables as standalone scalars, in Unicode order.
  static let initials = scalars("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
  /// The final letters of syllables; index 0 of 28 is "none".
  static let finals = scalars("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")

  private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  /// The keys of each standalone letter, from the first consonant to the last vowel: two if it takes two keystrokes.
  private static let keysOfLetters = [
    "r", "R", "rt", "s", "sw", "sg", "e", "E", "f", "fr", "fa", "fq", "ft", "fx", "fv", "fg", "a", "q", "Q", "qt", "t",
    "T", "d", "w", "W", "c", "z", "x", "v", "g",
    "k", "o", "i", "O", "j", "p", "u", "P", "h", "hk", "ho", "hl", "y", "n", "nj", "np", "nl", "b", "m", "ml", "l",
  ].map { Array($0.utf8) }
  private static let letters = consonants.lowerBound...vowels.upperBound
  private static let lettersByKeys = Dictionary(uniqueKeysWithValues: zip(keysOfLetters, letters))

  /// Returns the indexes of a syllable's letters: initial, vowel, final (0 = none); nil for anything else.
  static func parts(of scalar: UInt32) -> (initial: Int, vowel: Int, final: Int)? {
    guard syllables.contains(scalar) else { return nil }
    let index = Int(scalar - syllables.lowerBound)
    return (index / 588, index / 28 % 21, index % 28)
  }

  static func syllable(initial: Int, vowel: Int, final: Int) -> UInt32 {
    syllables.lowerBound + UInt32((initial * 21 + vowel) * 28 + final)
  }

  /// Returns the keys that type a syllable or a letter, or nil if it is not Hangul.
  ///
  ///     keys(of: "빝") == "qlx"
  static func keys(of scalar: UInt32) -> [UInt8]? {
    if let (initial, vowel, final) = parts(of: scalar) {
      return keys(ofLetter: initials[initial]) + keys(ofLetter: vowels.lowerBound + UInt32(vowel))
        + (final == 0 ? [] : keys(ofLetter: finals[final - 1]))
    }
    return letters.contains(scalar) ? keys(ofLetter: scalar) : nil
  }

  private static func keys(ofLetter scalar: UInt32) -> [UInt8] { keysOfLetters[Int(scalar - letters.lowerBound)] }

  /// Returns the letter on a key, if it has one; Shift only changes seven of them.
  static func letter(on key: UInt8) -> UInt32? { lettersByKeys[[key]] ?? lettersByKeys[[key | 0x20]] }

  // MARK: - Composing

  /// Returns the text with decomposed syllables (NFD, as sent by file systems and some keyboards) composed, and any
  /// remaining parts as standalone letters.
  static func composed(_ scalars: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    for scalar in scalars {
      switch scalar {
      case 0x1161...0x1175:
        if let last = result.last, let initial = initials.firstIndex(of: last) {
          result[result.count - 1] = syllable(initial: initial, vowel: Int(scalar - 0x1161), final: 0)
        } else {
          result.append(vowels.lowerBound + scalar - 0x1161)
        }
      case 0x11A8...0x11C2:
        if let last = result.last, let parts = parts(of: last), parts.final == 0 {
          result[result.count - 1] = last + (scalar - 0x11A7)
        } else {
          result.append(finals[Int(scalar - 0x11A8)])
        }
      case 0x1100...0x1112:
        result.append(initials[Int(scalar - 0x1100)])
      default:
        result.append(scalar)
      }
    }
    return result
  }

  /// Returns what a Korean keyboard would produce for these keys: 비트 for `qlxm`. Returns nil if a key has no letter.
  static func typed(by keys: [UInt8]) -> [UInt32]? {
    var result: [UInt32] = []
    for key in keys {
      guard let letter = letter(on: key) else { return nil }
      result = joined(result, letter)
    }
    return result
  }

  /// Returns the text after one more letter is typed, as input methods compose it: a final moves to the next syllable
  /// once a vowel follows it.
  private static func joined(_ text: [UInt32], _ letter: UInt32) -> [UInt32] {
    guard let last = text.last else { return [letter] }
    let rest = text.dropLast()
    if vowels.contains(letter) {
      let vowel = Int(letter - vowels.lowerBound)
      if let initial = initials.firstIndex(of: last) {
        return rest + [syllable(initial: initial, vowel: vowel, final: 0)]
      }
      guard let parts = parts(of: last) else { return text + [letter] }
      if parts.final == 0 {
        let both = keys(ofLetter: vowels.lowerBound + UInt32(parts.vowel)) + keys(ofLetter: letter)
        guard let joined = lettersByKeys[both], vowels.contains(joined) else { return text + [letter] }
        return rest + [syllable(initial: parts.initial, vowel: Int(joined - vowels.lowerBound), final: 0)]
      }
      // The final, or the second half of it, begins the next syllable.
      let typed = keys(ofLetter: finals[parts.final - 1])
      guard let moved = typed.last.flatMap(self.letter(on:)), let initial = initials.firstIndex(of: moved) else {
        return text + [letter]
      }
      let kept = lettersByKeys[Array(typed.dropLast())].flatMap { finals.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      return rest + [
        syllable(initial: parts.initial, vowel: parts.vowel, final: kept),
        syllable(initial: initial, vowel: vowel, final: 0),
      ]
    }
    guard let parts = parts(of: last) else { return text + [letter] }
    let before = parts.final == 0 ? [] : keys(ofLetter: finals[parts.final - 1])
    guard let joined = lettersByKeys[before + keys(ofLetter: letter)], let final = finals.firstIndex(of: joined) else {
      return text + [letter]
    }
    return rest + [syllable(initial: parts.initial, vowel: parts.vowel, final: final + 1)]
  }
}

extension Key {
  /// The intended key where keys are commands: a standalone Korean letter means the key in its position (ㅂ = `q`).
  ///
  /// nil for a syllable, and for a letter that takes two keys: the keyboard is set to Korean, and the intention is
  /// unclear.
  package var asCommand: Key? {
    guard case .character(let character) = code, character.unicodeScalars.count == 1,
      let scalar = character.unicodeScalars.first?.value, let keys = Hangul.keys(of: scalar)
    else { return self }
    guard keys.count == 1, !Hangul.syllables.contains(scalar) else { return nil }
    return Key(.character(Character(Unicode.Scalar(keys[0]))), modifiers)
  }
}
