import Quotes
package import Shell
package import Terminal
package import Views

/// Options of the live views of one pair.
package struct PairWatchOptions: CommandOptions {
  static let watch = Option("watch", short: "w", help: "follow it on a live screen", category: .output)
  static let once = Option("once", help: "with --watch: print one picture and end", category: .output)
  static let size = Option(
    "screen", value: "COLUMNSxROWS",
    help: "how large that picture is; without it: as the terminal, else 80x24", category: .output)
  static let plain = Option(
    "plain", help: "with --watch: print lines; without a terminal that is the default", category: .output)
  static let every = Option(
    "every", value: "TIME",
    help: "with --watch: print a line of an exchange at most so often: 10s, 1m; without it: 10s",
    category: .output)
  static let language = Option(
    "lang", value: "LANG", help: "the language of the live screen's own words (default: the locale's)",
    choices: Language.allCases.map(\.rawValue), category: .output)

  package static let all = [watch, once, size, plain, every, language, .speed]
  /// Of a list, whose lines are those that it prints without.
  package static let ofLists = [watch, once, size, plain, .speed]

  package let isOnce: Bool
  package let isPlain: Bool
  /// nil: the terminal's.
  package let size: ScreenSize?
  package let everyMilliseconds: Int
  /// nil: the locale's.
  package let language: Language?
  package let isNDJSON: Bool
  /// Of a replay; nil where the command line does not say.
  package let speed: Int?

  /// nil without `--watch`.
  ///
  /// - Parameter own: those of the command that are of use with it alone.
  package static func read(_ words: Invocation, _ own: [Option] = all) throws(UsageProblem) -> PairWatchOptions? {
    if words.has(watch) { return try PairWatchOptions(words) }
    for option in own where words.has(option) {
      throw .other("'\(option.spelling)' needs '--watch'")
    }
    return nil
  }

  package init(_ words: Invocation) throws(UsageProblem) {
    isOnce = words.has(Self.once)
    isPlain = words.has(Self.plain)
    speed = try words.replaySpeed()
    if isOnce, speed != nil { throw .conflict("--once", "--speed") }
    if isOnce, isPlain { throw .conflict("--once", "--plain") }
    size = try words.screenSize(of: Self.size)
    if size != nil, !isOnce { throw .other("'\(Self.size.spelling)' needs '--once'") }
    language = try words.choice(of: Self.language, as: Language.self)
    let format = try words.choice(of: .lineFormat, as: LineFormat.self) ?? .text
    isNDJSON = format == .ndjson
    if format == .json || format == .csv { throw .conflict("--watch", "--format \(format.rawValue)") }
    if isOnce, isNDJSON { throw .conflict("--once", "--format ndjson") }
    everyMilliseconds = try words.milliseconds(of: Self.every, such: "10s or 1m") ?? (isNDJSON ? 1000 : 10_000)
  }
}

extension Invocation {
  /// The option's value as the size of a screen: `80x24`.
  package func screenSize(of option: Option) throws(UsageProblem) -> ScreenSize? {
    try value(of: option, as: "columns and rows such as 80x24, each from 1 to 1000") { text in
      let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard numbers.count == 2, numbers.allSatisfy((1...1000).contains) else { return nil }
      return ScreenSize(columns: numbers[0], rows: numbers[1])
    }
  }
}
