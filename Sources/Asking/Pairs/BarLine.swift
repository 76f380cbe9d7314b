package import Config
import Mapping
package import MarketData
package import Quotes
package import Shell
import Terminal
package import Views

/// One pair for a status bar, requested together with the pairs its premium over dollars needs, and written as a line.
package struct BarLine {
  private let pair: Pair
  private let session: MarketSession
  private let exchanges: [Exchange]?
  private let rule: HeadlineRule
  private let asksRate: Bool

  /// - Parameter exchanges: nil for all of the config.
  package init(pair: Pair, session: MarketSession, exchanges: [Exchange]?, rule: HeadlineRule, asksRate: Bool) {
    self.pair = pair
    self.session = session
    self.exchanges = exchanges
    self.rule = rule
    self.asksRate = asksRate
  }

  package func write(as format: BarFormat, _ colors: ColorOptions, in context: Context) async -> ExitCode {
    let settings = session.configuration.settings
    let options = session.interpretation()
    let companions =
      asksRate
      ? PairFigures.companions(
        of: [pair], local: settings.headerRate.payment, dollarTokens: settings.dollarTokens) : []
    async let asked: RateReport? = asksRate ? session.client.headerRate(session.configuration, options) : nil
    let answers = await concurrently([pair] + companions) { pair in
      (pair, await reports(of: pair, options, in: context))
    }
    let rate = await asked
    session.close()
    let byPair = Dictionary(answers.map { ($0.0, $0.1) }) { first, _ in first }
    let figures = PairFigures.all(
      of: [pair], rate: rate, rule: rule, dollarTokens: settings.dollarTokens, identityPercent: settings.identityPercent
    ) { pair in
      let own = byPair[pair] ?? []
      return Snapshot(
        pair: pair, time: session.moment(of: own, rate), reports: own, rate: rate, check: options.check, rule: rule)
    }
    guard let own = figures.first else { return .noAnswer }
    let palette = context.palette(colors, preferring: session.config.preferredScheme)
    let report = BarReport(
      own, alert: settings.premiumAlert, rule: rule, badges: session.badges(of: exchanges), scheme: palette.scheme)
    context.output.write(report.text(format))
    session.noteFailures(of: own.snapshot.reports, rate, isVerbose: false, in: context)
    return own.leadRow == nil ? .noAnswer : .answer
  }

  private func reports(of pair: Pair, _ options: Interpretation, in context: Context) async -> [ExchangeReport] {
    let query = TableQuery(
      market: nil, pair: pair, fields: [.price, .changePricePercent24, .turnover24, .time], options: options)
    // Broken blocks are reported for the pair itself.
    return exchanges == nil && pair != self.pair
      ? await session.reports(ofAll: [.spot], query).reports
      : await session.reports(of: exchanges, on: [.spot], query, in: context)
  }
}
