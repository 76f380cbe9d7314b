package import JSON

/// Changes single members of a config's text and leaves every other byte as it is: order, spacing, line ends.
///
///     var editor = try ConfigEditor(bytes)
///     editor.setMember("Bitget", of: ["exchanges"], to: block)
///     editor.bytes
///
/// Members that were set and are removed again, in whatever order, leave the very text that there was: the blanks that an
/// empty object had stand before its closing brace meanwhile, and an object that had to be made closes as no other does.
package struct ConfigEditor: Sendable {
  package private(set) var bytes: [UInt8]

  package enum Problem: Error, Hashable, Sendable {
    /// The file is no JSON text.
    case syntax(JSONSyntaxError)
    /// What the path leads to is no object.
    case notAnObject([String])
  }

  package init(_ bytes: [UInt8]) throws(Problem) {
    self.bytes = bytes
    guard try Self.root(of: bytes).kind == .object else { throw .notAnObject([]) }
  }

  private static func root(of bytes: [UInt8]) throws(Problem) -> JSONNode {
    do {
      return try JSONDocument(parsing: bytes).root
    } catch {
      throw .syntax(error)
    }
  }

  /// How the file ends its lines: as the first one is ended.
  private var newline: String {
    guard let feed = bytes.firstIndex(of: 0x0A), feed > 0 else { return "\n" }
    return bytes[feed - 1] == 0x0D ? "\r\n" : "\n"
  }

  private func object(at path: [String]) throws(Problem) -> JSONNode? {
    var node = try Self.root(of: bytes)
    for (index, name) in path.enumerated() {
      guard node.kind == .object else { throw .notAnObject(Array(path.prefix(index))) }
      guard let next = node[name] else { return nil }
      node = next
    }
    guard node.kind == .object else { throw .notAnObject(path) }
    return node
  }

  // MARK: Setting

  /// Gives an object's member another value, or adds it at the end; objects that are missing on the way are made.
  package mutating func setMember(
    _ name: String, of path: [String], to value: ConfigValue
  ) throws(Problem) {
    try set(name, of: path) { layout, lead in value.text(layout, lead: lead) }
  }

  /// - Parameter text: writes the value, given the layout of the line that it begins on and what stands before it there.
  private mutating func set(
    _ name: String, of path: [String], to text: (ConfigLayout, Int) -> String
  ) throws(Problem) {
    guard let object = try object(at: path) else {
      guard let last = path.last else { return }
      return try set(last, of: Array(path.dropLast())) { layout, lead in
        let opening = "{ " + ConfigValue.quoted(name) + ": "
        return opening + text(layout, lead + opening.unicodeScalars.count) + Made.closing
      }
    }
    if let old = object[name] {
      let start = old.byteRange.lowerBound
      replace(old.byteRange, with: text(layout(at: start), start - lineStart(before: start)))
      return
    }
    add(name, text, to: object)
  }

  private mutating func add(_ name: String, _ text: (ConfigLayout, Int) -> String, to object: JSONNode) {
    let key = ConfigValue.quoted(name) + ": "
    let start = object.byteRange.lowerBound
    let own = layout(at: start)
    guard let last = Array(object.members).last else {
      let inner = own.inner
      let blanks = String(decoding: bytes[(start + 1)..<(object.byteRange.upperBound - 1)], as: UTF8.self)
      // Blanks of several lines go on before the closing brace; those of one line have one more there.
      let end = Self.hasLineEnd(blanks.utf8) ? blanks : " " + blanks
      let lead = inner.blanks.utf8.count + key.unicodeScalars.count
      replace(object.byteRange, with: "{" + inner.lineStart + key + text(inner, lead) + end + "}")
      return
    }
    let keyStart = last.key.byteRange.lowerBound
    let line = lineStart(before: keyStart)
    // A member that begins its line gets a neighbour on a line of its own.
    let isOnOwnLine = line > start && bytes[line..<keyStart].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    let layout = isOnOwnLine ? layout(at: keyStart) : own
    let lead = isOnOwnLine ? layout.lineStart : " "
    let column = isOnOwnLine ? keyStart - line : 0
    let place = last.value.byteRange.upperBound
    replace(place..<place, with: "," + lead + key + text(layout, column + key.unicodeScalars.count))
  }

  // MARK: Removing

  /// Takes a member out, with one comma; false where there is none.
  @discardableResult
  package mutating func removeMember(_ name: String, of path: [String]) throws(Problem) -> Bool {
    guard let object = try object(at: path) else { return false }
    let members = Array(object.members)
    guard let index = members.lastIndex(where: { $0.name == name }) else { return false }
    let own = members[index]
    if index > 0 {
      // From the value before: its comma goes, and the one behind stays.
      let start = members[index - 1].value.byteRange.upperBound
      replace(start..<own.value.byteRange.upperBound, with: "")
    } else if members.count > 1 {
      replace(own.key.byteRange.lowerBound..<members[1].key.byteRange.lowerBound, with: "")
    } else {
      try removeOnly(own, of: object, at: path)
    }
    return true
  }

  /// The object gets back the blanks that it had, or goes, where it was made for this member.
  private mutating func removeOnly(
    _ member: JSONMembers.Element, of object: JSONNode, at path: [String]
  ) throws(Problem) {
    let range = object.byteRange
    let before = bytes[(range.lowerBound + 1)..<member.key.byteRange.lowerBound]
    let behind = bytes[member.value.byteRange.upperBound..<(range.upperBound - 1)]
    if let last = path.last, Made.isMade(before, behind) {
      try removeMember(last, of: Array(path.dropLast()))
    } else if Self.hasLineEnd(behind) {
      replace(range, with: "{" + String(decoding: behind, as: UTF8.self) + "}")
    } else if Self.hasLineEnd(before) {
      replace(range, with: "{" + String(decoding: behind.dropFirst(), as: UTF8.self) + "}")
    } else {
      replace(range, with: "{}")
    }
  }

  /// An object that was missing and is there for its members alone: a blank behind the opening brace and none before the
  /// closing one.
  private enum Made {
    static let closing = "}"

    static func isMade(_ before: ArraySlice<UInt8>, _ behind: ArraySlice<UInt8>) -> Bool {
      before.elementsEqual([0x20]) && behind.isEmpty
    }
  }

  // MARK: Bytes

  private mutating func replace(_ range: Range<Int>, with text: String) {
    bytes.replaceSubrange(range, with: text.utf8)
  }

  private static func hasLineEnd(_ blanks: some Sequence<UInt8>) -> Bool {
    blanks.contains { $0 == 0x0A || $0 == 0x0D }
  }

  private func lineStart(before offset: Int) -> Int {
    bytes[..<offset].lastIndex { $0 == 0x0A }.map { $0 + 1 } ?? 0
  }

  /// The layout of the line that something stands on.
  private func layout(at offset: Int) -> ConfigLayout {
    let blanks = Self.blanks(bytes[lineStart(before: offset)...])
    return ConfigLayout(blanks: blanks, step: step, newline: newline)
  }

  /// By how much the file moves a line in: as the first line that is.
  private var step: String {
    let first = bytes.split(separator: 0x0A).dropFirst().lazy.map(Self.blanks).first { !$0.isEmpty } ?? ""
    return (1...8).contains(first.utf8.count) ? first : "  "
  }

  private static func blanks(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }
}

