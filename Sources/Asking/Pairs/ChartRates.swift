import Config
import Mapping
package import MarketData
package import Quotes
import Views

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
  /// What is to be said about the prices of tokens.
  package private(set) var notes: [String] = []

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
    let payments = pairs.sources.map(\.query.pair.payment)
    let settings = pairs.session.configuration.settings
    currency = pairs.currency ?? payments.first { settings.dollarTokens.contains($0) } ?? payments.first ?? ""
    let compared = (premium.map { [$0.of, $0.over] } ?? []).map { pairs.sources[$0] }
    let locals = (compared + pairs.sources).filter { [currency] in $0.query.pair.payment == currency }
    for source in pairs.sources {
      let payment = source.query.pair.payment
      let place = Place(exchange: source.exchange.name, payment: payment)
      guard payment != currency, series[place] == nil, latest[place] == nil else { continue }
      // The inverse of a token's local price; for a chart in local money, the local exchange's price itself.
      let local = settings.dollarTokens.contains(payment) ? locals.first : nil
      let pair = local == nil ? Pair(asset: currency, payment: payment) : Pair(asset: payment, payment: currency)
      let asked = local ?? source
      let answer = await pairs.session.client.candles(
        CandleQuery(PairQuery(pair, asked.query.options), interval, zoneSeconds: zoneSeconds, span),
        on: asked.market, of: asked.exchange.name
      ).series(conversion: nil)
      notes += (answer.notes + [answer.rateFailure].compactMap(\.self)).map { "\(answer.exchange) \(pair): \($0)" }
      if let found = answer.value, !found.candles.isEmpty, !answer.findings.contains(where: \.discreditsPrices) {
        let whole = found.candles.filter { !found.lacksEnd(of: $0) }
        let cut = found.candles.count - whole.count
        if cut > 0 {
          notes.append("\(answer.exchange) \(pair): \(cut.counted("interval")) without the end, and so without a rate")
        }
        series[place] = whole.reduce(into: [:]) { rates, candle in
          rates[candle.start] = local == nil ? Decimal(1).divided(by: candle.close) : candle.close
        }
        // Each local exchange has its own price of the token, and a premium by it is not that at the official rate.
        notes.append("\(payment) in \(currency) at \(answer.exchange)'s \(pair), candle by candle")
        continue
      }
      latest[place] = await pairs.session.client.conversion(
        from: payment, to: currency, pairs.session.configuration, source.query.options)
    }
    // Several dollar exchanges are linked by the candles of one token.
    notes = notes.unique
  }

  package func rate(from payment: String, on exchange: String, at start: Instant) -> TimedRate? {
    if payment == currency { return TimedRate(1) }
    let place = Place(exchange: exchange, payment: payment)
    if let rates = series[place] { return rates[start].map { TimedRate($0) } }
    return latest[place]?.converted(1).map { TimedRate($0, isContemporaneous: false) }
  }

  /// Returns the conversion at the latest rate that stands in for past ones; nil if those are known.
  package func estimate(from payment: String, on exchange: String) -> Conversion? {
    latest[Place(exchange: exchange, payment: payment)]
  }
}

extension CandleSeries {
  /// Returns whether the last parts of a built candle are missing: its close is then that of an earlier time.
  fileprivate func lacksEnd(of candle: Candle) -> Bool {
    guard let source else { return false }
    let end = grid.end(of: candle.start)
    return sourceGaps.contains { gap in
      let length = source.nanoseconds.multipliedReportingOverflow(by: Int64(gap.count))
      let gapEnd = gap.start.advanced(by: .nanoseconds(length.overflow ? .max : length.partialValue))
      return gap.start < end && gapEnd >= end
    }
  }
}

extension PairAnswer {
  /// Why past rates are unknown; nil if they are known, or if the exchange, or the recording, has no such pair.
  fileprivate var rateFailure: String? {
    let absences: [Missing] = [.notListed, .notOffered, .notRecorded]
    guard let failure, !absences.contains(failure.reason) else { return nil }
    return failure.wordsInParentheses
  }
}
