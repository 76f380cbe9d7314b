import Config
import JSON

extension JSONTemplate {
  /// Writes the value.
  ///
  /// - Parameter fill: writes a string, filled in.
  func write<Failure>(
    into writer: inout JSONWriter, filling fill: (Text, inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try write((), into: &writer) { _, _ in
      nil
    } filling: { (template, _, writer) throws(Failure) in
      try fill(template, &writer)
    }
  }

  /// Writes the value for a subject.
  ///
  /// - Parameters:
  ///   - subjects: returns the subjects that an element of an array is written for, once each; nil for the same as that
  ///     of the array. Its second argument says whether the array has no other element.
  ///   - fill: writes a string, filled in for a subject.
  func write<Subject, Failure>(
    _ subject: Subject, into writer: inout JSONWriter, repeating subjects: (JSONTemplate, Bool) -> [Subject]?,
    filling fill: (Text, Subject, inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .text(let template): try fill(template, subject, &writer)
    case .literal(let text): writer.raw(text.utf8)
    case .array(let elements):
      writer.beginArray()
      for element in elements {
        for own in subjects(element, elements.count == 1) ?? [subject] {
          try element.write(own, into: &writer, repeating: subjects, filling: fill)
        }
      }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (name, value) in members {
        writer.key(name)
        try value.write(subject, into: &writer, repeating: subjects, filling: fill)
      }
      writer.endObject()
    }
  }
}

extension String {
  /// Whether it is a number by RFC 8259 §6.
  var isJSONNumber: Bool { (try? JSONDocument(parsing: Array(utf8)))?.root.numberText == self }
}
