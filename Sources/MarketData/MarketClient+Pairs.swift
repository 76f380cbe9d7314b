package import Config
package import HTTP
package import Mapping
package import Quotes

/// A query about one pair, other than its ticker.
package struct PairQuery: Sendable {
  package let pair: Pair
  /// The group of futures; nil for the first in the config that lists the pair.
  package let product: String?
  package let options: Interpretation

  package init(_ pair: Pair, product: String? = nil, _ options: Interpretation) {
    (self.pair, self.product, self.options) = (pair, product, options)
  }

  /// Returns whether rows of a table may be of the pair, and of the product if one is wanted.
  fileprivate func mayBe(in table: TableSpec) -> Bool {
    table.canHold(pair, options) && (product == nil || table.products(of: pair, options).contains(product))
  }
}

extension MarketClient {
  /// Returns the order book of a pair on one market, with all levels of the answer.
  ///
  /// - Parameters:
  ///   - count: The number of levels wanted on each side.
  ///   - ofPrices: Whether its sizes are of no interest: their unit is not looked up.
  package func orderbook(
    _ query: PairQuery, count: Int, ofPrices: Bool = false, on market: ExchangeMarket, of exchange: String
  ) async -> PairAnswer<OrderBook> {
    let specs = ofPrices ? market.orderbooks.map(\.ofPrices) : market.orderbooks
    return await answer(query, by: specs, tables: \.table, lacking: \.missingName, on: market, of: exchange) {
      spec, asking in
      await ask(spec.table, named: "orderbook", BookPlan.lookups(of: spec), count: count, asking) {
        answer, context throws(AnswerFailure) in
        try BookPlan(spec).reading(in: answer, context, query.options, asking.multiplier)
      }
    }
  }

  /// Returns the newest trades of a pair on one market.
  ///
  /// - Parameter count: The number of trades wanted.
  package func trades(
    _ query: PairQuery, count: Int, on market: ExchangeMarket, of exchange: String
  ) async -> PairAnswer<TradeList> {
    await answer(query, by: market.trades, tables: \.self, lacking: \.missingName, on: market, of: exchange) {
      table, asking in
      await ask(table, named: "trades", table.lookupsOfRows, count: count, asking) {
        answer, context throws(AnswerFailure) in
        try TradePlan(table).reading(of: count, in: answer, context, query.options, asking.multiplier)
      }
    }
  }

  /// Asks one part of a market for as many records as wanted, along with the lookups that they need.
  private func ask<Value: LookedUp>(
    _ table: TableSpec, named kind: String, _ wanted: Set<String>, count: Int, _ asking: PairAsking,
    reading read: (HTTPResponse, ReadingContext) throws(AnswerFailure) -> (Value, [ExplainedRecord])
  ) async -> PairReading<Value> {
    var context = asking.context
    context.count = table.count(for: count)
    let lookups = await lookups(of: table, wanted, asking)
    return await ask(table, named: kind, context, lookups) { answer, context throws(AnswerFailure) in
      try asking.check(answer)
      return try read(answer, context)
    }
  }

