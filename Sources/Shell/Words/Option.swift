package import Quotes
import Terminal
import Views

/// What a word of a command line names, which determines its completions.
package indirect enum WordKind: Hashable, Sendable {
  /// Nothing that can be listed.
  case text
  /// A number, which is an argument even if it is below zero.
  case number
  case file
  case folder
  /// An enabled exchange of the config.
  case exchange
  /// An exchange in one of the user's own files.
  case ownExchange
  case provider
  case exchangeOrProvider
  /// One of them that asks for secrets.
  case secretOwner
  /// The name of a secret, such as `apiKey`, of the exchange or rate provider that is the second argument.
  case secretName
  case asset
  /// The payment currencies of pairs, the most common first.
  case payment
  /// What counts as a dollar: dollars and their tokens.
  case dollar
  /// What exchange rates are of: national currencies first, then dollar tokens.
  ///
  /// - hasDollars: whether dollars and their tokens are among them.
  case currency(hasDollars: Bool)
  /// `BTC/USDT`
  case pair
  /// One of the user's favourites.
  case favorite
  /// An exchange, perhaps with the payment currency of a pair on it: `upbit`, `upbit:KRW`.
  case place
  /// A group of futures of the exchanges in the line, or of any: `inverse`.
  case product
  case command
  /// The code of a finding: `MKT021`.
  case findingCode
  case oneOf([String])
  case list(WordKind)
}

