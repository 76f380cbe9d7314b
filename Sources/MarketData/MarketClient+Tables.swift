package import Config
import HTTP
import JSON
package import Mapping
package import Quotes
import Transport

package struct TableQuery: Sendable {
  /// nil until the query is for one market.
  package var market: Market?
  /// nil for all pairs.
  package var pair: Pair?
  /// The pairs that are asked for by name in a query for all pairs: what lookups lack of them is requested again.
  package var sought: Set<Pair> = []
  /// Whether the table of all pairs lacked the pair under any name lately: if its own request says that it is halted, that
  /// is all there is to know.
  package var isSearched = false
  /// The fields whose lookups are to be requested.
  package var fields: Set<TickerField>
  package var options: Interpretation

  /// Creates a query, unless otherwise said to a market given later, for all pairs and all fields.
  package init(
    market: Market? = nil, pair: Pair? = nil, fields: Set<TickerField> = Set(TickerField.allCases),
    options: Interpretation
  ) {
    self.market = market
    self.pair = pair
    self.fields = fields
    self.options = options
  }
}

package struct GatheredTable: Sendable {
  package fileprivate(set) var table: TickerTable
  /// The requested pair; nil for a table of all pairs.
  package let pair: Pair?
  package fileprivate(set) var requests: [RequestReport]
  /// The requested lookups that failed.
  package fileprivate(set) var lookupFailures: [TickerTable.PartFailure] = []

  package init(_ table: TickerTable, of pair: Pair?, requests: [RequestReport] = []) {
    (self.table, self.pair, self.requests) = (table, pair, requests)
  }
}

extension MarketClient {
  /// Asks all parts of a table concurrently, and combines their rows in the order of the config.
  package func table(of parts: [TableSpec], _ query: TableQuery) async -> GatheredTable {
    let gathered = await concurrently(parts) { await table(of: $0, query) }
    var result = GatheredTable(
      TickerTable(joining: gathered.map(\.table)), of: query.pair, requests: gathered.flatMap(\.requests))
    // Parts share lookups.
    result.lookupFailures = gathered.flatMap(\.lookupFailures).reduce(into: []) { failures, failure in
      if !failures.contains(where: { $0.part == failure.part }) { failures.append(failure) }
    }
    return result
  }

  private func table(of spec: TableSpec, _ query: TableQuery) async -> GatheredTable {
    let plan = TablePlan(spec, market: query.market ?? .spot)
    var context = context(for: spec.owner, pair: query.pair)
    context.spelling = query.pair.map { spec.spelling(of: $0) }
    let wanted = plan.requestedLookups.union(plan.lookups(for: query.fields))
    // A batch needs its keys before it can be requested; everything else is requested together.
    if let batch = spec.batch {
      let lookups = await self.lookups(of: spec, wanted, context)
      let gathered = await batched(plan, batch, context, lookups, query)
      var ages = outdatedLookups(of: plan, query, in: gathered.table)
      // A key that the exchange no longer knows fails its whole batch; a pair listed since is in none.
      let isRefused = gathered.table.failures.contains(where: \.failure.mayBeOfKeys)
      if isRefused || gathered.table.failures.isEmpty && query.lacksRow(in: gathered.table, of: spec) {
        ages[batch.lookup] = LookupAge.ofMiss
      }
      guard let renewed = await renewed(lookups, ages, of: spec, context),
        lookups.keys(of: batch.lookup) != renewed.keys(of: batch.lookup)
          || ages.keys.contains(where: { $0 != batch.lookup && renewed.isNewer($0, than: lookups) })
      else { return gathered }
      return await batched(plan, batch, context, renewed, query)
    }
    let filled = context
    async let lookups = self.lookups(of: spec, wanted, filled)
    let asked = await answer(to: spec, context, query)
    let states = await lookups
    let gathered = interpret(asked, by: plan, context, states, query)
    // A pair listed since is in the answer, and not yet in what names its rows or has their units.
    let ages = outdatedLookups(of: plan, query, in: gathered.table)
    guard let renewed = await renewed(states, ages, of: spec, filled) else { return gathered }
    return interpret(asked, by: plan, context, renewed, query)
  }

