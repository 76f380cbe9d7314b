package import Files
import HTTP
package import JSON
import MarketData
package import Quotes
package import Terminal
package import Views

/// Everything of the world that a command may touch, handed to it as one value.
package struct Context: Sendable {
  /// The name of the program, for messages.
  package var program: String
  /// The words after the program's name.
  package var arguments: [String]
  package var environment: Environment
  /// The absolute path of the running program, symbolic links resolved: what ships with it lies relative to that.
  package var executablePath: @Sendable () -> String?
  /// Data goes here, and nothing else. Buffered.
  package var output: OutputWriter
  /// Messages go here. Unbuffered; use `note`.
  package var errorOutput: OutputWriter
  package var terminal: TerminalState
  /// Reads standard input to its end; throws when it has more bytes than the limit.
  /// Commands call `input`, which tells a person that it waits.
  package var readInput: @Sendable (_ limit: Int) throws(FileError) -> [UInt8]
  /// Reads one line that a person types, without its end; nil at the end of the input.
  package var readLine: @Sendable () -> String? = { nil }
  /// Asks a person for lines that are not shown while they are typed: one for each question, fewer where the input ends.
  package var readHidden: @Sendable (_ questions: [String]) throws -> [String] = { _ in [] }
  /// The moment it is; commands know no other clock.
  package var now: @Sendable () -> Instant

  /// The clock on the user's wall at a moment; nil where that is UTC.
  package var localClock: @Sendable (Instant) -> ClockZone? = { _ in nil }

  package var paths: UserPaths { UserPaths(environment: environment) }

  /// Writes one line to standard error, after what stands in the buffer of standard output.
  ///
  /// Names and words of an exchange may be in it: it is cleaned here. On a terminal it is broken between words.
  package func note(_ line: String) {
    output.flush()
    let lines = StyledText("\(program): \(TerminalText.sanitized(line))").wrapped(to: terminal.errorColumns)
    errorOutput.write(lines.map { $0.painted(with: .plain) + "\n" }.joined())
  }

  /// All of standard input; on a terminal a note asks for it first.
  package func input(limit: Int = FileSystem.defaultLimit) throws(FileError) -> [UInt8] {
    if terminal.inputIsTerminal { note("reading standard input; end it with Ctrl-D") }
    return try readInput(limit)
  }

  /// The colours for standard output, as the command line, the environment and the terminal have them.
  ///
  /// - Parameters:
  ///   - preferred: the config's scheme; the flag goes before it, the locale after it.
  package func palette(_ colors: ColorOptions, preferring preferred: ColorScheme? = nil) -> Palette {
    Palette(
      scheme: colors.scheme ?? preferred ?? localeScheme,
      isColored: colors.mode.isColored(onTerminal: terminal.outputIsTerminal) { environment[$0] })
  }

  /// The colours for standard error.
  package func errorPalette(mode: ColorMode) -> Palette {
    Palette(
      scheme: localeScheme,
      isColored: mode.isColored(onTerminal: terminal.errorIsTerminal) { environment[$0] })
  }

  private var localeScheme: ColorScheme {
    ColorScheme(locale: ColorScheme.localeName { environment[$0] })
  }
}

extension Context {
  /// Whether there is a screen to live on.
  package var hasScreen: Bool { terminal.outputIsTerminal && environment["TERM"] != "dumb" }

  /// A text without the values of the user's secrets: what a file says may hold one.
  package func redacted(_ text: String) -> String {
    Redaction(paths.config.map { CredentialsFile(in: $0).values } ?? [])(text)
  }

  /// The page that a command's text is written on.
  ///
  /// - Parameters:
  ///   - preferred: the config's colours.
  ///   - replayNote: what a replay says of itself.
  ///   - language: nil: English, with the weekdays of the locale.
  package func page(
    _ colors: ColorOptions, preferring preferred: ColorScheme? = nil, replayNote: String? = nil,
    digits: Page.Digits = .short, language: Language? = nil
  ) -> Page {
    Page(
      palette: palette(colors, preferring: preferred), width: terminal.columns, language: language ?? .english,
      weekdays: language?.weekdays ?? WeekdayNames(locale: timeLocale), replayNote: replayNote, digits: digits,
      localClock: localClock)
  }

