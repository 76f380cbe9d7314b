private import Terminal

/// Options that several commands share, so that one name means one thing everywhere.
extension Option {
  static let help = Option("help", short: "h", help: "show this help", category: .help)

  static let color = Option(
    "color", value: "WHEN", help: "when to colour the output", default: ColorMode.auto.rawValue,
    choices: ColorMode.allCases.map(\.rawValue), category: .output)

  /// What every command has.
  static let common = [color, help]

  static let scheme = Option(
    "scheme", value: "NAME",
    help: "colours of up and down: kr red/blue, us green/red, cb blue/orange for colour-blind readers "
      + "(default: the config's, else kr in a Korean locale, else us)",
    choices: ColorScheme.allCases.map(\.rawValue), category: .output)

  static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format", default: OutputFormat.text.rawValue,
    choices: OutputFormat.allCases.map(\.rawValue), category: .output)

  static let config = Option("config", short: "c", value: "FILE", help: "read this exchanges.json")

  static let verbose = Option("verbose", short: "v", help: "report on stderr what is done", category: .output)
}
