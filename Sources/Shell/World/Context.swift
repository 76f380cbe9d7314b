package import Files
package import HTTP
package import JSON
import MarketData
package import Quotes
package import Terminal
package import Views

/// The outside world as available to a command, passed as one value.
package struct Context: Sendable {
  /// The name of the program, for messages.
  package var program: String
  /// The words after the program's name.
  package var arguments: [String]
  package var environment: Environment
  /// Returns the absolute path of the running program with symbolic links resolved; bundled files lie relative to it.
  package var executablePath: @Sendable () -> String?
  /// Buffered output, for data only.
  package var output: OutputWriter
  /// Unbuffered output for messages; use `note`.
  package var errorOutput: OutputWriter
  package var terminal: TerminalState
  /// Reads standard input to its end; throws if it exceeds the limit in bytes. Commands call `input`, which tells an
  /// interactive user that it is waiting.
  package var readInput: @Sendable (_ limit: Int) throws(FileError) -> [UInt8]
  /// Reads one line typed by the user, without its line end; nil at the end of the input.
  package var readLine: @Sendable () -> String? = { nil }
  /// Prompts the user for lines without echoing them: one per question, fewer if the input ends.
  package var readHidden: @Sendable (_ questions: [String]) throws -> [String] = { _ in [] }
  /// Returns the current time; commands know no other clock.
  package var now: @Sendable () -> Instant

  /// Returns the user's local time zone at a moment; nil if that is UTC.
  package var localClock: @Sendable (Instant) -> ClockZone? = { _ in nil }

  package var paths: UserPaths { UserPaths(environment: environment) }

  /// Writes one line to standard error, after flushing standard output.
  ///
  /// It may contain names and texts from an exchange, so it is sanitized. On a terminal it is wrapped between words.
  ///
  /// - Parameter afterOutput: False writes it even while standard output takes nothing.
  package func note(_ line: String, afterOutput: Bool = true) {
    if afterOutput { output.flush() }
    let lines = StyledText("\(program): \(line)").wrapped(to: terminal.errorColumns)
    errorOutput.write(lines.map { $0.painted(with: .plain) + "\n" }.joined())
  }

  /// Returns all of standard input; on a terminal, a note asks for it first.
  package func input(limit: Int = FileSystem.defaultLimit) throws(FileError) -> [UInt8] {
    if terminal.inputIsTerminal { note("reading standard input; end it with Ctrl-D") }
    return try readInput(limit)
  }

  /// Returns the colors and glyphs of standard output, determined by the command line, the environment and the terminal.
  ///
  /// - Parameter preferred: the config's scheme; the flag takes precedence over it, and it over the locale.
  package func palette(_ colors: ColorOptions, preferring preferred: ColorScheme? = nil) -> Palette {
    Palette(
      scheme: colors.scheme ?? preferred ?? localeScheme,
      isColored: colors.mode.isColored(onTerminal: terminal.outputIsTerminal, environment: environment.lookup),
      glyphs: GlyphSet(colors.glyphs, onTerminal: terminal.outputIsTerminal, environment: environment.lookup))
  }

  package func errorPalette(mode: ColorMode) -> Palette {
    Palette(
      scheme: localeScheme,
      isColored: mode.isColored(onTerminal: terminal.errorIsTerminal, environment: environment.lookup))
  }

  private var localeScheme: ColorScheme { ColorScheme(locale: locale(of: "LC_MESSAGES")) }

  private func locale(of category: String) -> LocaleName? { LocaleName(of: category, environment: environment.lookup) }

  package var language: Language { language(of: "LC_MESSAGES") }

  /// Returns the language of a command's text: the chosen one, or else Korean in a Korean locale; nil for English with the
  /// weekdays of the locale. Beside all other formats, notes are in English.
  package func textLanguage(_ chosen: Language?, for format: some RawRepresentable<String>) -> Language? {
    format.rawValue == OutputFormat.text.rawValue ? chosen ?? (language == .korean ? .korean : nil) : nil
  }

  /// Returns the language of a category: English where the locale has another encoding, as a terminal would not show
  /// Hangul in UTF-8.
  private func language(of category: String) -> Language {
    locale(of: "LC_CTYPE")?.isUTF8 ?? true ? Language(locale: locale(of: category)) : .english
  }

  /// The size of a picture that the prompt is to follow.
  package var pictureSize: ScreenSize {
    ScreenSize(columns: terminal.columns ?? 80, rows: max(1, (terminal.rows ?? 25) - 1))
  }
}

extension Context {
  /// Whether a live screen is possible.
  package var hasScreen: Bool { terminal.outputIsTerminal && canErase }

  /// Whether the terminal can erase what was written: `TERM` names it, and not as one that cannot. Without a name nothing
  /// is known about it, as over a serial line.
  package var canErase: Bool { !["", "dumb"].contains(environment["TERM"] ?? "") }

