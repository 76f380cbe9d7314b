import Asking
import Config
import Files
import JSON
import Lint
import Mapping
import MarketData
import Proving
import Shell
import Terminal
import Transport

/// `market doctor`
enum DoctorCommand {
  private enum Format: String, CaseIterable { case text, json }

  private static let live = Option(
    "live", short: "l", help: "ask every exchange once: is it there, and is this machine's clock right",
    category: .network)
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "doctor",
    summary: "check what works on this machine, and how to fix the rest",
    examples: [
      .init("market doctor", "config, secrets, caches, libcurl, terminal"),
      .init("market doctor --live", "the exchanges and the clock too"),
      .init("market doctor --live --format json", "for a report; it holds no secret"),
    ],
    options: [live, format, .config, .timeout],
    discussion: [
      "Each line is ok, a warning or a problem, with what to do about it. Exits with 0 if there is no problem, with 1 if "
        + "there is one. It works whatever is broken: no config, a config that is not valid JSON, a cache that cannot be read.",
      "Secrets are named and said to be set or missing; their values are neither shown nor sent. With --live each exchange "
        + "gets one small request, and rate providers with a budget get none.",
    ],
    work: .depending { invocation in
      invocation.has(live)
        ? .awaiting(run)
        : .immediate { invocation, context in try finish(standing(invocation, in: context).1, invocation, in: context) }
    })

  @Sendable private static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
    let timeout = try invocation.timeout()
    var (configuration, findings) = standing(invocation, in: context)
    guard let configuration else {
      findings.append(
        Finding(.exchange, .exchangeAnswer, .warning, "no exchange is asked: there is no config that says how"))
      return try finish(findings, invocation, in: context)
    }
    guard !findings.contains(where: { $0.subject == .topic(.libcurl) && $0.severity == .error }) else {
      findings.append(Finding(.exchange, .exchangeAnswer, .warning, "no exchange is asked: libcurl does not work here"))
      return try finish(findings, invocation, in: context)
    }
    var options = HTTPClient.Options(userAgent: "market/\(Version.number)")
    options.timeout = .milliseconds(timeout ?? configuration.settings.timeoutMilliseconds)
    options.connectTimeout = options.timeout
    options.deadline = options.timeout
    let client = HTTPClient(options)
    let journal = RequestJournal()
    let visits = await context.showing(journal) {
      await ExchangeVisits(configuration, by: journal.following(client.handler), now: context.now).findings()
    }
    client.shutDown()
    return try finish(findings + visits, invocation, in: context)
  }

  /// What can be found out without asking any exchange.
  private static func standing(_ invocation: Invocation, in context: Context) -> (Configuration?, [Finding]) {
    let (configuration, config) = located(named: invocation.value(of: .config), in: context)
    let memory = RateMemory(MarketSession.rateCache(in: context.paths.cache), mayCall: false)
    let secrets = SecretsCheck(
      configuration, folder: context.paths.config,
      allowance: configuration.map { KeyAllowance($0, ConfigLocator(context)) },
      environment: { [environment = context.environment] in environment[$0] })
    let version = "market \(Version.number) (\(Version.target), swift \(Version.compiler))"
    var findings = [Finding(.program, .program, .ok, version)] + config + secrets.findings
    findings += CacheCheck.findings(in: context.paths.cache, now: context.now())
    findings += ConfigCheck.budgets(of: configuration) { memory.calls(of: $0, now: context.now()) }
    findings += CurlCheck.findings() + TerminalCheck.findings(invocation, configuration, in: context)
    return (configuration, findings)
  }

  /// Which config is used, why, and whether it is sound.
  private static func located(
    named: String?, in context: Context
  ) -> (Configuration?, [Finding]) {
    let locator = ConfigLocator(context)
    do {
      let found = try locator.find(named: named)
      let shipped = try? locator.shipped()
      // The shipped config, for a file that extends it.
      let builtin = shipped.flatMap { shipped in
        (try? FileSystem.read(shipped.path)).map { SourceFile(name: shipped.path, bytes: $0, origin: .shipped) }
      }
      let review = ConfigReview(
        SourceFile(name: found.path, bytes: try found.read(), origin: found.ownership),
        builtin: builtin ?? SourceFile(name: "builtin", bytes: []), hooks: HookRegistry.shipped.names,
        crypto: CryptoLibrary())
      // Those that are there and not used, since another comes first.
      let others = [context.environment["MARKET_CONFIG"], locator.userPath].compactMap(\.self).filter {
        !$0.isEmpty && $0 != found.path && FileSystem.isReadable($0)
      }
      let unused = others.isEmpty ? "" : "; not used: \(others.joined(separator: ", "))"
      let use = Finding(.config, .configInUse, .ok, "\(found.path), because of: \(found.origin)\(unused)")
      return (review.configuration, [use, ConfigCheck.finding(review, at: found.path)])
    } catch {
      var sentence = "\(error)"
      if case .invalidConfig(let text) = error.commandError { sentence = text }
      let help = "name one with --config FILE or MARKET_CONFIG"
      return (nil, [Finding(.config, .configInUse, .error, sentence, help: help)])
    }
  }

  private static func finish(
    _ findings: [Finding], _ invocation: Invocation, in context: Context
  ) throws -> ExitCode {
    switch try invocation.choice(of: format, as: Format.self) ?? .text {
    case .text:
      context.output.write(
        DoctorReport.text(
          of: findings, width: context.terminal.columns, palette: try context.palette(ColorOptions(invocation))))
    case .json: context.write(json: DoctorReport.json(of: findings).document)
    }
    return findings.contains { $0.severity == .error } ? .noAnswer : .answer
  }
}
