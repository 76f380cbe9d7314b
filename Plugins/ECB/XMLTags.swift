import Adapters

/// The tags of an XML text with their attributes, one after another: all that a list of rates needs of XML.
///
/// Comments, declarations and text between tags are passed over. References such as `&amp;` stay as they are, since no
/// currency or number has one.
struct XMLTags {
  struct Tag {
    let name: String
    let attributes: [String: String]
  }

  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next start tag or empty tag; nil at the end.
  mutating func next() throws(HookError) -> Tag? {
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      if bytes[index...].starts(with: "!--".utf8) {
        try skip(behind: "-->")
        continue
      }
      let kind = index < bytes.count ? bytes[index] : 0
      if kind == UInt8(ascii: "?") || kind == UInt8(ascii: "!") || kind == UInt8(ascii: "/") {
        try skip(behind: ">")
        continue
      }
      return try tag()
    }
    return nil
  }

  private mutating func tag() throws(HookError) -> Tag {
    let name = word()
    var attributes: [String: String] = [:]
    while true {
      skipSpace()
      guard index < bytes.count else { throw HookError("a tag is not closed") }
      if bytes[index] == UInt8(ascii: ">") || bytes[index] == UInt8(ascii: "/") {
        try skip(behind: ">")
        return Tag(name: name, attributes: attributes)
      }
      let key = word()
      skipSpace()
      guard !key.isEmpty, index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
        throw HookError("an attribute of <\(name)> has no value")
      }
      index += 1
      skipSpace()
      attributes[key] = try quoted()
    }
  }

  private mutating func quoted() throws(HookError) -> String {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "'") || bytes[index] == UInt8(ascii: "\"") else {
      throw HookError("an attribute's value has no quotes")
    }
    let start = index + 1
    guard let end = bytes[start...].firstIndex(of: bytes[index]) else {
      throw HookError("an attribute's value is not closed")
    }
    index = end + 1
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func word() -> String {
    let start = index
    while index < bytes.count, !Self.endsWord(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }

  private mutating func skipSpace() {
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
  }

  private mutating func skip(behind mark: String) throws(HookError) {
    let mark = Array(mark.utf8)
    while index + mark.count <= bytes.count {
      if bytes[index...].starts(with: mark) {
        index += mark.count
        return
      }
      index += 1
    }
    throw HookError("\"\(String(decoding: mark, as: UTF8.self))\" is missing")
  }
}