  /// Writes a report to standard output; what a replay says of itself goes to standard error where the form has no place
  /// for it.
  package func write(_ report: some Report, as format: OutputFormat, on page: Page) {
    switch format {
    case .text: output.write(report.text(on: page))
    case .json: write(json: report.json())
    case .csv: output.write(report.csv())
    }
    if format != .text, let note = page.replayNote { self.note(note) }
  }

  /// Writes a report whose rows may be lines of JSON.
  package func write(_ report: some LineReport, as format: LineFormat, on page: Page) {
    if let format = OutputFormat(rawValue: format.rawValue) { return write(report, as: format, on: page) }
    let bytes = report.ndjson()
    if terminal.outputIsTerminal {
      output.write(TerminalText.sanitized(String(decoding: bytes, as: UTF8.self), escaping: .json))
    } else {
      output.write(bytes: bytes)
    }
    if let note = page.replayNote { self.note(note) }
  }

  /// Writes what is no table.
  ///
  /// - Parameter text: what it is for people, with its line ends.
  package func write(
    as format: DocumentFormat, text: @autoclosure () -> String, json: @autoclosure () -> JSONValue
  ) {
    switch format {
    case .text: output.write(text())
    case .json: write(json: json().document)
    }
  }

  /// Writes a JSON text and a line end. On a terminal invisible characters are shown as `\u` escapes, which mean the same.
  package func write(json bytes: [UInt8]) {
    if terminal.outputIsTerminal {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      output.write(lines.map { TerminalText.sanitized(String($0), escaping: .json) }.joined(separator: "\n"))
    } else {
      output.write(bytes: bytes)
    }
    output.write("\n")
  }

  /// The locale for dates, as POSIX has it: `LC_ALL`, else `LC_TIME`, else `LANG`.
  private var timeLocale: String? {
    for name in ["LC_ALL", "LC_TIME", "LANG"] {
      if let locale = environment[name], !locale.isEmpty { return locale }
    }
    return nil
  }
}

/// The environment variables, one at a time.
package struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?

  init(lookup: @escaping @Sendable (String) -> String?) {
    self.lookup = lookup
  }

  /// An environment with these variables only.
  init(_ variables: [String: String]) {
    lookup = { variables[$0] }
  }

  /// The variable's value; nil when it is not set.
  package subscript(name: String) -> String? { lookup(name) }
}

/// Which of the three streams are terminals, and how large the screen is.
package struct TerminalState: Hashable, Sendable {
  package var inputIsTerminal = false
  package var outputIsTerminal = false
  package var errorIsTerminal = false
  /// Cells a line; nil when the output is no terminal or does not say: then nothing is cut.
  package var columns: Int?
  package var rows: Int?
  /// Cells a line of the terminal that messages go to; nil when they go elsewhere.
  package var errorColumns: Int?
}

/// The folders of the user, after the XDG Base Directory Specification 0.8.
package struct UserPaths: Hashable, Sendable {
  /// `$HOME`; nil when it is not set.
  let home: String?
  /// `$XDG_CONFIG_HOME/market`, by default `~/.config/market`.
  package let config: String?
  /// `$XDG_CACHE_HOME/market`, by default `~/.cache/market`.
  package let cache: String?
  /// `$XDG_STATE_HOME/market`, by default `~/.local/state/market`.
  package let state: String?

  init(environment: Environment) {
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
    /// The specification has relative paths ignored.
    func folder(_ variable: String, default path: String) -> String? {
      if let base = environment[variable], base.hasPrefix("/") { return base + "/market" }
      return home.map { "\($0)/\(path)/market" }
    }
    self.home = home
    config = folder("XDG_CONFIG_HOME", default: ".config")
    cache = folder("XDG_CACHE_HOME", default: ".cache")
    state = folder("XDG_STATE_HOME", default: ".local/state")
  }
}
