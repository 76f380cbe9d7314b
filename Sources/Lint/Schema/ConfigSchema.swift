import Config
import JSON

/// The JSON Schema (2020-12) of a config, generated from the shapes that the reader checks against.
///
/// Editors use it for completion and validation. It requires nothing that another level, `like` or the shipped file may
/// provide: only the validator sees an exchange as a whole.
package enum ConfigSchema {
  /// Returns the schema as stored in `exchanges.schema.json`.
  package static func bytes() -> [UInt8] {
    let config = ObjectShape.config
    let definitions =
      ObjectShape.all.map { ($0.name, definition(of: $0)) }
      + ObjectShape.block.map { (blockName(of: $0), definition(of: $0)) }
    let schema: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": reference(to: config.name),
      "title": .string(config.title), "description": .string(config.summary),
      "$defs": .members(definitions),
    ]
    return schema.document + [UInt8(ascii: "\n")]
  }

  private static func reference(to name: String) -> JSONValue { "#/$defs/\(name)" }

  private static func blockName(of key: KeyShape) -> String { "block.\(key.name)" }

  private static func definition(of shape: ObjectShape) -> JSONValue {
    var properties = shape.keys.map { key in
      (key.name, key.isBlockKey ? ["$ref": reference(to: blockName(of: key))] : definition(of: key))
    }
    properties += shape.reserved.map { ($0, ["description": "Reserved for a later version; has no effect yet."]) }
    properties.append(("$comment", ["description": "For people; has no effect."]))
    let required = shape.keys.filter(\.isRequired).map(\.name)
    var schema: JSONValue = [
      "title": .string(shape.title), "description": .string(shape.summary), "type": "object",
      "properties": .members(properties),
    ]
    if !required.isEmpty { schema += ["required": .texts(required)] }
    schema += ["additionalProperties": false]
    return schema + rules(of: shape)
  }

  /// Which keys are required in alternatives or together, and which exclude each other.
  private static func rules(of shape: ObjectShape) -> JSONValue {
    var rules: JSONValue = .object([])
    if !shape.needsOneOf.isEmpty { rules += ["anyOf": .list(shape.needsOneOf) { ["required": [.string($0)]] }] }
    if !shape.together.isEmpty {
      let others = shape.together.map { name in (name, JSONValue.texts(shape.together.filter { $0 != name })) }
      rules += ["dependentRequired": .members(others)]
    }
    if !shape.excluding.isEmpty {
      let excluding = shape.excluding.map { name, others -> (String, JSONValue) in
        (name, ["properties": .members(others.map { ($0, false) })])
      }
      rules += ["dependentSchemas": .members(excluding)]
    }
    return rules
  }

  private static func definition(of key: KeyShape) -> JSONValue {
    var schema: JSONValue = ["title": .string(key.name), "description": .string(key.summary)]
    schema += constraints(of: key.value)
    // Defaults and examples are JSON of any kind, and stay as they are written.
    if let value = key.defaultValue { schema += ["default": .number(value)] }
    if !key.examples.isEmpty { schema += ["examples": .list(key.examples) { .number($0) }] }
    return schema
  }

  /// The members that constrain a value.
  private static func constraints(of value: ValueShape) -> JSONValue {
    switch value {
    case .text(let pattern?): ["type": "string", "pattern": .string(pattern)]
    case .text(nil): ["type": "string"]
    case .boolean: ["type": "boolean"]
    case .integer(let range):
      ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    case .number: ["type": "number"]
    case .fee: ["type": "number", "minimum": 0, "exclusiveMaximum": 10]
    case .positiveNumber:
      ["type": ["number", "string"], "exclusiveMinimum": 0, "pattern": .string(ValueShape.positivePattern)]
    case .scalar: ["type": ["string", "number", "boolean"]]
    case .comparand: ["type": ["string", "number", "boolean", "null"]]
    case .choice(let words): ["enum": .texts(words)]
    case .null: ["type": "null"]
    case .anything: .object([])
    case .list(let element, let count):
      ["type": "array", "items": constraints(of: element)]
        + .members(count.map { [("minItems", .integer($0.lowerBound)), ("maxItems", .integer($0.upperBound))] } ?? [])
    case .map(let member, let names):
      ["type": "object"] + .members(names.map { [("propertyNames", ["pattern": .string($0)])] } ?? [])
        + ["additionalProperties": constraints(of: .any([member, .null]))]
    case .members(let shape): ["$ref": reference(to: shape().name)]
    case .any(let values): ["anyOf": .list(values.flatMap(\.alternatives), constraints)]
    }
  }
}
