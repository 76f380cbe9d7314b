import Asking
import Config
import Live
import MarketData
import Quotes
import Shell
import Views
import Watching

/// `market stream PAIR...`
enum StreamCommand {
  /// What users can ask for: the channels of `StreamChannel` with these names.
  private enum Channel: String, CaseIterable { case ticker, trades, orderbook, candles }

  private static let pair = Argument(
    "PAIR", help: "the pairs: BTC USDT, BTC/USDT, BTC USDT ETH USDT", isRepeating: true, kind: .pair)
  private static let channel = Option(
    "channel", value: "A,B", help: "what to stream: ticker, trades, orderbook, candles",
    default: Channel.ticker.rawValue, kind: .list(.oneOf(Channel.names)))
  private static let market = Option.market("stream only this market")
  private static let interval = Option(
    "interval", short: "i", value: "INTERVAL", help: "the length of one candle",
    default: CandleInterval.oneMinute.rawValue, choices: CandleInterval.names)
  private static let span = Option("for", value: "TIME", help: "stop after this long: 60s, 5m (default: never)")
  private static let number = Option("number", short: "n", value: "N", help: "stop after this many events with data")
  private static let timeout = Option(
    "timeout", value: "SECONDS",
    help: "give up any request, and any connection that is not open, after this long, at most 600 (default: the "
      + "config's, 5 seconds)",
    category: .network)
  private static let format = Option.format(
    as: StreamFormat.self, help: "output format; ndjson is one JSON object per line")
  private static let explain = Option(
    "explain", help: "show the source below each event: connection, message, paths, raw digits, checks",
    category: .output)

