/// The names of JSON members and CSV columns in the text of a source file that writes some.
///
/// They are recognised by where their literals stand: `"name": .text(…)`, `("name", .text(…))`, `member("name", …)`,
/// `["name", "other"]`.
struct WrittenNames {
  private(set) var names: Set<String> = []

  private let bytes: [UInt8]
  private let writesObjects: Bool
  private let writesTables: Bool
  /// Whether values of pairs may be anything, as in the room that writes only records.
  private let writesRecords: Bool

  /// Comments and patterns that texts are compared with are left out.
  ///
  /// - Parameter room: The room that the file is in.
  init(in text: String, of room: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      ["//", "case \""].contains { line.drop { $0 == " " }.hasPrefix($0) } ? "" : line
    }
    let code = lines.joined(separator: "\n")
    bytes = Array(code.utf8)
    writesObjects = lines.contains { $0 == "import JSON" || $0 == "package import JSON" }
    writesTables = code.contains("CSVWriter")
    writesRecords = room == "Formats"
    var place = 0
    while let start = bytes[place...].firstIndex(of: UInt8(ascii: "\"")) {
      place = start + 1
      let end = bytes[place...].firstIndex { !Self.isOfWord($0) && $0 != UInt8(ascii: "$") } ?? bytes.endIndex
      guard end < bytes.endIndex, bytes[end] == UInt8(ascii: "\""), end > place, !Self.isUppercase(bytes[place]) else {
        continue
      }
      if isName(from: start, to: end + 1) { names.insert(String(decoding: bytes[place..<end], as: UTF8.self)) }
      place = end + 1
    }
  }

  /// Returns whether the literal in these places is a name.
  private func isName(from start: Int, to end: Int) -> Bool {
    let before = previous(start)
    let after = next(end)
    switch (before.map { bytes[$0] }, after.map { bytes[$0] }) {
    case (_, UInt8(ascii: ":")): return writesObjects && after == end && isValue(after.flatMap { next($0 + 1) })
    case (UInt8(ascii: "("), UInt8(ascii: ",")), (UInt8(ascii: "("), UInt8(ascii: ")")):
      let function = word(endingAt: before ?? start)
      if ["member", "key", "JSONKey", "object", "event"].contains(function) { return writesObjects }
      guard function.isEmpty, let after, bytes[after] == UInt8(ascii: ",") else { return false }
      return writesRecords || (writesObjects && isBuilt(next(after + 1)))
    case (UInt8(ascii: "[")?, UInt8(ascii: ",")?), (UInt8(ascii: ","), UInt8(ascii: ",")),
      (UInt8(ascii: ","), UInt8(ascii: "]")), (UInt8(ascii: "["), UInt8(ascii: "]")):
      return writesTables
    default: return false
    }
  }

  /// Returns whether a member's value begins there: anything but a plain text or number, as in a list of translations.
  private func isValue(_ place: Int?) -> Bool {
    guard let place else { return false }
    switch bytes[place] {
    case UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "("): return true
    case UInt8(ascii: "\""): return bytes[(place + 1)...].prefix(2) == [UInt8(ascii: "\\"), UInt8(ascii: "(")]
    case let byte: return Self.isLetter(byte)
    }
  }

  /// Returns whether a JSON value or CSV field is made there: `.text(…)`.
  private func isBuilt(_ place: Int?) -> Bool {
    guard let place, bytes[place] == UInt8(ascii: ".") else { return false }
    let word = String(decoding: bytes[(place + 1)...].prefix(while: Self.isOfWord), as: UTF8.self)
    return [
      "string", "text", "integer", "bool", "list", "members", "texts", "number", "flag", "reasons", "null",
    ].contains(word)
  }

  /// Returns the place of the last visible character before another; nil if there is none.
  private func previous(_ place: Int) -> Int? { bytes[..<place].lastIndex { !Self.isBlank($0) } }

  private func next(_ place: Int) -> Int? { bytes[place...].firstIndex { !Self.isBlank($0) } }

  private func word(endingAt place: Int) -> String {
    let start = bytes[..<place].lastIndex { !Self.isOfWord($0) }.map { $0 + 1 } ?? 0
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }

  private static func isUppercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    isUppercase(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
  }
}
