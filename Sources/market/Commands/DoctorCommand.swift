import Asking
import Config
import Mapping
import MarketData
import Proving
import Shell
import Transport

/// `market doctor`
enum DoctorCommand {
  private static let live = Option(
    "live", short: "l", help: "check with one request whether each exchange answers, and this machine's clock",
    category: .network)

  static let command = Command(
    name: "doctor",
    summary: "check what works on this machine, and how to fix the rest",
    examples: [
      .init("market doctor", "config, secrets, caches, libcurl, terminal"),
      .init("market doctor --live", "also the exchanges and the clock"),
      .init("market doctor --live --format json", "for a report; it contains no secrets"),
    ],
    options: [live, .documentFormat, .config, .timeout],
    discussion: [
      "Each line is ok, a warning or a problem, with what to do about it. Exits with 0 if there is no problem, "
        + "with 1 if there is one. It works no matter what is broken: no config, a config that is not valid JSON, a "
        + "cache that cannot be read.",
      "Secrets are listed as set or missing; their values are neither shown nor sent. With --live, each "
        + "exchange gets one small request, and rate providers with a budget get none.",
    ],
    work: .depending { $0.has(live) ? .later(runLive) : .now(run) })

  private struct Options: CommandOptions {
    /// nil for the first file found.
    let config: String?
    /// nil for the config's timeout.
    let timeoutMilliseconds: Int?
    let format: DocumentFormat
    let colors: ColorOptions

    init(_ words: Invocation) throws(UsageProblem) {
      config = words.value(of: .config)
      timeoutMilliseconds = words.has(live) ? try words.timeout() : nil
      format = try words.choice(of: .documentFormat) ?? .text
      colors = try ColorOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    write(offlineFindings(options, in: context).findings, options, in: context)
  }

  @Sendable private static func runLive(_ options: Options, in context: Context) async throws -> ExitCode {
    let (configuration, findings) = offlineFindings(options, in: context)
    func skipped(_ reason: String) -> ExitCode {
      let finding = Finding(.exchange, .exchangeAnswer, .warning, "exchanges not checked: \(reason)")
      return write(findings + [finding], options, in: context)
    }
    guard let configuration else { return skipped("no usable config") }
    guard !findings.contains(where: { $0.subject == .topic(.libcurl) && $0.severity == .error }) else {
      return skipped("libcurl does not work here")
    }
    let milliseconds = options.timeoutMilliseconds ?? configuration.settings.timeoutMilliseconds
    let client = HTTPClient(HTTPClient.Options(userAgent: Version.userAgent, limit: .milliseconds(milliseconds)))
    let journal = RequestJournal()
    let visits = await context.showing(journal) {
      await ReachabilityCheck(
        configuration, by: journal.following(client.handler), hooks: .shipped, now: context.now
      ).findings()
    }
    client.shutDown()
    return write(findings + visits, options, in: context)
  }

  /// Returns what can be found out without querying exchanges.
  private static func offlineFindings(
    _ options: Options, in context: Context
  ) -> (configuration: Configuration?, findings: [Finding]) {
    let locator = ConfigLocator(context)
    let (configuration, config) = ConfigCheck.findings(
      locator, named: options.config, hooks: HookRegistry.shipped.names)
    let memory = RateMemory(MarketSession.rateCache(in: context.paths.cache), mayCall: false)
    let secrets = SecretsCheck(
      configuration, folder: context.paths.config, allowance: configuration.map { KeyAllowance($0, locator) },
      option: (try? locator.find(named: options.config))?.option ?? "",
      environment: context.environment.lookup)
    let terminal = TerminalCheck(
      isTerminal: context.terminal.outputIsTerminal, columns: context.terminal.columns, mode: options.colors.mode,
      environment: context.environment.lookup)
    var findings = [Finding(.program, .program, .ok, Version.line)] + config + secrets.findings
    findings += CacheCheck.findings(in: context.paths.cache, now: context.now())
    findings += ConfigCheck.budgets(of: configuration) { memory.calls(of: $0, now: context.now()) }
    findings += CurlCheck.findings() + terminal.findings(configuration)
    return (configuration, findings)
  }

  private static func write(_ findings: [Finding], _ options: Options, in context: Context) -> ExitCode {
    context.write(
      as: options.format,
      text: DoctorReport.text(
        of: findings, width: context.terminal.columns, palette: context.palette(options.colors)),
      json: DoctorReport.json(of: findings))
    return findings.contains { $0.severity == .error } ? .noAnswer : .answer
  }
}
