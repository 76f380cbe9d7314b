import Config
import Inference
import Lint
import MarketData
import Quotes

/// The possible completions of a command line, from the commands, the config and the known currencies, without a
/// network.
package struct Completion {
  /// A matching word and its meaning.
  package struct Candidate: Hashable, Sendable {
    package let text: String
    package var meaning = ""
  }

  package enum Answer: Hashable, Sendable {
    case words([Candidate])
    /// Left to the shell, which does these better.
    case files
    case folders
  }

  private enum Wanted {
    case options(Command)
    case word(WordKind)
  }

  private let program: Program
  private let context: Context
  private var wanted = Wanted.word(.text)
  /// The typed part of the word that candidates replace.
  private var typed: String
  /// The part of the word before it: `--format=`, `upbit,`, `BTC/`.
  private var lead = ""
  /// The names already in the same list.
  private var listed: Set<String> = []
  private var arguments: [String] = []
  /// The value of `--config` in the line.
  private var configPath: String?

  /// - Parameter words: the words after the program's name; the last one is being typed and may be empty.
  package init(_ words: [String], program: Program, in context: Context) {
    (self.program, self.context) = (program, context)
    // bash splits `--format=json` into three words.
    var before = words.dropLast().filter { $0 != "=" }[...]
    typed = words.last == "=" ? "" : words.last ?? ""
    guard let name = before.popFirst() else {
      wanted = .word(
        typed.hasPrefix("-") ? .oneOf(Program.aliases.keys.filter { $0.hasPrefix("--") }.sorted()) : .command)
      return
    }
    guard let command = program.command(named: Program.aliases[name] ?? name) else { return }
    read(before, of: command)
    if case .word(let kind) = wanted { narrow(kind) }
  }

  /// Determines what the last word is from those before it.
  private mutating func read(_ words: ArraySlice<String>, of command: Command) {
    var pending: Option?
    var isAfterOptions = false
    for word in words {
      if let option = pending {
        take(word, for: option)
        pending = nil
      } else if isAfterOptions || word == "-" || !word.hasPrefix("-") {
        arguments.append(word)
      } else if word == "--" {
        isAfterOptions = true
      } else if let (option, value) = Self.option(in: word, of: command), option.takesValue {
        if let value { take(value, for: option) } else { pending = option }
      }
    }
    if let pending {
      wanted = .word(pending.kind)
    } else if !isAfterOptions, typed.hasPrefix("-") {
      if typed.hasPrefix("--"), let (option, value) = Self.option(in: typed, of: command), let value {
        lead = option.spelling + "="
        typed = value
        wanted = .word(option.kind)
      } else {
        wanted = .options(command)
      }
    } else if let argument = command.arguments.dropFirst(arguments.count).first
      ?? command.arguments.last(where: \.isRepeating)
    {
      wanted = .word(argument.kind)
    } else if typed.isEmpty, !isAfterOptions {
      wanted = .options(command)
    }
  }

  private mutating func take(_ value: String, for option: Option) {
    if option == .config { configPath = value }
  }

  /// Returns the option named by a word, and its value if in the same word.
  private static func option(in word: String, of command: Command) -> (Option, value: String?)? {
    if word.hasPrefix("--") {
      let (name, value) = CommandLineParser.parts(ofLongOption: word)
      return command.option(named: name).map { ($0, value) }
    }
    let value = word.dropFirst(2)
    return word.dropFirst().first.flatMap { command.option(short: $0) }.map {
      ($0, value.isEmpty ? nil : String(value))
    }
  }

  /// Splits lists and pairs, of which only the last name is completed.
  private mutating func narrow(_ kind: WordKind) {
    switch kind {
    case .list(let kind):
      listed = Set(typed.split(separator: ",").map { Spelling.folded(String($0)) })
      cut(behind: ",")
      listed.remove(Spelling.folded(typed))
      wanted = .word(kind)
    case .asset where typed.contains("/"), .pair where typed.contains("/"):
      cut(behind: "/")
      wanted = .word(.payment)
      arguments = [String(lead.dropLast())]
    default: break
    }
  }

  private mutating func cut(behind sign: Character) {
    guard let place = typed.lastIndex(of: sign) else { return }
    lead += typed[...place]
    typed = String(typed[typed.index(after: place)...])
  }

  // MARK: Answer

  package var answer: Answer {
    switch wanted {
    case .word(.text), .word(.number), .word(.list): .words([])
    case .word(.file): .files
    case .word(.folder): .folders
    case .word(.command): exact(program.shownCommands.map { Candidate(text: $0.name, meaning: $0.summary) })
    case .word(.findingCode):
      named(DiagnosticExplanation.all.map { Candidate(text: $0.code.rawValue, meaning: $0.title) })
    case .word(.oneOf(let words)):
      exact(words.filter { !listed.contains(Spelling.folded($0)) }.map { Candidate(text: $0) })
    case .word(let kind): named(names(of: kind).map { Candidate(text: $0) })
    case .options(let command):
      exact(
        command.options.flatMap { option in
          let short = option.short.map { Candidate(text: "-\($0)", meaning: option.help) }
          return [Candidate(text: option.spelling, meaning: option.help)]
            + (typed.count > 1 ? [short].compactMap(\.self) : [])
        })
    }
  }

  /// Returns candidates that must be typed exactly.
  private func exact(_ candidates: [Candidate]) -> Answer {
    .words(
      candidates.filter { $0.text.hasPrefix(typed) }.map { Candidate(text: lead + $0.text, meaning: $0.meaning) })
  }

  /// Returns candidates that match regardless of case, in lowercase if the word started that way.
  private func named(_ candidates: [Candidate]) -> Answer {
    let isSmall = typed.contains(where: \.isLowercase) && !typed.contains(where: \.isUppercase)
    var seen: Set<String> = []
    return .words(
      candidates.compactMap { candidate in
        // Without punctuation, no character is special to a shell, and exchanges are still found.
        let name = candidate.text.filter { $0.isLetter || $0.isNumber }
        guard !name.isEmpty, name.lowercased().hasPrefix(typed.lowercased()),
          !listed.contains(Spelling.folded(name)), seen.insert(name).inserted
        else { return nil }
        return Candidate(text: lead + (isSmall ? name.lowercased() : name), meaning: candidate.meaning)
      })
  }

  private func names(of kind: WordKind) -> [String] {
    guard let config else { return [] }
    let configuration = config.configuration
    switch kind {
    case .exchange: return enabled(configuration).map(\.name)
    case .ownExchange:
      return configuration.exchanges.filter { $0.own.contains { !$0.isShipped } }.map(\.name)
    case .provider: return configuration.providerNames
    case .exchangeOrProvider: return enabled(configuration).map(\.name) + configuration.providerNames
    case .asset, .pair: return configuration.watchlist.map(\.pair.asset) + CurrencyCode.coins
    case .payment:
      let asset = config.canonicalAsset(arguments.last ?? "")
      let exchanges = enabled(configuration).compactMap { configuration.read($0, ExchangeExtent()).exchange }
      return config.commonPayments(of: asset, on: exchanges).map(\.name)
    case .text, .number, .file, .folder, .command, .findingCode, .oneOf, .list: return []
    }
  }

  private func enabled(_ configuration: Configuration) -> [ExchangeSource] {
    configuration.exchanges.filter { $0.isEnabled() }
  }

  /// nil if there is no usable config, in which case nothing from it can be completed.
  private var config: LoadedConfig? {
    let locator = ConfigLocator(context)
    let isAtHome = configPath?.hasPrefix("~/") ?? false
    // The shell passes the word as typed.
    let path = isAtHome ? context.paths.home.map { $0 + (configPath ?? "").dropFirst() } : configPath
    guard let found = try? locator.find(named: path) else { return nil }
    return try? LoadedConfig(found, locator)
  }
}
