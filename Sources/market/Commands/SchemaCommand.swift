import Config
import Lint

/// `market schema`
enum SchemaCommand {
  static let command = Command(
    name: "schema",
    summary: "print the JSON Schema of a config",
    examples: [
      .init("market schema > exchanges.schema.json", "for an editor: name it in \"$schema\" of the config")
    ],
    discussion: [
      "The schema (JSON Schema 2020-12) is made from the same description that the program checks a config by. It lets "
        + "an editor complete keys and mark wrong ones as they are typed; 'market validate-config' sees more."
    ],
    work: .immediate { _, context in
      context.output.write(bytes: ConfigSchema.bytes())
      return .answer
    })
}
