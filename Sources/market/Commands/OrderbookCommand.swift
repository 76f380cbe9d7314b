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
    "step", value: "PRICE", help: "group the levels into multiples of this: 0.5", category: .output)
  private static let size = Option(
    "size", value: "AMOUNT", help: "walk the book for this much of the asset: 5, 0.25, 10k")

  static let command = Command(
    name: "orderbook",
    summary: "show the order book of one pair",
    examples: [
      .init("market orderbook BTC USDT", "the first exchange that offers it"),
      .init("market orderbook BTC KRW -e upbit,bithumb --depth 15", "two exchanges side by side"),
      .init("market orderbook BTC USDT -e binance --step 10", "levels grouped into multiples of 10"),
      .init(
        "market orderbook BTC USDT -e binance,okx --size 5",
        "the cost of 5 BTC, and the profit from buying on one and selling on the other"),
      .init(
        "market orderbook BTC KRW -e upbit,bithumb -w", "on a live screen; ? lists its keys"),
      .init("market orderbook BTC USDT -e okx --explain", "where the best bid and the best ask come from"),
      .init("market orderbook BTC USDT -e okx --response book.json", "read a saved answer, offline"),
    ],
    arguments: [.pairAsset, .pairPayment],
    options: [depth, step, size, .pairResponse, .pairExplain], ScreenOptions.all,
    Option.ofPairs(isFollowed: true, hasPages: false),
    discussion: [
      "All bars share one scale: solid for a level's size, shaded for the running total. The ratio of bids to "
        + "asks is given for the levels shown, and for those within 0.1 % of the mid price.",
      "--size fills an order for the asset at once: it shows the average price, how much worse that is than the "
        + "best price and, for two exchanges, the profit after taker fees in either direction.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let pair: PairOptions
    let depth: Int
    let step: Decimal?
    let size: Decimal?
    /// nil to ask just once.
    let watch: ScreenOptions?

    init(_ words: Invocation) throws(UsageProblem) {
      pair = try PairOptions(words)
      depth = try words.integer(of: OrderbookCommand.depth, in: 1...5000) ?? 10
      step = try words.value(of: OrderbookCommand.step, as: "a number above zero", AmountText.aboveZero)
      size = try words.value(of: OrderbookCommand.size, as: "a number above zero", AmountText.aboveZero)
      watch = try ScreenOptions.read(words)
      try pair.requireLive(watch, words, without: [OrderbookCommand.depth])
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let pairs = try PairSession(options.pair, .orderbook, isFollowed: options.watch != nil, in: context)
    // Joined levels and orders need more.
    let count = options.step == nil && options.size == nil ? max(options.depth, 100) : 5000
    if let watch = options.watch {
      return try await PairWatch(
        pairs: pairs, subjects: [.orderbook(min(count, 1000)), .ticker],
        screen: BookScreen(step: options.step, order: options.size), kind: .orderbook, interval: .oneHour,
        options: watch
      ).run(in: context)
    }
    let answers = await pairs.orderbooks(count, isNoted: options.size == nil, in: context)
    let fees = zip(pairs.sources, answers).map { source, answer in
      source.market.takerFees?.percent(of: answer.pair)
    }
    return await pairs.write(answers, in: context) {
      OrderBookReport(
        answers, depth: options.depth, step: options.step,
        order: options.size.map { OrderBookReport.Order(size: $0, takerFees: fees) },
        identity: pairs.identity, at: $0, zone: pairs.zone, isExplained: options.pair.isExplained)
    }
  }
}
