import Config
import JSON

extension JSONTemplate {
  /// Writes the value.
  ///
  /// - Parameter fill: writes a string, filled in.
  func write<Failure>(
    into writer: inout JSONWriter, filling fill: (Text, inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .text(let template): try fill(template, &writer)
    case .literal(let text): writer.raw(text.utf8)
    case .array(let elements):
      writer.beginArray()
      for element in elements { try element.write(into: &writer, filling: fill) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (name, value) in members {
        writer.key(name)
        try value.write(into: &writer, filling: fill)
      }
      writer.endObject()
    }
  }
}
