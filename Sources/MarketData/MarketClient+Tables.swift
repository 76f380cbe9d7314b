package import Config
import HTTP
package import Mapping
package import Quotes
import Transport

/// What is asked of a table.
package struct TableQuestion: Sendable {
  package var market: Market?
  /// nil: all pairs.
  package var pair: Pair?
  /// The fields whose lookups are worth asking for.
  package var fields: Set<TickerField>
  package var options: Interpretation

  package init(market: Market?, pair: Pair?, fields: Set<TickerField>, options: Interpretation) {
    self.market = market
    self.pair = pair
    self.fields = fields
    self.options = options
  }
}

/// A table and the requests that it came from.
package struct GatheredTable: Sendable {
  package var table = TickerTable()
  package var requests: [RequestReport] = []

  package init() {}

  init(requests: [RequestReport]) { self.requests = requests }

  mutating func append(_ other: GatheredTable) {
    table.append(other.table)
    requests += other.requests
  }
}

extension MarketClient {
  /// Asks all parts of a table at once and puts their rows together in the order of the config.
  package func table(of parts: [TableSpec], _ question: TableQuestion) async -> GatheredTable {
    let gathered = await concurrently(parts.enumerated().map { ($0, $1) }) { (index, spec) in
      var part = question
      part.options.partIndex = index
      return await table(of: spec, part)
    }
    var result = GatheredTable()
    for part in gathered { result.append(part) }
    result.table.flagDuplicates()
    return result
  }

  private func table(of spec: TableSpec, _ question: TableQuestion) async -> GatheredTable {
    let plan = TablePlan(spec, market: question.market, fields: TickerField.allCases.map(\.rawValue))
    let context = context(for: spec.owner, pair: question.pair)
    let wanted = plan.requiredLookups.union(plan.lookups(for: question.fields.map(\.rawValue)))
    // A batch needs its keys before it can ask; everything else goes out together.
    if let batch = spec.batch {
      let lookups = await self.lookups(of: spec, wanted, context)
      return await batched(plan, batch, context, lookups, question)
    }
    async let lookups = self.lookups(of: spec, wanted, context)
    let asked = await answer(to: spec, context, question)
    let states = await lookups
    return interpret(asked, by: plan, context, states, question)
  }

  private typealias Asked = Result<(answer: HTTPResponse, report: RequestReport), TableFailure>

  private func answer(
    to spec: TableSpec, _ context: RequestContext, _ question: TableQuestion
  ) async -> Asked {
    do throws(TableFailure) {
      return .success(try await ask(try written(spec, context, question)))
    } catch {
      return .failure(error)
    }
  }

  private func written(
    _ spec: TableSpec, _ context: RequestContext, _ question: TableQuestion
  ) throws(TableFailure) -> HTTPRequest {
    let market = question.market?.rawValue ?? "rate"
    let pair = spec.request.asksForPair ? question.pair : nil
    let name = pair.map { "\(market)-\($0.asset)-\($0.payment)" } ?? "\(market)-tickers"
    var writer = RequestWriter(spec, context)
    do {
      return try writer.request(named: name)
    } catch {
      throw TableFailure(error)
    }
  }

  private func interpret(
    _ asked: Asked, by plan: TablePlan, _ context: RequestContext, _ lookups: LookupStates, _ question: TableQuestion
  ) -> GatheredTable {
    var result = GatheredTable(requests: lookups.requests)
    switch asked {
    case .success(let (answer, report)):
      result.table = plan.interpret(answer, request: context, lookups: lookups.states, question.options)
      result.requests.insert(report, at: 0)
      if question.options.traces {
        for index in result.table.rows.indices {
          result.table.rows[index].source = "\(report.method) \(report.url) (HTTP \(report.status))"
        }
      }
    case .failure(let failure):
      result.table.failures = [.init(part: plan.partName, failure: failure)]
    }
    return result
  }

