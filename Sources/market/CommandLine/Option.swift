/// An option of a command: data from which parsing, help and completions are made.
///
///     let format = Option("format", value: "FORMAT", help: "output format", default: "text", choices: ["text", "csv"])
struct Option: Hashable, Sendable {
  /// The heading of the help page under which an option stands, in the order of the page.
  enum Category: String, CaseIterable, Sendable {
    case source = "Where the answer comes from"
    case request = "How it is asked for"
    case rows = "Rows and pairs"
    case fields = "Fields of a row"
    case judging = "Good answers and good rows"
    case exchange = "About the exchange"
    case general = "Options"
    case output = "Output"
    case network = "Network"
    case help = "Help"
  }

  /// The name without its dashes: `format` for `--format`.
  let name: String
  /// The one-letter spelling: `f` for `-f`.
  let short: Character?
  /// What the help calls the value, in capitals; nil for a flag, which takes none.
  let valueName: String?
  /// What the option does, lower case, no full stop.
  let help: String
  /// The value that holds when the option is absent.
  let defaultValue: String?
  /// The only values allowed; empty = any text.
  let choices: [String]
  let category: Category

  init(
    _ name: String, short: Character? = nil, value valueName: String? = nil, help: String,
    default defaultValue: String? = nil, choices: [String] = [], category: Category = .general
  ) {
    self.name = name
    self.short = short
    self.valueName = valueName
    self.help = help
    self.defaultValue = defaultValue
    self.choices = choices
    self.category = category
  }

  var takesValue: Bool { valueName != nil }

  /// The option as it is typed: `--format`.
  var spelling: String { "--" + name }
}
