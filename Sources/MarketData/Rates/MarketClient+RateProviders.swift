package import Config
import HTTP
package import Mapping
package import Quotes
import Transport

/// Asks one rate provider: returns stored answers or fetches a new one.
extension MarketClient {
  /// Returns a provider's state for a pair, and a note on each call made.
  func state(
    of want: RateDecision.Want, _ pair: Pair, _ asking: RateContext, _ known: RateDecision.Known
  ) async -> (RouteProvider, String?) {
    let (provider, diagnostics) = asking.configuration.readProvider(want.provider)
    guard let provider else {
      return (.excluded(.unreadable(diagnostics.first?.message ?? "unknown provider")), nil)
    }
    guard provider.isEnabled else { return (.excluded(.disabled), nil) }
    guard provider.canHold(pair) else { return (.excluded(.withoutPair), nil) }
    switch provider.source {
    case .table(let spec, let daysBack):
      let query = ProviderQuery(provider, spec, pair, daysBack, want.since, asking.options)
      let (state, note) = await self.state(query, known)
      return (.known(state), note)
    case .ticker(let exchange, let ticker):
      return (.known(await implied(of: exchange, ticker, pair, provider, asking)), nil)
    }
  }

  // MARK: Tables

  package func state(_ query: ProviderQuery, _ known: RateDecision.Known) async -> (ProviderState, String?) {
    var state = ProviderState(isDaily: query.provider.isDaily)
    var note: String?
    for day in 0...query.daysBack {
      let (replies, trouble, remark) = await replies(query, daysAgo: day, known)
      note = note ?? remark
      (state.replies, state.trouble) = (replies, trouble)
      // Days without a row are skipped; any other failure is reported.
      guard !replies.contains(where: { $0.reading != nil }), Self.isWithoutRow(replies, trouble) else { break }
    }
    return (state, note)
  }

  private static func isWithoutRow(_ replies: [ProviderState.Reply], _ trouble: AnswerFailure?) -> Bool {
    let reason = trouble?.reason ?? replies.first?.failure?.reason
    return reason == .emptyAnswer || reason == .notListed
  }

  private typealias Replies = (replies: [ProviderState.Reply], trouble: AnswerFailure?, note: String?)

  /// Returns the provider's newest answer that contains the pair, in full so that other pairs can be read from it.
  func reply(_ query: ProviderQuery) async -> Result<(answer: HTTPResponse, reading: RateReading), AnswerFailure> {
    let (state, _) = await state(query, .unremembered)
    for reply in state.replies {
      if let reading = reply.reading, let answer = reply.answer { return .success((answer, reading)) }
    }
    return .failure(state.trouble ?? state.replies.lazy.compactMap(\.failure).first ?? AnswerFailure(.emptyAnswer))
  }

  private func replies(
    _ query: ProviderQuery, daysAgo: Int, _ known: RateDecision.Known
  ) async -> Replies {
    var context = context(for: query.spec.owner, pair: query.pair)
    context.date = Instant(
      nanoseconds: context.now.nanoseconds.subtractingReportingOverflow(Instant.day * Int64(daysAgo)).partialValue)
    context.dateZoneSeconds = query.spec.dateZoneSeconds
    var request: HTTPRequest
    do throws(AnswerFailure) {
      request = try query.request(context, daysAgo: daysAgo)
    } catch {
      return ([], error, nil)
    }
    // Stored answers serve as a fallback for a run that is out of time.
    context.isLate = { false }
    let reader = RateReader(query, context, hooks)
    guard let memory = rates else {
      do throws(AnswerFailure) {
        let (answer, _) = try await ask(request)
        return ([reader.reply(answer)], nil, nil)
      } catch {
        return ([], error, nil)
      }
    }
    let now = now
    // A provider that hangs must leave time for the next one.
    request.timeBudgetDivisor = 2
    let report = await memory.ledger.answers(
      to: request, of: "\(query.provider.name) \(scope(of: query.spec))", rule: query.rule(daysAgo: daysAgo),
      since: query.since, now: now, by: handler,
      worth: { outcome, kept in reader.worth(of: outcome, after: kept, known) })
    await memory.tell(of: report, to: request)
    return (report.answers.map { reader.reply($0.response) }, report.failure, reader.note(on: report))
  }

  // MARK: Tickers

