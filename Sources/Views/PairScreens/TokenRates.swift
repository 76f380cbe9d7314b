import Mapping
import MarketData
import Quotes

/// The price of a dollar token in local money on one exchange, bar by bar: what `market chart` converts by, too.
struct TokenRates {
  private let source: PairBoard.Source
  private let dollars: [String]
  private let closes: [Instant: Decimal]

  init(_ source: PairBoard.Source, dollarTokens: [String]) {
    self.source = source
    dollars = ["USD"] + dollarTokens
    closes = source.findings.contains(where: \.discreditsPrices) ? [:] : source.candles?.closesWithEnd ?? [:]
  }

  var basis: ChartReport.RateBasis { .token(source.pair) }

  /// `by USDT/KRW at Upbit`
  func words(_ language: Language) -> String {
    language(
      "\(basis.words(language)) at \(source.name(language))", "\(source.name(language)) \(basis.words(language))")
  }

  /// Returns whether it converts from one currency to another: one of them is the local money, the other is in dollars.
  func covers(from payment: String, to currency: String) -> Bool {
    let local = source.pair.payment
    return payment == local && dollars.contains(currency) || dollars.contains(payment) && currency == local
  }

  /// Returns the rate of the bar that starts then; nil if it is not known.
  func rate(from payment: String, at start: Instant) -> TimedRate? {
    closes[start].flatMap { payment == source.pair.payment ? Decimal(1).divided(by: $0) : $0 }.map { TimedRate($0) }
  }

  /// Returns the rate of the newest bar; nil if it is not known, or possibly old.
  func latest(from payment: String, at now: Instant) -> TimedRate? {
    // A bar that has not begun is no last price either.
    guard let last = source.lastPrice(at: now, .standard), last.age < Self.lateAfter,
      let start = closes.keys.filter({ !$0.isFuture(at: now) }).max()
    else { return nil }
    return rate(from: payment, at: start)
  }

  /// In nanoseconds. The newest bars are requested every ten seconds, and take their time.
  private static let lateAfter = 30 * Instant.second

  /// Why bars have no rate: `timeout`, `no bar of USDT/KRW`.
  func absence(_ language: Language) -> String {
    if let finding = source.findings.first(where: \.discreditsPrices) { return finding.kind.rawValue }
    if case .page(let failure) = source.shortfall { return failure.reason.code }
    guard source.answered != nil else { return language("loading", "불러오는 중") }
    return language("no bar of \(source.pair)", "\(source.pair) 봉 없음")
  }
}
