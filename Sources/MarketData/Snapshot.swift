package import Mapping
package import Quotes
import Transport

/// One pair on every exchange at one moment, with the figures derived from it.
package final class Snapshot: Sendable {
  package let pair: Pair
  /// When all answers had arrived.
  package let time: Instant
  /// In the order of the config.
  package let spot: [TickerRow]
  /// In the order of the config.
  package let futures: [TickerRow]
  /// `high` and `low` are indexes in `spot`.
  package let premium: Result<Premium, PremiumAbsence>
  /// One for each row of `futures`.
  package let disparities: [Result<Disparity, DisparityAbsence>]
  package let ranking: DisparityRanking
  /// The reports of all markets asked, in the order of the config.
  package let reports: [ExchangeReport]
  package let rate: RateReport?
  /// The conversion of prices into another currency; nil if not requested.
  package let conversion: Conversion?
  /// Determines which rows enter the headlines.
  package let rule: HeadlineRule

  /// Combines reports: flags coins that only share a name, and calculates the headlines.
  package init(
    pair: Pair, time: Instant, reports: [ExchangeReport], rate: RateReport?, check: MeaningCheck,
    conversion: Conversion? = nil, rule: HeadlineRule
  ) {
    self.pair = pair
    self.time = time
    self.reports = reports
    self.rate = rate
    self.conversion = conversion
    self.rule = rule
    func rows(of market: Market) -> [TickerRow] { reports.filter { $0.market == market }.flatMap(\.table.rows) }
    let own = check.identity.flagged(rows(of: .spot), rule: rule)
    let perpetual = check.identity.flagged(rows(of: .futures), besideSpot: own, rule: rule)
    let flags = ChangeScaleCheck.findings((own + perpetual).map(\.ticker))
    spot = zip(own, flags).map { $0.flagged($1) }
    futures = zip(perpetual, flags.dropFirst(own.count)).map { $0.flagged($1) }
    premium = Premium.largest(of: spot.map(\.ticker), rule: rule)
    let all = (spot + futures).map(\.ticker)
    let asksSpot = reports.contains { $0.market == .spot }
    disparities = Disparity.byRow(all, rule: rule).compactMap { result in
      if case .failure(.noSpot)? = result, !asksSpot { return .failure(.spotNotRequested) }
      return result
    }
    ranking = DisparityRanking(disparities.compactMap { try? $0.get() })
  }

  /// Returns when the last answer arrived; nil if there was none.
  package static func latestArrival(_ reports: [ExchangeReport], _ rate: RateReport?) -> Instant? {
    (reports.flatMap(\.requests).map(\.arrival) + [rate?.quote?.arrival].compactMap(\.self)).max()
  }

  /// Returns the row of a disparity's futures price.
  package func futuresRow(of disparity: Disparity) -> TickerRow { futures[disparity.futures - spot.count] }

  /// Returns how far a spot row is above the lowest usable one, in percent; nil for a row that enters no headline, and
  /// for one that is the only one.
  package func percentOverLowest(_ row: TickerRow) -> Decimal? {
    guard case .success = premium, let price = row.ticker.headlinePrice(rule),
      let lowest = lowest?.ticker.headlinePrice(rule)
    else { return nil }
    return price.percent(above: lowest)
  }

  /// The spot row with the lowest usable price, the first of several; nil without one.
  package var lowest: TickerRow? {
    let usable = spot.compactMap { row in row.ticker.headlinePrice(rule).map { (row: row, price: $0) } }
    return usable.min { $0.price < $1.price }?.row
  }

  /// Whether any row has a price.
  package var hasPrice: Bool { (spot + futures).contains { $0.ticker.price.value != nil } }

  /// How far behind this machine's clock seems to be, below zero if ahead, and by the times of how many exchanges; nil if
  /// it seems right.
  ///
  /// One exchange whose rows are of the future has a wrong clock or mapping. If at least three do, more than half of all,
  /// and they agree within ten seconds, it is the clock that they are compared with. So it is if their newest quotes are
  /// all as old; times of trades prove nothing then.
  package var clockLag: (seconds: Int64, exchanges: Int)? {
    // All times of kept answers are old.
    guard keptNanoseconds == nil else { return nil }
    let tickers = (spot + futures).map(\.ticker)
    let second = Instant.second
    if let lag = lag(of: tickers, above: 5 * second) { return (lag.nanoseconds / second, lag.exchanges) }
    if let lag = lag(of: tickers.filter { $0.timeBasis == .quote }, above: .min), lag.nanoseconds < -30 * second {
      return (lag.nanoseconds / second, lag.exchanges)
    }
    return nil
  }

  /// Returns by how much the latest times of at least three exchanges, more than half of all, are later than their
  /// arrivals: all of them by more than `least` nanoseconds.
  private func lag(of tickers: [Ticker], above least: Int64) -> (nanoseconds: Int64, exchanges: Int)? {
    var leads: [String: Int64] = [:]
    for ticker in tickers {
      guard let time = ticker.timeByClock, let arrival = ticker.priceArrival else { continue }
      let lead = time.nanoseconds(since: arrival)
      leads[ticker.exchange] = max(lead, leads[ticker.exchange] ?? lead)
    }
    guard let most = leads.values.max() else { return nil }
    let near = leads.values.count { $0 > least && Int128(most) - Int128($0) <= 10_000_000_000 }
    return near >= 3 && near * 2 > leads.count ? (most, near) : nil
  }

  /// How long an earlier run had kept the oldest of the answers, in nanoseconds; nil if all are new.
  package var keptNanoseconds: Int64? { reports.flatMap(\.requests).compactMap(\.kept).max()?.nanoseconds }

  /// The markets that failed, entirely or in part.
  package var failures: [ExchangeReport] { reports.filter(\.hasFailed) }
}

extension IdentityCheck {
  /// Returns rows of one pair and market, with a flag on those that seem to be of a different coin than the rest.
  func flagged(_ rows: [TickerRow], rule: HeadlineRule) -> [TickerRow] {
    zip(rows, findings(rows.map(\.ticker), rule: rule)).map { $0.flagged($1) }
  }

  /// Returns futures rows of one pair, with a flag on those that seem to be of another coin than the others.
  func flagged(_ futures: [TickerRow], besideSpot spot: [TickerRow], rule: HeadlineRule) -> [TickerRow] {
    zip(futures, findings(futures.map(\.ticker), besideSpot: spot.map(\.ticker), rule: rule)).map { $0.flagged($1) }
  }
}

extension TickerRow {
  /// Returns the row with another flag, if there is one.
  func flagged(_ flag: Flag?) -> TickerRow {
    guard let flag else { return self }
    var flagged = self
    flagged.ticker.flags.append(flag)
    return flagged
  }
}
