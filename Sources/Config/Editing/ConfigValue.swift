package import JSON

/// A JSON value to be written into a config in the style of the shipped one: on one line if it fits, otherwise one line
/// per member, with closing brackets at the end of the last.
package indirect enum ConfigValue: Sendable {
  case null
  case bool(Bool)
  /// With its digits as written.
  case number(String)
  case text(String)
  /// JSON text that is copied as it is, such as a block in its author's layout.
  case raw(String)
  case list([ConfigValue])
  case object([(name: String, value: ConfigValue)])

  package static let lineWidth = 120

  /// - Parameter lead: the width of the text before the value on a line without indentation.
  package func text(lead: Int = 0) -> String { text(ConfigLayout(), lead: lead) }

  /// - Parameters:
  ///   - layout: the layout of the line that the value starts on.
  ///   - lead: the width of the text before the value on that line.
  package func text(_ layout: ConfigLayout, lead: Int) -> String {
    let inline = inlineText
    if lead + inline.unicodeScalars.count <= Self.lineWidth { return inline }
    let inner = layout.inner
    let start = inner.lineStart
    let own = inner.blanks.unicodeScalars.count
    switch self {
    case .object(let members) where !members.isEmpty:
      let parts = members.map { name, value in
        let key = Self.quoted(name) + ": "
        return key + value.text(inner, lead: own + key.unicodeScalars.count)
      }
      return "{" + start + parts.joined(separator: "," + start) + " }"
    case .list(let values) where values.count > 1 || values.first?.isContainer == true:
      let parts = values.map { $0.text(inner, lead: own) }
      return "[" + start + parts.joined(separator: "," + start) + " ]"
    default:
      return inline
    }
  }

  private var isContainer: Bool {
    switch self {
    case .list, .object: true
    default: false
    }
  }

  private var inlineText: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .text(let text): Self.quoted(text)
    case .number(let text), .raw(let text): text
    case .list(let values): "[" + values.map(\.inlineText).joined(separator: ", ") + "]"
    case .object(let members):
      members.isEmpty
        ? "{}" : "{ " + members.map { "\(Self.quoted($0.name)): \($0.value.inlineText)" }.joined(separator: ", ") + " }"
    }
  }

  package static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension ConfigValue {
  /// Creates a value from parsed JSON, with accessible members and elements.
  package init(_ node: JSONNode) {
    switch node.kind {
    case .object: self = .object(node.members.map { ($0.name, ConfigValue($0.value)) })
    case .array: self = .list(node.elements.map { ConfigValue($0) })
    case .string: self = .text(node.string ?? "")
    case .number: self = .number(node.text)
    case .true, .false: self = .bool(node.boolean == true)
    case .null: self = .null
    }
  }

  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The text of a string, a number or a boolean; nil for anything else.
  package var scalarText: String? {
    switch self {
    case .bool(let value): "\(value)"
    case .number(let text), .text(let text): text
    case .null, .raw, .list, .object: nil
    }
  }

  /// The members of an object; nil for anything else.
  package var members: [(name: String, value: ConfigValue)]? {
    if case .object(let members) = self { members } else { nil }
  }

  package subscript(name: String) -> ConfigValue? { members?.last { $0.name == name }?.value }

  /// The value at a path of member names; nil if the path does not exist.
  package subscript(path: [String]) -> ConfigValue? {
    path.reduce(self as ConfigValue?) { value, name in value?[name] }
  }

  /// Sets the member at a path of names. Missing objects along the path are created, and any other value there is
  /// replaced by one.
  ///
  /// - Parameter order: the names that come first in an object, in this order; new members with other names go last.
  package mutating func set(_ path: ArraySlice<String>, to value: ConfigValue, order: [String] = []) {
    guard let name = path.first else {
      self = value
      return
    }
    var members = members ?? []
    if let index = members.lastIndex(where: { $0.name == name }) {
      members[index].value.set(path.dropFirst(), to: value, order: order)
    } else {
      var inner = ConfigValue.object([])
      inner.set(path.dropFirst(), to: value, order: order)
      let rank = order.firstIndex(of: name)
      let place = rank.flatMap { rank in
        members.firstIndex { member in order.firstIndex(of: member.name).map { $0 > rank } ?? false }
      }
      members.insert((name, inner), at: place ?? members.count)
    }
    self = .object(members)
  }
}

extension JSONValue {
  /// Creates a block as data.
  package init(_ block: ConfigValue) {
    switch block {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .text(let text): self = .string(text)
    case .number(let text), .raw(let text): self = .number(text)
    case .list(let values): self = .list(values) { JSONValue($0) }
    case .object(let members): self = .members(members.map { ($0.name, JSONValue($0.value)) })
    }
  }
}