  static let command = Command(
    name: "stream",
    summary: "stream pairs from every exchange, one line per event",
    examples: [
      .init("market stream BTC USDT", "every exchange, by its stream where it has one"),
      .init("market stream BTC USDT ETH USDT -e binance,okx --channel trades", "trades of two pairs on two exchanges"),
      .init("market stream BTC KRW -e upbit --channel orderbook,trades -f ndjson --for 60s", "a minute as JSON lines"),
      .init("market stream BTC USDT --record tape --for 5m", "record what arrives, for replay"),
      .init("market stream BTC USDT --replay tape --speed 10", "replay it at ten times the speed"),
      .init("market stream BTC USDT -e okx -n 3 --explain", "which message and which member each value comes from"),
    ],
    arguments: [pair],
    options: [channel, .exchange, market, interval, span, number, .zone, format, explain, .speed, .scheme, .glyphs],
    Option.asking(within: timeout),
    discussion: [
      "Each event has exchange, market, pair, channel, the exchange's own time, the time of arrival, and "
        + "numbers with all their digits. What an exchange does not stream is polled by REST as often as its config "
        + "says: 'source' is stream or rest.",
      "'connected', 'fallback' and 'gap' are events too: while a stream is broken, its pairs are polled by "
        + "REST, and the event says why and when the stream is retried. A slow reader gets only the newest prices, "
        + "books and candles, and 'missed' says how many it did not get.",
      "With --explain, the event is followed by the connection, the message as it arrived, and for each field "
        + "the path, the characters there and what was done with them: 'table' marks what the stream does not send, "
        + "'kept from before' what this message does not. JSON has it under 'explain'; of several trades, only "
        + "on the newest.",
      "It ends on SIGINT or SIGTERM, when its reader is gone, after --for or --number, and at the end of a replay.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let pairs: [Pair]
    let channels: [StreamChannel]
    let markets: [Market]
    let interval: CandleInterval
    let milliseconds: Int?
    let number: Int?
    let zone: ClockZone
    let format: StreamFormat
    let isExplained: Bool
    /// nil for no limit.
    let speed: Int?
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      pairs = try PairArgument.pairs(words.texts(of: pair), of: "stream")
      let named = try words.choices(of: channel, Channel.init(rawValue:)) ?? []
      if named.isEmpty { throw .other("missing channel in '--channel'; write --channel ticker,trades") }
      channels = named.compactMap { StreamChannel(rawValue: $0.rawValue) }
      markets = try words.choice(of: market).map { [$0] } ?? Market.allCases
      interval = try words.choice(of: StreamCommand.interval) ?? .oneMinute
      if words.has(StreamCommand.interval), !channels.contains(.candles) {
        throw .other("'--interval' needs '--channel candles'")
      }
      number = try words.integer(of: StreamCommand.number, in: 1...1_000_000_000)
      format = try words.choice(of: StreamCommand.format) ?? .text
      isExplained = words.has(explain)
      if isExplained, format == .csv {
        throw .other("'--explain' does not fit in a table; write --format text or ndjson")
      }
      zone = try words.zone() ?? (pairs.allSatisfy { $0.payment == "KRW" } ? .seoul : .utc)
      asking = try AskingOptions(words)
      speed = try words.replaySpeed()
      milliseconds = try words.milliseconds(of: span, such: "60s or 5m", atLeast: 1)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(options.asking.config, in: context)
    let session = try MarketSession(config, options.asking, isContinuous: true, in: context)
    defer { session.close() }
    try session.requireNetwork()
    let extent = ExchangeExtent(markets: options.markets, blocks: BlockKind.allCases, hasStreams: true)
    let exchanges = try config.chosenExchanges(options.asking.exchanges, extent, in: context)
    let markets = exchanges.flatMap { $0.enabled(among: options.markets) }
    let pairs = options.pairs.map { config.canonicalPair($0) }
    let query = StreamQuery(
      pairs, options.channels, interval: options.interval, session.interpretation(traces: options.isExplained))
    // Skip exchanges without such a payment currency.
    let able = markets.filter { _, market in (market.tickers + market.ticker).contains(where: query.mayBe) }
    try requireSome(of: exchanges, among: Set(able.map(\.exchange.name)), pairs, options, in: context)
    let writer = StreamWriter(
      options.format, zone: options.zone,
      palette: context.palette(options.asking.colors, preferring: config.preferredScheme), most: options.number,
      isExplained: options.isExplained, in: context)
    if let folder = options.asking.replay {
      let replay = try StreamReplay(session, able, query, from: folder)
      for name in replay.cut {
        context.note("the recording of \(name) ends in the middle of a line, which is left out")
      }
      let (hasData, unplayed) = await writer.write(replay, speed: options.speed, for: options.milliseconds)
      for (name, count) in unplayed {
        let what = count.counted("recorded message or answer", plural: "recorded messages and answers")
        context.note("\(what) of \(name) \(count == 1 ? "was" : "were") not played; this is not all of the run")
      }
      return hasData && unplayed.isEmpty ? .answer : .noAnswer
    }
    let run = StreamRun(session, able, query)
    let (hasData, ending) = await writer.write(run, for: options.milliseconds, in: context)
    var notice = RecordingNotice(session)
    notice.say(in: context)
    if case .signal(let number)? = ending {
      context.output.flush()
      LiveEnding.end(by: number)
    }
    return hasData ? .answer : .noAnswer
  }

  /// Names the exchanges that were asked for and have none of the pairs.
  ///
  /// - Throws: if no exchange has any.
  private static func requireSome(
    of exchanges: [Exchange], among able: Set<String>, _ pairs: [Pair], _ options: Options, in context: Context
  ) throws(CommandError) {
    let place = options.markets.count == 1 ? options.markets.map { " in its \($0.rawValue) market" }.joined() : ""
    let subject = pairs.map(\.description).listed("or") + place
    guard !able.isEmpty else {
      let who = options.asking.exchanges == nil ? "no exchange in the config" : "none of these exchanges"
      throw .noAnswer("\(who) has \(subject)")
    }
    for exchange in exchanges where options.asking.exchanges != nil && !able.contains(exchange.name) {
      context.note("\(exchange.name) has no \(subject)")
    }
  }
}
