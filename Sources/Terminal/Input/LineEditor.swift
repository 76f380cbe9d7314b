/// A line of text being edited, with the key bindings of shells.
package struct LineEditor: Hashable, Sendable {
  /// The grapheme clusters before and after the cursor.
  private var before: [Character] = []
  private var after: [Character] = []
  /// The text last removed by Ctrl-K, Ctrl-U or Ctrl-W.
  private var taken: [Character] = []

  /// No typed line is longer.
  private static let limit = 500

  package init(_ text: String = "") { insert(text) }

  package var text: String { String(before) + String(after) }

  package enum Effect: Hashable, Sendable {
    case changed
    /// Only the cursor moved, or there was nothing to do.
    case moved
    /// The key has no meaning for a line: Enter, Esc, Tab and the like are left to the caller.
    case ignored
  }

  /// Inserts text at the cursor. Line breaks become blanks, other control characters are dropped.
  package mutating func insert(_ text: String) {
    let cleaned = text.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
      if scalar == "\n" || scalar == "\t" { return " " }
      return scalar.properties.generalCategory == .control ? nil : scalar
    }
    var joined = String.UnicodeScalarView()
    // A combining mark, or half of a syllable, joins the character before it.
    if let last = before.popLast() { joined.append(contentsOf: last.unicodeScalars) }
    joined.append(contentsOf: cleaned)
    before += Array(String(joined))
    let room = max(0, Self.limit - after.count)
    if before.count > room { before.removeLast(before.count - room) }
  }

  package mutating func handle(_ key: Key) -> Effect {
    let length = before.count + after.count
    let modifiers = key.modifiers
    if let character = key.character {
      insert(String(character))
      return .changed
    }
    switch (key.code, modifiers.contains(.control), modifiers.contains(.alt)) {
    case (.left, false, false), (.character("b"), true, _): move(-1)
    case (.right, false, false), (.character("f"), true, _): move(1)
    case (.left, _, _), (.character("b"), _, true): move(-wordBefore)
    case (.right, _, _), (.character("f"), _, true): move(wordBehind)
    case (.home, _, _), (.character("a"), true, _): move(-before.count)
    case (.end, _, _), (.character("e"), true, _): move(after.count)
    case (.backspace, false, false), (.character("h"), true, _): before = before.dropLast()
    case (.delete, _, _), (.character("d"), true, _): after = Array(after.dropFirst())
    case (.backspace, _, _), (.character("w"), true, _): takeBefore(wordBefore)
    case (.character("d"), _, true): takeBehind(wordBehind)
    case (.character("u"), true, _): takeBefore(before.count)
    case (.character("k"), true, _): takeBehind(after.count)
    case (.character("y"), true, _): insert(String(taken))
    default: return .ignored
    }
    return before.count + after.count == length ? .moved : .changed
  }

  private mutating func move(_ distance: Int) {
    if distance < 0 {
      let moved = before.suffix(-distance)
      after = moved + after
      before.removeLast(moved.count)
    } else {
      let moved = after.prefix(distance)
      before += moved
      after.removeFirst(moved.count)
    }
  }

  private mutating func takeBefore(_ count: Int) {
    guard count > 0 else { return }
    taken = Array(before.suffix(count))
    before.removeLast(count)
  }

  private mutating func takeBehind(_ count: Int) {
    guard count > 0 else { return }
    taken = Array(after.prefix(count))
    after.removeFirst(count)
  }

  /// The number of clusters back to the start of the word before the cursor.
  private var wordBefore: Int {
    let blanks = before.reversed().prefix { $0 == " " }.count
    return blanks + before.dropLast(blanks).reversed().prefix { $0 != " " }.count
  }

  private var wordBehind: Int {
    let blanks = after.prefix { $0 == " " }.count
    return blanks + after.dropFirst(blanks).prefix { $0 != " " }.count
  }

  // MARK: - Displaying

  /// Returns the part of the text around the cursor that fits, and the cursor's cell in it. The cursor may be in its
  /// own cell after the last character.
  package func visible(cells: Int) -> (text: String, cursor: Int) {
    let room = max(cells, 1)
    var shown: [Character] = []
    var cursor = 0
    for character in before.reversed() {
      let width = TerminalText.width(of: character)
      guard cursor + width < room else { break }
      cursor += width
      shown.append(character)
    }
    shown.reverse()
    var used = cursor
    for character in after {
      used += TerminalText.width(of: character)
      guard used <= room else { break }
      shown.append(character)
    }
    return (String(shown), cursor)
  }
}
