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
  ///   - lead: how much stands on that line before the value.
  package func text(indent: Int = 0, lead: Int = 0) -> String {
    text(ConfigLayout(blanks: String(repeating: " ", count: indent)), lead: lead)
  }

  /// - Parameters:
  ///   - layout: of the line that the value starts on.
  ///   - lead: how much stands on that line before the value.
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
