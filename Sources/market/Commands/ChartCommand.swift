import Asking
import Config
import Files
import MarketData
import Quotes
import Shell
import Terminal
import Views
import Watching

/// `market chart ASSET PAYMENT`
enum ChartCommand {
  private static let count = Option(
    "number", short: "n", value: "N", help: "draw the newest N intervals (default: as many as fit)")
  private static let premium = Option(
    "premium", value: "A,B",
    help: "also draw the premium of A over B; with upbit:KRW, an exchange's pair in another payment currency",
    kind: .list(.place))
  private static let rows = Option(
    "rows", value: "N", help: "the height of the chart, in lines", default: "24", category: .output)
  private static let scale = Option(
    "scale", value: "SCALE", help: "draw prices, their percent from the left edge, or their logarithms",
    default: ChartScale.price.rawValue, choices: ChartScale.names, category: .output)
  private static let svg = Option(
    "svg", value: "FILE", help: "write the chart to FILE as SVG; '-' is standard output", kind: .file,
    category: .output)

  static let command = Command(
    name: "chart",
    summary: "draw candles and volume, or several exchanges as lines",
    examples: [
      .init("market chart BTC USDT", "the first exchange that offers it"),
      .init("market chart BTC USDT -e binance -i 10m", "candles of ten minutes"),
      .init("market chart BTC USDT -e binance,okx,bybit", "three exchanges as lines"),
      .init("market chart BTC USDT --premium upbit:KRW,binance", "the premium of Upbit over Binance, over time"),
      .init(
        "market chart BTC USDT -e binance,okx -w",
        "on a live screen, to zoom and scroll; ? lists its keys"),
      .init("market chart BTC USDT -i 1d --svg btc.svg", "the same as an image for a browser"),
    ],
    arguments: [.pairAsset, .pairPayment],
    options: [CandleOptions.interval, CandleOptions.since, CandleOptions.until, count, premium, rows, scale, svg],
    ScreenOptions.all, Option.ofPairs(isFollowed: true, hasPages: true),
    discussion: [
      "The line between the candles is (open + close) / 2, and their volume is below. An interval without "
        + "trades is a gap, and the running candle is dim. In ASCII, a body is O if the candle closed above its open, # if "
        + "below, = if neither or still running.",
      "Prices in different currencies are converted candle by candle at the dollar token's price on the local "
        + "exchange itself, if it has one, or else at the latest rate, which the chart notes.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let pair: PairOptions
    let candles: CandleOptions
    let premium: [PairOptions.Place]?
    let rows: Int
    let scale: ChartScale
    let svg: String?
    /// Whether the command line specifies which candles are wanted.
    let isCounted: Bool
    /// nil to ask just once.
    let watch: ScreenOptions?

    init(_ words: Invocation) throws(UsageProblem) {
      pair = try PairOptions(words)
      premium = try PairOptions.places(words, of: ChartCommand.premium)
      if let premium, premium.count != 2 { throw Self.needsTwo(premium) }
      rows = try words.integer(of: ChartCommand.rows, in: 6...200) ?? 24
      scale = try words.choice(of: ChartCommand.scale) ?? .price
      svg = words.value(of: ChartCommand.svg)
      let count = try words.integer(of: ChartCommand.count, in: 2...5000)
      isCounted = count != nil || words.has(CandleOptions.since) || words.has(CandleOptions.until)
      candles = try CandleOptions(words, count: count, usual: 120)
      watch = try ScreenOptions.read(words)
      for option in [ChartCommand.rows, ChartCommand.scale] where words.has(option) && pair.format != .text {
        throw .conflict(option.spelling, "--format \(pair.format.rawValue)")
      }
      if svg != nil, words.has(.lineFormat) { throw .conflict("--svg", "--format") }
      if svg != nil, words.has(.textLanguage) { throw .conflict("--svg", "--lang") }
      if svg != nil, words.has(ChartCommand.rows) { throw .conflict("--rows", "--svg") }
      if words.has(ChartCommand.scale), watch?.isPlain == true { throw .conflict("--scale", "--plain") }
      try pair.requireLive(
        watch, words,
        without: [
          CandleOptions.since, CandleOptions.until, ChartCommand.svg, ChartCommand.rows, ChartCommand.count,
        ])
    }

    /// A premium has two sides, and these places are one or more than two.
    static func needsTwo(_ places: [PairOptions.Place]) -> UsageProblem {
      .invalidValue(
        option: "--premium", value: places.map(\.description).joined(separator: ","), valid: ["two exchanges: A,B"])
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    // A live screen draws the premium of the first over the second.
    let (named, compared) = (options.pair.places ?? [], options.premium ?? [])
    let places = (options.watch == nil ? named + compared : compared + named).unique
    let pairs = try PairSession(
      options.pair, .candles, places.isEmpty ? nil : places, isFollowed: options.watch != nil,
      isDrawn: options.svg != nil, in: context)
    let premium = try options.premium.map { two in
      (of: try pairs.index(of: two[0]), over: try pairs.index(of: two[1]))
    }
    if let premium, premium.of == premium.over { throw Options.needsTwo(options.premium ?? []) }
    let interval = options.candles.interval
    // Days with different midnights cannot be compared.
    let common = pairs.sources.count > 1 ? pairs.dayZone(interval, zoneSeconds: nil)?.offsetSeconds ?? 0 : nil
    let zone = options.candles.zoneSeconds(options.pair) ?? common
    if let watch = options.watch {
      return try await PairWatch(
        pairs: pairs, subjects: [.candles(interval, count: 200, zoneSeconds: zone), .ticker],
        screen: CandleScreen(showsPremium: premium != nil, scale: options.scale), kind: .candles, interval: interval,
        options: watch
      ).run(in: context)
    }
    let isFitted = !options.isCounted && options.svg == nil
    let span =
      isFitted
      ? .newest(CandleChart.count(columns: context.terminal.columns ?? 80))
      : try options.candles.span(
        at: pairs.session.clock(), in: pairs.zone, days: pairs.dayZone(interval, zoneSeconds: zone))
    async let rates = ChartRates(pairs, interval, zoneSeconds: zone, span, premium: premium)
    let answers = await pairs.candles(interval, zoneSeconds: zone, span, isNoted: false, in: context)
    let conversions = await rates
    try options.candles.requireShortSpan(answers)
    if isFitted, answers.contains(where: \.isUnrecorded) {
      context.note(
        "the recording may lack this --interval, or this number of candles, which follows the width of the terminal: give the "
          + "--interval and --number that it was made with")
    }
    let report = ChartReport(
      sources(answers, of: pairs, conversions), currency: conversions.currency, premium: premium,
      identity: pairs.identity, at: pairs.moment, zone: pairs.zone, rows: options.rows, scale: options.scale,
      rateNotes: conversions.notes, pairs.language)
    let code = try await write(report, answers, of: pairs, options, in: context)
    return report.lacksPremium ? .noAnswer : code
  }

  private static func sources(
    _ answers: [PairAnswer<CandleSeries>], of pairs: PairSession, _ rates: ChartRates
  ) -> [ChartReport.Source] {
    let badges = pairs.session.configuration.badges
    return zip(pairs.sources, answers).map { source, answer in
      let (payment, exchange) = (answer.pair.payment, answer.exchange)
      return ChartReport.Source(
        answer, badge: pairs.sources.badge(of: source, badges), estimate: rates.estimate(from: payment, on: exchange),
        basis: rates.basis(from: payment, on: exchange), rate: { rates.rate(from: payment, on: exchange, at: $0) })
    }
  }

  private static func write(
    _ report: ChartReport, _ answers: [PairAnswer<CandleSeries>], of pairs: PairSession, _ options: Options,
    in context: Context
  ) async throws -> ExitCode {
    guard let svg = options.svg else { return await pairs.write(answers, in: context) { _ in report } }
    pairs.session.close()
    let page = pairs.session.page(options.pair.asking, at: report.time, in: context)
    try write(report, to: svg, page.palette.scheme, in: context)
    return await pairs.conclude(answers, namesAbsent: true, in: context)
  }

  /// - Parameter file: the name of a file; `-` is standard output.
  private static func write(_ report: ChartReport, to file: String, _ scheme: ColorScheme, in context: Context) throws {
    // A picture of nothing must not replace one of something.
    guard !report.isEmpty else { return context.note("nothing to draw; '\(file)' is not written") }
    let bytes = report.svg(scheme: scheme)
    if file == "-" {
      context.output.write(bytes: bytes)
    } else {
      try FileSystem.writeAtomically(bytes, to: file, isDurable: false)
      context.note("wrote \(file)")
    }
  }
}
