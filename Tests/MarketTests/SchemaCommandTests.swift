import Config
import Files
import Lint
import TestSupport
import Testing

@testable import Shell
@testable import market

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The schema checked by an independent validator, PyPI's `jsonschema`.
@Suite(.waitsForPrograms) struct SchemaCommandTests {
  /// A program in Python that prints the path of each mistake in a config.
  private static let program = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema, config = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    for error in Draft202012Validator(schema).iter_errors(config):
        print(error.json_path)
    """

  /// A program in Python that prints the path of each mistake in the schema itself.
  private static let schemaCheck = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema):
        print(error.json_path)
    """

  private static let path = ["PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"]

  private static let hasValidator: Bool = {
    let run = try? Subprocess(
      "/usr/bin/env", ["python3", "-W", "ignore", "-c", "import jsonschema"], environment: path)
    return run?.code == 0
  }()

  @Test(.enabled(if: hasValidator, "python3 with jsonschema: pip install jsonschema"))
  func shippedConfigFitsSchema() throws {
    #expect(try output(of: Self.schemaCheck) == "")
    #expect(try output(of: Self.program, [Checkout.path("exchanges.json")]) == "")
  }

  @Test(
    .enabled(if: hasValidator, "python3 with jsonschema: pip install jsonschema"),
    arguments: [
      (#"{ "version": 1, "setings": {} }"#, "$\n"),
      (#"{ "watchlist": [{ "asset": "BTC", "payment": "USDT" }, { "asset": "BTC" }] }"#, "$.watchlist\n"),
      (#"{ "exchanges": { "A": { "limit": { "requests": 1 } } } }"#, "$.exchanges\n"),
      (#"{ "settings": { "timeout": "5 s" } }"#, "$.settings\n"),
      (#"{ "extends": "builtin", "exchanges": { "A": { "like": "B", "markets": { "spot": null } } } }"#, ""),
    ])
  func schemaFindsMistakes(_ config: String, _ paths: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/config.json"
    try FileSystem.writeAtomically(Array(config.utf8), to: path)
    #expect(try output(of: Self.program, [path]) == paths)
  }

  /// Runs a program in Python on the schema and the other paths.
  private func output(of program: String, _ paths: [String] = []) throws -> String {
    let run = try Subprocess(
      "/usr/bin/env", ["python3", "-W", "ignore", "-c", program, Checkout.path("exchanges.schema.json")] + paths,
      environment: Self.path)
    return run.output + run.errorOutput
  }

  /// Codes whose wrong examples a schema can detect; the others involve several values or a grammar.
  private static let visible: Set<String> = [
    "MKT003", "MKT010", "MKT011", "MKT012", "MKT013", "MKT014", "MKT015", "MKT016", "MKT017", "MKT021", "MKT023",
    "MKT031",
    "MKT033", "MKT037", "MKT038", "MKT039", "MKT040", "MKT051", "MKT052", "MKT070", "MKT071",
  ]

  /// An editor marks errors while typing, and nothing that is correct.
  @Test(.enabled(if: hasValidator, "python3 with jsonschema: pip install jsonschema"))
  func schemaAcceptsRightAndRefusesWrongExamples() throws {
    let folder = try TemporaryFolder()
    var right: [String] = []
    var wrong: [String] = []
    for story in DiagnosticExplanation.all where story.code != .notJSON {
      for (kind, text) in [("right", story.right), ("wrong", story.wrong)] {
        let path = "\(folder.path)/\(story.code.rawValue)-\(kind).json"
        try FileSystem.writeAtomically(Array(story.config(of: text).utf8), to: path)
        if kind == "right" { right.append(path) } else { wrong.append(path) }
      }
    }
    #expect(try refused(right) == [])
    let codes = try Set(refused(wrong).compactMap { $0.split(separator: "/").last?.prefix(6) }.map(String.init))
    print("the schema refuses the wrong examples of \(codes.count) of \(wrong.count) codes: \(codes.sorted())")
    #expect(codes.subtracting(Self.visible) == [])
    #expect(Self.visible.subtracting(codes) == [])
  }

  /// Returns the configs that do not match the schema.
  private func refused(_ paths: [String]) throws -> [String] {
    let program = """
      import json, sys
      from jsonschema import Draft202012Validator
      schema = json.load(open(sys.argv[1], encoding="utf-8"))
      validator = Draft202012Validator(schema)
      for path in sys.argv[2:]:
          if not validator.is_valid(json.load(open(path, encoding="utf-8"))):
              print(path)
      """
    return try output(of: program, paths).split(separator: "\n").map(String.init)
  }

  @Test func printsTheSchema() async throws {
    let world = TestWorld(["schema"])
    #expect(await Program.market.run(in: world.context) == .answer)
    try GeneratedFile.expect(Array(world.output.utf8), at: "exchanges.schema.json")
  }
}