  /// Removes the values of the user's secrets from a text: a file's content may include one.
  package func redacted(_ text: String) -> String { redaction(text) }

  /// Removes the values of the user's secrets, which are read once.
  package var redaction: Redaction { Redaction(paths.config.map { CredentialsFile(in: $0).values } ?? []) }

  /// Returns the page for a command's text.
  ///
  /// - Parameter language: nil for English with the weekdays of the locale.
  package func page(
    _ colors: ColorOptions, preferring preferred: ColorScheme? = nil, replayNote: String? = nil,
    digits: Page.Digits = .short, language: Language? = nil
  ) -> Page {
    Page(
      palette: palette(colors, preferring: preferred), width: terminal.columns, language: language ?? .english,
      weekdays: language ?? self.language(of: "LC_TIME"), replayNote: replayNote, digits: digits,
      localClock: localClock)
  }

  /// Writes a report to standard output; a replay's note about itself goes to standard error if the format has no room
  /// for it.
  package func write(_ report: some Report, as format: OutputFormat, on page: Page) {
    switch format {
    case .text: output.write(report.text(on: page))
    case .json: write(json: report.json())
    case .csv: output.write(bytes: report.csv())
    }
    if format != .text, let note = page.replayNote { self.note(note) }
  }

  /// Writes a report whose rows can be lines of JSON.
  package func write(_ report: some LineReport, as format: LineFormat, on page: Page) {
    if let format = OutputFormat(rawValue: format.rawValue) { return write(report, as: format, on: page) }
    write(lines: report.ndjson())
    if let note = page.replayNote { self.note(note) }
  }

  /// Writes anything but a table.
  ///
  /// - Parameter text: the human-readable text, with its line ends.
  package func write(as format: DocumentFormat, text: @autoclosure () -> String, json: @autoclosure () -> JSONValue) {
    switch format {
    case .text: output.write(text())
    case .json: write(json: json().document)
    }
  }

  /// Writes JSON and a line end.
  package func write(json bytes: [UInt8]) {
    write(lines: bytes)
    output.write("\n")
  }

  /// Writes lines of JSON. On a terminal, invisible characters are shown as equivalent `\u` escapes.
  private func write(lines bytes: [UInt8]) {
    if terminal.outputIsTerminal {
      output.write(TerminalText.sanitizedLines(String(decoding: bytes, as: UTF8.self), escaping: .json))
    } else {
      output.write(bytes: bytes)
    }
  }
}

/// The environment variables, looked up individually.
package struct Environment: Sendable {
  /// Returns the value of a variable; nil if it is not set.
  package let lookup: @Sendable (String) -> String?

  package subscript(name: String) -> String? { lookup(name) }
}

/// Which of the three standard streams are terminals, and the screen size.
package struct TerminalState: Hashable, Sendable {
  package var inputIsTerminal = false
  package var outputIsTerminal = false
  package var errorIsTerminal = false
  /// The width in cells; nil if the output is not a terminal or its size is unknown, in which case nothing is cut.
  package var columns: Int?
  package var rows: Int?
  /// The width in cells of the terminal for messages; nil if they go elsewhere.
  package var errorColumns: Int?

  /// The bytes of a typed or pasted line that a terminal takes before it drops the rest: `MAX_CANON` without the line end.
  package static let maximumLineLength: Int = {
    #if canImport(Darwin)
      1023
    #else
      4095
    #endif
  }()
}

/// The user's folders, according to the XDG Base Directory Specification 0.8.
package struct UserPaths: Hashable, Sendable {
  /// `$HOME`; nil if it is not set or not an absolute path.
  let home: String?
  /// `$XDG_CONFIG_HOME/market`, by default `~/.config/market`.
  package let config: String?
  /// `$XDG_CACHE_HOME/market`, by default `~/.cache/market`.
  package let cache: String?
  /// `$XDG_STATE_HOME/market`, by default `~/.local/state/market`.
  package let state: String?

  init(environment: Environment) {
    // A relative path would mean the working directory, which is never searched.
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    /// Returns a folder, ignoring relative paths as the specification requires.
    func folder(_ variable: String, default path: String) -> String? {
      if let base = environment[variable], base.hasPrefix("/") { return base + "/market" }
      return home.map { "\($0)/\(path)/market" }
    }
    self.home = home
    config = folder("XDG_CONFIG_HOME", default: ".config")
    cache = folder("XDG_CACHE_HOME", default: ".cache")
    state = folder("XDG_STATE_HOME", default: ".local/state")
  }

  /// Returns why there is no folder.
  ///
  /// - Parameter variable: the one of the folder: `XDG_CONFIG_HOME`.
  package static func absence(of variable: String, _ language: Language = .english) -> String {
    language(
      "neither HOME nor \(variable) is set to an absolute path", "HOME과 \(variable)이 절대 경로로 설정되지 않음")
  }
}