  /// Sends one request of a block and reads the answer, once more if cached lookups lack the pair: it may have been
  /// listed since.
  ///
  /// - Parameters:
  ///   - lookups: The lookups that the rows need.
  ///   - isFurtherPage: Whether it continues an answer, so that the time limit of the run does not end it.
  ///   - read: Reads the contents of the answer and, if requested, explains its records.
  func ask<Value: LookedUp>(
    _ table: TableSpec, named kind: String, _ context: RequestContext, _ lookups: LookupStates,
    isFurtherPage: Bool = false,
    reading read: (HTTPResponse, ReadingContext) throws(AnswerFailure) -> (Value, [ExplainedRecord])
  ) async -> PairReading<Value> {
    var requests = lookups.requests
    do throws(AnswerFailure) {
      var request = try self.request(table, named: kind, context)
      request.prolongsRun = isFurtherPage
      let (answer, report) = try await ask(request)
      requests.insert(report, at: 0)
      func result(with lookups: LookupStates) -> Result<(Value, [ExplainedRecord]), AnswerFailure> {
        let context = ReadingContext(context, lookups: lookups.states, hooks: hooks)
        return Result { () throws(AnswerFailure) in try read(answer, context) }
      }
      func isMiss(_ result: Result<(Value, [ExplainedRecord]), AnswerFailure>) -> Bool {
        switch result {
        case .success(let read): read.0.hasLookupMiss
        case .failure(let failure): failure.reason == .lookupMiss
        }
      }
      var reading = result(with: lookups)
      var renewal: LookupStates?
      if !lookups.kept.isEmpty, isMiss(reading) {
        renewal = await renewed(lookups, lookups.agesOfMiss, of: table, context)
      }
      if let renewal {
        requests = [report] + renewal.requests
        reading = result(with: renewal)
      }
      var (value, explained) = try reading.get()
      if (renewal ?? lookups).areDoubtful { value.doubtSizes() }
      for index in explained.indices { explained[index].request = report.text }
      return PairReading(result: .success(value), requests: requests, explained: explained, renewed: renewal)
    } catch {
      // Recordings contain the longest answer, which also serves for shorter ones.
      if error.reason == .notRecorded, let most = table.counts.last, context.count ?? most < most {
        var context = context
        context.count = most
        return await ask(table, named: kind, context, lookups, isFurtherPage: isFurtherPage, reading: read)
      }
      return PairReading(result: .failure(error), requests: requests)
    }
  }

  /// Returns the request of a block, named for recordings: `orderbook-BTC-USDT`.
  package func request(
    _ table: TableSpec, named kind: String, _ context: RequestContext
  ) throws(AnswerFailure) -> HTTPRequest {
    var writer = RequestWriter(table, context)
    return try writer.request(
      named: ([kind] + (context.pair.map { [$0.asset, $0.payment] } ?? [])).joined(separator: "-"))
  }
}

/// The result of asking one part of a market.
struct PairReading<Value> {
  let result: Result<Value, AnswerFailure>
  let requests: [RequestReport]
  /// How the most important records were derived; empty unless requested.
  var explained: [ExplainedRecord] = []
  /// The lookups that were requested again for it, which further pages need; nil if there are none.
  var renewed: LookupStates?
}

extension MarketClient {
  /// Asks the parts of a market that may contain a pair, one after the other, until one of them lists it.
  ///
  /// If none lists it under the config's name for it, the table of all pairs may know it under another: `1000PEPE`, or
  /// a name that no template can produce. A part whose request does not name the pair is believed only if it can be of
  /// no other: see ``AnswerNames``.
  ///
  /// - Parameter lacking: Returns what of the pair's name the request of a part lacks.
  func answer<Part: Sendable, Value: AssetAmounts>(
    _ query: PairQuery, by parts: [Part], tables table: (Part) -> TableSpec, lacking: (Part) -> Template.PairPart?,
    on market: ExchangeMarket, of exchange: String,
    asking ask: (Part, PairAsking) async -> PairReading<Value>
  ) async -> PairAnswer<Value> {
    let usable = parts.filter { market.mayHave(query, in: table($0)) }
    // Another part of the market may list the pair, without this kind of data.
    let isElsewhere = usable.isEmpty && (market.tickers + market.ticker).contains(where: query.mayBe)
    var failure = AnswerFailure(parts.isEmpty || isElsewhere ? .notOffered : .notListed)
    var requests: [RequestReport] = []
    /// Returns nil if the part does not list the pair under the name asked for, or does not trade it.
    func answer(of part: Part, _ asking: PairAsking) async -> PairAnswer<Value>? {
      let reading = await ask(part, asking)
      requests += reading.requests
      if case .failure(let reason) = reading.result, reason.reason.isAbsence {
        // That the others lack a halted pair says less.
        if failure.reason != .halted { failure = reason }
        return nil
      }
      return PairAnswer(
        exchange: exchange, market: market.market, product: asking.product, pair: query.pair,
        reading.result.map { $0.inUnits(asking.multiplier) }, requests: requests,
        multiplier: asking.multiplier, explained: reading.explained)
    }
    for part in usable {
      let block = table(part)
      let naming = market.naming(of: block, globalAliases: query.options.globalAliases)
      var asking = PairAsking(
        context: context(for: exchange, pair: query.pair), market: market.market, naming: naming)
      asking.context.spelling = block.spelling(of: query.pair)
      asking.product = market.product(of: query, by: block)
      do throws(AnswerFailure) {
        if !block.namesSymbol {
          // Without its symbol, the request is about one of several products, and nothing says which.
          if query.product != asking.product, query.product != nil { throw AnswerFailure(.notOffered) }
          if let lacking = lacking(part) {
            asking.names = try await answerNames(query, lacking: lacking, in: block, on: market, &requests)
          }
          if let answer = await answer(of: part, asking) { return answer }
          guard market.mayOmitRenamedPairs else { continue }
        }
        // A cached table may have a name that the exchange has given up since.
        var asked = block.namesSymbol ? nil : asking.context.spelling
        for isRenewal in [false, true] {
          let found = try await listed(query, in: block, on: market, &requests, isRenewal: isRenewal)
          guard let (listed, isKept) = found else { break }
          if asked.map({ !block.isAskedAlike($0, listed.spelling) }) ?? true {
            asked = listed.spelling
            if let answer = await answer(of: part, asking.renamed(listed)) { return answer }
          }
          guard isKept else { break }
        }
      } catch {
        failure = error
      }
    }
    return PairAnswer(
      exchange: exchange, market: market.market, product: query.product, pair: query.pair, .failure(failure),
      requests: requests)
  }

