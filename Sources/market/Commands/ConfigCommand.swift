import Config
import JSON
import Lint
import MarketData
import Quotes
import Shell
import Terminal

/// `market config path` and `market config show [NAME]`
enum ConfigCommand {
  private enum Action: String, CaseIterable { case path, show }

  private static let action = Argument(
    "ACTION", help: "'path': which file is in use, and why; 'show': the resulting settings",
    kind: .oneOf(Action.names))
  private static let name = Argument(
    "NAME", help: "with 'show': only this exchange or rate provider", isOptional: true, kind: .exchangeOrProvider)

  static let command = Command(
    name: "config",
    summary: "show which config is in use, and the resulting settings",
    examples: [
      .init("market config path", "the file in use; the reason goes to stderr"),
      .init("$EDITOR ~/.config/market/exchanges.json", "your own settings, with \"extends\": \"builtin\""),
      .init("market config show", "the whole config as JSON, your file on top of the shipped one"),
      .init("market config show Upbit", "one exchange of it"),
    ],
    arguments: [action, name],
    options: [.config],
    discussion: [
      "The config is the file given with --config, or else the one in MARKET_CONFIG; if it cannot be read, that is an "
        + "error. If neither is given, it is your own (exchanges.json in $XDG_CONFIG_HOME/market, by default "
        + "~/.config/market), or else the one that ships with the program. A file with \"extends\": \"builtin\" goes on "
        + "top of the shipped one. The working directory is never searched. Secrets are not shown."
    ],
    work: .now(run))

  private struct Options: CommandOptions {
    let action: Action
    let name: String?
    let config: String?

    init(_ words: Invocation) throws(UsageProblem) {
      action = try words.choice(of: ConfigCommand.action) ?? .path
      name = words.optionalText(of: ConfigCommand.name)
      config = words.value(of: .config)
      if action == .path, let name { throw .unexpectedArgument(name) }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    let locator = ConfigLocator(context)
    let found = try locator.find(named: options.config)
    switch options.action {
    case .path:
      let file = try readable(found)
      context.output.write(TerminalText.sanitized(found.path) + "\n")
      context.note(reason(for: found, file, locator))
    case .show:
      context.output.write(TerminalText.sanitizedLines(try text(of: options.name, found, locator, in: context)))
    }
    return .answer
  }

  /// Returns the parsed file; nil if it has faults, which do not change where it is.
  ///
  /// - Throws: if it cannot be read: then no command can use it.
  private static func readable(_ found: ConfigLocator.Found) throws(ConfigProblem) -> ConfigFile? {
    do throws(ConfigProblem) {
      return try found.file()
    } catch {
      guard case .syntax = error else { throw error }
      return nil
    }
  }

  /// Returns why the file was chosen, and what follows from that.
  private static func reason(
    for found: ConfigLocator.Found, _ file: ConfigFile?, _ locator: ConfigLocator
  ) -> String {
    var reason =
      switch found.origin {
      case .option: "named by --config"
      case .argument: "named as an argument"
      case .environment: "named by MARKET_CONFIG"
      case .user: "your own file"
      case .shipped: "shipped with the program; your own file would be \(locator.userPath ?? "in a home folder")"
      }
    if file?.extendsShipped == true, let base = try? locator.shipped() {
      reason += ", on top of \(base.path)"
    }
    return reason
  }

  private static func text(
    of name: String?, _ found: ConfigLocator.Found, _ locator: ConfigLocator, in context: Context
  ) throws -> String {
    let config = try LoadedConfig(found, locator)
    let value = MergedConfig(config.configuration, hiding: context.redaction).value
    guard let name else { return value.text() + "\n" }
    let providers = config.configuration.providerNames
    if let provider = providers.first(where: { Spelling.folded($0) == Spelling.folded(name) }) {
      return entry(provider, value[["fx", "providers", provider]])
    }
    let source = try config.source(named: name)
    return entry(source.name, value[["exchanges", source.name]])
  }

  private static func entry(_ name: String, _ value: ConfigValue?) -> String {
    ConfigValue.object([(name, value ?? .object([]))]).text() + "\n"
  }
}
