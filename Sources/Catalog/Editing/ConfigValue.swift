import JSON

/// A JSON value to be written into a config, in the style of the shipped one: what fits a line stands on it, what does
/// not has a line for each member, and brackets close at the end of the last.
package indirect enum ConfigValue: Sendable {
  case text(String)
  /// JSON text of a scalar, taken over as it is.
  case raw(String)
  case list([ConfigValue])
  case object([(name: String, value: ConfigValue)])

  package static let lineWidth = 120

  /// - Parameters:
  ///   - indent: the blanks at the beginning of the line that the value starts on.
  ///   - lead: what stands on that line before the value.
  ///   - newline: how the file ends its lines.
  package func text(indent: Int = 0, lead: Int = 0, newline: String = "\n") -> String {
    let inline = inlineText
    if lead + inline.unicodeScalars.count <= Self.lineWidth { return inline }
    let inner = indent + 2
    let start = newline + String(repeating: " ", count: inner)
    switch self {
    case .object(let members) where !members.isEmpty:
      let parts = members.map { name, value in
        let key = Self.quoted(name) + ": "
        return key + value.text(indent: inner, lead: inner + key.unicodeScalars.count, newline: newline)
      }
      return "{" + start + parts.joined(separator: "," + start) + " }"
    case .list(let values) where values.count > 1 || values.first?.isContainer == true:
      let parts = values.map { $0.text(indent: inner, lead: inner, newline: newline) }
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
    case .text(let text): Self.quoted(text)
    case .raw(let text): text
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
