import Config
import Files
import Lint
import Mapping
import MarketData
import Shell
import Transport

/// `market validate-config [PATH]`
enum ValidateConfigCommand {
  private static let path = Argument(
    "PATH", help: "configs to check, '-' for standard input (default: the one in use)", isOptional: true,
    isRepeating: true, kind: .file)
  private static let format = Option.format(as: FindingFormat.self)
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
      .init("market validate-config --format github", "annotate the lines of a change in a workflow"),
      .init("market explain MKT021", "explain a finding"),
    ],
    arguments: [path],
    options: [.config, format, warningsAsErrors, fix, coverage],
    discussion: [
      "Checks every exchange, enabled or not, every rate provider, route and setting in one run. Exits with 0 if "
        + "there is no error, with 3 if there is one.",
      "--fix corrects misspelled keys and words, and removes a repeated identical member, a comma before a closing "
        + "bracket and a byte order mark. The result is checked before the file is replaced.",
    ],
    work: .now(run))

  private struct Options: CommandOptions {
    /// `-` is standard input; nil for the config in use.
    let paths: [String?]
    let origin: ConfigLocator.Origin
    let format: FindingFormat
    let isStrict: Bool
    let fixes: Bool
    let showsCoverage: Bool
    let colors: ColorOptions

    init(_ words: Invocation) throws(UsageProblem) {
      let named = words.texts(of: path)
      paths = named.isEmpty ? [words.value(of: .config)] : named
      origin = named.isEmpty ? .option : .argument
      format = try words.choice(of: ValidateConfigCommand.format) ?? .text
      isStrict = words.has(warningsAsErrors)
      fixes = words.has(fix)
      showsCoverage = words.has(coverage)
      colors = try ColorOptions(words)
      if showsCoverage, format != .text { throw .conflict(coverage.spelling, "--format \(format.rawValue)") }
      if fixes, paths.contains("-") { throw .other("'--fix' needs a file; standard input cannot be changed") }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    let locator = ConfigLocator(context)
    var sources: [SourceFile] = []
    var unreadable: [ConfigProblem] = []
    for path in options.paths {
      if path == "-" {
        sources.append(SourceFile(name: "<stdin>", bytes: try context.input()))
        continue
      }
      do throws(ConfigProblem) {
        sources.append(try locator.find(named: path, as: options.origin).source())
      } catch {
        unreadable.append(error)
      }
    }
    let builtin = locator.builtin
    var reviews = sources.map {
      ConfigReview($0, builtin: builtin, hooks: HookRegistry.shipped.names, crypto: CryptoLibrary())
    }
    if reviews.isEmpty { try report(unreadable, in: context) }
    if options.fixes { reviews = try reviews.map { try repaired($0, in: context) } }
    if options.showsCoverage {
      for review in reviews {
        guard let configuration = review.configuration else {
          throw CommandError.invalidConfig("\(review.source.name) is not JSON")
        }
        context.output.write(Coverage.all(of: configuration).text)
      }
      try report(unreadable, in: context)
      return .answer
    }
    let writer = FindingWriter(
      format: options.format, palette: context.palette(options.colors),
      width: min(context.terminal.columns ?? 100, 160), warningsAreErrors: options.isStrict)
    context.output.write(context.redacted(writer.text(of: reviews)))
    // One that cannot be read keeps no other from being checked.
    try report(unreadable, in: context)
    let isClean = reviews.allSatisfy { $0.errorCount == 0 && !(options.isStrict && $0.warningCount > 0) }
    return isClean ? .answer : .invalidConfig
  }

  /// - Throws: The last of the problems, after naming the others.
  private static func report(_ problems: [ConfigProblem], in context: Context) throws(ConfigProblem) {
    for problem in problems.dropLast() { context.note("\(problem)") }
    if let last = problems.last { throw last }
  }

  /// Returns the config after `--fix`, saving it if anything was fixed.
  ///
  /// - Throws: if the file has changed since it was checked, or cannot be written, leaving it unchanged.
  private static func repaired(_ review: ConfigReview, in context: Context) throws -> ConfigReview {
    guard let (repaired, fixed) = review.repaired() else { return review }
    try FileSystem.replace(review.source.bytes, with: repaired.source.bytes, at: review.source.name)
    for line in fixed.fixedLines(in: review.source.name) { context.note(line) }
    return repaired
  }
}