  /// Returns the lookups with those whose answers were cached requested again; nil if none of them has a newer answer.
  ///
  /// - Parameter ages: By name, from which age on in seconds; others are left as they are.
  func renewed(
    _ lookups: LookupStates, _ ages: [String: Int], of spec: TableSpec, _ context: RequestContext
  ) async -> LookupStates? {
    let ages = ages.filter { lookups.kept[$0.key] != nil }
    if ages.isEmpty { return nil }
    var renewed = await self.lookups(of: spec, Set(ages.keys), context, renewedAfter: ages)
    renewed.states = lookups.states.merging(renewed.states) { old, new in if case .table = new { new } else { old } }
    // Another task may have asked meanwhile.
    let isNew = ages.keys.contains { renewed.isNewer($0, than: lookups) }
    renewed.requests += lookups.requests
    return isNew ? renewed : nil
  }

  private typealias Asked = Result<(request: HTTPRequest, answer: HTTPResponse, report: RequestReport), AnswerFailure>

  private func answer(to spec: TableSpec, _ context: RequestContext, _ query: TableQuery) async -> Asked {
    await Result { () async throws(AnswerFailure) in
      var writer = RequestWriter(spec, context)
      let name = spec.requestName(on: query.market ?? .spot, for: context.pair)
      let request = try writer.request(named: name)
      let (answer, report) = try await ask(request)
      return (request, answer, report)
    }
  }

  private func interpret(
    _ asked: Asked, by plan: TablePlan, _ context: RequestContext, _ lookups: LookupStates, _ query: TableQuery
  ) -> GatheredTable {
    switch asked {
    case .success(let (request, answer, report)):
      var options = query.options
      options.sought = query.sought
      var table = plan.interpret(answer, request: context, lookups: lookups.states, options)
      keep(answer, to: request, isFailure: table.failures.contains { !$0.failure.reason.isAbsence })
      if query.options.traces {
        for index in table.rows.indices { table.rows[index].source = report.text }
      }
      var gathered = GatheredTable(table, of: context.pair, requests: [report] + lookups.requests)
      gathered.lookupFailures = lookups.failures
      return gathered
    case .failure(let failure):
      return GatheredTable(TickerTable(failure: failure, of: plan.spec), of: context.pair, requests: lookups.requests)
    }
  }

  /// Sends one request per batch of keys. A batch that fails only loses its own rows.
  private func batched(
    _ plan: TablePlan, _ batch: BatchSpec, _ context: RequestContext, _ lookups: LookupStates,
    _ query: TableQuery
  ) async -> GatheredTable {
    let batches: [String]
    do throws(AnswerFailure) {
      batches = try batch.keys(in: lookups.states[batch.lookup])
    } catch {
      return GatheredTable(TickerTable(failure: error, of: plan.spec), of: context.pair, requests: lookups.requests)
    }
    let gathered = await concurrently(batches) { keys in
      var context = context
      context.keys = keys
      let asked = await answer(to: plan.spec, context, query)
      return interpret(asked, by: plan, context, LookupStates(states: lookups.states), query)
    }
    var result = GatheredTable(TickerTable(), of: context.pair, requests: lookups.requests)
    result.lookupFailures = lookups.failures
    for batch in gathered {
      result.table.append(batch.table)
      result.requests += batch.requests
    }
    return result
  }
}

extension TableSpec {
  /// Returns the name of its request, by which recordings are found: `spot-tickers`, or `spot-BTC-USDT` if it names the
  /// pair.
  package func requestName(on market: Market, for pair: Pair?) -> String {
    guard request.asksForPair, let pair else { return "\(market.rawValue)-tickers" }
    return "\(market.rawValue)-\(pair.asset)-\(pair.payment)"
  }
}

extension BatchSpec {
  /// Returns the values of `{keys}`, one for each request.
  ///
  /// - Throws: `AnswerFailure` if the lookup has no keys, or more than may be requested.
  func keys(in state: LookupState?) throws(AnswerFailure) -> [String] {
    guard case .table(let table)? = state else {
      if case .failed(let reason)? = state { throw reason.ofLookup(lookup) }
      throw AnswerFailure(.lookupFailed(InternedText(lookup)))
    }
    let keys = table.keys
    let starts = stride(from: 0, to: keys.count, by: maximum)
    guard starts.underestimatedCount <= AnswerLimit.batches else {
      throw AnswerFailure(
        .noAnswer(.tooLarge),
        "lookup \(lookup) has \(keys.count) keys: \(starts.underestimatedCount) requests of \(maximum) each; "
          + "the maximum is \(AnswerLimit.batches)")
    }
    return starts.map { keys[$0..<min($0 + maximum, keys.count)].joined(separator: separator) }
  }
}

extension TickerTable {
  /// Whether the wanted pair may be among the rows that nothing names or lets pass.
  fileprivate var mayLackNames: Bool {
    rows.isEmpty && failures.isEmpty && (!unsplit.isEmpty || dropped[.condition] != nil)
  }
}

