import MarketData
import Terminal
import Views

/// `market list [EXCHANGE]`
enum ListCommand {
  private static let exchange = Argument(
    "EXCHANGE", help: "the exchange to list; without it the pairs of all that are enabled, joined", isOptional: true,
    kind: .exchange)
  private static let filter = Option(
    "filter", value: "WORDS",
    help: "pairs whose symbol or name fits every word; '|' is or, and Korean may be typed in part: ㅂㅌ",
    category: .output)

  static let command = Command(
    name: "list",
    summary: "pairs with the names of their assets, sorted",
    examples: [
      .init("market list Upbit", "every pair of Upbit, the largest turnover first"),
      .init("market list Upbit --sort change --reverse --top 20", "the twenty that have fallen most"),
      .init("market list --filter 'krw ㅂㅌ|리플'", "all exchanges, both ends of each pair"),
      .init("market list Bithumb -f csv", "for a spreadsheet"),
    ],
    arguments: [exchange],
    options: [.exchange, filter] + ListOptions.all + [ListOptions.noTrend] + Option.asking,
    discussion: [
      "Above the pairs stand the ten with the largest turnover of 24 hours in the payment currency that most pairs have, each with "
        + "its closes of a day.",
      "Names are the exchange's own where it sends any (Upbit and Bithumb do), else those of the others, by symbol; a line says "
        + "so. Prices and turnovers are sorted within a payment currency, changes within the span that they are measured over.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let exchange: String?
    let exchanges: [String]?
    let filter: String?
    let list: ListOptions

    init(_ words: Invocation) throws(UsageProblem) {
      exchange = words.optionalText(of: ListCommand.exchange)
      exchanges = try words.exchangeNames()
      filter = words.value(of: ListCommand.filter)
      list = try ListOptions(words)
      if exchange != nil, exchanges != nil { throw .other("name the exchange once: as EXCHANGE, or with --exchange") }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let lister = try PairLister(
      options.list, options.exchange.map { [$0] } ?? options.exchanges, isOfOne: options.exchange != nil, in: context)
    let (listing, trends) = await context.showing(lister.session.journal) {
      let listing = await lister.listing(in: context)
      let asksTrend = options.list.format == .text && options.list.asksTrend && options.filter == nil
      return (listing, asksTrend ? await lister.trends(of: listing) : [])
    }
    lister.session.close()
    let order = PairListReport.Order(
      sort: options.list.sort ?? .turnover, isReversed: options.list.isReversed, top: options.list.top,
      filter: options.filter)
    var entries: [PairListing.Entry]?
    if let filter = options.filter {
      let places = NameFilter(filter).places(in: lister.subjects(of: listing.entries, listing))
      entries = order.sort.ordered(
        places.map { listing.entries[$0] }, reversed: order.isReversed, options.list.rule, lister.language)
    }
    return lister.write(listing, entries, order: order, trends: trends, in: context)
  }
}
