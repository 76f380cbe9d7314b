import Config
import Files
import MarketData
import Quotes
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program as data, and the execution of a command line.
package struct Program: Sendable {
  package let name: String
  /// One line, lowercase, no full stop.
  package let summary: String
  package let examples: [Command.Example]
  /// In the order of the help page.
  package let entries: [Entry]
  /// Words that people type, each with the command they mean.
  let synonyms: [String: String]
  /// Paragraphs at the end of the help page.
  let discussion: [String]
  /// The environment variables that are read, for the manual.
  let environment: [(name: String, meaning: String)]
  /// The files that are read and written, for the manual.
  let files: [(name: String, meaning: String)]

  package init(
    name: String, summary: String, examples: [Command.Example], entries: [Entry], synonyms: [String: String] = [:],
    discussion: [String] = [], environment: [(name: String, meaning: String)] = [],
    files: [(name: String, meaning: String)] = []
  ) {
    (self.name, self.summary, self.examples, self.entries) = (name, summary, examples, entries)
    (self.synonyms, self.discussion, self.environment, self.files) = (synonyms, discussion, environment, files)
  }

  /// A command, created on demand: each has dozens of options, and a run needs only one command.
  package struct Entry: Sendable {
    /// The heading that a command is under, in the order of the help page and of the manual.
    package enum Group: String, CaseIterable, Sendable {
      case commands = "Commands"
      case prices = "Prices"
      case onePair = "One pair"
      case live = "Live"
      case account = "Your accounts"
      case config = "Exchanges and config"
      case program = "The program"
    }

    package let name: String
    let group: Group
    /// Whether it usually queries exchanges, without an option that says so.
    package let queriesExchanges: Bool
    package let command: @Sendable () -> Command

    package init(
      _ name: String, _ group: Group = .commands, queriesExchanges: Bool = false,
      _ command: @escaping @Sendable () -> Command
    ) {
      (self.name, self.group, self.queriesExchanges, self.command) = (name, group, queriesExchanges, command)
    }
  }

  package var commands: [Command] { entries.map { $0.command() } }

  package var shownCommands: [Command] { commands.filter { !$0.isHidden } }

  /// The shown commands under their headings.
  var groups: [(group: Entry.Group, commands: [Command])] {
    Entry.Group.allCases.compactMap { group in
      let commands = entries.filter { $0.group == group }.map { $0.command() }.filter { !$0.isHidden }
      return commands.isEmpty ? nil : (group, commands)
    }
  }

  /// The remaining work once the command line is parsed.
  package enum Step: Sendable {
    case finished(ExitCode)
    /// Asynchronous work that prints its own errors.
    case awaiting(@Sendable () async -> ExitCode)
  }

  package func command(named name: String) -> Command? { entries.first { $0.name == name }?.command() }

  /// Parses the command line and does all the work that needs no task.
  ///
  /// The rest is left to the caller, so that `market --version` never starts the concurrency runtime.
  package func begin(in context: Context) -> Step {
    guard let first = context.arguments.first else {
      context.output.write(HelpPage(program: name).page(of: self))
      return .finished(finish(.answer, in: context))
    }
    do throws(UsageProblem) {
      let rest = Array(context.arguments.dropFirst())
      if let command = command(named: Self.aliases[first] ?? first) {
        return begin(command, words: rest, in: context)
      }
      if first.hasPrefix("--"),
        let near = Spelling.suggestion(for: first, among: Self.aliases.keys.filter { $0.hasPrefix("--") })
      {
        throw .unknownOption(first, suggestion: near)
      }
      if first.hasPrefix("-") { throw .optionBeforeCommand(first) }
      try runExternal(first, arguments: rest, in: context)
      let near = suggestion(for: first)
      if near == nil, let pair = Self.pair(first, rest) {
        let isRate = [pair.asset, pair.payment].allSatisfy(FiatCurrency.codes.contains)
        let advice = isRate ? "for the exchange rate, run: \(name) fx" : "for the price, run: \(name) show"
        throw .other("unknown command '\(first)'; \(advice) \(pair.asset) \(pair.payment)")
      }
      throw .unknownCommand(first, suggestion: near)
    } catch {
      return .finished(report(error, command: nil, mode: .auto, in: context))
    }
  }

  /// Returns the command that was most likely meant by a word; nil if none is likely.
  package func suggestion(for word: String) -> String? {
    synonyms[word.lowercased()] ?? Spelling.suggestion(for: word, among: shownCommands.map(\.name))
  }

  /// Returns the pair to show if no command is named: `market BTC`, `market btc usdt`, `market BTCUSDT`.
  private static func pair(_ first: String, _ rest: [String]) -> Pair? {
    if let pair = PairWord.pair(in: first) { return pair }
    let isKnown = PairWord.isKnown(first)
    // Before a coin, an unknown word is more likely meant as a command.
    let payment = rest.first.flatMap { word in
      PairWord.isPayment(word) && (isKnown || !PairWord.isCoin(word)) ? word.uppercased() : nil
    }
    let isName = !first.isEmpty && first.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let asset = first.uppercased()
    guard isName, payment != nil || isKnown && !FiatCurrency.codes.contains(asset) else { return nil }
    return Pair(asset: asset, payment: payment ?? "USDT")
  }

  /// Common spellings that people try first.
  static let aliases = ["--help": "help", "-h": "help", "--version": "version", "-V": "version"]

  private func begin(_ command: Command, words: [String], in context: Context) -> Step {
    let invocation: Invocation
    do throws(UsageProblem) {
      invocation = try CommandLineParser.parse(words, for: command)
    } catch {
      return .finished(report(error, command: command, mode: .auto, in: context))
    }
    if invocation.has(.help) {
      context.output.write(HelpPage(program: name).page(of: command))
      return .finished(finish(.answer, in: context))
    }
    let mode = invocation.value(of: .color).flatMap(ColorMode.init) ?? .auto
    if let beside = exchangeBesideList(of: invocation, mayBeCoin: false, in: context) {
      return .finished(report(beside.problem, command: command, mode: mode, in: context))
    }
    return begin(command.work, of: command, invocation, mode, in: context)
  }

  /// Returns the word right after a list of exchanges if it is the name of one in the config, which is read only for that.
  ///
  /// - Parameter mayBeCoin: whether to look at a word that may be a coin, or at one that cannot be.
  private func exchangeBesideList(
    of invocation: Invocation, mayBeCoin: Bool, in context: Context
  ) -> Invocation.WordBesideList? {
    let locator = ConfigLocator(context)
    guard let beside = invocation.besideList, beside.mayBeCoin == mayBeCoin, !PairWord.isKnown(beside.word),
      let config = try? LoadedConfig(locator.find(named: ConfigOptions(invocation).path), locator)
    else { return nil }
    return config.configuration.exchange(named: beside.word) == nil ? nil : beside
  }

  private func begin(
    _ work: Command.Work, of command: Command, _ invocation: Invocation, _ mode: ColorMode, in context: Context
  ) -> Step {
    switch work {
    case .depending(let choose):
      return begin(choose(invocation), of: command, invocation, mode, in: context)
    case .immediate(let work):
      do {
        return .finished(end(try work(invocation, context), invocation, in: context))
      } catch {
        return .finished(end(error, of: command, invocation, mode, in: context))
      }
    case .awaiting(let work):
      return .awaiting {
        do {
          return end(try await work(invocation, context), invocation, in: context)
        } catch {
          return end(error, of: command, invocation, mode, in: context)
        }
      }
    }
  }

  /// Ends the run of a command.
  private func end(_ code: ExitCode, _ invocation: Invocation, in context: Context) -> ExitCode {
    noteExchange(after: code, invocation, in: context)
    return finish(code, in: context)
  }

  /// Ends the run of a command that has failed.
  private func end(
    _ error: any Error, of command: Command, _ invocation: Invocation, _ mode: ColorMode, in context: Context
  ) -> ExitCode {
    if error is UsageProblem, let beside = exchangeBesideList(of: invocation, mayBeCoin: true, in: context) {
      return report(beside.problem, command: command, mode: mode, in: context)
    }
    let code = report(error, command: command, mode: mode, in: context)
    noteExchange(after: code, invocation, in: context)
    return code
  }

  /// Where there is no answer, a word that was taken for a coin may have been meant as an exchange.
  private func noteExchange(after code: ExitCode, _ invocation: Invocation, in context: Context) {
    guard code == .noAnswer, let beside = exchangeBesideList(of: invocation, mayBeCoin: true, in: context) else {
      return
    }
    context.note("'\(beside.word)' is an exchange; did you mean \(beside.remedy)?")
  }

  /// Prints an error that ends the run. Nothing else does.
  private func report(_ error: any Error, command: Command?, mode: ColorMode, in context: Context) -> ExitCode {
    let report = ErrorReport(
      error, program: name, command: command, palette: context.errorPalette(mode: mode),
      width: min(context.terminal.errorColumns ?? 100, 160), columns: context.terminal.errorColumns)
    context.output.flush()
    context.errorOutput.write(context.redacted(report.text))
    return report.exitCode
  }

  /// Flushes the output; an answer that could not be written does not count as one.
  private func finish(_ code: ExitCode, in context: Context) -> ExitCode {
    context.output.flush()
    guard let failure = context.output.failure else { return code }
    context.errorOutput.write("error: \(failure)\n")
    return .noAnswer
  }

  /// Replaces the process with `market-NAME` if there is such a program in `PATH`; returns if there is none.
  ///
  /// An empty `PATH` entry means the working directory and is skipped: a file there by chance must not be run.
  private func runExternal(_ word: String, arguments: [String], in context: Context) throws(UsageProblem) {
    guard !word.contains("/") else { return }
    let folders = (context.environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    let candidates = folders.lazy.map { "\($0)/\(name)-\(word)" }
    guard let path = candidates.first(where: FileSystem.isExecutable) else { return }
    let reason = ProcessControl.become(path, arguments: arguments)
    throw .other("cannot run '\(path)': \(reason)")
  }
}

extension Invocation.WordBesideList {
  fileprivate var problem: UsageProblem { .other("\(UsageProblem.unexpectedArgument(word)); write \(remedy)") }
}
