import Config
package import Quotes
package import Shell
import Views

/// Options of the commands about one pair: its order book, trades, candles.
extension Option {
  static let pairExchange = Option(
    "exchange", short: "e", value: "A,B",
    help: "query these exchanges; with A:KRW, an exchange's pair in another payment currency", kind: .list(.place))

  static let pairMarket = market("query this market", default: .spot)

  static let pairProduct = Option(
    "product", value: "NAME",
    help:
      "query this group of an exchange's futures, as 'market exchanges NAME' lists them: inverse (default: the first "
      + "that lists the pair)",
    kind: .product)

  static let pairCurrency = Option(
    "in", value: "CURRENCY", help: "also show prices in this currency", kind: .currency(hasDollars: true))

  package static let zone = Option(
    "zone", value: "OFFSET",
    help: "show times at this offset from UTC: +09:00, KST or UTC (default: UTC, for KRW KST)",
    category: .output)

  package static let pairResponse = Option(
    "response", short: "r", value: "FILE",
    help:
      "read this saved answer of one exchange instead of querying; '-' is standard input, NAME=FILE the answer "
      + "of a lookup, tickers=FILE the table of all pairs",
    kind: .file)

  package static let pairExplain = Option(
    "explain",
    help:
      "show where the numbers of the newest record, or of the best levels, come from: request, path, raw digits, scale, value",
    category: .output)

  /// - Parameters:
  ///   - isFollowed: whether the command has `--watch`.
  ///   - hasPages: whether it may request several pages of candles.
  package static func ofPairs(isFollowed: Bool, hasPages: Bool) -> [Option] {
    [pairExchange, pairMarket, pairProduct, pairCurrency, zone, lineFormat, digits, textLanguage, scheme, glyphs]
      + asking(within: .timeout(isFollowed: isFollowed, hasPages: hasPages))
  }
}

extension Invocation {
  /// Returns the value of `--zone`; nil without it.
  package func zone() throws(UsageProblem) -> ClockZone? {
    let named: [String: ClockZone] = ["KST": .seoul, "UTC": .utc]
    func zone(_ text: String) -> ClockZone? {
      named[text.uppercased()] ?? Self.offsetSeconds(text).map { ClockZone(offsetSeconds: $0) }
    }
    if let text = value(of: .zone), text.first?.isLetter == true, zone(text) == nil {
      throw .other("unknown time zone '\(text)' in '--zone'; write its offset from UTC, such as +09:00")
    }
    return try value(of: .zone, as: "an offset such as +09:00, or KST or UTC", zone)
  }

  /// Returns the seconds east of UTC of `+09:00`, and of what is short for it: `+9`, `+09`, `+0900`.
  private static func offsetSeconds(_ text: String) -> Int? {
    if let seconds = UTCOffset.seconds(text) { return seconds }
    let digits = text.dropFirst()
    guard let sign = text.first, [1, 2, 4].contains(digits.count) else { return nil }
    let hours = digits.prefix(digits.count == 4 ? 2 : digits.count)
    let minutes = digits.dropFirst(hours.count)
    return UTCOffset.seconds("\(sign)\(hours.count == 1 ? "0" : "")\(hours):\(minutes.isEmpty ? "00" : minutes)")
  }
}

/// The arguments of those commands.
extension Argument {
  package static let pairAsset = Argument(
    "ASSET", help: "the asset: BTC; or the pair in one word: BTC/USDT", kind: .asset)
  package static let pairPayment = Argument(
    "PAYMENT",
    help:
      "the currency it is priced in: USDT (default: the one that most exchanges have, or a dollar token that nearly as many "
      + "have)", isOptional: true, kind: .payment)
}

package struct PairOptions: CommandOptions {
  /// An exchange, and the payment currency if it differs from that of the pair.
  package struct Place: Hashable, Sendable, CustomStringConvertible {
    package let exchange: String
    package let payment: String?

    /// `upbit`, `upbit:KRW`
    package init(_ word: Substring) {
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      exchange = parts[0]
      payment = parts.count > 1 ? parts[1] : nil
    }

    package var description: String { exchange + (payment.map { ":\($0)" } ?? "") }
  }

  /// The command that the arguments belong to.
  let command: String
  /// As typed; the config has the canonical names.
  package let asset: String
  /// nil for the default.
  let payment: String?
  /// nil for the first exchange that offers it.
  package let places: [Place]?
  package let market: Market
  /// The group of futures; nil for the first of each exchange that lists the pair.
  let product: String?
  package let currency: String?
  /// nil for the one suggested by the pair.
  package let zoneSeconds: Int?
  package let format: LineFormat
  /// nil for that of the locale.
  let language: Language?
  package let asking: AskingOptions
  /// Files that replace the exchange's answers.
  package let responses: [String]
  /// Whether to explain how numbers were derived; always false for commands without that option.
  package let isExplained: Bool

  package init(_ words: Invocation) throws(UsageProblem) {
    command = words.command.name
    (asset, payment) = try PairArgument.pair(
      words.text(of: .pairAsset), words.optionalText(of: .pairPayment), of: command)
    places = try Self.places(words, of: .pairExchange)
    product = words.value(of: .pairProduct)
    let named: Market? = words.has(.pairMarket) ? try words.choice(of: .pairMarket) : nil
    if product != nil, named == .spot { throw .conflict("--product", "--market spot") }
    market = named ?? (product == nil ? .spot : .futures)
    currency = words.value(of: .pairCurrency)
    zoneSeconds = try words.zone()?.offsetSeconds
    format = try words.choice(of: .lineFormat) ?? .text
    language = try words.textLanguage(for: format)
    asking = try AskingOptions(words)
    responses = words.values(of: .pairResponse)
    isExplained = words.has(.pairExplain)
    if isExplained, format == .csv { throw .conflict("--explain", "--format csv") }
    if !responses.isEmpty {
      guard let places, places.count == 1 else {
        throw .other("'--response' is the answer of one exchange; name it with --exchange")
      }
      if currency != nil { throw .conflict("--response", "--in") }
    }
  }

  /// Rejects options that do not apply to a live screen.
  ///
  /// - Parameter own: those of the command.
  package func requireLive(
    _ watch: ScreenOptions?, _ words: Invocation, without own: [Option] = []
  ) throws(UsageProblem) {
    guard watch != nil else { return }
    for option in [Option.pairResponse, .pairExplain, .pairCurrency, .digits] + own where words.has(option) {
      throw .conflict("--watch", "--\(option.name)")
    }
  }

  /// Returns the exchanges named by an option; nil without it.
  package static func places(_ words: Invocation, of option: Option) throws(UsageProblem) -> [Place]? {
    guard words.has(option) else { return nil }
    let places = words.values(of: option).flatMap { $0.split(separator: ",") }.map { Place($0) }
    guard !places.isEmpty, places.allSatisfy({ !$0.exchange.isEmpty && $0.payment != "" }) else {
      throw .other("missing exchange in '--\(option.name)'; write --\(option.name) A,B")
    }
    return places.unique
  }
}