  /// One request for so many keys at a time. A batch that fails takes only its own rows away.
  private func batched(
    _ plan: TablePlan, _ batch: BatchSpec, _ context: RequestContext, _ lookups: LookupStates,
    _ question: TableQuestion
  ) async -> GatheredTable {
    guard case .table(let keys)? = lookups.states[batch.lookup] else {
      var result = GatheredTable(requests: lookups.requests)
      var failure = TableFailure(.lookupFailed(Label(batch.lookup)))
      if case .failed(let reason)? = lookups.states[batch.lookup] {
        failure = TableFailure(.lookupFailed(Label(batch.lookup)), reason.message ?? reason.reason.code)
      }
      result.table.failures = [.init(part: plan.partName, failure: failure)]
      return result
    }
    let batches = keys.keys.chunks(of: batch.maximum)
    let gathered = await concurrently(batches) { keys in
      var context = context
      context.keys = keys.joined(separator: batch.separator)
      let asked = await answer(to: plan.spec, context, question)
      return interpret(asked, by: plan, context, LookupStates(states: lookups.states), question)
    }
    var result = GatheredTable(requests: lookups.requests)
    for part in gathered { result.append(part) }
    return result
  }
}

extension Array {
  fileprivate func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

/// What is known of a table's lookups, and the requests that it came from.
struct LookupStates: Sendable {
  var states: [String: LookupState] = [:]
  var requests: [RequestReport] = []
}

extension MarketClient {
  /// Asks for the wanted lookups, all at once.
  func lookups(of spec: TableSpec, _ wanted: Set<String>, _ context: RequestContext) async -> LookupStates {
    let asked = spec.lookups.filter { wanted.contains($0.name) && $0.request != nil }
    let results = await concurrently(asked) { lookup in
      (lookup.name, await self.lookup(lookup, of: spec, context))
    }
    var result = LookupStates()
    for (name, (state, report)) in results {
      result.states[name] = state
      if let report { result.requests.append(report) }
    }
    return result
  }

  private func lookup(
    _ lookup: LookupSpec, of spec: TableSpec, _ context: RequestContext
  ) async -> (LookupState, RequestReport?) {
    var writer = RequestWriter(spec, context)
    let request: HTTPRequest
    do throws(RequestError) {
      guard let written = try writer.request(for: lookup) else { return (.notAsked, nil) }
      request = written
    } catch {
      return (.failed(TableFailure(error)), nil)
    }
    // What secrets could tell apart must not be shared on disk.
    guard let cache, lookup.timeToLiveSeconds > 0, request.secrets.isEmpty else {
      return await fetch(lookup, request, keepIn: nil)
    }
    let key = request.fingerprint
    return await cache.locked(key) {
      let kept = cache.get(key, maxAgeSeconds: lookup.timeToLiveSeconds, now: now().nanoseconds)
      if let kept, let table = try? LookupTable(lookup, answer: HTTPResponse(body: kept), hooks: hooks) {
        return (.table(table), nil)
      }
      return await fetch(lookup, request, keepIn: cache)
    }
  }

  /// Asks for a lookup; only an answer that could be read is kept.
  private func fetch(
    _ lookup: LookupSpec, _ request: HTTPRequest, keepIn cache: DiskCache?
  ) async -> (LookupState, RequestReport?) {
    do throws(TableFailure) {
      let (answer, report) = try await ask(request)
      let table = try LookupTable(lookup, answer: answer, hooks: hooks)
      cache?.put(request.fingerprint, answer.body, now: now().nanoseconds)
      return (.table(table), report)
    } catch {
      return (.failed(error), nil)
    }
  }
}

extension MarketClient {
  /// The order book of a pair on one market, or why there is none.
  package func book(of pair: Pair, on market: ExchangeMarket) async -> Result<OrderBook, PriceObjection> {
    guard let spec = market.orderbook, let table = market.tickers.first ?? market.ticker.first else {
      return .failure(.book(.notOffered))
    }
    var writer = RequestWriter(table, context(for: table.owner, pair: pair))
    do {
      let (answer, _) = try await ask(try writer.request(for: spec))
      return .success(try BookReader.book(spec, answer: answer, hooks: hooks))
    } catch let error as TableFailure {
      return .failure(.book(error.reason))
    } catch let error as RequestError {
      return .failure(.book(TableFailure(error).reason))
    } catch {
      return .failure(.book(.noAnswer("transport")))
    }
  }
}
