package import Config
import Mapping
package import MarketData
package import Quotes
package import Shell
import Terminal
package import Views

extension MarketSession {
  /// Requests one pair for a status bar, together with the pairs its premium over dollars needs, and writes it as a line.
  ///
  /// - Parameter exchanges: nil for all of the config.
  package func writeBar(
    of pair: Pair, on exchanges: [Exchange]?, _ rule: HeadlineRule, asksRate: Bool, as format: BarFormat,
    _ asking: AskingOptions, in context: Context
  ) async throws(CommandError) -> ExitCode {
    let settings = configuration.settings
    let options = interpretation()
    let companions =
      asksRate
      ? PairFigures.companions(
        of: [pair], local: settings.headerRate.payment, dollarTokens: settings.dollarTokens) : []
    async let asked: RateReport? = asksRate ? client.headerRate(configuration, options) : nil
    let answers = await concurrently([pair] + companions) { one in
      let query = TableQuery(pair: one, fields: [.price, .changePricePercent24, .turnover24, .time], options: options)
      // Broken blocks are reported for the pair itself.
      return exchanges == nil && one != pair
        ? (one, await reports(ofAll: [.spot], query).reports)
        : (one, await reports(of: exchanges, on: [.spot], query, in: context))
    }
    let rate = await asked
    close()
    try requireKept(answers.first { $0.0 == pair }?.1 ?? [], of: pair, asking)
    let byPair = Dictionary(answers) { first, _ in first }
    let figures = PairFigures.all(
      of: [pair], rate: rate, rule: rule, dollarTokens: settings.dollarTokens, identityPercent: settings.identityPercent
    ) { pair in
      let own = byPair[pair] ?? []
      return Snapshot(
        pair: pair, time: moment(of: own, rate), reports: own, rate: rate, check: options.check, rule: rule)
    }
    guard let own = figures.first else { return .noAnswer }
    let palette = context.palette(asking.colors, preferring: config.preferredScheme)
    let report = BarReport(
      own, alert: settings.premiumAlert, rule: rule, badges: configuration.badges, scheme: palette.scheme)
    context.output.write(report.text(format))
    noteFailures(of: own.snapshot.reports, rate, isVerbose: false, in: context)
    return own.leadRow == nil ? .noAnswer : .answer
  }
}