extension TableQuery {
  /// Returns whether a pair that is asked for by name may be of a table, and is not in its rows.
  fileprivate func lacksRow(in table: TickerTable, of spec: TableSpec) -> Bool {
    let pairs = (pair.map { [$0] } ?? sought).filter { spec.canHold($0, options) }
    return !pairs.isEmpty && !pairs.isSubset(of: table.rows.lazy.map(\.ticker.pair))
  }
}

extension MarketClient {
  /// Returns the lookups that may lack a pair that is asked for, or no longer have its unit, to judge by its rows; with
  /// the age in seconds from which on they are asked again.
  private func outdatedLookups(of plan: TablePlan, _ query: TableQuery, in table: TickerTable) -> [String: Int] {
    if query.pair != nil, table.mayLackNames { return LookupAge.ages(of: plan.requestedLookups, LookupAge.ofMiss) }
    if query.pair == nil, query.sought.isEmpty { return [:] }
    let asked = table.rows.filter { query.pair != nil || query.sought.contains($0.ticker.pair) }.map(\.ticker)
    let missed = query.fields.filter { field in asked.contains { $0.cell(field) == .missing(.lookupMiss) } }
    var ages = LookupAge.ages(of: plan.lookups(for: missed), LookupAge.ofMiss)
    let doubtful = plan.lookups(for: query.fields.intersection([.volume24, .turnover24]))
    guard !doubtful.isEmpty else { return ages }
    for row in asked where row.flags.contains(where: { $0.kind == .turnover }) {
      let since = noteDoubt(about: row.pair, on: query.market ?? .spot, of: plan.spec.owner)
      let age = LookupAge.ofDoubt(since: since, at: now())
      ages.merge(LookupAge.ages(of: doubtful, age), uniquingKeysWith: min)
    }
    return ages
  }
}

extension AnswerFailure {
  /// Whether the exchange refused what was asked for, and so perhaps one of a batch's keys.
  fileprivate var mayBeOfKeys: Bool {
    switch reason {
    case .exchangeError, .http(400), .http(404), .http(422): true
    default: false
    }
  }
}

/// The states of a table's lookups, and the requests for them.
struct LookupStates: Sendable {
  var states: [String: LookupState] = [:]
  var requests: [RequestReport] = []
  /// Those that were not requested, as their answers are cached, with the time since when.
  fileprivate(set) var kept: [String: Instant] = [:]
  /// Since when figures made with them are in doubt; nil if they are not.
  var doubted: Instant?

  /// The age from which on those whose answers are cached are requested again, if they lack a pair.
  var agesOfMiss: [String: Int] { kept.mapValues { _ in LookupAge.ofMiss } }

  /// Returns whether a lookup's answer is a newer one than these, which was cached.
  func isNewer(_ name: String, than others: LookupStates) -> Bool {
    others.kept[name].map { $0 != kept[name] } ?? false
  }

  /// Returns the keys that a lookup has; nil if it has failed or was not requested.
  func keys(of name: String) -> [String]? {
    if case .table(let table)? = states[name] { table.keys } else { nil }
  }

  /// `lookup contracts: http-503`, by name.
  var failures: [TickerTable.PartFailure] {
    states.sorted { $0.key < $1.key }.compactMap { name, state in
      guard case .failed(let failure) = state else { return nil }
      return TickerTable.PartFailure(part: "lookup \(name)", failure: failure)
    }
  }
}

/// Where an answer that may be cached is from.
enum AnswerSource: Sendable {
  case request(RequestReport)
  case cache(since: Instant)

  /// The request, if it was sent.
  var report: RequestReport? { if case .request(let report) = self { report } else { nil } }
}

extension MarketClient {
  /// Requests all lookups of a table, as its streams need them.
  ///
  /// - Parameter pairs: The pairs that are asked for: if lookups lack one, cached ones are requested again.
  package func lookupStates(of spec: TableSpec, for pairs: [StreamPair] = []) async -> [String: LookupState] {
    let context = context(for: spec.owner, pair: nil)
    let lookups = await lookups(of: spec, Set(spec.lookups.map(\.name)), context)
    let kept = lookups.states.filter { lookups.kept[$0.key] != nil }
    guard pairs.contains(where: { spec.lacksKey(of: $0, in: kept) }) else { return lookups.states }
    return await renewed(lookups, lookups.agesOfMiss, of: spec, context)?.states ?? lookups.states
  }