  /// How long the names of an exchange's pairs are cached.
  private static let secondsOfListing = 3600

  /// Returns a pair's name in the table of all pairs, and whether that is cached; nil if it does not list the pair.
  ///
  /// - Parameter isRenewal: Whether a cached table is requested again, unless it is new: the pair may have been listed or
  ///   renamed since.
  func listed(
    _ query: PairQuery, in block: TableSpec, on market: ExchangeMarket, _ requests: inout [RequestReport],
    isRenewal: Bool
  ) async throws(AnswerFailure) -> (pair: ListedPair, isKept: Bool)? {
    var isKept = false
    // A table in batches takes so many requests that it is only searched for a name that the block's own needs.
    for table in market.listings(of: query, for: block, includesBatches: block.namesSymbol && !isRenewal) {
      let lookups = await lookups(ofListing: table, on: market, isRenewal: isRenewal)
      requests += lookups.requests
      for keys in try table.batches(lookups, likelyOf: query.pair) {
        let (listed, source) = try await listing(query, table, keys, lookups, on: market, isRenewal: isRenewal) {
          (plan, answer, context) throws(AnswerFailure) in
          try plan.spelling(of: query.pair, product: query.product, in: answer, context)
        }
        let isCached = source.report == nil && table.batch == nil
        if let report = source.report { requests.append(report) }
        if let listed { return (listed, isCached) }
        if isCached { isKept = true }
      }
    }
    guard isKept, !isRenewal else { return nil }
    return try await listed(query, in: block, on: market, &requests, isRenewal: true)
  }

  /// Returns the names that the answer to a request without the pair's name must have; nil if it needs none, because
  /// the table of all pairs lists no other that it could be of.
  private func answerNames(
    _ query: PairQuery, lacking: Template.PairPart, in block: TableSpec, on market: ExchangeMarket,
    _ requests: inout [RequestReport]
  ) async throws(AnswerFailure) -> AnswerNames? {
    let spelling = block.spelling(of: query.pair)
    if let only = market.onlyPair {
      guard only == (spelling.asset, spelling.payment) else { throw AnswerFailure(.notListed) }
      return nil
    }
    let tables = market.listings(of: query, for: block, includesBatches: false)
    if tables.isEmpty { return AnswerNames(of: query.pair, spelled: spelling, among: []) }
    var (pairs, isKept) = try await pairs(in: tables, query, on: market, &requests)
    // The pair may have been listed since.
    if isKept, !pairs.contains(where: { $0.pair == query.pair }) {
      (pairs, _) = try await self.pairs(in: tables, query, on: market, &requests, isRenewal: true)
    }
    guard pairs.contains(where: { $0.pair == query.pair }) else { throw AnswerFailure(.notListed) }
    let rivals = pairs.filter { lacking == .asset || $0.pair.asset == query.pair.asset }
    if rivals.allSatisfy({ $0.pair == query.pair }) { return nil }
    return AnswerNames(of: query.pair, spelled: spelling, among: pairs)
  }

