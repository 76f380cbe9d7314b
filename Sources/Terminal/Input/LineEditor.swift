/// A line of text being edited, with the key bindings of shells.
package struct LineEditor: Hashable, Sendable {
  /// The grapheme clusters.
  private var characters: [Character] = []
  /// The number of clusters before the cursor.
  private var cursor = 0
  /// The text last removed by Ctrl-K, Ctrl-U or Ctrl-W.
  private var taken: [Character] = []

  /// No typed line is longer.
  private static let limit = 500

  package init(_ text: String = "") { insert(text) }

  package var text: String { String(characters) }

  package enum Effect: Hashable, Sendable {
    case changed
    /// Only the cursor moved, or there was nothing to do.
    case moved
    /// The key has no meaning for a line: Enter, Esc, Tab and the like are left to the caller.
    case ignored
  }

  /// Inserts text at the cursor. Line breaks become blanks; what a terminal would not show as it is, such as control
  /// characters and those without width, is dropped.
  package mutating func insert(_ text: String) {
    let blank: Unicode.Scalar = " "
    let scalars = text.unicodeScalars.map { $0 == "\n" || $0 == "\t" ? blank : $0 }
    // A combining mark, or half of a syllable, joins the character before it.
    let start = max(0, cursor - 1)
    var joined = String(characters[start..<cursor])
    joined.unicodeScalars.append(contentsOf: scalars)
    joined = TerminalText.visible(joined)
    let room = Self.limit - (characters.count - cursor) - start
    let new = joined.prefix(max(0, room))
    characters.replaceSubrange(start..<cursor, with: new)
    cursor = start + new.count
  }

  package mutating func handle(_ key: Key) -> Effect {
    let length = characters.count
    let modifiers = key.modifiers
    if let character = key.character {
      insert(String(character))
      return .changed
    }
    switch (key.code, modifiers.contains(.control), modifiers.contains(.alt)) {
    case (.left, false, false), (.character("b"), true, _): cursor = max(0, cursor - 1)
    case (.right, false, false), (.character("f"), true, _): cursor = min(cursor + 1, length)
    case (.left, _, _), (.character("b"), _, true): cursor = wordStart
    case (.right, _, _), (.character("f"), _, true): cursor = wordEnd
    case (.home, _, _), (.character("a"), true, _): cursor = 0
    case (.end, _, _), (.character("e"), true, _): cursor = length
    case (.backspace, false, false), (.character("h"), true, _): remove(max(0, cursor - 1)..<cursor)
    case (.delete, _, _), (.character("d"), true, _): remove(cursor..<min(cursor + 1, length))
    case (.backspace, _, _), (.character("w"), true, _): take(wordStart..<cursor)
    case (.character("d"), _, true): take(cursor..<wordEnd)
    case (.character("u"), true, _): take(0..<cursor)
    case (.character("k"), true, _): take(cursor..<length)
    case (.character("y"), true, _): insert(String(taken))
    default: return .ignored
    }
    return characters.count == length ? .moved : .changed
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }

  private mutating func take(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    taken = Array(characters[range])
    remove(range)
  }

  /// The start of the word before the cursor.
  private var wordStart: Int { characters[..<cursor].reversed().drop { $0 == " " }.drop { $0 != " " }.count }

  private var wordEnd: Int {
    characters.count - characters[cursor...].drop { $0 == " " }.drop { $0 != " " }.count
  }

  // MARK: - Displaying

  /// Returns the part of the text around the cursor that fits, and the cursor's cell in it. The cursor may be in its
  /// own cell after the last character.
  package func visible(cells: Int) -> (text: String, cursor: Int) {
    let room = max(cells, 1)
    var shown: [Character] = []
    var cell = 0
    for character in characters[..<cursor].reversed() {
      let width = TerminalText.width(of: character)
      guard cell + width < room else { break }
      cell += width
      shown.append(character)
    }
    shown.reverse()
    var used = cell
    for character in characters[cursor...] {
      used += TerminalText.width(of: character)
      guard used <= room else { break }
      shown.append(character)
    }
    return (String(shown), cell)
  }
}
