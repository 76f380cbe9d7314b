import Files
import TestSupport
import Testing

@testable import market

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The schema before an independent validator, PyPI's `jsonschema`.
@Suite struct SchemaCommandTests {
  /// A check in Python: prints nothing where the file fits the schema.
  private static let program = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema, config = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    Draft202012Validator.check_schema(schema)
    for error in Draft202012Validator(schema).iter_errors(config):
        print(error.json_path)
    """

  private static let path = ["PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"]

  private static let hasValidator: Bool = {
    let run = try? Subprocess(
      "/usr/bin/env", ["python3", "-W", "ignore", "-c", "import jsonschema"], environment: path)
    return run?.code == 0
  }()

  @Test(.enabled(if: hasValidator, "python3 with jsonschema: pip install jsonschema"))
  func theShippedConfigFitsTheSchema() throws {
    #expect(try errors(in: Checkout.path("exchanges.json")) == "")
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
  func theSchemaSeesMistakes(_ config: String, _ paths: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/config.json"
    try FileSystem.writeAtomically(Array(config.utf8), to: path)
    #expect(try errors(in: path) == paths)
  }

  private func errors(in path: String) throws -> String {
    let run = try Subprocess(
      "/usr/bin/env",
      ["python3", "-W", "ignore", "-c", Self.program, Checkout.path("exchanges.schema.json"), path],
      environment: Self.path)
    return run.output + run.errorOutput
  }

  @Test func printsTheSchema() async throws {
    let world = TestWorld(["schema"])
    #expect(await Program.market.run(in: world.context) == .answer)
    try GeneratedFile.expect(Array(world.output.utf8), at: "exchanges.schema.json")
  }
}