  /// Returns all pairs of tables, and whether any answer was cached.
  ///
  /// - Parameter isRenewal: Whether cached answers are requested again, unless they are new.
  private func pairs(
    in tables: [TableSpec], _ query: PairQuery, on market: ExchangeMarket, _ requests: inout [RequestReport],
    isRenewal: Bool = false
  ) async throws(AnswerFailure) -> (pairs: [ListedPair], isKept: Bool) {
    var (pairs, isKept): ([ListedPair], Bool) = ([], false)
    for table in tables {
      let lookups = await lookups(ofListing: table, on: market, isRenewal: isRenewal)
      requests += lookups.requests
      let (listed, source) = try await listing(query, table, nil, lookups, on: market, isRenewal: isRenewal) {
        (plan, answer, context) throws(AnswerFailure) in
        try plan.pairs(in: answer, context)
      }
      if let report = source.report { requests.append(report) } else { isKept = true }
      pairs += listed
    }
    return (pairs, isKept)
  }

  private func lookups(
    ofListing table: TableSpec, on market: ExchangeMarket, isRenewal: Bool
  ) async -> LookupStates {
    let context = context(for: table.owner, pair: nil)
    let wanted = TablePlan(table, market: market.market).requestedLookups
    let ages = isRenewal ? LookupAge.ages(of: wanted, LookupAge.ofMiss) : [:]
    return await lookups(of: table, wanted, context, renewedAfter: ages)
  }

  /// Requests a table of all pairs or one batch of it, or takes the cached answer, and reads its names.
  private func listing<Value: Sendable>(
    _ query: PairQuery, _ table: TableSpec, _ keys: String?, _ lookups: LookupStates, on market: ExchangeMarket,
    isRenewal: Bool,
    reading read: @escaping @Sendable (ListingPlan, HTTPResponse, ReadingContext) throws(AnswerFailure) -> Value
  ) async throws(AnswerFailure) -> (Value, AnswerSource) {
    var context = context(for: table.owner, pair: nil)
    context.keys = keys
    let request = try request(table, named: table.requestName(on: market.market, for: nil), context)
    let plan = ListingPlan(table, market: market.market, globalAliases: query.options.globalAliases)
    let reading = ReadingContext(context, lookups: lookups.states, hooks: hooks)
    let age = isRenewal ? LookupAge.ofMiss : Int.max
    return try await kept(request, for: Self.secondsOfListing, renewedAfter: age, scope(of: table)) {
      answer throws(AnswerFailure) in
      try read(plan, answer, reading)
    }
  }
}

extension BookPlan {
  /// Returns the order book of a response, with an explanation if the options ask for one.
  func reading(
    in answer: HTTPResponse, _ context: ReadingContext, _ options: Interpretation, _ multiplier: Decimal?
  ) throws(AnswerFailure) -> (OrderBook, [ExplainedRecord]) {
    let book = try book(in: answer, context, check: options.check)
    guard options.traces else { return (book, []) }
    return (book, try explained(book, in: answer, context, multiplier: multiplier))
  }
}

/// How one part of a market is asked about a pair.
struct PairAsking: Sendable {
  var context: RequestContext
  let market: Market
  /// The number of units that the exchange counts as one, if not 1.
  var multiplier: Decimal?
  /// The names that the answer must have; nil if the request says which pair it is about.
  var names: AnswerNames?
  /// The group of futures that the answer is of; nil if there is none, or if nothing tells.
  var product: String?
  /// How the answer names a pair, if it does; nil if that is unknown.
  let naming: PairNaming?

  /// Returns how to ask for the pair by its name in the table of all pairs.
  func renamed(_ listed: ListedPair) -> PairAsking {
    var renamed = self
    renamed.context.spelling = listed.spelling
    (renamed.multiplier, renamed.names) = (listed.multiplier, nil)
    renamed.product = product ?? listed.product
    return renamed
  }

