package import JSON

/// Changes single members of a config's text and leaves every other byte as it is: order, spacing, line ends.
///
///     var editor = try ConfigEditor(bytes)
///     editor.setMember("Bitget", of: ["exchanges"]) { indent, newline in block.text(indent: indent, newline: newline) }
///     editor.bytes
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
  ///
  /// - Parameter value: writes the value, given the blanks of its line, what stands before it, and the line end.
  package mutating func setMember(
    _ name: String, of path: [String], to value: ConfigValue
  ) throws(Problem) {
    guard let object = try object(at: path) else {
      guard let last = path.last else { return }
      return try setMember(last, of: Array(path.dropLast()), to: .object([(name, value)]))
    }
    if let old = object[name] {
      let start = lineIndent(at: old.byteRange.lowerBound)
      let lead = old.byteRange.lowerBound - lineStart(before: old.byteRange.lowerBound)
      replace(old.byteRange, with: value.text(indent: start, lead: lead, newline: newline))
      return
    }
    add(name, value, to: object)
  }

  private mutating func add(_ name: String, _ value: ConfigValue, to object: JSONNode) {
    let key = ConfigValue.quoted(name) + ": "
    let members = Array(object.members)
    let own = lineIndent(at: object.byteRange.lowerBound)
    guard let last = members.last else {
      let indent = own + 2
      let start = newline + String(repeating: " ", count: indent)
      let text = start + key + value.text(indent: indent, lead: indent + key.utf8.count, newline: newline)
      let end = newline + String(repeating: " ", count: own)
      replace(object.byteRange, with: "{" + text + end + "}")
      return
    }
    let keyStart = last.key.byteRange.lowerBound
    let line = lineStart(before: keyStart)
    // A member that begins its line gets a neighbour on a line of its own.
    let isOnOwnLine =
      line > object.byteRange.lowerBound && bytes[line..<keyStart].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    let lead = isOnOwnLine ? newline + String(decoding: bytes[line..<keyStart], as: UTF8.self) : " "
    let indent = isOnOwnLine ? keyStart - line : own + 2
    let text = value.text(indent: indent, lead: indent + key.utf8.count, newline: newline)
    let place = last.value.byteRange.upperBound
    replace(place..<place, with: "," + lead + key + text)
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
      replace(object.byteRange, with: "{}")
    }
    return true
  }

  // MARK: Bytes

  private mutating func replace(_ range: Range<Int>, with text: String) {
    bytes.replaceSubrange(range, with: text.utf8)
  }

  private func lineStart(before offset: Int) -> Int {
    bytes[..<offset].lastIndex { $0 == 0x0A }.map { $0 + 1 } ?? 0
  }

  /// The blanks at the beginning of the line.
  private func lineIndent(at offset: Int) -> Int {
    bytes[lineStart(before: offset)...].prefix { $0 == 0x20 || $0 == 0x09 }.count
  }
}
