import HTTP

/// What `Redaction` removes, except from base64, in its simplest form: from each place of the text all readings are
/// followed, one byte at a time.
struct ReferenceRedaction {
  /// The cases of each character, in UTF-8, of the secrets and of their hexadecimal digits.
  private let needles: [[[[UInt8]]]]

  init(_ secrets: [String]) {
    needles = secrets.filter { !$0.isEmpty }.flatMap { secret -> [[[[UInt8]]]] in
      let isLong = secret.utf8.count >= 6
      let digits = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return (isLong ? [secret, digits] : [secret]).map { text in
        text.unicodeScalars.map { isLong ? Self.cases(of: $0) : [Array(String($0).utf8)] }
      }
    }
  }

  private static func cases(of character: Unicode.Scalar) -> [[UInt8]] {
    let own = String(character)
    let cases = [own, own.uppercased(), own.lowercased(), own.uppercased().lowercased()]
    return cases.filter { $0.unicodeScalars.count == 1 }.map { Array($0.utf8) }
  }

  func callAsFunction(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var ranges: [Range<Int>] = []
    for place in bytes.indices {
      guard let end = needles.compactMap({ ends(of: $0[...], in: bytes, at: place).max() }).max() else { continue }
      if let last = ranges.last, place < last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        ranges.append(place..<end)
      }
    }
    var result: [UInt8] = []
    var start = 0
    for range in ranges {
      result += bytes[start..<range.lowerBound] + Array(Redaction.mark.utf8)
      start = range.upperBound
    }
    return String(decoding: result + bytes[start...], as: UTF8.self)
  }

  private func ends(of needle: ArraySlice<[[UInt8]]>, in text: [UInt8], at place: Int) -> Set<Int> {
    guard let cases = needle.first else { return [place] }
    var result: Set<Int> = []
    for next in cases.reduce(into: Set(), { $0.formUnion(ends(of: $1[...], in: text, at: place)) }) {
      result.formUnion(ends(of: needle.dropFirst(), in: text, at: next))
    }
    return result
  }

  private func ends(of bytes: ArraySlice<UInt8>, in text: [UInt8], at place: Int) -> Set<Int> {
    if bytes.isEmpty { return [place] }
    return Self.readings(of: text, at: place).filter { bytes.starts(with: $0.bytes) }.reduce(into: Set()) {
      $0.formUnion(ends(of: bytes.dropFirst($1.bytes.count), in: text, at: place + $1.length))
    }
  }

  /// Returns what the beginning of the rest of a text may stand for, and the length of that beginning.
  private static func readings(of text: [UInt8], at place: Int) -> [(bytes: [UInt8], length: Int)] {
    guard place < text.count else { return [] }
    var readings: [(bytes: [UInt8], length: Int)] = [([text[place]], 1)]
    let rest = text[place...]
    func hexadecimal(_ start: Int, _ count: Int) -> UInt32? {
      let digits = rest.dropFirst(start).prefix(count)
      let isNumber = digits.count == count && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      return isNumber ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }
    func add(_ value: UInt32?, _ length: Int) {
      if let scalar = value.flatMap(Unicode.Scalar.init) { readings.append((Array(String(scalar).utf8), length)) }
    }
    func addByte(_ value: UInt32?, _ length: Int) {
      if let byte = value.flatMap({ UInt8(exactly: $0) }) { readings.append(([byte], length)) }
    }
    switch text[place] {
    case UInt8(ascii: "+"): readings.append(([UInt8(ascii: " ")], 1))
    case UInt8(ascii: "%"): addByte(hexadecimal(1, 2), 3)
    case UInt8(ascii: "\\"):
      guard let next = rest.dropFirst().first else { break }
      if next != UInt8(ascii: "u") { readings.append(([next], 2)) }
      if next == UInt8(ascii: "x") {
        addByte(hexadecimal(2, 2), 4)
        add(hexadecimal(2, 2), 4)
      } else if next == UInt8(ascii: "u"), let unit = hexadecimal(2, 4) {
        addByte(unit, 6)
        add(unit, 6)
        if 0xD800...0xDBFF ~= unit, rest.dropFirst(6).starts(with: Array("\\u".utf8)), let low = hexadecimal(8, 4),
          0xDC00...0xDFFF ~= low
        {
          add(0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00), 12)
        }
      }
    case UInt8(ascii: "&"):
      guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { break }
      let name = String(decoding: rest[..<end].dropFirst(), as: UTF8.self)
      let named: [String: UInt32] = ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27]
      let isHexadecimal = name.lowercased().hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      let isNumber = name.hasPrefix("#") && digits.count <= 8 && digits.allSatisfy(\.isHexDigit)
      add(named[name] ?? (isNumber ? UInt32(digits, radix: isHexadecimal ? 16 : 10) : nil), end + 1 - place)
    default: break
    }
    return readings
  }
}