  /// Checks that an answer is about the pair, as far as it says.
  func check(_ answer: HTTPResponse) throws(AnswerFailure) {
    if let names { return try names.check(answer) }
    guard let pair = context.pair, let naming, let other = naming.otherPair(than: pair, in: answer.body) else { return }
    if naming.renames(pair.asset) { throw AnswerFailure(.notListed) }
    throw AnswerFailure(.noAnswer(.otherPair), "requested \(pair), but the answer is about \(other)")
  }
}

extension TableSpec {
  /// Returns whether the block's request for a pair is the same by two of its names.
  fileprivate func isAskedAlike(_ one: PairSpelling, _ other: PairSpelling) -> Bool {
    one.asset == other.asset && one.payment == other.payment && (!namesSymbol || one.symbol == other.symbol)
  }

  /// Returns the keys of each request for a table of all pairs, those first that name the pair's asset; nil for one
  /// without keys.
  fileprivate func batches(_ lookups: LookupStates, likelyOf pair: Pair) throws(AnswerFailure) -> [String?] {
    guard let batch else { return [nil] }
    let name = spelling(of: pair).asset.uppercased()
    let all = try batch.keys(in: lookups.states[batch.lookup]).map { keys in
      (keys: keys, isLikely: keys.uppercased().contains(name))
    }
    return (all.filter(\.isLikely) + all.filter { !$0.isLikely }).map(\.keys)
  }

  fileprivate var payments: Set<String> { Set(paymentCurrencies.flatMap(\.currencies)) }
}

extension ExchangeMarket {
  /// Returns how the answers to a block's requests name pairs: as the tables of the block's own part do.
  fileprivate func naming(of block: TableSpec, globalAliases: [String: String]) -> PairNaming? {
    // Parts without a name are told apart by their payment currencies.
    let named = (tickers + ticker).filter { $0.partName == block.partName }
    let table = named.first { $0.payments == block.payments } ?? named.first
    return table.flatMap { PairNaming($0, globalAliases: globalAliases) }
  }

  /// Returns the groups of futures that rows of a pair may be of, in the order of the config.
  package func products(of query: PairQuery) -> [String] {
    (tickers.isEmpty ? ticker : tickers).filter { $0.canHold(query.pair, query.options) }
      .flatMap { $0.products(of: query.pair, query.options) }.compactMap(\.self).unique
  }

  /// Returns the groups of futures that a block's answer about a pair may be of, as the pair's rows in the table of all
  /// pairs would name them; nil stands for none.
  private func products(of query: PairQuery, by block: TableSpec) -> [String?] {
    guard market == .futures else { return [nil] }
    func group(_ table: TableSpec) -> String? {
      table.paymentGroup(of: query.pair.payment, globalAliases: query.options.globalAliases)?.name
    }
    let tables = listings(of: query, for: block, includesBatches: true)
    // Parts without a name are told apart by the names of their groups.
    let own = tables.filter { $0.partName == block.partName && group($0) == group(block) }
    let usable = !own.isEmpty ? own : block.product == nil && !tables.isEmpty ? tables : [block]
    return usable.flatMap { $0.products(of: query.pair, query.options) }.unique
  }

  /// Returns the group of futures that a block's answer about a pair is of; nil if there is none, or if only the row's
  /// symbol tells.
  func product(of query: PairQuery, by block: TableSpec) -> String? {
    let products = products(of: query, by: block)
    return products.count == 1 ? products[0] : nil
  }

  /// Returns whether a block's answer may be about the pair, and the product if one is wanted.
  package func mayHave(_ query: PairQuery, in block: TableSpec) -> Bool {
    block.canHold(query.pair, query.options)
      && (query.product == nil || products(of: query, by: block).contains(query.product))
  }

  /// Returns the tables of all pairs that may list a pair: only those of the block's own part if it has any.
  ///
  /// - Parameter includesBatches: Whether tables that take several requests are wanted.
  func listings(of query: PairQuery, for block: TableSpec, includesBatches: Bool) -> [TableSpec] {
    let able = tickers.filter { (includesBatches || $0.batch == nil) && $0.canHold(query.pair, query.options) }
    let same = able.filter { $0.partName == block.partName }
    return same.isEmpty ? able : same
  }
}