  /// Returns the rate implied by an exchange's ticker: USDT/KRW stands for USD/KRW.
  private func implied(
    of name: String, _ ticker: Pair, _ pair: Pair, _ provider: RateProvider, _ asking: RateContext
  ) async -> ProviderState {
    guard let source = asking.configuration.exchange(named: name),
      let exchange = asking.configuration.read(source, ExchangeExtent(markets: [.spot])).exchange,
      let market = exchange.market(.spot)
    else {
      return ProviderState(
        trouble: AnswerFailure(.noAnswer(.config), "\(name) has no spot market"), isImplied: true)
    }
    guard exchange.isEnabled, market.isEnabled else {
      return ProviderState(
        trouble: AnswerFailure(.noAnswer(.config), "\(name) is disabled in the config"), isImplied: true)
    }
    let query = TableQuery(market: .spot, pair: ticker, fields: [.price, .time], options: asking.options)
    let report = await report(on: market, of: exchange, query)
    guard let row = report.table.rows.first(where: { $0.ticker.headlineObjection(.standard) == nil }),
      let price = row.ticker.price.value
    else {
      let objection = report.table.rows.lazy.compactMap { $0.ticker.headlineObjection(.standard) }.first
      let failure = AnswerFailure(
        objection?.missing ?? .notListed, objection?.explanation ?? "\(name) has no usable \(ticker)")
      return ProviderState(trouble: report.failures.first?.failure ?? failure, isImplied: true)
    }
    var reading = RateReading(pair: pair, rate: price)
    reading.time = row.ticker.time
    reading.quotedBy = "\(exchange.name) \(ticker)"
    let kept = report.requests.compactMap(\.kept).max() ?? .zero
    let arrival = row.ticker.priceArrival?.advanced(by: .zero - kept)
    return ProviderState(
      replies: [.init(.success(reading), arrival: arrival)], isDaily: provider.isDaily, isImplied: true)
  }
}

package final class ProviderQuery: Sendable {
  let provider: RateProvider
  let spec: TableSpec
  let pair: Pair
  let daysBack: Int
  let since: Instant?
  let options: Interpretation

  package init(
    _ provider: RateProvider, _ spec: TableSpec, _ pair: Pair, _ daysBack: Int, _ since: Instant?,
    _ options: Interpretation
  ) {
    self.provider = provider
    self.spec = spec
    self.pair = pair
    self.daysBack = daysBack
    self.since = since
    self.options = options
  }

  func request(_ context: RequestContext, daysAgo: Int) throws(AnswerFailure) -> HTTPRequest {
    var writer = RequestWriter(spec, context)
    let name = "rate-\(pair.asset)-\(pair.payment)"
    return try writer.request(named: daysAgo == 0 ? name : "\(name)-\(daysAgo)")
  }

  /// Returns how often the request may be sent. A past day does not change, so once a day is enough.
  func rule(daysAgo: Int) -> CallRule {
    let budget = provider.budget.map { CallRule.Budget($0) }
    if daysAgo > 0 { return CallRule(everyMilliseconds: 86_400_000, budget: budget) }
    return CallRule(
      everyMilliseconds: provider.refresh?.everyMilliseconds, atSeconds: provider.refresh?.atSeconds ?? 0,
      budget: budget)
  }
}

extension TableSpec {
  /// The UTC offset of the request's dates, from its first `{date:…}`.
  fileprivate var dateZoneSeconds: Int {
    for template in [request.path] + request.query.map(\.value) {
      for piece in template.pieces {
        if case .placeholder(.date(_, let offset), _) = piece { return offset }
      }
    }
    return 0
  }
}

extension CallReport {
  /// Why there is nothing newer.
  fileprivate var failure: AnswerFailure? {
    let next = nextCall.map { ", again from \($0.iso8601.prefix(19))Z" } ?? ""
    switch trouble {
    case .failed(let failure)?:
      return AnswerFailure(failure.reason, (failure.message ?? failure.reason.code) + next)
    case .overBudget(let calls)?:
      return AnswerFailure(.noAnswer(.overBudget), "its budget of \(calls) calls is used up\(next)")
    case .tooEarly?:
      return AnswerFailure(.noAnswer(.tooEarly), "it has nothing new yet\(next)")
    case .uncountable?:
      return AnswerFailure(
        .noAnswer(.uncountable),
        "its calls are limited but cannot be counted: their count in the cache cannot be read or "
          + "written; if it is damaged, delete the folder 'rates' in the cache")
    case nil: return nil
    }
  }
}

extension CallRule.Budget {
  init(_ budget: RateProvider.Budget) { self.init(calls: budget.calls, per: budget.per == .day ? .day : .month) }
}
