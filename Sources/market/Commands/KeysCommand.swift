import Keys
import Quotes
import Shell
import Terminal

/// `market keys add|list|remove|test|allow [NAME] [SECRET...]`
enum KeysCommand {
  private enum Action: String, CaseIterable { case add, list, remove, test, allow }

  private static let action = Argument(
    "ACTION", help: "add, list, remove, test or allow; without it: list", isOptional: true,
    kind: .oneOf(Action.names))
  private static let name = Argument(
    "NAME", help: "an exchange or a rate provider", isOptional: true, kind: .secretOwner)
  private static let secret = Argument(
    "SECRET", help: "with 'add': the names of the secrets to ask for, such as futuresApiKey; never a secret itself",
    isOptional: true, isRepeating: true, after: ["add": .secretName])

  private static let yes = Option(
    "yes", short: "y",
    help: "do not ask before allowing your own requests or storing a key that may withdraw", category: .general)
  private static let noTest = Option("no-test", help: "store the key without checking it with the exchange")
  private static let forgetNonce = Option(
    "forget-nonce", help: "with 'test': forget the key's last nonce, and start from the current time again")
  private static let format = Option.format(as: DocumentFormat.self, help: "output format of 'list' and 'test'")

  static let command = Command(
    name: "keys",
    summary: "store API keys, and show their permissions",
    examples: [
      .init("market keys add Upbit", "prompt for the key; input is hidden"),
      .init("market keys list", "names, never secrets"),
      .init("market keys test Upbit", "the key's permissions and addresses, and the clock"),
      .init("market keys allow Upbit", "review the requests of your own config, and allow them"),
      .init("market keys remove Upbit", "forget the key"),
    ],
    arguments: [action, name, secret],
    options: [yes, noTest, forgetNonce, format, .config, .timeout],
    discussion: [
      "Create read-only keys: the program never places orders or moves anything. 'add' and 'test' warn if a key "
        + "may trade or withdraw.",
      "A secret is never an argument. From a pipe, 'add' reads one line per secret, in the order in which it "
        + "would ask. Keys are kept in ~/.config/market/credentials.json, whichever config is in use, readable only by "
        + "you. Instead of a secret it may hold {\"command\": [\"secret-tool\", \"lookup\", \"market\", \"upbit\"]}, a "
        + "program whose first line of output is used. MARKET_UPBIT_API_KEY and the like are read if the file has no "
        + "secret of the exchange.",
      "A key is sent only to the hosts of its own exchange. Requests that do not ship with the program, or were "
        + "changed, are not sent with it until 'allow' has shown them and you have agreed.",
    ],
    work: .depending { invocation in
      let word = invocation.optionalText(of: action)
      return word == Action.add.rawValue || word == Action.test.rawValue ? .later(runAsking) : .now(run)
    })

  private struct Options: CommandOptions {
    let action: Action
    /// Empty for 'list'.
    let name: String
    let isSure: Bool
    /// With 'add': the names of the secrets to ask for; empty for all.
    let secrets: [String]
    let isTested: Bool
    let forgetsNonce: Bool
    let format: DocumentFormat
    let config: ConfigOptions
    let timeoutMilliseconds: Int?
    let colors: ColorOptions

    init(_ words: Invocation) throws(UsageProblem) {
      do throws(UsageProblem) {
        action = try words.choice(of: KeysCommand.action) ?? .list
      } catch {
        // It may be a secret, so it is not repeated, unless it is a word that people type for an action.
        if UsageProblem.isSynonym(words.optionalText(of: KeysCommand.action) ?? "") { throw error }
        throw .other("unknown action; expected \(Action.names.listed("or")); \(KeyRing.neverArguments)")
      }
      name = words.optionalText(of: KeysCommand.name) ?? ""
      if action == .list, !name.isEmpty { throw .other("'market keys list' takes no name") }
      if action != .list, name.isEmpty {
        throw .other("missing name; write it like: market keys \(action.rawValue) Upbit")
      }
      secrets = words.texts(of: KeysCommand.secret)
      // It may be a secret, so it is not repeated.
      if action != .add, !secrets.isEmpty { throw .other("'market keys \(action.rawValue)' takes one name") }
      isSure = words.has(KeysCommand.yes)
      forgetsNonce = words.has(KeysCommand.forgetNonce)
      if isSure, action != .add, action != .allow {
        throw .other("'--yes' works only with 'market keys add' and 'market keys allow'")
      }
      if forgetsNonce, action != .test { throw .other("'--forget-nonce' works only with 'market keys test'") }
      format = try words.choice(of: .documentFormat) ?? .text
      config = ConfigOptions(words)
      timeoutMilliseconds = try words.timeout()
      colors = try ColorOptions(words)
      isTested = !words.has(KeysCommand.noTest)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    let ring = try KeyRing(options.config, in: context)
    switch options.action {
    case .allow: try KeyApproval(ring, try ring.owner(named: options.name).name).run(isSure: options.isSure)
    case .remove: try ring.remove(options.name)
    default:
      ring.noteProblems()
      let listing = KeyListing(ring)
      context.write(
        as: options.format,
        text: listing.text(width: context.terminal.columns, palette: context.palette(options.colors)),
        json: listing.json)
    }
    return .answer
  }

  @Sendable private static func runAsking(_ options: Options, in context: Context) async throws -> ExitCode {
    let ring = try KeyRing(options.config, in: context)
    let owner = try ring.owner(named: options.name)
    if options.action == .add {
      let entry = KeyEntry(
        ring, owner, asking: options.secrets, isSure: options.isSure,
        timeoutMilliseconds: options.timeoutMilliseconds, colors: options.colors)
      return try await entry.run(isTested: options.isTested)
    }
    ring.noteProblems()
    let trial = KeyTest(ring, owner, ring.store, timeoutMilliseconds: options.timeoutMilliseconds)
    if options.forgetsNonce { try await trial.forgetNonces() }
    let report = await trial.report()
    context.write(
      as: options.format,
      text: report.lines.text(width: context.terminal.columns, palette: context.palette(options.colors)),
      json: report.json)
    return report.isUsable ? .answer : .noAnswer
  }
}
