import Config
import MarketData
import Terminal

/// `market exchanges`
enum ExchangesCommand {
  private enum Format: String, CaseIterable { case text, json, csv, md }

  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "how to write the table", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "exchanges",
    summary: "the exchanges of the config and what each can give",
    examples: [
      .init("market exchanges", "every exchange"),
      .init("market exchanges -f md", "as a table for a page"),
      .init("market exchanges -f csv", "one record a market, with turnover, volume and time"),
    ],
    options: [format, Option.config, Option.verbose],
    discussion: [
      "Where an exchange's markets differ, the word of spot stands before that of futures. \"pair\": one pair can be asked for "
        + "alone, rather than found in the table of all. \"apart\" is asked for by a "
        + "second request, and only where it is wanted.",
      "Proof is the date of the recorded live answer on which a mapping passed every check (\"spot\": that market's alone, "
        + "\"pair\": the answer with one pair); \"documented\" mappings follow the exchange's documentation and have not been "
        + "held against one.",
    ],
    work: .immediate(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) throws -> ExitCode {
    let config = try LoadedConfig(invocation, in: context)
    let exchanges = config.configuration.exchanges.compactMap { config.exchange($0, in: context) }
    let matrix = ExchangeMatrix(exchanges, retired: config.configuration.retired)
    switch try invocation.choice(of: format, as: Format.self) ?? .text {
    case .text:
      context.output.write(matrix.text(width: context.terminal.columns, palette: try context.palette(for: invocation)))
    case .csv: context.output.write(matrix.csv())
    case .md: context.output.write(matrix.markdown())
    case .json: context.write(json: matrix.json())
    }
    return matrix.isEmpty ? .noAnswer : .answer
  }
}
