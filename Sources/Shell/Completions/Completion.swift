import Config
import JSON
import Lint
import MarketData
import Quotes

/// The possible completions of a command line, from the commands, the config and the user's favourites, without a
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
  /// The exchange whose pair is meant by the rest of the word, as typed: `upbit` in `upbit:KRW`.
  private var exchange: String?
  /// The names already in the same list.
  private var listed: Set<String> = []
  private var arguments: [String] = []
  /// The value of `--config` in the line.
  private var configPath: String?
  /// The exchanges of `--exchange` in the line, folded; empty for all.
  private var asked: Set<String> = []

  /// - Parameter words: the words after the program's name; the last one is being typed and may be empty.
  package init(_ words: [String], program: Program, in context: Context) {
    (self.program, self.context) = (program, context)
    // bash splits `--format=json`, `upbit:KRW` and `pairs=FILE` into three words.
    let whole = Self.joined(words)
    var before = whole.dropLast().filter { $0 != "=" }[...]
    typed = whole.last == "=" ? "" : whole.last ?? ""
    guard let name = before.popFirst() else {
      wanted = .word(
        typed.hasPrefix("-") ? .oneOf(Program.aliases.keys.filter { $0.hasPrefix("--") }.sorted()) : .command)
      return
    }
    guard let command = program.command(named: Program.aliases[name] ?? name) else { return }
    read(before, of: command)
    if case .word(let kind) = wanted { narrow(kind) }
    // What precedes the colon is a word of its own there; what follows it, up to the last comma, is not.
    if words.count > 1, words.suffix(2).contains(":") {
      lead = lead.lastIndex(of: ":").map { String(lead[lead.index(after: $0)...]) } ?? ""
    }
  }

  /// Joins words around a colon or an equals sign that stands alone, except behind an option, whose value is a word.
  private static func joined(_ words: [String]) -> [String] {
    var joined: [String] = []
    var isOpen = false
    for word in words {
      let isSign = word == ":" || word == "=" && joined.last?.hasPrefix("--") == false
      if let last = joined.indices.last, isSign || isOpen { joined[last] += word } else { joined.append(word) }
      isOpen = isSign
    }
    return joined
  }

  /// Determines what the last word is from those before it.
  private mutating func read(_ words: ArraySlice<String>, of command: Command) {
    var pending: Option?
    var isAfterOptions = false
    var options: [String] = []
    for word in words {
      if let option = pending {
        take(word, for: option)
        pending = nil
      } else if isAfterOptions || word == "-" || !word.hasPrefix("-") {
        arguments.append(word)
      } else if word == "--" {
        isAfterOptions = true
      } else if let (option, value) = Self.option(in: word, of: command) {
        options.append(option.spelling)
        guard option.takesValue else { continue }
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
      wanted = .word(argument.kind(after: arguments.prefix(1) + options))
    } else if typed.isEmpty, !isAfterOptions {
      wanted = .options(command)
    }
  }

  private mutating func take(_ value: String, for option: Option) {
    if option == .config { configPath = value }
    guard option.name == Option.exchange.name else { return }
    asked.formUnion(value.split(separator: ",").map { place in Spelling.folded(String(place.prefix { $0 != ":" })) })
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
      narrow(kind)
    case .place where typed.contains(":"):
      exchange = String(typed.prefix { $0 != ":" })
      cut(behind: ":")
      wanted = .word(.payment)
      // The asset may have been typed with its own payment currency: `BTC/USDT`.
      arguments = arguments.prefix(1).map { word in String(word.prefix { !"/-_:".contains($0) }) }
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
      switch named(DiagnosticExplanation.all.map { Candidate(text: $0.code.rawValue, meaning: $0.title) }) {
      case .words(let codes) where codes.isEmpty: exact(ReasonExplanation.words.map { Candidate(text: $0) })
      case let codes: codes
      }
    case .word(.oneOf(let words)):
      exact(words.filter { !listed.contains(Spelling.folded($0)) }.map { Candidate(text: $0) })
    case .word(.secretName): exact(secretNames.filter { !arguments.contains($0) }.map { Candidate(text: $0) })
    case .word(.product): exact(names(of: .product).map { Candidate(text: $0) })
    case .word(.pair): whole(pairs)
    case .word(.favorite): whole(favorites)
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

  /// Whether the word started in lowercase, which candidates then are in as well.
  private var isSmall: Bool { typed.contains(where: \.isLowercase) && !typed.contains(where: \.isUppercase) }

  /// Returns candidates that must be typed exactly.
  private func exact(_ candidates: [Candidate]) -> Answer {
    .words(
      candidates.filter { $0.text.hasPrefix(typed) }.map { Candidate(text: lead + $0.text, meaning: $0.meaning) })
  }

  /// Returns candidates that match regardless of case, in lowercase if the word started that way.
  private func named(_ candidates: [Candidate]) -> Answer {
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

  /// Returns the pairs that match regardless of case, without those already typed.
  private func whole(_ pairs: [Pair]) -> Answer {
    let words = pairs.map { isSmall ? "\($0)".lowercased() : "\($0)" }.unique
    let known = Set(arguments.map { $0.uppercased() })
    return .words(
      words.filter { $0.uppercased().hasPrefix(typed.uppercased()) && !known.contains($0.uppercased()) }
        .map { Candidate(text: lead + $0) })
  }

  private var favorites: [Pair] {
    context.paths.config.flatMap { try? FavoritesFile(in: $0).read().pairs } ?? []
  }

  /// The pairs that the user follows, and those of each asset that matches what is typed, in its usual payment
  /// currencies.
  private var pairs: [Pair] {
    guard let config else { return [] }
    let known = config.configuration.watchlist.map(\.pair) + favorites
    guard !typed.isEmpty else { return known }
    let exchanges = exchanges(of: config)
    let assets = assets(of: config, on: exchanges).filter { $0.uppercased().hasPrefix(typed.uppercased()) }
    return known
      + assets.unique.flatMap { asset in
        config.commonPayments(of: asset, on: exchanges).prefix(3).map { Pair(asset: asset, payment: $0.name) }
      }
  }

  /// Returns the enabled exchanges, or the one that is named in the word.
  private func exchanges(of config: LoadedConfig) -> [Exchange] {
    let name = exchange.map(Spelling.folded)
    return enabled(config.configuration)
      .filter { name == nil || Spelling.folded($0.name) == name }
      .compactMap { config.configuration.read($0, ExchangeExtent()).exchange }
  }

  /// Returns the assets that the user follows, and those that the config names: what pairs are paid in, unless it is
  /// national money, and what exchanges call otherwise.
  private func assets(of config: LoadedConfig, on exchanges: [Exchange]) -> [String] {
    let coins = config.commonPayments(of: "", on: exchanges).map(\.name).filter { !FiatCurrency.codes.contains($0) }
    let tables = exchanges.flatMap(\.markets).flatMap { $0.tickers + $0.ticker }
    let names = Set(tables.flatMap(\.aliases).map { $0.to })
    let renamed = names.filter { name in name.allSatisfy { $0.isLetter || $0.isNumber } }.sorted()
    let followed: [Pair] = config.configuration.watchlist.map(\.pair) + favorites
    return followed.map(\.asset) + coins + renamed
  }

  /// Returns the currencies that rates are of, national ones first, those of most exchanges before the others.
  private func currencies(of config: LoadedConfig, hasDollars: Bool) -> [String] {
    let codes = FiatCurrency.codes
    let common = config.commonPayments(of: "", on: exchanges(of: config)).map(\.name).filter(codes.contains)
    let tokens = config.configuration.settings.dollarTokens
    let all = common + codes.sorted() + tokens + LoadedConfig.currencyCodes.subtracting(codes).sorted()
    var left: Set<String> = hasDollars ? [] : Set(tokens).union(["USD"])
    if let before = arguments.last { left.insert(config.canonicalAsset(before)) }
    return all.filter { !left.contains($0) }
  }

  private func names(of kind: WordKind) -> [String] {
    guard let config else { return [] }
    let configuration = config.configuration
    switch kind {
    case .exchange, .place: return enabled(configuration).map(\.name)
    case .ownExchange:
      return configuration.exchanges.filter { $0.own.contains { !$0.isShipped } }.map(\.name)
    case .provider: return configuration.providerNames
    case .exchangeOrProvider: return enabled(configuration).map(\.name) + configuration.providerNames
    case .secretOwner:
      return enabled(configuration).filter { !$0.secretNames.isEmpty }.map(\.name)
        + configuration.providerNames.filter { !configuration.secretNames(ofProvider: $0).isEmpty }
    case .asset: return assets(of: config, on: exchanges(of: config))
    case .payment:
      let asset = config.canonicalAsset(arguments.last ?? "")
      return config.commonPayments(of: asset, on: exchanges(of: config)).map(\.name)
    case .product:
      let wanted = exchanges(of: config).filter { asked.isEmpty || asked.contains(Spelling.folded($0.name)) }
      return wanted.flatMap(\.markets).flatMap { $0.products.map(\.name) }.unique
    case .dollar: return ["USD"] + configuration.settings.dollarTokens
    case .currency(let hasDollars): return currencies(of: config, hasDollars: hasDollars)
    case .text, .number, .file, .folder, .command, .findingCode, .secretName, .oneOf, .list, .pair, .favorite:
      return []
    }
  }

  /// The names of the secrets that the exchange or rate provider in the line asks for.
  private var secretNames: [String] {
    guard let configuration = config?.configuration, let owner = arguments.dropFirst().first.map(Spelling.folded)
    else { return [] }
    let exchange = configuration.exchanges.first { Spelling.folded($0.name) == owner }
    let provider = configuration.providerNames.first { Spelling.folded($0) == owner }
    return exchange?.secretNames ?? provider.map(configuration.secretNames) ?? []
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