/// An option of a command: the data for parsing, help and completions.
///
///     let format = Option("format", value: "FORMAT", help: "output format", default: "text", choices: ["text", "csv"])
package struct Option: Hashable, Sendable {
  /// The heading that groups an option on the help page, in the order of the page.
  package enum Category: String, CaseIterable, Sendable {
    case source = "Source"
    case request = "Request"
    case rows = "Rows and pairs"
    case general = "Options"
    case output = "Output"
    case network = "Network"
    case help = "Help"
  }

  /// The name without its dashes: `format` for `--format`.
  package let name: String
  /// The one-letter spelling: `f` for `-f`.
  package let short: Character?
  /// The value's uppercase name in the help; nil for a flag, which takes none.
  let valueName: String?
  /// What the option does; lowercase, no full stop.
  package let help: String
  let defaultValue: String?
  /// The only values allowed; empty for any.
  package let choices: [String]
  package let kind: WordKind
  package let category: Category

  package init(
    _ name: String, short: Character? = nil, value valueName: String? = nil, help: String,
    default defaultValue: String? = nil, choices: [String] = [], kind: WordKind = .text,
    category: Category = .general
  ) {
    (self.name, self.short, self.valueName, self.help) = (name, short, valueName, help)
    (self.defaultValue, self.choices, self.category) = (defaultValue, choices, category)
    self.kind = choices.isEmpty ? kind : .oneOf(choices)
  }

  var takesValue: Bool { valueName != nil }

  /// The option as typed: `--format`.
  package var spelling: String { "--" + name }

  /// The option with its value's name: `--format FORMAT`.
  package var usage: String { spelling + (valueName.map { " " + $0 } ?? "") }

  /// What it does, its allowed values and its default.
  package var explanation: String {
    let allowed = choices.isEmpty ? nil : "one of: " + choices.joined(separator: ", ")
    let remarks = [allowed, defaultValue.map { "default: \($0)" }].compactMap(\.self)
    return remarks.isEmpty ? help : "\(help) (\(remarks.joined(separator: "; ")))"
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The words for all cases, as a command line has them.
  package static var names: [String] { allCases.map(\.rawValue) }
}

/// Options shared by several commands, so that a name has the same meaning everywhere.
extension Option {
  package static let help = Option("help", short: "h", help: "show this help", category: .help)

  package static let color = Option(
    "color", value: "WHEN", help: "when to colour the output", default: ColorMode.auto.rawValue,
    choices: ColorMode.names, category: .output)

  package static let common = [color, help]

  package static let scheme = Option(
    "scheme", value: "NAME",
    help: "colours of up and down: kr red/blue, us green/red, cb blue/orange for colour-blind readers; "
      + "by default the config's, or else kr in a Korean locale, us elsewhere",
    choices: ColorScheme.names, category: .output)

  package static let glyphs = Option(
    "glyphs", value: "GLYPHS",
    help: "draw lines, bars and marks with these; auto: with ASCII unless the locale is UTF-8",
    default: GlyphMode.auto.rawValue, choices: GlyphMode.names, category: .output)

  package static let format = Option.format(as: OutputFormat.self)
  package static let documentFormat = Option.format(as: DocumentFormat.self)
  package static let lineFormat = Option.format(as: LineFormat.self)

  /// Returns the `--format` option of a command with its own formats; the first one is the default.
  package static func format<Form: RawRepresentable<String> & CaseIterable>(
    as forms: Form.Type, help: String = "output format"
  ) -> Option {
    Option(
      "format", short: "f", value: "FORMAT", help: help, default: forms.names.first, choices: forms.names,
      category: .output)
  }

  package static let config = Option("config", short: "c", value: "FILE", help: "read this exchanges.json", kind: .file)

  package static let verbose = Option(
    "verbose", short: "v", help: "report progress and requests on stderr", category: .output)

  package static let noRate = Option("no-rate", help: "do not request exchange rates")
  package static let strict = Option("strict", help: "exit with 1 if any exchange failed")
  package static let reverse = Option("reverse", help: "reverse the sort order", category: .output)

  package static func market(_ help: String, default market: Market? = nil, category: Category = .general) -> Option {
    Option(
      "market", short: "m", value: "MARKET", help: help, default: market?.rawValue, choices: Market.names,
      category: category)
  }

  package static func language(_ help: String) -> Option {
    Option("lang", value: "LANG", help: help + "; by default the locale's", choices: Language.names, category: .output)
  }

  /// `--lang` of a command with a text, which may also be a live screen.
  package static let textLanguage = Option.language("the language of the text's own words")
}

/// Options of the commands that query exchanges.
extension Option {
  package static let timeout: Option = .timeout(isFollowed: false, hasPages: false)

  /// - Parameters:
  ///   - isFollowed: whether the command has a live view, which has no end.
  ///   - hasPages: whether it may request several pages of candles.
  package static func timeout(isFollowed: Bool, hasPages: Bool) -> Option {
    let followed = isFollowed ? "; with '-w': each request and each opening of a connection" : ""
    let pages = hasPages ? ", and as long again for each further page of candles" : ""
    return Option(
      "timeout", value: "SECONDS",
      help: "stop the whole run after this long, at most 600\(followed) (default: the config's, 5 seconds\(pages))",
      category: .network)
  }

  /// `--timeout` of a command with ``cache``.
  package static let timeoutOrNone = Option(
    timeout.name, value: timeout.valueName,
    help: timeout.help + "; 0 sends no requests and uses the last answers that --cache has kept", category: .network)

  package static let cache = Option(
    "cache", value: "AGE",
    help: "use answers that an earlier run with --cache got at most this long ago (30s, 5m), request the rest and "
      + "keep those answers",
    category: .network)

  package static let record = Option(
    "record", value: "DIR", help: "write every request and its answer to DIR, without secrets", kind: .folder,
    category: .network)

  package static let replay = Option(
    "replay", value: "DIR", help: "use the recordings in DIR instead of the network", kind: .folder,
    category: .network)

  package static let speed = Option(
    "speed", value: "N",
    help: "replay speed: N times the recorded speed (default: 1 on a screen, otherwise without waiting)",
    category: .network)

  package static let basis = Option(
    "basis", value: "BASIS", help: "compare only last trades, or any price (mid, mark, oracle)",
    default: "last", choices: ["last", "any"])

  package static let maximumAge = Option(
    "max-age", value: "AGE", help: "only compare prices whose last trade is at most this old: 90s, 1h", default: "5m")

  package static let digits = Option(
    "digits", value: "DIGITS", help: "cut padding zeros and shorten turnovers, or show every digit",
    default: Page.Digits.short.rawValue, choices: Page.Digits.names, category: .output)

  package static let exchange = Option(
    "exchange", short: "e", value: "A,B", help: "only these exchanges (case-insensitive)", kind: .list(.exchange))

  package static let asking: [Option] = Option.asking(within: .timeout)

  /// - Parameter timeout: `--timeout` as it applies to the command.
  package static func asking(within timeout: Option) -> [Option] { [config, verbose, timeout, record, replay] }
}
