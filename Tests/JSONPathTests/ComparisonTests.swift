import JSON
import JSONPath
import Testing

/// Two operands and how they compare.
struct OperandPair: Sendable, CustomTestStringConvertible {
  enum Relation: Sendable {
    case less, equal, greater
    /// Not equal, and neither less nor greater.
    case unordered
  }

  var left: String
  var right: String
  var relation: Relation

  init(_ left: String, _ relation: Relation, _ right: String) {
    self.left = left
    self.right = right
    self.relation = relation
  }

  var testDescription: String { "\(left) \(relation) \(right)" }

  /// The document that the table's operands may refer to.
  static let document = """
    {
      "none": null, "yes": true, "no": false, "one": 1, "big": 12345678901234567890123456789012345678901234567890.5,
      "text": "a", "accent": "\\u00e9", "combined": "e\\u0301", "empty": "",
      "array": [1, "a", [null]], "same": [1.0, "\\u0061", [null]], "other": [1, "a", [0]], "shorter": [1, "a"],
      "object": {"x": 1, "y": [true]}, "turned": {"y": [true], "x": 1e0}, "wider": {"x": 1, "y": [true], "z": 0},
      "twice": {"x": 2, "y": [true], "x": 1}, "renamed": {"x": 1, "w": [true]}, "bare": {}, "blank": []
    }
    """

  // RFC 9535 §2.3.5.2.2.
  static let values = [
    OperandPair("$.absent", .equal, "$.missing"),
    OperandPair("$.absent", .unordered, "null"),
    OperandPair("$.absent", .unordered, "$.one"),
    OperandPair("$.absent", .unordered, "''"),
    OperandPair("length($.one)", .equal, "$.absent"),
    OperandPair("$.none", .equal, "null"),
    OperandPair("null", .unordered, "false"),
    OperandPair("null", .unordered, "0"),
    OperandPair("$.yes", .equal, "true"),
    OperandPair("$.no", .unordered, "$.yes"),
    OperandPair("true", .unordered, "1"),
    OperandPair("'1'", .unordered, "1"),
    OperandPair("$.text", .equal, "'a'"),
    OperandPair("'a'", .less, "'b'"),
    OperandPair("'a'", .less, "'aa'"),
    OperandPair("'B'", .less, "'a'"),
    OperandPair("$.empty", .less, "'\\u0000'"),
    OperandPair("$.combined", .less, "$.accent"),
    OperandPair("'\\uFFFF'", .less, "'\\uD800\\uDC00'"),
    OperandPair("'10'", .less, "'9'"),
    OperandPair("$.array", .equal, "$.array"),
    OperandPair("$.array", .equal, "$.same"),
    OperandPair("$.array", .unordered, "$.other"),
    OperandPair("$.array", .unordered, "$.shorter"),
    OperandPair("$.array", .unordered, "$.object"),
    OperandPair("$.object", .equal, "$.turned"),
    OperandPair("$.object", .equal, "$.twice"),
    OperandPair("$.object", .unordered, "$.wider"),
    OperandPair("$.object", .unordered, "$.renamed"),
    OperandPair("$.bare", .unordered, "$.blank"),
    OperandPair("$.bare", .unordered, "null"),
  ]

  // Numbers compare by exact value.
  static let numbers = [
    OperandPair("1", .equal, "1.0"),
    OperandPair("1", .equal, "10e-1"),
    OperandPair("1", .equal, "0.001E+3"),
    OperandPair("$.one", .equal, "100e-2"),
    OperandPair("100", .equal, "1e2"),
    OperandPair("0", .equal, "-0"),
    OperandPair("0", .equal, "-0.000e99"),
    OperandPair("0", .less, "1e-400"),
    OperandPair("-1e-400", .less, "0"),
    OperandPair("1e400", .less, "1e401"),
    OperandPair("-1e401", .less, "-1e400"),
    OperandPair("1e999999999999999999", .less, "1e1000000000000000000"),
    OperandPair("1e-1000000000000000000000000", .less, "1e-999999999999999999999999"),
    OperandPair("10e999999999999999999", .equal, "1e1000000000000000000"),
    OperandPair("-2", .less, "1"),
    OperandPair("-2", .less, "-1.5"),
    OperandPair("9", .less, "10"),
    OperandPair("0.09", .less, "0.1"),
    OperandPair("0.1", .less, "0.1000000000000000000000000001"),
    OperandPair("9007199254740992", .less, "9007199254740993"),
    OperandPair("123456789012345678901234567890", .less, "123456789012345678901234567891"),
    OperandPair("$.big", .equal, "1234567890123456789012345678901234567890123456789050e-2"),
    OperandPair("$.big", .less, "12345678901234567890123456789012345678901234567890.51"),
    OperandPair("12345678901234567890123456789012345678901234567890", .less, "$.big"),
    OperandPair("10000000000000000000000000000000000000000000000", .equal, "1e46"),
    OperandPair("10000000000000000000000000000000000000000000001", .greater, "1e46"),
  ]
}

@Suite("Comparisons")
struct ComparisonTests {
  @Test("All six operators, in both directions", arguments: OperandPair.values + OperandPair.numbers)
  func comparesWithAllOperators(_ pair: OperandPair) throws {
    let expected: [String: Bool] = [
      "==": pair.relation == .equal,
      "!=": pair.relation != .equal,
      "<": pair.relation == .less,
      ">": pair.relation == .greater,
      "<=": pair.relation == .less || pair.relation == .equal,
      ">=": pair.relation == .greater || pair.relation == .equal,
    ]
    #expect(try results(pair.left, pair.right) == expected)

    let turned = ["==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="]
    let expectedTurned = try Dictionary(uniqueKeysWithValues: expected.map { (try #require(turned[$0.key]), $0.value) })
    #expect(try results(pair.right, pair.left) == expectedTurned)
  }

  /// Returns the result of each operator, by filtering the elements of a document.
  private func results(_ left: String, _ right: String) throws -> [String: Bool] {
    let document = try JSONDocument(text: OperandPair.document)
    let elementCount = document.root.count
    var results: [String: Bool] = [:]
    for comparison in ["==", "!=", "<", ">", "<=", ">="] {
      let nodes = try JSONPathQuery("$[?\(left) \(comparison) \(right)]").nodes(in: document.root)
      try #require(nodes.isEmpty || nodes.count == elementCount)
      results[comparison] = !nodes.isEmpty
    }
    return results
  }
}
