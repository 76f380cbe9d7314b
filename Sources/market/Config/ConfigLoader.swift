import Config
import JSON
import Lint
import Mapping
import MarketData
import Terminal
import Views

/// Reads the config of a command.
struct ConfigLoader {
  let configuration: Configuration
  let found: ConfigLocator.Found

  /// - Throws: `CommandError` where the config as a whole cannot be used. A broken exchange is no such reason.
  init(_ options: ConfigOptions, in context: Context) throws {
    let locator = ConfigLocator(context)
    let found = try locator.find(named: options.path)
    self.found = found
    if options.isVerbose { context.note("config: \(found.path) (\(found.origin))") }
    let file = try Self.read(found)
    var builtin: ConfigFile?
    if file.root["extends"]?.json.string == "builtin" { builtin = try Self.read(try locator.shipped()) }
    let base = builtin
    do {
      configuration = try Configuration(file) { () throws(ConfigSyntaxError) in base ?? file }
    } catch {
      throw Self.error(error)
    }
    let errors = configuration.diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty {
      throw CommandError.diagnostics(SourceDiagnostic.list(configuration.diagnostics), .invalidConfig)
    }
  }

  private static func read(_ found: ConfigLocator.Found) throws -> ConfigFile {
    let bytes = try found.read()
    do {
      return try ConfigFile(name: found.path, bytes: bytes, isUntrusted: found.isUntrusted)
    } catch {
      throw Self.error(error)
    }
  }

  static func error(_ error: ConfigSyntaxError) -> CommandError {
    .diagnostics(SourceDiagnostic.list([Finding(error)]), .invalidConfig)
  }

  /// Reads an exchange's block, and says on stderr why a broken one is left out.
  func exchange(_ source: ExchangeSource, in context: Context) -> Exchange? {
    let (exchange, diagnostics) = configuration.read(source, hooks: Desk.hooks.names)
    if exchange == nil { report(UnreadableExchange(name: source.name, diagnostics: diagnostics), in: context) }
    return exchange
  }

  /// Says on stderr why an exchange is left out.
  func report(_ broken: UnreadableExchange, in context: Context) {
    context.note("\(TerminalText.sanitized(broken.name)) is left out, its block is broken:")
    for error in SourceDiagnostic.list(broken.diagnostics.filter { $0.severity == .error }) {
      context.errorOutput.write(error.rendered(palette: context.errorPalette(mode: .auto)))
    }
  }

  /// The exchange that a user means, or what to say when there is none.
  func source(named name: String) throws -> ExchangeSource {
    if let source = configuration.exchange(named: name) { return source }
    if let retired = configuration.retiredExchange(named: name) {
      throw CommandError.noAnswer(TerminalText.sanitized(retired.sentence))
    }
    let suggestion = Spelling.suggestion(for: name, among: configuration.allNames)
    let hint =
      suggestion.map { "; did you mean '\($0)'?" }
      ?? "; expected \(UsageProblem.alternatives(configuration.exchangeNames))"
    throw UsageProblem.other("unknown exchange '\(name)'\(hint)")
  }
}

extension ConfigLoader {
  /// The colours that the config asks for; nil for those of the locale.
  var preferredScheme: ColorScheme? { ColorScheme(rawValue: configuration.settings.colors) }
}

extension SourceDiagnostic {
  /// A finding of the config as it is printed.
  init(_ finding: Finding, _ excerpt: Excerpt, isError: Bool = false) {
    self.init(
      source: excerpt.file,
      excerpt: SourceExcerpt(
        line: excerpt.start.line, column: excerpt.start.column, length: excerpt.length, text: excerpt.line),
      severity: isError || finding.severity == .error ? .error : .warning, code: finding.code.rawValue,
      message: finding.sentence, help: [finding.help].compactMap(\.self))
  }

  /// Findings about a config, as they are printed.
  static func list(_ findings: [Finding]) -> [SourceDiagnostic] {
    zip(findings, Excerpt.excerpts(of: findings)).map { SourceDiagnostic($0, $1) }
  }
}
