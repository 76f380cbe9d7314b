import JSON

/// Merging of objects for which messages send only changes.
enum MessageMerge {
  /// Returns `old` updated with `new`, member by member: nested objects are merged too, anything else is replaced.
  static func merged(_ old: JSONNode, _ new: JSONNode) -> [UInt8] {
    var bytes: [UInt8] = []
    write(old, new, to: &bytes)
    return bytes
  }

  /// All levels write to one text: a copy for each would take longer the deeper the objects are.
  private static func write(_ old: JSONNode, _ new: JSONNode, to bytes: inout [UInt8]) {
    guard old.kind == .object, new.kind == .object else {
      bytes += new.document.bytes[new.byteRange]
      return
    }
    // By bytes: `String` treats composed and decomposed characters as equal. Of several members with one name the last
    // counts.
    let changes = Dictionary(new.members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { $1 })
    var known: Set<[UInt8]> = []
    var isFirst = true
    func begin(_ key: JSONNode) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes += key.document.bytes[key.byteRange]
      bytes.append(UInt8(ascii: ":"))
    }
    bytes.append(UInt8(ascii: "{"))
    for member in old.members {
      let name = Array(member.name.utf8)
      known.insert(name)
      begin(member.key)
      if let change = changes[name] {
        write(member.value, change, to: &bytes)
      } else {
        bytes += member.value.document.bytes[member.value.byteRange]
      }
    }
    for member in new.members where !known.contains(Array(member.name.utf8)) {
      begin(member.key)
      bytes += member.value.document.bytes[member.value.byteRange]
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Returns a text with some of its parts replaced.
  ///
  /// - Parameter parts: in any order, without overlaps.
  static func replacing(_ parts: [(range: Range<Int>, text: [UInt8])], in text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    for part in parts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) where part.range.lowerBound >= end {
      result += text[end..<part.range.lowerBound]
      result += part.text
      end = part.range.upperBound
    }
    return result + text[end...]
  }
}
