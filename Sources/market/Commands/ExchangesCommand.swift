import Config
import MarketData
import Terminal
import Views

/// `market exchanges`
enum ExchangesCommand {
  private enum Format: String, CaseIterable { case text, json, csv, md }

  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "exchanges",
    summary: "list the exchanges of the config and what each offers",
    examples: [
      .init("market exchanges", "every exchange"),
      .init("market exchanges -f md", "as a Markdown table"),
      .init("market exchanges -f csv", "one record per market, with turnover, volume and time"),
    ],
    options: [format, Option.config, Option.verbose],
    discussion: [
      "Where the markets of an exchange differ, spot comes before futures. 'pair': one pair can be asked for alone, without "
        + "the table of all. 'apart': it takes a second request, which is made only if the value is needed.",
      "'proof' is the date of the recorded live answer on which a mapping passed every check ('spot': that market only, "
        + "'pair': the answer for one pair); 'documented' mappings follow the exchange's documentation and have not been "
        + "checked against an answer.",
    ],
    work: .now(run))

  private struct Options: CommandOptions {
    let format: Format
    let config: ConfigOptions
    let colors: ColorOptions

    init(_ words: Invocation) throws(UsageProblem) {
      format = try words.choice(of: ExchangesCommand.format, as: Format.self) ?? .text
      config = ConfigOptions(words)
      colors = try ColorOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    let config = try LoadedConfig(options.config, in: context)
    let exchanges = config.configuration.exchanges.compactMap { config.exchange($0, in: context) }
    let matrix = ExchangeMatrix(exchanges, retired: config.configuration.retired)
    if let format = OutputFormat(rawValue: options.format.rawValue) {
      context.write(matrix, as: format, on: context.page(options.colors))
    } else {
      context.output.write(matrix.markdown())
    }
    return matrix.isEmpty ? .noAnswer : .answer
  }
}
