import Config

/// Parses the words after a command's name according to the command's data.
///
/// The grammar: `--name value`, `--name=value`, `--flag`, `-x value`, `-xvalue`, `-x`; options and arguments in any
/// order; `--` ends the options; `-` alone is an argument, as is a negative number if the command takes a number. A value
/// that begins with `-` is written `--name=-value`, except for a negative number. There are no abbreviations: a
/// misspelled name is an error that suggests the right one.
struct CommandLineParser {
  private let command: Command
  private var words: ArraySlice<String>
  private var positional: [String] = []
  private var optionValues: [String: [String]] = [:]
  /// The option with a list and its value, if these are what was read last.
  private var list: (option: Option, value: String)?
  /// The first argument that comes right after a list, and so may belong to it: its index, the option, and how that is
  /// written then.
  private var listed: (index: Int, option: Option, remedy: String)?

  private init(_ words: [String], for command: Command) {
    (self.command, self.words) = (command, words[...])
  }

  /// Parses the words after the command's name. With `--help`, nothing else is required.
  static func parse(_ words: [String], for command: Command) throws(UsageProblem) -> Invocation {
    var parser = CommandLineParser(words, for: command)
    try parser.readWords()
    let asksForHelp = parser.optionValues[Option.help.name] != nil
    let arguments = asksForHelp ? [:] : try parser.assignArguments()
    return Invocation(
      command: command, arguments: arguments, optionValues: parser.optionValues, besideList: parser.besideList)
  }

  /// Where nothing comes before it, it is more likely what the command is asked for.
  private var besideList: Invocation.WordBesideList? {
    guard let listed, listed.index > 0, case let word = positional[listed.index] else { return nil }
    switch listed.option.kind {
    case .list(.exchange), .list(.place):
      return .init(word: word, mayBeCoin: word == word.uppercased(), remedy: listed.remedy)
    default: return nil
    }
  }

  private mutating func readWords() throws(UsageProblem) {
    while let word = words.popFirst() {
      let list = list
      self.list = nil
      if word == "--" {
        positional += words
        words = []
      } else if word.hasPrefix("--") {
        try readLongOption(word)
      } else if word.hasPrefix("-"), word != "-", !isNumber(word) {
        try readShortOption(word)
      } else {
        if let list, listed == nil {
          listed = (positional.count, list.option, "\(list.option.spelling) \(list.value),\(word)")
        }
        positional.append(word)
      }
    }
  }

  /// Returns whether a word is a number below zero, of a command that takes a number.
  private func isNumber(_ word: String) -> Bool {
    word.dropFirst().first?.isNumber == true && command.arguments.contains { $0.kind == .number }
  }

  private mutating func readLongOption(_ word: String) throws(UsageProblem) {
    let (name, value) = Self.parts(ofLongOption: word)
    guard let option = command.option(named: name) ?? Self.synonyms[name].flatMap(command.option(named:)) else {
      try refuseLive(name == "watch", word)
      // `--json` for `--format json`.
      if let option = command.options.first(where: { $0.choices.contains(name) }) {
        throw .other("unknown option '--\(name)'; write \(option.short.map { "-\($0)" } ?? option.spelling) \(name)")
      }
      let near = Spelling.suggestion(for: name, among: command.options.map(\.name))
      throw .unknownOption("--" + name, suggestion: near.map { "--" + $0 })
    }
    try add(option, spelled: option.spelling, value: value)
  }

  /// Names that an option has elsewhere, accepted where nothing else has them: `--size` is an order's amount on the screen
  /// of a book.
  private static let synonyms = ["size": "screen"]

  /// Splits `--name` or `--name=value`.
  static func parts(ofLongOption word: String) -> (name: String, value: String?) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
  }

  private mutating func readShortOption(_ word: String) throws(UsageProblem) {
    let letters = word.dropFirst()
    let rest = String(letters.dropFirst())
    let option = letters.first.flatMap { command.option(short: $0) }
    if option == nil { try refuseLive(letters == "w", word) }
    // A single dash before a long name is the most likely mistake.
    let near = rest.isEmpty ? nil : Spelling.suggestion(for: String(letters), among: command.options.map(\.name))
    guard let option, rest.isEmpty || (option.takesValue && (near == nil || option.choices.contains(rest))) else {
      throw .unknownOption(word, suggestion: near.map { "--" + $0 })
    }
    try add(option, spelled: String(word.prefix(2)), value: rest.isEmpty ? nil : rest)
  }

  /// Says where the live view is of what a command prints once.
  private func refuseLive(_ asksForLive: Bool, _ word: String) throws(UsageProblem) {
    guard asksForLive, let live = command.live else { return }
    throw .other("unknown option '\(word)'; for a live screen, \(live)")
  }

  private mutating func add(_ option: Option, spelled spelling: String, value: String?) throws(UsageProblem) {
    guard let valueName = option.valueName else {
      if let value { throw .unexpectedValue(option: spelling, value: value) }
      optionValues[option.name, default: []].append("")
      return
    }
    guard let text = value ?? nextWordAsValue() else {
      throw .missingValue(option: spelling, valueName: valueName)
    }
    if !option.choices.isEmpty, !option.choices.contains(text) {
      throw .invalidValue(option: option.spelling, value: text, valid: option.choices)
    }
    optionValues[option.name, default: []].append(text)
    if case .list = option.kind { list = (option, text) }
  }

  /// Takes the next word unless it looks like an option.
  private mutating func nextWordAsValue() -> String? {
    guard let word = words.first else { return nil }
    let isNumber = word.dropFirst().first?.isNumber ?? false
    guard !word.hasPrefix("-") || word == "-" || isNumber else { return nil }
    return words.popFirst()
  }

  private func assignArguments() throws(UsageProblem) -> [String: [String]] {
    var assigned: [String: [String]] = [:]
    var rest = positional[...]
    for argument in command.arguments {
      if argument.isRepeating, !rest.isEmpty {
        assigned[argument.name] = Array(rest)
        rest = []
      } else if let word = rest.popFirst() {
        assigned[argument.name] = [word]
      } else if !argument.isOptional {
        let isOfMarket = [.asset, .pair].contains(argument.kind)
        throw .missingArgument(argument.name, example: isOfMarket ? command.examples.first?.line : nil)
      }
    }
    if let extra = rest.first {
      if let listed, listed.index == rest.startIndex {
        throw .other("\(UsageProblem.unexpectedArgument(extra)); write \(listed.remedy)")
      }
      throw command.surplus(positional) ?? .unexpectedArgument(extra)
    }
    return assigned
  }
}
