import Config
import MarketData
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
    var (config, checkups) = standing(invocation, in: context)
    guard let configuration = config.configuration else {
      checkups.append(Checkup(.exchange, .warning, "no exchange is asked: there is no config that says how"))
      return try finish(checkups, invocation, in: context)
    }
    guard !checkups.contains(where: { $0.topic == .libcurl && $0.status == .problem }) else {
      checkups.append(Checkup(.exchange, .warning, "no exchange is asked: libcurl does not work here"))
      return try finish(checkups, invocation, in: context)
    }
    var options = HTTPClient.Options(userAgent: "market/\(Version.number)")
    options.timeout = .milliseconds(timeout ?? configuration.settings.timeoutMilliseconds)
    options.connectTimeout = options.timeout
    options.deadline = options.timeout
    let client = HTTPClient(options)
    let visits = await LiveCheckup(configuration: configuration, handler: client.handler, now: context.now).checkups()
    client.shutDown()
    return try finish(checkups + visits, invocation, in: context)
  }

  /// What can be found out without asking anybody.
  private static func standing(_ invocation: Invocation, in context: Context) -> (ConfigCheckup, [Checkup]) {
    let config = ConfigCheckup(named: invocation.value(of: .config), in: context)
    let memory = RateMemory(MarketSession.rateCache(in: context.paths.cache), mayCall: false)
    let budget = BudgetCheckup { memory.calls(of: $0, now: context.now()) }
    let checkups =
      [Checkup(.program, .ok, "market \(Version.number) (\(Version.target), swift \(Version.compiler))")]
      + config.checkups
      + SecretsCheckup(config, in: context).checkups + CacheCheckup.checkups(in: context)
      + budget.checkups(config.configuration) + CurlCheckup.checkups()
      + TerminalCheckup.checkups(invocation, config, in: context)
    return (config, checkups)
  }

  private static func finish(
    _ checkups: [Checkup], _ invocation: Invocation, in context: Context
  ) throws -> ExitCode {
    switch try invocation.choice(of: format, as: Format.self) ?? .text {
    case .text:
      context.output.write(
        CheckupWriter.text(
          of: checkups, width: context.terminal.columns, palette: try context.palette(ColorOptions(invocation))))
    case .json: context.write(json: CheckupWriter.json(of: checkups))
    }
    return checkups.contains { $0.status == .problem } ? .noAnswer : .answer
  }
}
