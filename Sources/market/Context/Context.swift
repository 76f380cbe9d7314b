import Files
import Quotes
import Terminal

/// Everything of the world that a command may touch, handed to it as one value.
struct Context: Sendable {
  /// The name of the program, for messages.
  var program: String
  /// The words after the program's name.
  var arguments: [String]
  var environment: Environment
  /// The absolute path of the directory that relative paths start from.
  var workingDirectory: String
  /// The absolute path of the running program, symbolic links resolved: what ships with it lies relative to that.
  var executablePath: @Sendable () -> String?
  /// Data goes here, and nothing else. Buffered.
  var output: OutputWriter
  /// Messages go here. Unbuffered; use `note`.
  var errorOutput: OutputWriter
  var terminal: TerminalState
  /// Reads standard input to its end; throws when it has more bytes than the limit.
  /// Commands call `input`, which tells a person that it waits.
  var readInput: @Sendable (_ limit: Int) throws(FileError) -> [UInt8]
  /// Reads one line that a person types, without its end; nil at the end of the input.
  var readLine: @Sendable () -> String? = { nil }
  /// The moment it is; commands know no other clock.
  var now: @Sendable () -> Instant

  var paths: UserPaths { UserPaths(environment: environment) }

  /// Writes one line to standard error, after what stands in the buffer of standard output.
  ///
  /// The text is the program's own: names and words of an exchange in it have to be cleaned by `TerminalText.sanitized`.
  func note(_ line: String) {
    output.flush()
    errorOutput.write("\(program): \(line)\n")
  }

  /// All of standard input; on a terminal a note asks for it first.
  func input(limit: Int = FileSystem.defaultLimit) throws(FileError) -> [UInt8] {
    if terminal.inputIsTerminal { note("reading standard input; end it with Ctrl-D") }
    return try readInput(limit)
  }

  /// The colours for standard output, as the command line, the environment and the terminal have them.
  ///
  /// - Parameters:
  ///   - preferred: the config's scheme; the flag goes before it, the locale after it.
  func palette(for invocation: Invocation, preferring preferred: ColorScheme? = nil) throws -> Palette {
    let mode = try invocation.choice(of: .color, as: ColorMode.self) ?? .auto
    let scheme = try invocation.choice(of: .scheme, as: ColorScheme.self)
    return Palette(
      scheme: scheme ?? preferred ?? localeScheme,
      isColored: mode.isColored(onTerminal: terminal.outputIsTerminal) { environment[$0] })
  }

  /// The colours for standard error.
  func errorPalette(mode: ColorMode) -> Palette {
    Palette(
      scheme: localeScheme,
      isColored: mode.isColored(onTerminal: terminal.errorIsTerminal) { environment[$0] })
  }

  private var localeScheme: ColorScheme {
    ColorScheme(locale: ColorScheme.localeName { environment[$0] })
  }
}
