import Adapters
import Catalog
import MarketData
import Quotes
import Terminal

/// `market test-exchange [NAME ...]`
enum TestExchangeCommand {
  private static let names = Argument(
    "NAME", help: "an exchange of the config, in any letters", isOptional: true, isRepeating: true)
  private static let all = Option("all", help: "every exchange of the config that is enabled")
  private static let live = Option("live", help: "ask the exchanges", category: .network)

  static let command = Command(
    name: "test-exchange",
    summary: "prove a mapping on recorded or live answers",
    examples: [
      .init("market test-exchange Upbit --replay DIR", "on the recordings in DIR"),
      .init("market test-exchange --all --live", "all exchanges, now"),
    ],
    arguments: [names],
    options: [all, live] + Option.asking,
    discussion: [
      "Shows for each field how many rows have it, why the others do not, and which checks of meaning fail: a price "
        + "outside of low and high, a change that does not follow from the open, base and quote volume swapped, a stale time.",
      "Exits with 1 when a mapped path leads nowhere in any row, when more than one row in a hundred fails a check, or when "
        + "an exchange does not answer. Members of an answer that no path reads are no failure.",
    ],
    work: .awaiting(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
    let config = try ConfigLoader(invocation, in: context)
    guard invocation.has(.replay) != invocation.has(live) else {
      throw UsageProblem.other("say where the answers come from: --replay DIR or --live")
    }
    let venues = try venues(invocation, config, in: context)
    let desk = try Desk(config, invocation, in: context)
    let palette = try context.palette(for: invocation, preferring: config.preferredScheme)
    let question = TableQuestion(
      market: nil, pair: nil, fields: Set(TickerField.allCases), options: desk.interpretation(pair: nil))
    var isGood = true
    for venue in venues {
      let reports = await desk.gatherer.reports(on: venue.markets.map { (venue, $0) }, question)
      for (market, report) in zip(venue.markets, reports) {
        let trial = MarketTrial(market, report)
        context.output.write(trial.text(width: context.terminal.columns, palette: palette))
        isGood = isGood && trial.problems.isEmpty
      }
    }
    desk.close()
    return isGood ? .answer : .noAnswer
  }

  private static func venues(_ invocation: Invocation, _ config: ConfigLoader, in context: Context) throws -> [Venue] {
    let wanted = invocation.texts(of: names)
    guard wanted.isEmpty == invocation.has(all) else {
      throw UsageProblem.other("name the exchanges, or say --all")
    }
    let sources = try wanted.isEmpty ? config.catalog.venues : wanted.map { try config.source(named: $0) }
    let venues = sources.compactMap { config.venue($0, in: context) }
    return wanted.isEmpty ? venues.filter(\.isEnabled) : venues
  }
}
