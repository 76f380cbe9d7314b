package import JSON
package import Quotes

/// A writer of objects, one per line.
package struct LineWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Adds an object whose members are written by `write`.
  package mutating func object(_ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(capacity: 256)
    writer.beginObject()
    write(&writer)
    writer.endObject()
    bytes += writer.finished()
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension JSONWriter {
  package mutating func members(_ object: JSONValue) {
    guard case .object(let members) = object else { return }
    for member in members { self.member(member.name, member.value) }
  }

  /// Writes a member whose value is an exact number, as a string, or null.
  package mutating func member(_ name: JSONKey, _ value: Decimal?) {
    key(name)
    guard let value else { return null() }
    if plainString(atMost: Decimal.writtenLength, { value.write(to: $0) }) { return }
    string(value.description)
  }
}

extension JSONValue {
  /// Creates the object that says why members are missing; those that are there have no code.
  package static func reasons(_ codes: [(title: String, code: String?)]) -> JSONValue {
    .members(codes.compactMap { title, code in code.map { (title, .string($0)) } })
  }
}
