package import JSON

/// An editor that changes single members of a config and leaves every other byte as it is: order, spacing, line
/// endings.
///
///     var editor = try ConfigEditor(bytes)
///     editor.setMember("Bitget", of: ["exchanges"], to: block)
///     editor.bytes
///
/// Removing members that were set, in any order, restores the exact original text: an object that was empty keeps its
/// whitespace before the closing brace in the meantime, and a created object is recognized by the spacing of its
/// braces.
package struct ConfigEditor: Sendable {
  package private(set) var bytes: [UInt8]

  package enum Problem: Error, Hashable, Sendable {
    /// The file is not JSON.
    case syntax(JSONSyntaxError)
    /// The path does not lead to an object.
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

  /// The file's line ending: that of its first line.
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

  /// Sets a member of an object, adding it at the end if it is new, and creates missing objects along the path.
  package mutating func setMember(_ name: String, of path: [String], to value: ConfigValue) throws(Problem) {
    try set(name, of: path) { layout, lead in value.text(layout, lead: lead) }
  }

  /// - Parameter text: returns the value's text, given the layout of the line it starts on and the width before it.
  private mutating func set(_ name: String, of path: [String], to text: (ConfigLayout, Int) -> String) throws(Problem) {
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
      // Whitespace with line breaks is kept before the closing brace; otherwise it gets one more space.
      let end = Self.hasLineEnd(blanks.utf8) ? blanks : " " + blanks
      let lead = inner.blanks.utf8.count + key.unicodeScalars.count
      replace(object.byteRange, with: "{" + inner.lineStart + key + text(inner, lead) + end + "}")
      return
    }
    let keyStart = last.key.byteRange.lowerBound
    let line = lineStart(before: keyStart)
    // After a member that starts its line, the new one goes on a line of its own.
    let isOnOwnLine = line > start && bytes[line..<keyStart].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    let layout = isOnOwnLine ? layout(at: keyStart) : own
    let lead = isOnOwnLine ? layout.lineStart : " "
    let column = isOnOwnLine ? keyStart - line : 0
    let place = last.value.byteRange.upperBound
    replace(place..<place, with: "," + lead + key + text(layout, column + key.unicodeScalars.count))
  }

  // MARK: Removing

  /// Removes a member along with one comma, and all others of that name; returns false if there is none.
  @discardableResult
  package mutating func removeMember(_ name: String, of path: [String]) throws(Problem) -> Bool {
    guard try removeLastMember(name, of: path) else { return false }
    while try removeLastMember(name, of: path) {}
    return true
  }

  private mutating func removeLastMember(_ name: String, of path: [String]) throws(Problem) -> Bool {
    guard let object = try object(at: path) else { return false }
    let members = Array(object.members)
    guard let index = members.lastIndex(where: { $0.name == name }) else { return false }
    let own = members[index]
    if index > 0 {
      // Remove from the end of the preceding value: its comma goes, the one after the member stays.
      let start = members[index - 1].value.byteRange.upperBound
      replace(start..<own.value.byteRange.upperBound, with: "")
    } else if members.count > 1 {
      replace(own.key.byteRange.lowerBound..<members[1].key.byteRange.lowerBound, with: "")
    } else {
      try removeOnly(own, of: object, at: path)
    }
    return true
  }

  /// Removes an object's only member, and restores its whitespace or removes the object if it was created for the
  /// member.
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

  /// The mark of an object created just for its members: a space after the opening brace and none before the closing
  /// one.
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

  /// Returns the layout of the line at an offset.
  private func layout(at offset: Int) -> ConfigLayout {
    let blanks = Self.blanks(bytes[lineStart(before: offset)...])
    return ConfigLayout(blanks: blanks, step: step, newline: newline)
  }

  /// The file's indentation step: that of its first indented line.
  private var step: String {
    let first = bytes.split(separator: 0x0A).dropFirst().lazy.map(Self.blanks).first { !$0.isEmpty } ?? ""
    return (1...8).contains(first.utf8.count) ? first : "  "
  }

  private static func blanks(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }
}

/// The line layout around a value that is written into a text.
package struct ConfigLayout: Hashable, Sendable {
  /// The indentation of the line.
  package var blanks = ""
  /// The indentation step of members: spaces or a tab.
  package var step = "  "
  package var newline = "\n"

  /// The layout of nested lines.
  var inner: ConfigLayout { ConfigLayout(blanks: blanks + step, step: step, newline: newline) }

  /// The end of the previous line and the indentation of the next.
  var lineStart: String { newline + blanks }
}

extension ConfigFile {
  /// Returns the edit that removes a repeated member if its value equals that of the one before, so that whichever is
  /// last has the same value.
  func removal(ofDuplicate key: JSONNode) -> [Finding.Edit] {
    guard let object = object(withKey: key, in: document.root),
      let member = object.members.first(where: { $0.key.byteRange == key.byteRange })
    else { return [] }
    let twin = Array(object.members).last {
      $0.key.byteRange.lowerBound < key.byteRange.lowerBound && $0.name == member.name
    }
    // A repeated member is never the first, so a comma precedes it.
    guard twin?.value.text == member.value.text,
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
