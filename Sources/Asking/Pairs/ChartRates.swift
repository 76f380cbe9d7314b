import Config
import Mapping
package import MarketData
package import Quotes
package import Views

/// The rates at which a chart's prices are converted to one currency.
///
/// Sources in dollars and in local money are linked by a dollar token: the local exchange's own USDT price, candle by
/// candle. If it has none, the latest rate is used, and marked as such.
package struct ChartRates: Sendable {
  /// The chart's currency.
  package let currency: String
  /// The price of one unit of the payment currency in `currency`, by the start of each interval.
  private var series: [Place: [Instant: Decimal]] = [:]
  /// The latest rate, for unknown past ones.
  private var latest: [Place: Conversion] = [:]
  /// The pair of a dollar token whose candles the rates are.
  private var tokens: [Place: Pair] = [:]
  /// What is to be said about the prices of tokens.
  package private(set) var notes: [String] = []
  /// That of the notes.
  private let language: Language

  /// Where money is exchanged: each exchange has its own token price.
  private struct Place: Hashable {
    let exchange: String
    let payment: String
  }

  /// - Parameter premium: The two sources whose premium is drawn, by index. Dollars are converted at the token's price on
  ///   the local exchange among them, so that a third one does not change their premium.
  package init(
    _ pairs: PairSession, _ interval: CandleInterval, zoneSeconds: Int?, _ span: CandleQuery.Span,
    premium: (of: Int, over: Int)? = nil
  ) async {
    language = pairs.language
    let payments = pairs.sources.map(\.query.pair.payment)
    let tokens = pairs.session.configuration.settings.dollarTokens
    currency = pairs.currency ?? payments.first { tokens.contains($0) } ?? payments.first ?? ""
    let compared = (premium.map { [$0.of, $0.over] } ?? []).map { pairs.sources[$0] }
    for source in pairs.sources {
      let payment = source.query.pair.payment
      let place = Place(exchange: source.exchange.name, payment: payment)
      guard payment != currency, series[place] == nil, latest[place] == nil else { continue }
      let local = Self.exchange(of: payment, in: currency, (compared + pairs.sources), tokens)
      // Two in one local currency are compared at one price of the token, and so without any.
      let asked = local ?? compared.first { $0.query.pair.payment == payment } ?? source
      for pair in Self.pairs(from: payment, to: currency, isLocal: local != nil, tokens) where series[place] == nil {
        let answer = await pairs.session.client.candles(
          CandleQuery(PairQuery(pair, asked.query.options), interval, zoneSeconds: zoneSeconds, span),
          on: asked.market, of: asked.exchange.name
        ).series(conversion: nil, zone: pairs.zone, pairs.language)
        take(answer, of: pair, from: payment, at: place, isInverse: local == nil)
      }
      guard series[place] == nil else { continue }
      latest[place] = await pairs.session.client.conversion(
        from: payment, to: currency, pairs.session.configuration, source.query.options)
    }
    // Several dollar exchanges are linked by the candles of one token.
    notes = notes.unique
  }

  /// Returns the local exchange at whose price dollars are converted, for a chart in local money; nil for another chart.
  private static func exchange(
    of payment: String, in currency: String, _ sources: [PairPoller.Source], _ tokens: [String]
  ) -> PairPoller.Source? {
    let isInDollars = currency == "USD" || tokens.contains(currency)
    guard tokens.contains(payment) || payment == "USD" && !isInDollars else { return nil }
    return sources.first { $0.query.pair.payment == currency }
  }

  /// Returns the pairs whose price is the rate: of the currency itself, or else of the token that most exchanges have,
  /// which counts as one dollar.
  private static func pairs(
    from payment: String, to currency: String, isLocal: Bool, _ tokens: [String]
  ) -> [Pair] {
    let (asset, local) = isLocal ? (payment, currency) : (currency, payment)
    let isInDollars = ["USD"] + tokens
    let stand = isInDollars.contains(asset) && !isInDollars.contains(local) ? tokens.first : nil
    return [asset, stand].compactMap(\.self).unique.map { Pair(asset: $0, payment: local) }
  }

  /// Keeps the rates in an answer, if it has any, and says whose they are, or why there are none.
  private mutating func take(
    _ answer: PairAnswer<CandleSeries>, of pair: Pair, from payment: String, at place: Place, isInverse: Bool
  ) {
    notes += (answer.notes + [answer.rateFailure].compactMap(\.self)).map { "\(answer.exchange) \(pair): \($0)" }
    guard let found = answer.value, !found.candles.isEmpty, !answer.findings.contains(where: \.discreditsPrices)
    else { return }
    let closes = found.closesWithEnd
    let cut = found.candles.count - closes.count
    if cut > 0 {
      let name = "\(answer.exchange) \(pair)"
      notes.append(
        language(
          "\(name): \(cut.counted("interval")) without the end, and so without a rate",
          "\(name): 종가 시각의 값이 없어 환율도 없는 구간 \(cut)개"))
    }
    // The inverse of a token's local price; for a chart in local money, the local exchange's price itself.
    series[place] = isInverse ? closes.compactMapValues { Decimal(1).divided(by: $0) } : closes
    tokens[place] = pair
    let asset = isInverse ? currency : payment
    let counted =
      pair.asset == asset
      ? "" : "; " + language.counted(pair.asset, as: asset)
    // Each local exchange has its own price of the token, and a premium by it is not that at the official rate.
    notes.append(
      language(
        "\(payment) in \(currency) at \(answer.exchange)'s \(pair), candle by candle\(counted)",
        "\(payment): 봉마다 \(answer.exchange) \(pair) 가격으로 \(currency) 표시\(counted)"))
  }

  /// Returns the market of a dollar token whose price converts between two sources on a live chart, if one of them is in
  /// dollars or such a token and the other in local money; nil if not.
  package static func token(between sources: [PairPoller.Source], _ tokens: [String]) -> PairPoller.Source? {
    let isInDollars = { (source: PairPoller.Source) in (["USD"] + tokens).contains(source.query.pair.payment) }
    guard sources.count == 2, let local = sources.first(where: { !isInDollars($0) }),
      let other = sources.first(where: isInDollars),
      let pair = pairs(
        from: other.query.pair.payment, to: local.query.pair.payment, isLocal: true, tokens
      ).last
    else { return nil }
    return PairPoller.Source(local.exchange, local.market, PairQuery(pair, local.query.options))
  }

  package func rate(from payment: String, on exchange: String, at start: Instant) -> TimedRate? {
    if payment == currency { return TimedRate(1) }
    let place = Place(exchange: exchange, payment: payment)
    if let rates = series[place] { return rates[start].map { TimedRate($0) } }
    return latest[place]?.converted(1).map { TimedRate($0, isContemporaneous: false) }
  }

  /// Returns what prices in a payment currency are converted by; nil if they are not, or one to one.
  package func basis(from payment: String, on exchange: String) -> ChartReport.RateBasis? {
    let place = Place(exchange: exchange, payment: payment)
    if let pair = tokens[place] { return .token(pair) }
    return latest[place]?.rate?.quote == nil ? nil : .official
  }

  /// Returns the conversion at the latest rate that stands in for past ones; nil if those are known.
  package func estimate(from payment: String, on exchange: String) -> Conversion? {
    latest[Place(exchange: exchange, payment: payment)]
  }
}

extension PairAnswer {
  /// Why past rates are unknown; nil if they are known, or if the exchange, or the recording, has no such pair.
  fileprivate var rateFailure: String? {
    guard let failure, !failure.reason.isAbsence, ![.notOffered, .notRecorded].contains(failure.reason) else {
      return nil
    }
    return failure.wordsInParentheses
  }
}
