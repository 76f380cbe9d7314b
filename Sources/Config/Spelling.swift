import Quotes

/// Name matching and spelling suggestions.
package enum Spelling {
  /// Returns the letters and digits of a name in lowercase: `GMO Coin`, `gmo-coin` and `GmoCoin` are the same name.
  package static func folded(_ name: String) -> String {
    let lower = name.lowercased()
    // Nearly every name is ASCII, whose bytes are faster to look at than the characters' properties.
    let kept =
      lower.utf8.allSatisfy { $0 < 0x80 }
      ? String(decoding: lower.utf8.filter { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }, as: UTF8.self)
      : lower.filter { $0.isLetter || $0.isNumber }
    return kept.isEmpty ? lower : kept
  }

  /// Returns whether a name can be typed and seen: it is not blank, and has no control or other invisible characters.
  static func canBeTyped(_ name: String) -> Bool {
    !name.allSatisfy(\.isWhitespace)
      && name.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
      }
  }

  /// Returns the candidate that was most likely meant, or nil if none is close.
  ///
  /// A candidate is close if it has at most one slip per three letters (an extra, missing or wrong letter, or two
  /// swapped), or if it begins with what was written (at least three letters). Case is ignored. The first of equally
  /// close candidates wins. Of three letters, another first one makes another word: `ksh` is no slip of `zsh`.
  package static func suggestion(for written: String, among candidates: some Sequence<String>) -> String? {
    // Two different names of one or two letters are always close: no suggestion is better than a wild one.
    guard written.count > 2 else { return nil }
    let word = written.lowercased()
    let limit = max(1, word.count / 3)
    // Only measure close candidates: the distance is at least the difference in length.
    let length = word.count
    let distances = candidates.lazy.filter { name in
      let isOther = length == 3 && name.lowercased() != word && name.lowercased().dropFirst() == word.dropFirst()
      return abs(name.count - length) <= limit && !isOther
    }.map { (name: $0, distance: distance(word, $0.lowercased())) }
    if let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= limit {
      return nearest.name
    }
    // `wallets` is short for `wallet-status`, too.
    let stem = word.hasSuffix("s") && word.count > 4 ? word.dropLast() : word[...]
    return candidates.first { $0.lowercased().hasPrefix(word) } ?? candidates.first { $0.lowercased().hasPrefix(stem) }
  }

  /// Returns the number of slips between two texts: letters inserted, deleted, replaced, or swapped with the next.
  package static func distance(_ first: String, _ second: String) -> Int {
    Array(first).editDistance(to: Array(second))
  }
}
