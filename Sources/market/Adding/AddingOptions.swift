import Config
import Inference
import Quotes

/// The options of `add-exchange` that say what a sample means, read.
struct AddingOptions {
  /// What goes before the inference, held against the sample.
  var hints: SampleHints
  var market: Market
  /// Somebody has said it, and knows better than the sample.
  let isMarketGiven: Bool
  /// Roles that stay out.
  let excluded: Set<Role>
  let changeBasis: ChangeBasis?
  /// `percent` or `ratio`.
  let changeUnit: String?
  let changeScale: Decimal?
  let timeForm: TimeRole.Form?
  /// What is laid over the block.
  let keys: GivenKeys
  /// How one pair is asked for; nil where that is not said.
  let ticker: ConfigValue?

  static let symbol = Option(
    "symbol", value: "ASSET/PAYMENT", help: "a pair that is in the answer, or that it is about", category: .rows)
  static let baseURL = Option(
    "base-url", value: "URL", help: "where it answers: https://api.example.com; once more for each other host",
    category: .request)
  static let tickers = Option(
    "tickers", value: "PATH", help: "the path of the answer, with its query; or the whole address", category: .request)
  static let market = Option(
    "market", short: "m", value: "MARKET", help: "what the answer is a table of", default: Market.spot.rawValue,
    choices: Market.allCases.map(\.rawValue), category: .rows)
  static let rows = Option("rows", value: "PATH", help: "where the rows stand: $.data[*]", category: .rows)
  static let symbolPath = Option(
    "symbol-path", value: "PATH", help: "where a row names its pair; 'key' is the name of the row's own member",
    category: .rows)
  static let assetPath = Option(
    "asset-path", value: "PATH", help: "where a row names its asset, beside --payment-path", category: .rows)
  static let paymentPath = Option(
    "payment-path", value: "PATH", help: "where a row names its payment currency", category: .rows)
  static let split = Option(
    "split", value: "TEXT", help: "what stands between asset and payment currency; 'payment' where nothing does",
    category: .rows)
  static let order = Option(
    "order", value: "ORDER", help: "which of the two comes first", choices: ["asset-payment", "payment-asset"],
    category: .rows)
  static let prefix = Option("prefix", value: "TEXT", help: "what every symbol begins with", category: .rows)
  static let suffix = Option("suffix", value: "TEXT", help: "what every symbol ends with", category: .rows)
  static let payment = Option(
    "payment", value: "LIST",
    help: "the payment currencies as the exchange writes them: KRW,BTC; or a group of them: stable=USDT,USDC, "
      + "once for each", category: .rows)
  static let changeBasis = Option(
    "change-basis", value: "BASIS", help: "what the change is measured from",
    choices: ChangeBasis.allCases.map(\.rawValue), category: .fields)
  static let changeUnit = Option(
    "change-unit", value: "UNIT", help: "what the change counts", choices: ["percent", "ratio"], category: .fields)
  static let changeScale = Option(
    "change-scale", value: "FACTOR", help: "what makes a percentage of the change: 100 for a ratio", category: .fields)
  static let timeUnit = Option(
    "time-unit", value: "UNIT", help: "what the time counts, or how it is written",
    choices: TimeUnit.allCases.map(\.rawValue) + ["iso8601"], category: .fields)
  static let places = Role.allCases.map { role in
    Option(
      role.rawValue, value: "PATH", help: "where the \(role.rawValue) of a row stands; '-' leaves it out",
      category: .fields)
  }

  static let all =
    [baseURL, tickers] + RequestFlags.all + GivenKeys.request
    + [market, rows, symbol, symbolPath, assetPath, paymentPath, split, order, prefix, suffix, payment]
    + GivenKeys.pairs + places + [changeBasis, changeUnit, changeScale, timeUnit, GivenKeys.missing]
    + GivenKeys.judging + GivenKeys.exchange

