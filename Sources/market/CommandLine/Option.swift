import Terminal

/// What a word of a command line names, and so what completions offer for it.
indirect enum WordKind: Hashable, Sendable {
  /// Nothing that can be listed.
  case text
  case file
  case folder
  /// An exchange of the config that is not switched off.
  case exchange
  /// An exchange that is in a file of the user's.
  case ownExchange
  /// A provider of exchange rates.
  case provider
  case exchangeOrProvider
  case asset
  /// What pairs are paid in, the most common first.
  case payment
  /// `BTC/USDT`
  case pair
  /// A command of the program.
  case command
  /// The code of a finding: `MKT021`.
  case findingCode
  /// One of these words.
  case oneOf([String])
  /// Several of a kind with commas between them.
  case list(WordKind)
}

/// An option of a command: data from which parsing, help and completions are made.
///
///     let format = Option("format", value: "FORMAT", help: "output format", default: "text", choices: ["text", "csv"])
struct Option: Hashable, Sendable {
  /// The heading of the help page under which an option stands, in the order of the page.
  enum Category: String, CaseIterable, Sendable {
    case source = "Where the answer comes from"
    case request = "How it is asked for"
    case rows = "Rows and pairs"
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
  /// What the value names.
  let kind: WordKind
  let category: Category

  init(
    _ name: String, short: Character? = nil, value valueName: String? = nil, help: String,
    default defaultValue: String? = nil, choices: [String] = [], kind: WordKind = .text,
    category: Category = .general
  ) {
    self.name = name
    self.short = short
    self.valueName = valueName
    self.help = help
    self.defaultValue = defaultValue
    self.choices = choices
    self.kind = kind
    self.category = category
  }

  var takesValue: Bool { valueName != nil }

  /// The option as it is typed: `--format`.
  var spelling: String { "--" + name }

  /// The option with the name of its value: `--format FORMAT`.
  var usage: String { spelling + (valueName.map { " " + $0 } ?? "") }

  /// What it does, which values it takes, and which it has by default.
  var explanation: String {
    var text = help
    if !choices.isEmpty { text += ": " + choices.joined(separator: ", ") }
    if let defaultValue { text += " (default: \(defaultValue))" }
    return text
  }
}

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

  static let config = Option("config", short: "c", value: "FILE", help: "read this exchanges.json", kind: .file)

  static let verbose = Option("verbose", short: "v", help: "report on stderr what is done", category: .output)
}
