import JSON

extension JSONDocument {
  /// Parses a document from a test's literal.
  convenience init(text: String) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8))
  }
}

extension JSONNode {
  /// The value in canonical spelling: no whitespace, strings escaped as by the writer, numbers unchanged.
  var compactText: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func write(to writer: inout JSONWriter) {
    switch kind {
    case .null: writer.null()
    case .false, .true: writer.boolean(kind == .true)
    case .number: writer.number(text: text)
    case .string: writer.string(string ?? "")
    case .array:
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object:
      writer.beginObject()
      for member in members {
        writer.key(member.name)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}
