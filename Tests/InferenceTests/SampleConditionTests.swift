import JSON
import Testing

@testable import Config
@testable import Inference

/// Conditions of `where` that keep the rows of a sample, as `where` itself does.
@Suite struct SampleConditionTests {
  /// The texts of five rows; the last has none.
  private static let texts: [String?] = ["spot", "spot-old", "5", "", nil]

  @Test(
    arguments: [
      (#""equals": "spot""#, "spot"), (#""equals": 5"#, "5"), (#""equals": null"#, "nothing"),
      (#""in": ["spot", null]"#, "spot nothing"), (#""notIn": ["spot", "5"]"#, "spot-old empty nothing"),
      (#""notIn": [null, ""]"#, "spot spot-old 5"), (#""prefix": "spot""#, "spot spot-old"),
      (#""suffix": "old""#, "spot-old"), (#""match": "spot(-[a-z]+)?""#, "spot spot-old"), (#""above": 4.5"#, "5"),
      (#""above": 5"#, ""), (#""is": "present""#, "spot spot-old 5 empty"), (#""is": "absent""#, "nothing"),
      (#""is": "empty""#, "empty"),
      // Not evaluated: these are about other values, or of no form that is known.
      (#""is": "array""#, nil), (#""match": "(""#, nil), (#""equals": {}"#, nil), (#""than": 5"#, nil),
      (#""from": "response", "equals": 5"#, nil), (#""capture": "(?<value>.).*", "equals": "s""#, nil),
    ] as [(String, String?)])
  func keepsTheRows(_ test: String, _ expected: String?) throws {
    let value = ConfigValue(try JSONDocument(parsing: Array("{ \"path\": \"$.t\", \(test) }".utf8)).root)
    let condition = SampleCondition(value)
    let kept = condition.map { condition in
      Self.texts.filter(condition.holds).map { $0.map { $0.isEmpty ? "empty" : $0 } ?? "nothing" }
    }
    #expect(condition?.path == (expected == nil ? nil : "$.t"))
    #expect(kept?.joined(separator: " ") == expected)
  }
}