  init(_ invocation: Invocation) throws {
    market = try invocation.choice(of: Self.market, as: Market.self) ?? .spot
    isMarketGiven = invocation.has(Self.market)
    changeBasis = try invocation.choice(of: Self.changeBasis, as: ChangeBasis.self)
    changeUnit = invocation.value(of: Self.changeUnit)
    changeScale = try Self.scale(invocation)
    timeForm = Self.timeForm(invocation.value(of: Self.timeUnit))
    var hints = SampleHints(pair: try invocation.value(of: Self.symbol).map { try Self.pair($0) })
    hints.rows = try Self.path(Self.rows, invocation)
    hints.symbol = try Self.symbolHint(invocation)
    hints.isFutures = market == .futures
    var excluded: Set<Role> = []
    for (role, option) in zip(Role.allCases, Self.places) {
      if invocation.value(of: option) == "-" {
        excluded.insert(role)
      } else if let path = try Self.path(option, invocation) {
        hints.paths[role] = path
      }
    }
    self.hints = hints
    self.excluded = excluded
    keys = try GivenKeys(invocation)
    ticker = try keys.tickerBlock()
  }

  private static func symbolHint(_ invocation: Invocation) throws(UsageProblem) -> SampleHints.Symbol {
    var hint = SampleHints.Symbol()
    hint.path = invocation.value(of: symbolPath) == "key" ? "key" : try path(symbolPath, invocation)
    hint.asset = try path(assetPath, invocation)
    hint.payment = try path(paymentPath, invocation)
    guard (hint.asset == nil) == (hint.payment == nil) else {
      throw .other("--asset-path and --payment-path belong together")
    }
    hint.split = invocation.value(of: split)
    if hint.split == "" { throw .invalidValue(option: split.spelling, value: "", valid: ["a separator, or 'payment'"]) }
    hint.isPaymentFirst = invocation.value(of: order) == "payment-asset"
    hint.prefix = invocation.value(of: prefix)
    hint.suffix = invocation.value(of: suffix)
    for list in invocation.values(of: payment) {
      let currencies = payments(in: list.contains("=") ? String(list.drop { $0 != "=" }.dropFirst()) : list)
      if currencies.isEmpty || list.hasPrefix("=") {
        throw .invalidValue(option: payment.spelling, value: list, valid: ["currencies such as KRW,BTC"])
      }
      hint.payments += currencies
    }
    return hint
  }

  /// The currencies of a list, with commas or blanks between them.
  static func payments(in list: String) -> [String] {
    list.split { $0 == "," || $0 == " " }.map(String.init)
  }

  private static func path(_ option: Option, _ invocation: Invocation) throws(UsageProblem) -> String? {
    guard let text = invocation.value(of: option), text != "-" else { return nil }
    guard isPath(text) else {
      throw .invalidValue(option: option.spelling, value: text, valid: ["a JSONPath such as $.last"])
    }
    return text
  }

  static func isPath(_ text: String) -> Bool { SampleHints.isPath(text) }

  private static func scale(_ invocation: Invocation) throws(UsageProblem) -> Decimal? {
    guard let text = invocation.value(of: changeScale) else { return nil }
    guard invocation.value(of: changeUnit) == nil else {
      throw .other("--change-unit and --change-scale say the same; give one of them")
    }
    guard let factor = Decimal(text), factor > 0 else {
      throw .invalidValue(option: changeScale.spelling, value: text, valid: ["a number above zero"])
    }
    return factor
  }

  private static func timeForm(_ text: String?) -> TimeRole.Form? {
    text == "iso8601" ? .iso8601(saysZone: true) : text.flatMap { TimeUnit(rawValue: $0) }.map { .unit($0) }
  }

  static func pair(_ text: String) throws(UsageProblem) -> Pair {
    guard let pair = Pair(text) else {
      throw .invalidValue(option: symbol.spelling, value: text, valid: ["a pair such as BTC/KRW"])
    }
    return pair
  }
}
