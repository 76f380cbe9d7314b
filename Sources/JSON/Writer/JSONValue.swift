/// A JSON value built for writing, such as the contents of a report.
///
///     let value: JSONValue = [
///       "exchange": "Upbit",
///       "price": .text(ticker.price),              // null if there is none
///       "flags": .texts(ticker.flags),
///       "rows": .list(rows) { ["symbol": .string($0.symbol)] },
///       "limit": ["requests": 20, "perMilliseconds": 1000],
///     ]
///     value.document
///
/// Members keep their order. `JSONWriter` writes the same bytes incrementally, for outputs with thousands of rows.
package indirect enum JSONValue: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  case null
  case bool(Bool)
  /// The digits as they are written: a number by RFC 8259 §6.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A string, or null.
  package static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A whole number, or null.
  package static func integer(_ number: Int?) -> JSONValue { number.map { .number(String($0)) } ?? .null }

  package static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }

  /// An array of the values of a sequence's elements.
  package static func list<Element>(
    _ elements: some Sequence<Element>, _ value: (Element) throws -> JSONValue
  ) rethrows -> JSONValue {
    .array(try elements.map(value))
  }

  /// An object with computed member names.
  package static func members(_ members: some Sequence<(String, JSONValue)>) -> JSONValue {
    .object(members.map { Member($0.0, $0.1) })
  }

  /// Concatenates the members of two objects, or the elements of two arrays.
  package static func + (left: JSONValue, right: JSONValue) -> JSONValue {
    switch (left, right) {
    case (.object(let left), .object(let right)): .object(left + right)
    case (.array(let left), .array(let right)): .array(left + right)
    default: preconditionFailure("only two objects or two arrays can be joined")
    }
  }

  package static func += (left: inout JSONValue, right: JSONValue) { left = left + right }

  /// Returns the text of the value, without a final line break.
  ///
  /// - Parameter indent: As in `JSONWriter`.
  package func written(indent: Int? = nil) -> [UInt8] {
    var writer = JSONWriter(indent: indent)
    writer.value(self)
    return writer.finished()
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral number: Int) { self = .number(String(number)) }
  package init(stringLiteral text: String) { self = .string(text) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral members: (String, JSONValue)...) { self = .members(members) }
}

extension JSONValue {
  /// Creates the value of a document's node, with numbers digit by digit.
  package init(_ node: JSONNode) {
    switch node.kind {
    case .object: self = .members(node.members.map { ($0.name, JSONValue($0.value)) })
    case .array: self = .array(node.elements.map(JSONValue.init))
    case .string: self = .string(node.string ?? "")
    case .number: self = .number(node.text)
    case .true: self = .bool(true)
    case .false: self = .bool(false)
    case .null: self = .null
    }
  }

  /// The value as a standalone document for humans and programs: indented, without a final line break.
  package var document: [UInt8] { written(indent: 2) }
}

extension JSONWriter {
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): boolean(value)
    case .number(let digits): number(text: digits)
    case .string(let text): string(text)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members { self.member(member.name, member.value) }
      endObject()
    }
  }

  package mutating func member(_ name: String, _ value: JSONValue) {
    key(name)
    self.value(value)
  }

  /// Writes a member whose value is a string, or null.
  package mutating func member(_ name: String, _ text: String?) {
    key(name)
    if let text { string(text) } else { null() }
  }

  /// Writes a member whose value is an array of strings.
  package mutating func member(_ name: String, texts: [String]) {
    key(name)
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
