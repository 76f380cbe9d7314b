import Asking
import Config
import MarketData
import Quotes
import Shell
import Views
import Watching

/// `market orderbook ASSET PAYMENT`
enum OrderbookCommand {
  private static let depth = Option(
    "depth", short: "n", value: "N", help: "show this many levels of each side", default: "10", category: .output)
  private static let step = Option(
    "step", value: "PRICE", help: "join the levels to multiples of this: 0.5", category: .output)
  private static let size = Option(
    "size", value: "AMOUNT", help: "walk the book for this much of the asset: 5, 0.25, 10k")

  static let command = Command(
    name: "orderbook",
    summary: "what is bid and asked for one pair",
    examples: [
      .init("market orderbook BTC USDT", "the first exchange that offers it"),
      .init("market orderbook BTC KRW -e upbit,bithumb --depth 15", "two exchanges beside each other"),
      .init("market orderbook BTC USDT -e binance --step 10", "levels joined to multiples of 10"),
      .init(
        "market orderbook BTC USDT -e binance,okx --size 5",
        "what 5 BTC cost, and what buying here and selling there leaves"),
      .init(
        "market orderbook BTC KRW -e upbit,bithumb -w", "the same on a live screen; ? there says which keys it has"),
      .init("market orderbook BTC USDT -e okx --explain", "where the best bid and the best ask come from"),
      .init("market orderbook BTC USDT -e okx --response book.json", "read a saved answer, offline"),
    ],
    arguments: [.pairAsset, .pairPayment],
    options: [depth, step, size, .pairResponse, .pairExplain] + PairWatchOptions.all + Option.ofPairs,
    discussion: [
      "Bars are on one scale: solid the size of a level, shaded all sizes up to it. The ratio of bids to asks counts what is "
        + "shown, and beside it what lies within 0.1 % of the middle.",
      "--size fills an order of the asset at once: the average price, how much worse that is than the best one, and for two "
        + "exchanges what is left after the taker fees that the config has, whichever of them it is bought on.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let pair: PairOptions
    let depth: Int
    let step: Decimal?
    let size: Decimal?
    /// nil to ask just once.
    let watch: PairWatchOptions?

    init(_ words: Invocation) throws(UsageProblem) {
      pair = try PairOptions(words)
      depth = try words.integer(of: OrderbookCommand.depth, in: 1...5000) ?? 10
      step = try words.value(of: OrderbookCommand.step, as: "a number above zero", MoneyAmount.parse)
      size = try words.value(of: OrderbookCommand.size, as: "a number above zero", MoneyAmount.parse)
      watch = try PairWatchOptions.read(words)
      try pair.requireLive(watch, words)
    }
  }

  /// Returns how many levels to request: joined levels and orders need more.
  private static func count(_ options: Options) -> Int {
    options.step == nil && options.size == nil ? max(options.depth, 100) : 5000
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let pairs = try PairSession(options.pair, .orderbook, isFollowed: options.watch != nil, in: context)
    let count = count(options)
    if let watch = options.watch {
      return try await PairWatch(
        pairs: pairs, subjects: [.orderbook(min(count, 1000)), .ticker],
        screen: BookScreen(step: options.step, order: options.size), kind: .orderbook, interval: .oneHour,
        options: watch
      ).run(in: context)
    }
    let answers = await pairs.orderbooks(count, isNoted: options.size == nil, in: context)
    pairs.session.close()
    let fees = zip(pairs.sources, answers).map { source, answer in
      source.market.takerFees?.percent(forPayment: answer.pair.payment)
    }
    let time = pairs.moment
    let report = OrderBookReport(
      answers, depth: options.depth, step: options.step,
      order: options.size.map { OrderBookReport.Order(size: $0, takerFees: fees) },
      identity: pairs.identity, at: time, zone: pairs.zone, isExplained: options.pair.isExplained)
    return pairs.write(report, of: answers, at: time, in: context)
  }
}
