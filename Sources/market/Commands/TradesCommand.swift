import Asking
import Config
import MarketData
import Quotes
import Shell
import Views
import Watching

/// `market trades ASSET PAYMENT`
enum TradesCommand {
  private static let count = Option(
    "number", short: "n", value: "N", help: "show the newest N trades, or days", default: "30")
  private static let daily = Option(
    "daily", help: "show one line per day instead: close, change, volume, turnover", category: .output)

  static let command = Command(
    name: "trades",
    summary: "show the newest trades of one pair, or one line per day",
    examples: [
      .init("market trades BTC KRW -e upbit", "the newest trades, and buys against sells"),
      .init("market trades BTC USDT -e binance,okx -n 100 -f csv", "two exchanges as CSV"),
      .init("market trades BTC KRW -e upbit -w", "on a live screen; ? lists its keys"),
      .init("market trades BTC KRW -e upbit --daily", "each day's close and change"),
      .init("market trades BTC KRW -e upbit --daily --zone +09:00", "days from midnight in Korea"),
    ],
    arguments: [.pairAsset, .pairPayment],
    options: [count, daily, .pairResponse, .pairExplain], ScreenOptions.all,
    Option.ofPairs(isFollowed: true, hasPages: true),
    discussion: [
      "The side is the taker's. Trades of twenty times the usual size are highlighted.",
      "Days begin at the exchange's midnight; with --zone they are built from hours if that is at another time. "
        + "A change is relative to the previous day's close.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let pair: PairOptions
    let count: Int
    let isCounted: Bool
    let isDaily: Bool
    /// nil to ask just once.
    let watch: ScreenOptions?

    init(_ words: Invocation) throws(UsageProblem) {
      pair = try PairOptions(words)
      count = try words.integer(of: TradesCommand.count, in: 1...10_000) ?? 30
      isCounted = words.has(TradesCommand.count)
      isDaily = words.has(daily)
      watch = try ScreenOptions.read(words)
      try pair.requireLive(watch, words, without: [TradesCommand.count])
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    if let watch = options.watch { return try await follow(options, watch, in: context) }
    return options.isDaily ? try await days(options, in: context) : try await trades(options, in: context)
  }

  private static func follow(_ options: Options, _ watch: ScreenOptions, in context: Context) async throws -> ExitCode {
    try await PairWatch(
      pairs: PairSession(options.pair, .trades, isFollowed: true, in: context),
      subjects: [.tape, .days(30), .ticker], screen: TapeScreen(showsDays: options.isDaily),
      kind: .trades, interval: .oneDay, options: watch
    ).run(in: context)
  }

  private static func trades(_ options: Options, in context: Context) async throws -> ExitCode {
    let pairs = try PairSession(options.pair, .trades, in: context)
    let answers = await pairs.trades(options.count, isRequired: options.isCounted, in: context)
    return await pairs.write(answers, in: context) {
      TradesReport(answers, at: $0, zone: pairs.zone, isExplained: options.pair.isExplained)
    }
  }

  private static func days(_ options: Options, in context: Context) async throws -> ExitCode {
    let pairs = try PairSession(options.pair, .candles, in: context)
    // The first day's change is relative to the day before.
    let answers = await pairs.candles(
      .oneDay, zoneSeconds: options.pair.zoneSeconds, .newest(options.count + 1), in: context)
    return await pairs.write(answers, in: context) {
      DailyReport(answers, newest: options.count, at: $0, isExplained: options.pair.isExplained)
    }
  }
}
