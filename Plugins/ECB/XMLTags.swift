import Mapping

/// A sequence of the tags in an XML text, with their attributes: all the XML needed to read a list of rates.
///
/// Skips comments, CDATA, declarations and text between tags. Every element must be closed, so that a truncated file is
/// never taken for a complete one. References such as `&amp;` are left as they are, since no currency or number
/// contains one.
struct XMLTags {
  private static let maximumDepth = 64

  struct Tag {
    let name: String
    let attributes: [String: String]
  }

  private let bytes: [UInt8]
  private var index = 0
  /// The names of the elements that are still open.
  private var open: [String] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next start tag or empty-element tag, or nil at the end.
  mutating func next() throws(HookError) -> Tag? {
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      if take("!--") {
        try skip(behind: "-->")
      } else if take("![CDATA[") {
        try skip(behind: "]]>")
      } else if take("?") {
        try skip(behind: "?>")
      } else if take("!") {
        try skip(behind: ">")
      } else if take("/") {
        try endTag()
      } else {
        return try tag()
      }
    }
    if let name = open.last { throw HookError("<\(name)> is not closed") }
    return nil
  }

  private mutating func tag() throws(HookError) -> Tag {
    let name = word()
    var attributes: [String: String] = [:]
    while true {
      skipSpace()
      if take(">") {
        guard open.count < Self.maximumDepth else {
          throw HookError("tags are nested deeper than \(Self.maximumDepth) levels")
        }
        open.append(name)
        return Tag(name: name, attributes: attributes)
      }
      if take("/>") { return Tag(name: name, attributes: attributes) }
      guard index < bytes.count else { throw HookError("a tag is not closed") }
      let key = word()
      skipSpace()
      guard !key.isEmpty, take("=") else { throw HookError("an attribute of <\(name)> has no value") }
      skipSpace()
      attributes[key] = try quoted()
    }
  }

  private mutating func endTag() throws(HookError) {
    let name = word()
    skipSpace()
    guard take(">") else { throw HookError("a tag is not closed") }
    guard let opened = open.popLast() else { throw HookError("</\(name)> closes a tag that is not open") }
    guard name == opened else { throw HookError("</\(name)> does not match <\(opened)>") }
  }

  private mutating func quoted() throws(HookError) -> String {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "'") || bytes[index] == UInt8(ascii: "\"") else {
      throw HookError("an attribute value is not quoted")
    }
    let start = index + 1
    let mark = bytes[index]
    // XML does not allow a bare `<` in an attribute value; finding one means that the closing quote is missing.
    let stop = bytes[start...].firstIndex { $0 == mark || $0 == UInt8(ascii: "<") }
    guard let end = stop, bytes[end] == mark else { throw HookError("an attribute value has no closing quote") }
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

  /// Skips `text` if it comes next.
  private mutating func take(_ text: StaticString) -> Bool {
    let isHere = text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    if isHere { index += text.utf8CodeUnitCount }
    return isHere
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
    throw HookError("missing '\(String(decoding: mark, as: UTF8.self))'")
  }
}
