import Quotes
package import Shell
package import Terminal
package import Views

package struct ScreenOptions: CommandOptions {
  static let watch = Option("watch", short: "w", help: "follow it on a live screen", category: .output)
  static let once = Option("once", help: "with --watch: print one frame and exit", category: .output)
  package static let size = Option(
    "screen", value: "COLUMNSxROWS",
    help: "the size of the frame (default: that of the terminal, or else 80x24)", category: .output)
  static let plain = Option(
    "plain", help: "with --watch: print lines (the default without a terminal)", category: .output)
  static let every = Option(
    "every", value: "TIME",
    help: "with --watch: print a line per exchange at most this often: 10s, 1m (default: 10s)",
    category: .output)

  package static let all = [watch, once, size, plain, every, .speed]
  /// The options for a list, whose plain lines are the same as without `--watch`.
  package static let ofLists = [watch, once, size, plain, .speed]

  package let isOnce: Bool
  package let isPlain: Bool
  /// nil for that of the terminal.
  package let size: ScreenSize?
  package let everyMilliseconds: Int
  /// nil for that of the locale.
  package let language: Language?
  package let isNDJSON: Bool
  /// The format of lines for a status bar; nil for any other.
  package let bar: BarFormat?
  /// The replay speed; nil if not on the command line.
  package let speed: Int?

  /// Returns nil without `--watch`.
  ///
  /// - Parameter own: the command's options that require `--watch`.
  package static func read(_ words: Invocation, _ own: [Option] = all) throws(UsageProblem) -> ScreenOptions? {
    if words.has(watch) { return try ScreenOptions(words) }
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
    language = try words.choice(of: .textLanguage)
    bar = words.value(of: .lineFormat).flatMap { BarFormat(rawValue: $0) }
    let format: LineFormat = bar == nil ? try words.choice(of: .lineFormat) ?? .text : .text
    isNDJSON = format == .ndjson
    if format == .json || format == .csv { throw .conflict("--watch", "--format \(format.rawValue)") }
    if isOnce, isNDJSON { throw .conflict("--once", "--format ndjson") }
    if let bar, isOnce || isPlain { throw .conflict(isOnce ? "--once" : "--plain", "--format \(bar.rawValue)") }
    everyMilliseconds = try words.milliseconds(of: Self.every, such: "10s or 1m") ?? (isNDJSON ? 1000 : 10_000)
  }
}

extension Invocation {
  /// Returns the option's value as a screen size: `80x24`.
  package func screenSize(of option: Option) throws(UsageProblem) -> ScreenSize? {
    let least = ScreenSize.smallest
    let range = "from \(least.columns)x\(least.rows) to 1000x1000"
    return try value(of: option, as: "columns and rows such as 80x24, \(range)") { text in
      let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard numbers.count == 2, (least.columns...1000).contains(numbers[0]), (least.rows...1000).contains(numbers[1])
      else { return nil }
      return ScreenSize(columns: numbers[0], rows: numbers[1])
    }
  }
}
