import MarketData
import Quotes
import Shell
import Terminal
import Watching

/// `market favorites add|remove|list [PAIR...]`
enum FavoritesCommand {
  private enum Action: String, CaseIterable { case add, remove, list }

  private static let action = Argument(
    "ACTION", help: "add, remove or list; without it: list", isOptional: true, kind: .oneOf(Action.names))
  private static let pair = Argument(
    "PAIR", help: "the pairs: BTC/KRW", isOptional: true, isRepeating: true, kind: .pair,
    after: [Action.remove.rawValue: .favorite, Action.list.rawValue: .text])

  static let command = Command(
    name: "favorites",
    summary: "mark pairs that 'market watch' follows",
    examples: [
      .init("market favorites add BTC/KRW XRP/KRW", "mark two pairs"),
      .init("market favorites remove XRP/KRW", "unmark one"),
      .init("market favorites", "list them"),
    ],
    arguments: [action, pair],
    options: [.config],
    discussion: [
      "Favourites are kept in ~/.config/market/favorites.json, a JSON array of pairs such as \"BTC/KRW\". A "
        + "running 'market watch' reloads it when it changes. A file that cannot be read is never overwritten.",
      "--config does not move the file; only its aliases count, by which XBT/KRW is stored as BTC/KRW.",
    ],
    work: .now(run))

  private struct Options: CommandOptions {
    let action: Action
    let pairs: [Pair]
    let config: ConfigOptions

    init(_ words: Invocation) throws(UsageProblem) {
      action = try words.choice(of: FavoritesCommand.action) ?? .list
      let typed = words.texts(of: FavoritesCommand.pair)
      if action == .list, !typed.isEmpty { throw .other("'market favorites list' takes no pair") }
      pairs = try PairArgument.wholePairs(typed, of: "favorites \(action.rawValue)")
      if action != .list, pairs.isEmpty {
        throw .other("missing pair; write it like: market favorites \(action.rawValue) BTC/KRW")
      }
      config = ConfigOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    guard let folder = context.paths.config else {
      throw CommandError.noAnswer("no folder for favourites: \(UserPaths.absence(of: "XDG_CONFIG_HOME"))")
    }
    let file = FavoritesFile(in: folder)
    do {
      switch options.action {
      case .list:
        // Nothing is read from it, but a file that is named has to be there.
        if options.config.path != nil { _ = try LoadedConfig(options.config, in: context) }
        let pairs = try file.read().pairs
        if pairs.isEmpty { context.note("no favourites are stored; run: market favorites add BTC/KRW") }
        for pair in pairs { context.output.write(TerminalText.sanitized("\(pair)") + "\n") }
      case .add, .remove:
        // Pairs are stored under the config's names.
        let config = try LoadedConfig(options.config, in: context)
        let pairs = options.pairs.map { config.canonicalPair($0) }
        let isAdding = options.action == .add
        var changed: [Pair] = []
        try file.update { favorites in
          changed = pairs.filter { isAdding ? favorites.insert($0) : favorites.remove($0) }
          return !changed.isEmpty
        }
        for pair in pairs {
          let word = isAdding ? "added" : "removed"
          let no = isAdding ? "is already a favourite" : "is not a favourite"
          context.note(changed.contains(pair) ? "\(word) \(pair)" : "\(pair) \(no)")
        }
        if !isAdding, pairs.contains(where: { !changed.contains($0) }) { return .noAnswer }
      }
    } catch let problem as UserFileProblem {
      throw CommandError.noAnswer(problem.sentence(of: file.path))
    }
    return .answer
  }
}
