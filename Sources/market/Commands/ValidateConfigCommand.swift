import Config
import Files
import JSON
import Lint
import Mapping
import MarketData
import Shell
import Terminal
import Transport

/// `market validate-config [PATH]`
enum ValidateConfigCommand {
  private static let path = Argument(
    "PATH", help: "configs to check, '-' for standard input (default: the one in use)", isOptional: true,
    isRepeating: true, kind: .file)
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format", default: FindingFormat.text.rawValue,
    choices: FindingFormat.allCases.map(\.rawValue), category: .output)
  private static let warningsAsErrors = Option("warnings-as-errors", short: "w", help: "fail on warnings too")
  private static let fix = Option("fix", help: "make the safe fixes in the file, and leave every other byte alone")
  private static let coverage = Option(
    "coverage", help: "show for each exchange how much is data and how much is code", category: .output)

  static let command = Command(
    name: "validate-config",
    summary: "find everything that is wrong with a config",
    examples: [
      .init("market validate-config", "check the config in use"),
      .init("market validate-config my.json --fix", "correct misspelled keys"),
      .init("jq . my.json | market validate-config -", "check what another program writes"),
      .init("market validate-config --format github", "mark the lines of a change, in a workflow"),
      .init("market explain MKT021", "explain a finding"),
    ],
    arguments: [path],
    options: [.config, format, warningsAsErrors, fix, coverage],
    discussion: [
      "Checks every exchange, enabled or not, every rate provider, route and setting in one run. Exits with 0 if "
        + "there is no error, with 3 if there is one.",
      "--fix corrects misspelled keys and words, and removes a repeated identical member, a comma before a closing "
        + "bracket and a byte order mark. The result is checked before the file is "
        + "replaced.",
    ],
    work: .immediate(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) throws -> ExitCode {
    let locator = ConfigLocator(context)
    let named = invocation.texts(of: path)
    var sources: [SourceFile] = []
    for name in named.isEmpty ? [invocation.value(of: .config)] : named.map(Optional.some) {
      sources.append(try source(named: name, locator, in: context))
    }
    if invocation.has(fix), sources.contains(where: { $0.name == standardInput }) {
      throw UsageProblem.other("'--fix' needs a file; standard input cannot be changed")
    }
    let builtin = shipped(locator)
    var reviews = sources.map {
      ConfigReview($0, builtin: builtin, hooks: HookRegistry.shipped.names, crypto: CryptoLibrary())
    }
    if invocation.has(fix) { reviews = try reviews.map { try repaired($0, in: context) } }
    if invocation.has(coverage) {
      for review in reviews {
        guard let configuration = review.configuration else {
          throw CommandError.invalidConfig("\(review.source.name) is not JSON")
        }
        context.output.write(CoverageText.text(Coverage.all(of: configuration)))
      }
      return .answer
    }
    return try write(reviews, invocation, in: context)
  }

  private static let standardInput = "<stdin>"

  private static func source(
    named name: String?, _ locator: ConfigLocator, in context: Context
  ) throws -> SourceFile {
    if name == "-" { return .init(name: standardInput, bytes: try context.input()) }
    let found = try locator.find(named: name)
    return .init(name: found.path, bytes: try found.read(), origin: found.ownership)
  }

  /// The config after `--fix`, written where something was put right.
  ///
  /// - Throws: where the file is no longer what was checked, or cannot be written; then it is as it was.
  private static func repaired(_ review: ConfigReview, in context: Context) throws -> ConfigReview {
    guard let (repaired, fixed) = review.repaired() else { return review }
    let path = review.source.name
    try FileSystem.replace(review.source.bytes, with: repaired.source.bytes, at: path)
    for finding in fixed.prefix(Excerpt.mostShown) {
      let line = "\(path):\(finding.place?.start.line ?? 1): \(sentence(of: finding))"
      context.note(TerminalText.sanitized(line))
    }
    if fixed.count > Excerpt.mostShown { context.note("\(path): fixed \(fixed.count - Excerpt.mostShown) more") }
    return repaired
  }

  /// What was written in the place of what; where something was taken away, what it was.
  private static func sentence(of finding: Finding) -> String {
    guard finding.fix.count == 1, let edit = finding.fix.first, !edit.replacement.isEmpty else {
      return "fixed: \(finding.message)"
    }
    let old = String(decoding: edit.place.file.bytes[edit.place.range], as: UTF8.self)
    return "fixed \(old) -> \(edit.replacement)"
  }

  private static func write(
    _ reviews: [ConfigReview], _ invocation: Invocation, in context: Context
  ) throws -> ExitCode {
    let format = try invocation.choice(of: format, as: FindingFormat.self) ?? .text
    let isStrict = invocation.has(warningsAsErrors)
    let writer = FindingWriter(
      format: format, palette: try context.palette(ColorOptions(invocation)),
      width: min(context.terminal.columns ?? 100, 160), warningsAreErrors: isStrict)
    if format == .text {
      for review in reviews {
        context.output.write(context.redacted(writer.text(of: review.findings)))
        context.output.write(summary(of: review, in: review.source.name, isStrict) + "\n")
      }
    } else {
      context.output.write(context.redacted(writer.text(of: reviews.flatMap(\.findings))))
    }
    let isClean = reviews.allSatisfy { $0.errorCount == 0 && !(isStrict && $0.warningCount > 0) }
    return isClean ? .answer : .invalidConfig
  }

  private static func summary(of review: ConfigReview, in name: String, _ isStrict: Bool) -> String {
    func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    let name = TerminalText.sanitized(name)
    guard review.findings.isEmpty else {
      let (errors, warnings) = (review.errorCount, review.warningCount)
      return isStrict
        ? "\(name): \(count(errors + warnings, "error"))"
        : "\(name): \(count(errors, "error")), \(count(warnings, "warning"))"
    }
    let configuration = review.configuration
    return "\(name): no problems in \(count(configuration?.exchanges.count ?? 0, "exchange")) and "
      + count(configuration?.providerNames.count ?? 0, "rate provider")
  }

  /// The shipped config, for a file that extends it; where it cannot be read, that is found when it is needed.
  private static func shipped(_ locator: ConfigLocator) -> SourceFile {
    guard let found = try? locator.shipped(), let bytes = try? FileSystem.read(found.path) else {
      return .init(name: "builtin", bytes: [])
    }
    return .init(name: found.path, bytes: bytes, origin: .shipped)
  }
}

/// The table of `--coverage`: what each market is made of.
private enum CoverageText {
  static func text(_ coverage: [Coverage]) -> String {
    let rows = coverage.map { item in
      [
        TerminalText.sanitized(item.owner), item.market, "\(item.mapped) of \(item.possible)", "\(item.lookups)",
        item.hooks.isEmpty ? "data" : "hook \(item.hooks.joined(separator: ", "))",
      ]
    }
    let all = [["EXCHANGE", "MARKET", "FIELDS", "LOOKUPS", "BY"]] + rows
    let widths = (0..<5).map { column in all.map { TerminalText.width(of: $0[column]) }.max() ?? 0 }
    let lines = all.map { row in
      zip(row, widths).enumerated().map { index, cell in
        index == 4 ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - TerminalText.width(of: cell.0) + 2)
      }.joined()
    }
    let byHook = coverage.count { !$0.hooks.isEmpty }
    let share = coverage.isEmpty ? 100 : (coverage.count - byHook) * 100 / coverage.count
    return lines.map { $0 + "\n" }.joined()
      + "\(coverage.count - byHook) of \(coverage.count) tables are data alone (\(share) %)\n"
  }
}
