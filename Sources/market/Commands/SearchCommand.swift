import Asking
import MarketData
import Quotes
import Shell
import Terminal
import Views

/// `market search WORD...`
enum SearchCommand {
  private static let word = Argument(
    "WORD", help: "a symbol, a name in English or Korean, or a part of one; every word must match", isRepeating: true,
    kind: .asset)

  static let command = Command(
    name: "search",
    summary: "find pairs by symbol or name, in English or Korean",
    examples: [
      .init("market search 비트코인", "by name"),
      .init("market search ㅂㅌ krw", "by the first letters, paid in won"),
      .init("market search 'doge|shib' -e upbit,binance", "either of two, on two exchanges"),
      .init("market search ether --sort turnover --top 5", "sorted by turnover, not by how well the name matches"),
    ],
    arguments: [word],
    options: [.exchange], ListOptions.all, Option.asking,
    discussion: [
      "Korean may be typed in part: 빝 and ㅂㅌ find 비트코인. Letters typed in the wrong keyboard layout are "
        + "corrected: qlxm is 비트, and ㅠㅅㅊ is BTC. The best match comes first.",
      "Exits with 1 if nothing matches.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let words: String
    let list: ListOptions

    init(_ words: Invocation) throws(UsageProblem) {
      self.words = words.texts(of: SearchCommand.word).joined(separator: " ")
      list = try ListOptions(words)
      guard !NameFilter(self.words).isEmpty else { throw .other("missing word to search for") }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let lister = try PairLister(options.list, in: context)
    let listing = await context.showing(lister.session.journal) { await lister.listing(in: context) }
    lister.session.close()
    // Among equally good matches, the pair on the most exchanges comes first.
    let known = ListSort.exchanges.ordered(listing.entries, reversed: false, options.list.rule, lister.language)
    let places = NameFilter(options.words).places(in: lister.subjects(of: known, listing))
    var entries = places.map { known[$0] }
    if let sort = options.list.sort {
      entries = sort.ordered(entries, reversed: options.list.isReversed, options.list.rule, lister.language)
    } else if options.list.isReversed {
      entries.reverse()
    }
    let order = PairListReport.Order(
      sort: options.list.sort ?? .fit, isReversed: options.list.isReversed, top: options.list.top,
      filter: options.words)
    let code = lister.write(listing, entries, order: order, in: context)
    if entries.isEmpty, !listing.entries.isEmpty { context.note(Self.hint(options.words, listing)) }
    return code
  }

  /// `no pair matches 'rippel'; did you mean 'Ripple'?`
  private static func hint(_ words: String, _ listing: PairListing) -> String {
    let names = listing.entries.flatMap { entry in
      [entry.pair.asset, entry.named?.name.korean, entry.named?.name.english].compactMap(\.self)
    }
    if let coin = Pair.coin(ofBundle: words.uppercased()), names.contains(coin) {
      return TerminalText.sanitized(
        "no pair matches '\(words)'; exchanges' bundles of \(coin) are priced per coin, as \(coin)")
    }
    let near = NameFilter.nearest(to: words, in: names).map { "; did you mean '\($0)'?" } ?? ""
    return TerminalText.sanitized("no pair matches '\(words)'\(near)")
  }
}