  /// Requests the wanted lookups concurrently.
  ///
  /// - Parameter ages: From which age on in seconds cached answers are requested again, by name.
  func lookups(
    of spec: TableSpec, _ wanted: Set<String>, _ context: RequestContext, renewedAfter ages: [String: Int] = [:]
  ) async -> LookupStates {
    let asked = spec.lookups.filter { wanted.contains($0.name) && $0.request != nil }
    let results = await concurrently(asked) { lookup in
      (lookup.name, await self.lookup(lookup, of: spec, context, renewedAfter: ages[lookup.name] ?? .max))
    }
    var result = LookupStates()
    for (name, (state, source)) in results {
      result.states[name] = state
      switch source {
      case .request(let report)?: result.requests.append(report)
      case .cache(let since)?: result.kept[name] = since
      case nil: break
      }
    }
    return result
  }

  private func lookup(
    _ lookup: LookupSpec, of spec: TableSpec, _ context: RequestContext, renewedAfter age: Int
  ) async -> (LookupState, AnswerSource?) {
    var writer = RequestWriter(spec, context)
    let scope = scope(isShipped: spec.isShipped, lookup.node.json.text)
    let hooks = hooks
    do throws(AnswerFailure) {
      guard let request = try writer.request(for: lookup) else { return (.notRequested, nil) }
      let (table, source) = try await kept(request, for: lookup.timeToLiveSeconds, renewedAfter: age, scope) {
        answer throws(AnswerFailure) in
        try LookupTable(lookup, answer: answer, hooks: hooks, isLate: context.isLate)
      }
      return (.table(table), source)
    } catch {
      return (.failed(error), nil)
    }
  }

  /// Sends a request whose answer is cached on disk for a while; only a readable answer is cached.
  ///
  /// - Parameters:
  ///   - seconds: How long.
  ///   - renewal: From which age on in seconds it is requested again although it is cached. As a cached answer is better
  ///     than none, that has little time, may fail, and is then not tried again for as long.
  func kept<Value: Sendable>(
    _ request: HTTPRequest, for seconds: Int, renewedAfter renewal: Int = .max, _ scope: String,
    reading read: @escaping @Sendable (HTTPResponse) throws(AnswerFailure) -> Value
  ) async throws(AnswerFailure) -> (Value, AnswerSource) {
    // Answers that may depend on secrets must not be shared on disk.
    guard let cache, seconds > 0, request.secrets.isEmpty, request.signer == nil else {
      let (answer, report) = try await ask(request)
      return (try reading(answer, to: request, by: read), .request(report))
    }
    let key = scope + "\n" + request.identity
    let failedKey = key + "\nfailed"
    // Where nothing may be sent, an old answer is better than none, and another run's request is not waited for.
    let (seconds, renewal, patience) =
      answers?.mayAsk == false ? (Int.max, Int.max, .zero) : (seconds, renewal, timeLeft())
    return try await cache.locked(key, patience: patience) { () async throws(AnswerFailure) in
      func cached(within age: Int) -> (Value, AnswerSource)? {
        guard let entry = cache.entry(key, maxAgeSeconds: age, now: now()),
          let value = try? read(HTTPResponse(body: entry.value))
        else { return nil }
        journal?.addKept(request, bytes: entry.value.count)
        return (value, .cache(since: entry.stored))
      }
      let isRenewed =
        renewal < seconds && cache.entry(key, maxAgeSeconds: seconds, now: now()) != nil
      let hasFailed = isRenewed && cache.get(failedKey, maxAgeSeconds: renewal, now: now()) != nil
      if let cached = cached(within: hasFailed ? seconds : min(seconds, renewal)) { return cached }
      var request = request
      if isRenewed { request.timeBudgetDivisor = 4 }
      do throws(AnswerFailure) {
        let (answer, report) = try await ask(request)
        let value = try reading(answer, to: request, by: read)
        // What an earlier run kept is not as new as this.
        if answer.kept == nil { cache.put(key, answer.body, now: now()) }
        return (value, .request(report))
      } catch {
        guard isRenewed, let cached = cached(within: seconds) else { throw error }
        cache.put(failedKey, [], now: now())
        return cached
      }
    }
  }

  /// Reads an answer, and keeps it for later runs.
  private func reading<Value>(
    _ answer: HTTPResponse, to request: HTTPRequest, by read: (HTTPResponse) throws(AnswerFailure) -> Value
  ) throws(AnswerFailure) -> Value {
    let reading = Result { () throws(AnswerFailure) in try read(answer) }
    keep(answer, to: request, isFailure: (try? reading.get()) == nil)
    return try reading.get()
  }
}
