import JSON

/// The bytes of a text that is not valid JSON, with operations that work nevertheless.
struct SourceText {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// nil beyond the end.
  subscript(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

  func startOfLine(at offset: Int) -> Int {
    bytes[..<min(offset, count)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }

  /// Returns the end of the line, excluding its line break.
  func endOfLine(at offset: Int) -> Int {
    let end = bytes[min(offset, count)...].firstIndex(of: UInt8(ascii: "\n")) ?? count
    return end > 0 && self[end - 1] == UInt8(ascii: "\r") ? max(offset, end - 1) : end
  }

  func starts(with word: String, at offset: Int) -> Bool {
    offset <= count && bytes[offset...].starts(with: word.utf8)
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the offset after the last non-blank byte before an offset.
  func endOfToken(before offset: Int) -> Int? {
    bytes[..<min(offset, count)].lastIndex { $0 > 0x20 }.map { $0 + 1 }
  }

  /// Returns the offset of the first non-blank byte at or after an offset.
  func startOfToken(from offset: Int) -> Int? {
    offset > count ? nil : bytes[offset...].firstIndex { $0 > 0x20 }
  }

  /// Returns the strings that start on a line, in order, including quotes; an unclosed one ends with its line.
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

  /// Returns the offset after the closing quote of a string that starts at an offset.
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

  /// A line that is not blank.
  struct Line {
    /// From 1.
    let number: Int
    let indentation: Int
    /// From its first to its last character that is not blank.
    let content: Range<Int>
  }

  /// Returns the lines that are not blank and begin at an offset or before it.
  func lines(to offset: Int) -> [Line] {
    var lines: [Line] = []
    var (start, number) = (0, 0)
    while start <= offset, start < count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? count
      number += 1
      if let first = startOfToken(from: start), first < end, let last = endOfToken(before: end) {
        lines.append(Line(number: number, indentation: first - start, content: first..<last))
      }
      start = end + 1
    }
    return lines
  }

  /// Returns whether a string followed by a colon starts at an offset.
  func isName(at offset: Int) -> Bool {
    guard self[offset] == UInt8(ascii: "\"") else { return false }
    let end = endOfString(at: offset, before: endOfLine(at: offset))
    return startOfToken(from: end).map { bytes[$0] == UInt8(ascii: ":") } ?? false
  }

  /// Calls `body` for each bracket outside strings in a range of one line.
  func forEachBracket(in range: Range<Int>, _ body: (UInt8) -> Void) {
    var index = range.lowerBound
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: "\"") {
        index = endOfString(at: index, before: range.upperBound)
      } else {
        if "{}[]".utf8.contains(bytes[index]) { body(bytes[index]) }
        index += 1
      }
    }
  }

  /// Returns whether the text with a replacement is JSON, or can be parsed beyond `limit`, where parsing stopped.
  func reads(with replacement: [UInt8], at range: Range<Int>, beyond limit: Int) -> Bool {
    var patched = bytes
    patched.replaceSubrange(range, with: replacement)
    do throws(JSONSyntaxError) {
      _ = try JSONDocument(parsing: patched)
      return true
    } catch {
      return error.offset > limit + replacement.count - range.count
    }
  }
}
