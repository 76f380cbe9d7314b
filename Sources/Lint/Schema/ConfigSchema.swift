import Config
import JSON

/// The JSON Schema (2020-12) of a config, generated from the shapes that the reader checks against.
///
/// Editors use it for completion and validation. It requires nothing that another level, `like` or the shipped file may
/// provide: only the validator sees an exchange as a whole.
package enum ConfigSchema {
  /// Returns the schema as stored in `exchanges.schema.json`.
  package static func bytes() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
    writer.member("$ref", reference(to: .config))
    writer.member("title", ShapeID.config.shape.title)
    writer.member("description", ShapeID.config.shape.summary)
    writer.key("$defs")
    writer.beginObject()
    for id in ShapeID.allCases {
      writer.key(id.rawValue)
      write(id.shape, to: &writer)
    }
    for key in ObjectShape.block {
      writer.key(blockName(of: key))
      writeDefinition(of: key, to: &writer)
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func reference(to id: ShapeID) -> String { "#/$defs/\(id.rawValue)" }

  private static func blockName(of key: KeyShape) -> String { "block.\(key.name)" }

  private static func write(_ shape: ObjectShape, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("title", shape.title)
    writer.member("description", shape.summary)
    writer.member("type", "object")
    writer.key("properties")
    writer.beginObject()
    for key in shape.keys { write(key, to: &writer) }
    for name in shape.reserved {
      writer.key(name)
      writer.beginObject()
      writer.member("description", "Reserved for a later version; has no effect yet.")
      writer.endObject()
    }
    writer.key("$comment")
    writer.beginObject()
    writer.member("description", "For people; has no effect.")
    writer.endObject()
    writer.endObject()
    let required = shape.keys.filter(\.isRequired).map(\.name)
    if !required.isEmpty {
      writer.key("required")
      writer.beginArray()
      for name in required { writer.string(name) }
      writer.endArray()
    }
    writer.key("additionalProperties")
    writer.boolean(false)
    writeRules(of: shape, to: &writer)
    writer.endObject()
  }

  /// Writes which keys are required in alternatives, and which exclude each other.
  private static func writeRules(of shape: ObjectShape, to writer: inout JSONWriter) {
    func demand(_ names: [String]) {
      writer.beginObject()
      writer.key("required")
      writer.beginArray()
      for name in names { writer.string(name) }
      writer.endArray()
      writer.endObject()
    }
    if !shape.needsOneOf.isEmpty {
      writer.key("anyOf")
      writer.beginArray()
      for name in shape.needsOneOf { demand([name]) }
      writer.endArray()
    }
    if !shape.excluding.isEmpty {
      writer.key("dependentSchemas")
      writer.beginObject()
      for (name, others) in shape.excluding {
        writer.key(name)
        writer.beginObject()
        writer.key("properties")
        writer.beginObject()
        for other in others {
          writer.key(other)
          writer.boolean(false)
        }
        writer.endObject()
        writer.endObject()
      }
      writer.endObject()
    }
  }

  private static func write(_ key: KeyShape, to writer: inout JSONWriter) {
    writer.key(key.name)
    guard !key.isBlockKey else {
      writer.beginObject()
      writer.member("$ref", "#/$defs/\(blockName(of: key))")
      writer.endObject()
      return
    }
    writeDefinition(of: key, to: &writer)
  }

  private static func writeDefinition(of key: KeyShape, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("title", key.name)
    writer.member("description", key.summary)
    writeConstraints(of: key.value, to: &writer)
    if let value = key.defaultValue {
      writer.key("default")
      writer.raw(value.utf8)
    }
    if !key.examples.isEmpty {
      writer.key("examples")
      writer.beginArray()
      for example in key.examples { writer.raw(example.utf8) }
      writer.endArray()
    }
    writer.endObject()
  }

  private static func write(_ value: ValueShape, to writer: inout JSONWriter) {
    writer.beginObject()
    writeConstraints(of: value, to: &writer)
    writer.endObject()
  }

  /// Writes the members that constrain a value, within an object that is already open.
  private static func writeConstraints(of value: ValueShape, to writer: inout JSONWriter) {
    switch value {
    case .text(let pattern):
      writer.member("type", "string")
      if let pattern { writer.member("pattern", pattern) }
    case .boolean: writer.member("type", "boolean")
    case .integer(let range):
      writer.member("type", "integer")
      writer.member("minimum", range.lowerBound)
      writer.member("maximum", range.upperBound)
    case .number: writer.member("type", "number")
    case .fee:
      writer.member("type", "number")
      writer.member("minimum", 0)
      writer.member("exclusiveMaximum", 10)
    case .positiveNumber:
      writer.member("type", texts: ["number", "string"])
      writer.member("exclusiveMinimum", 0)
      writer.member("pattern", ValueShape.positivePattern)
    case .scalar: writer.member("type", texts: ["string", "number", "boolean"])
    case .comparand: writer.member("type", texts: ["string", "number", "boolean", "null"])
    case .choice(let words):
      writer.key("enum")
      writer.beginArray()
      for word in words { writer.string(word) }
      writer.endArray()
    case .null: writer.member("type", "null")
    case .anything: break
    case .list(let element, let count):
      writer.member("type", "array")
      writer.key("items")
      write(element, to: &writer)
      if let count {
        writer.member("minItems", count.lowerBound)
        writer.member("maxItems", count.upperBound)
      }
    case .map(let member, let names):
      writer.member("type", "object")
      if let names {
        writer.key("propertyNames")
        writer.beginObject()
        writer.member("pattern", names)
        writer.endObject()
      }
      writer.key("additionalProperties")
      write(.any([member, .null]), to: &writer)
    case .object(let id): writer.member("$ref", reference(to: id))
    case .any(let values):
      let flat = values.flatMap(\.alternatives)
      writer.key("anyOf")
      writer.beginArray()
      for value in flat { write(value, to: &writer) }
      writer.endArray()
    }
  }
}

extension ValueShape {
  /// The alternatives, with nested choices flattened.
  fileprivate var alternatives: [ValueShape] {
    if case .any(let values) = self { values.flatMap(\.alternatives) } else { [self] }
  }
}
