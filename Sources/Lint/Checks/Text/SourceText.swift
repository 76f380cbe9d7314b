/// The bytes of a text that cannot be read as JSON, with the few questions that can be asked of it nevertheless.
struct SourceText {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// nil beyond the end.
  subscript(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

  /// Number of the line of an offset, from 1.
  func line(of offset: Int) -> Int { bytes[..<min(offset, count)].count { $0 == UInt8(ascii: "\n") } + 1 }

  func startOfLine(at offset: Int) -> Int {
    bytes[..<min(offset, count)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }

  /// Where the line ends, its break left out.
  func endOfLine(at offset: Int) -> Int {
    let end = bytes[min(offset, count)...].firstIndex(of: UInt8(ascii: "\n")) ?? count
    return end > 0 && self[end - 1] == UInt8(ascii: "\r") ? max(offset, end - 1) : end
  }

  func starts(with word: String, at offset: Int) -> Bool {
    offset <= count && bytes[offset...].starts(with: word.utf8)
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Behind the last byte before an offset that is no blank.
  func endOfToken(before offset: Int) -> Int? {
    bytes[..<min(offset, count)].lastIndex { $0 > 0x20 }.map { $0 + 1 }
  }

  /// The first byte from an offset on that is no blank.
  func startOfToken(from offset: Int) -> Int? {
    offset > count ? nil : bytes[offset...].firstIndex { $0 > 0x20 }
  }

  /// The strings that begin on a line, in the order of the text, quotes included; one that is not closed ends with its
  /// line.
  func strings(inLineOf offset: Int) -> [Range<Int>] {
    let end = endOfLine(at: offset)
    var result: [Range<Int>] = []
    var index = startOfLine(at: offset)
    while index < end {
      if bytes[index] == UInt8(ascii: "\"") {
        let close = endOfString(at: index, before: end)
        result.append(index..<close)
        index = close
      } else {
        index += 1
      }
    }
    return result
  }

  /// Behind the closing quote of a string that begins at an offset.
  private func endOfString(at offset: Int, before limit: Int) -> Int {
    var index = offset + 1
    while index < limit {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      index += 1
      if bytes[index - 1] == UInt8(ascii: "\"") { break }
    }
    return min(index, limit)
  }

  /// Whether a string begins there with a colon behind it.
  func isName(at offset: Int) -> Bool {
    guard self[offset] == UInt8(ascii: "\"") else { return false }
    let end = endOfString(at: offset, before: endOfLine(at: offset))
    return startOfToken(from: end).map { bytes[$0] == UInt8(ascii: ":") } ?? false
  }

  /// Behind the closing quote of a name that begins at an offset.
  func endOfName(at offset: Int) -> Int { endOfString(at: offset, before: endOfLine(at: offset)) }

  func isLiteral(at offset: Int) -> Bool { ["true", "false", "null"].contains { starts(with: $0, at: offset) } }

  /// A word without quotes that begins at an offset: it ends at a blank, comma, colon, quote or closing bracket.
  func word(at offset: Int, colonEnds: Bool) -> Range<Int> {
    var index = offset
    var depth = 0
    loop: while let byte = self[index] {
      switch byte {
      case 0...0x20, UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"): break loop
      case UInt8(ascii: ":") where colonEnds: break loop
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"):
        depth -= 1
        if depth < 0 { break loop }
      default: break
      }
      index += 1
    }
    return offset..<index
  }
}
