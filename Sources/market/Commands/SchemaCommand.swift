import Lint
import Shell

/// `market schema`
enum SchemaCommand {
  static let command = Command(
    name: "schema",
    summary: "print the JSON Schema of a config",
    examples: [
      .init("market schema > exchanges.schema.json", "for an editor: point the config's \"$schema\" at it")
    ],
    discussion: [
      "The schema (JSON Schema 2020-12) is generated from the description that the program itself checks a config against. "
        + "With it an editor completes keys and marks wrong ones as they are typed; 'market validate-config' finds more."
    ],
    work: .immediate { _, context in
      context.output.write(bytes: ConfigSchema.bytes())
      return .answer
    })
}
