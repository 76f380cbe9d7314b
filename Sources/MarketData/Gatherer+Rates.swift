package import Adapters
package import Catalog
package import Quotes

extension Gatherer {
  /// The rate of a pair: from the first provider of its route that answers.
  package func rate(of pair: Pair, _ catalog: Catalog, _ options: Interpretation) async -> RateReport {
    var failures: [(provider: String, failure: TableFailure)] = []
    for name in catalog.providers(for: pair) {
      let (provider, diagnostics) = catalog.readProvider(name)
      guard let provider else {
        let problem = diagnostics.first.map(\.message) ?? "there is no such provider"
        failures.append((name, TableFailure(.noAnswer("config"), problem)))
        continue
      }
      guard provider.isEnabled, provider.canHold(pair) else { continue }
      do throws(TableFailure) {
        let quote = try await quote(of: pair, provider, catalog, options)
        return RateReport(pair: pair, quote: quote, failures: failures)
      } catch {
        failures.append((name, error))
      }
    }
    return RateReport(pair: pair, quote: nil, failures: failures)
  }

  private func quote(
    of pair: Pair, _ provider: RateProvider, _ catalog: Catalog, _ options: Interpretation
  ) async throws(TableFailure) -> RateReport.Quote {
    switch provider.source {
    case .ticker(let exchange, let ticker):
      return try await impliedQuote(of: pair, provider.name, exchange, ticker, catalog, options)
    case .table(let spec):
      let plan = TablePlan(spec, market: nil, fields: TablePlan.rateFields)
      let context = context(for: spec.owner, pair: pair)
      var writer = RequestWriter(spec, context)
      let request: PlannedRequest
      do throws(RequestError) {
        request = try writer.request(named: "rate-\(pair.asset)-\(pair.payment)")
      } catch {
        throw TableFailure(error)
      }
      let (answer, _) = try await ask(request)
      let reading = try plan.rate(
        of: pair, in: answer, request: context, globalAliases: options.globalAliases, hooks: hooks)
      return .init(reading: reading, provider: provider.name, arrival: answer.arrival)
    }
  }

  /// The rate that a venue's ticker implies: USDT/KRW stands for USD/KRW.
  private func impliedQuote(
    of pair: Pair, _ provider: String, _ exchange: String, _ ticker: Pair, _ catalog: Catalog,
    _ options: Interpretation
  ) async throws(TableFailure) -> RateReport.Quote {
    guard let source = catalog.venue(named: exchange), let venue = catalog.read(source).venue,
      let market = venue.market(.spot)
    else { throw TableFailure(.noAnswer("config"), "there is no spot market of \(exchange)") }
    var options = options
    options.wanted = ticker
    let question = TableQuestion(market: .spot, pair: ticker, fields: [.price, .time], options: options)
    let report = await report(on: market, of: venue, question)
    guard let row = report.table.rows.first(where: { $0.ticker.headlineObjection() == nil }),
      let price = row.ticker.price.value
    else { throw report.failures.first?.failure ?? TableFailure(.notListed, "\(exchange) has no usable \(ticker)") }
    var reading = RateReading(pair: pair, rate: price)
    reading.time = row.ticker.time
    reading.quotedBy = "\(exchange) \(ticker)"
    return .init(reading: reading, provider: provider, arrival: row.arrival)
  }
}