/// How the lines of a text are laid out around a value that is written into it.
package struct ConfigLayout: Hashable, Sendable {
  /// What the line begins with.
  package var blanks = ""
  /// By how much the lines of a member move in: blanks or a tab.
  package var step = "  "
  /// How the text ends its lines.
  package var newline = "\n"

  package init(blanks: String = "", step: String = "  ", newline: String = "\n") {
    self.blanks = blanks
    self.step = step
    self.newline = newline
  }

  /// The layout of the lines within.
  var inner: ConfigLayout { ConfigLayout(blanks: blanks + step, step: step, newline: newline) }

  /// The end of the line before and the beginning of one.
  var lineStart: String { newline + blanks }
}

extension ConfigFile {
  /// The edit that takes a repeated member away, where it says what the earlier one says.
  func removal(ofDuplicate key: JSONNode) -> [Finding.Edit] {
    guard let object = object(withKey: key, in: document.root),
      let member = object.members.first(where: { $0.key.byteRange == key.byteRange })
    else { return [] }
    let twin = object.members.first {
      $0.key.byteRange.lowerBound < key.byteRange.lowerBound && $0.name == member.name
        && $0.value.text == member.value.text
    }
    // Something stands before a repeated member, so a comma does too.
    guard twin != nil,
      let comma = document.bytes[..<key.byteRange.lowerBound].lastIndex(of: UInt8(ascii: ","))
    else { return [] }
    return [Finding.Edit(Place(file: source, range: comma..<member.value.byteRange.upperBound), "")]
  }

  private func object(withKey key: JSONNode, in node: JSONNode) -> JSONNode? {
    guard node.byteRange.contains(key.byteRange.lowerBound) else { return nil }
    for member in node.members {
      if member.key.byteRange == key.byteRange { return node }
      if let found = object(withKey: key, in: member.value) { return found }
    }
    for element in node.elements {
      if let found = object(withKey: key, in: element) { return found }
    }
    return nil
  }
}
