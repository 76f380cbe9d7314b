import Asking
import Config
import MarketData
import Shell
import Views

/// `market candles ASSET PAYMENT`
enum CandlesCommand {
  private static let count = Option(
    "number", short: "n", value: "N", help: "the candles of the newest N intervals (default: 100, or all since --since)"
  )

  static let command = Command(
    name: "candles",
    summary: "show the candles of one pair: open, high, low, close, volume",
    examples: [
      .init("market candles BTC USDT -e binance -i 1h", "the newest 100 hours"),
      .init("market candles BTC USDT -e binance -i 1h --since 2026-11-01 -f csv", "every page since then, as CSV"),
      .init("market candles BTC KRW -e upbit -i 10m -n 500", "the newest 500"),
    ],
    arguments: [.pairAsset, .pairPayment],
    options: [CandleOptions.interval, CandleOptions.since, CandleOptions.until, count, .pairResponse, .pairExplain],
    Option.ofPairs(isFollowed: false, hasPages: true), live: "run: market chart BTC USDT -w",
    discussion: [
      "An interval that the exchange does not offer is built from the largest one that divides it. Intervals without "
        + "trades may be missing: they are reported, not filled. The running candle is marked.",
      "All pages of the span are requested, newest first. If an older page fails, the newer candles are "
        + "printed, the reason is reported, and the exit code is 1.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let pair: PairOptions
    let candles: CandleOptions

    init(_ words: Invocation) throws(UsageProblem) {
      pair = try PairOptions(words)
      candles = try CandleOptions(
        words, count: try words.integer(of: CandlesCommand.count, in: 1...100_000), usual: 100)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let pairs = try PairSession(options.pair, .candles, in: context)
    let zone = options.candles.zoneSeconds(options.pair)
    let span = try options.candles.span(
      at: pairs.session.clock(), in: pairs.zone, days: pairs.dayZone(options.candles.interval, zoneSeconds: zone))
    let answers = await pairs.candles(options.candles.interval, zoneSeconds: zone, span, in: context)
    try options.candles.requireShortSpan(answers)
    return await pairs.write(answers, in: context) {
      CandlesReport(answers, at: $0, zone: pairs.zone, isExplained: options.pair.isExplained)
    }
  }
}
