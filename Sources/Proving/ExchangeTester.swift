package import Cassettes
package import Config
import HTTP
package import Mapping
package import MarketData
import Quotes
import Synchronization

/// Tests an exchange's mapping: requests every table of all pairs, and some single pairs on their own.
package struct ExchangeTester: Sendable {
  let client: MarketClient
  let options: Interpretation
  /// nil for live requests.
  let cassette: CassettePlayer?
  /// The connections recorded with it.
  let tapes: [(name: String, tape: StreamTape)]
  /// The live connections to use instead; nil if streams are not tested.
  let live: LiveStreams?
}

extension ExchangeTester {
  /// Creates a test of live answers.
  ///
  /// - Parameters:
  ///   - streams: for testing streams as well.
  ///   - options: how answers are read.
  package init(live client: MarketClient, streams: LiveStreams? = nil, _ options: Interpretation) {
    self.init(client: client, options: options, cassette: nil, tapes: [], live: streams)
  }

  /// Creates a test of a cassette, at the time of its last recording.
  ///
  /// - Parameter tapes: the connections recorded with it, with their names.
  package init(
    _ cassette: CassettePlayer, _ tapes: [(name: String, tape: StreamTape)] = [], credentials: Credentials,
    _ options: Interpretation
  ) {
    let now = cassette.latestArrival ?? Instant(nanoseconds: 0)
    let client = MarketClient(
      handler: cassette.handler, credentials: credentials, hooks: options.hooks, now: { now })
    self.init(client: client, options: options, cassette: cassette, tapes: tapes, live: nil)
  }

  /// - Parameter base: the same exchange's results from its cassette, for comparison.
  package func test(_ exchange: Exchange, comparedWith base: TestedExchange? = nil) async -> TestedExchange {
    let disabled = cassette == nil ? exchange.markets.filter { !$0.isEnabled }.map(\.market) : []
    let markets = exchange.markets.filter { !disabled.contains($0.market) }
    // Beside the streams: they are listened to for longer than an answer may take.
    async let wallets = TestedWallets(exchange, by: client, options.globalAliases)
    let results = await concurrently(markets) { market in
      let tables = await self.tables(of: market, base)
      let blocks = await self.blocks(of: market, of: exchange.name, after: tables, base)
      return (
        tables, blocks, await self.streams(of: market, of: exchange.name, beside: tables, blocks, base),
        await client.assetNames(on: market, of: exchange.name, options)
      )
    }
    return TestedExchange(
      exchange.name, markets, results.flatMap(\.0), results.flatMap(\.1), results.flatMap(\.2),
      names: results.compactMap(\.3).map { TestedNames(market: $0.market, outcome: $0.result) },
      wallets: await wallets, disabled: disabled, cassette: cassette, comparedWith: base)
  }

  private func tables(of market: ExchangeMarket, _ base: TestedExchange?) async -> [TestedTable] {
    let bulk = await concurrently(market.tickers.named) { await self.table($0, market.market, pair: nil) }
    let single = pairs(to: market, after: bulk, base)
    return bulk + (await concurrently(single) { await self.table($0.part, market.market, pair: $0.pair) })
  }

  private func table(_ part: TablePart, _ market: Market, pair: Pair?) async -> TestedTable {
    let tap = AnswerCapture()
    let client = client.tapped(by: tap)
    var options = options
    options.namesUnsplit = true
    let query = TableQuery(market: market, pair: pair, fields: Set(TickerField.allCases), options: options)
    let gathered = await client.table(of: [part.spec], query)
    return TestedTable(market, part: part.name, pair: pair, part.spec, gathered, tap.answers, hooks: options.hooks)
  }

  // MARK: Single pairs

  private typealias Single = (part: TablePart, pair: Pair)

  /// Returns which single pairs to request: all those on a cassette, or live two for each part.
  private func pairs(to market: ExchangeMarket, after bulk: [TestedTable], _ base: TestedExchange?) -> [Single] {
    let rows = bulk.flatMap(\.rows)
    guard let cassette else {
      return market.ticker.named.flatMap { part -> [Single] in
        let own = rows.filter { self.canHold(part.spec, $0) }
        guard let pair = typicalPair(of: own, market.market, base) else {
          return bulk.isEmpty ? part.spec.likelyPairs(options.globalAliases).map { (part, $0) } : []
        }
        return [pair, contrastingPair(to: pair, in: own)].compactMap(\.self).map { (part, $0) }
      }
    }
    let parts = market.ticker.named
    let names = cassette.entries.compactMap { RecordingName($0, of: market.market.rawValue) }
    let plain = Set(names.compactMap(\.pair).filter { pair in parts.contains { holds(cassette, $0.spec, pair) } })
    let others = names.filter { name in name.pair.map { !plain.contains($0) } ?? true }
    return parts.flatMap { part in
      let payments = Set(part.spec.paymentCurrencies.flatMap(\.currencies).map { $0.uppercased() })
      let guesses = others.compactMap { name in
        name.guesses(payments: payments).first { holds(cassette, part.spec, $0) }
      }
      let candidates = rows.map(\.ticker.pair) + plain.sorted { "\($0)" < "\($1)" } + guesses
      return candidates.unique.filter { holds(cassette, part.spec, $0) }.map { (part, $0) }
    }
  }

  /// Returns a pair to request on its own: Bitcoin's, or else one without findings; if the table of all pairs has
  /// failed, a recorded one.
  func typicalPair(of rows: [TickerRow], _ market: Market, _ base: TestedExchange?) -> Pair? {
    let plain = rows.filter { $0.ticker.multiplier == nil }
    let sound = plain.filter { $0.ticker.headlineObjection(.anyPrice) == nil }
    let usable = sound.isEmpty ? plain : sound
    let recorded = (base?.tables ?? []).filter { $0.market == market }
    return (usable.first { $0.ticker.pair.asset == "BTC" } ?? usable.first)?.ticker.pair
      ?? recorded.lazy.filter { !$0.rows.isEmpty }.compactMap(\.pair).first
      ?? recorded.flatMap(\.rows).first { $0.ticker.multiplier == nil }?.ticker.pair
  }

  /// The factor between two prices that no answer can confuse.
  private static let contrast: Decimal = 4

  /// Returns the most traded pair whose price is clearly different: an answer for the first pair whatever is requested
  /// shows with the second. It is of the same payment currency if possible.
  func contrastingPair(to pair: Pair, in rows: [TickerRow]) -> Pair? {
    let sound = rows.map(\.ticker).filter { $0.multiplier == nil && $0.headlineObjection(.anyPrice) == nil }
    guard let own = sound.first(where: { $0.pair == pair })?.price.value else { return nil }
    let others = sound.filter { other in
      other.price.value.map { max($0, own) >= min($0, own) * Self.contrast } ?? false
    }
    let alike = others.filter { $0.pair.payment == pair.payment }
    // Reversed, so that the first of several without turnover is taken.
    return (alike.isEmpty ? others : alike).reversed().max { one, other in
      (one.turnover24.value ?? 0) < (other.turnover24.value ?? 0)
    }?.pair
  }

  // MARK: Exchange rates

  /// Tests a provider; there is nothing to test if its rate is an exchange's price.
  ///
  /// - Parameter base: the same provider's results from its cassette, for comparison.
  package func test(_ provider: RateProvider, comparedWith base: TestedExchange? = nil) async -> TestedExchange {
    guard case .table(let spec, let daysBack) = provider.source else {
      return TestedExchange(provider.name, origin: "")
    }
    var rates: [TestedRate] = []
    let ratePairs = ratePairs(of: provider)
    for pair in (ratePairs + Self.sharedPairs).unique.filter(provider.canHold) {
      let query = ProviderQuery(provider, spec, pair, daysBack, nil, options)
      let tap = AnswerCapture()
      let isKept = ratePairs.contains(pair)
      let source = isKept || cassette != nil ? client : client.repeating(rates.flatMap(\.answers))
      let (state, _) = await source.tapped(by: tap).state(query, .unremembered)
      let failure = state.trouble ?? state.replies.lazy.compactMap(\.failure).first ?? TableFailure(.emptyAnswer)
      let reading = state.replies.lazy.compactMap(\.reading).first
      guard isKept || reading != nil else { continue }
      rates.append(
        TestedRate(
          pair: pair, outcome: reading.map { .success($0) } ?? .failure(failure), spec: spec, isKept: isKept,
          isPromised: isKept && !recordedPairs.contains(pair), answers: tap.answers, hooks: options.hooks))
    }
    return TestedExchange(provider.name, rates, of: spec, options.check, cassette: cassette, comparedWith: base)
  }

  /// The pairs in recordings' names.
  private var recordedPairs: [Pair] { cassette?.entries.compactMap { RecordingName($0, of: "rate")?.pair } ?? [] }

  /// The pairs in recordings' names, or else those of nearly every provider, one of which is enough for live tests, or
  /// those that its own `pairs` name.
  private func ratePairs(of provider: RateProvider) -> [Pair] {
    let known = [("USD", "KRW"), ("EUR", "USD"), ("EUR", "JPY")].map { Pair(asset: $0.0, payment: $0.1) }
    let held = known.filter(provider.canHold)
    let usual = held.isEmpty ? provider.pairs.prefix(3).map(Self.pair) : held
    return recordedPairs.isEmpty ? usual : recordedPairs
  }

  /// Returns a pair of a pattern, with a currency of nearly every provider for any: `*/PLN` is USD/PLN.
  private static func pair(of pattern: PairPattern) -> Pair {
    let payment = pattern.payment ?? (pattern.asset == "USD" ? "EUR" : "USD")
    return Pair(asset: pattern.asset ?? (payment == "USD" ? "EUR" : "USD"), payment: payment)
  }

  /// Pairs that the answer for another pair may hold as well; no call is spent on them. The yen is the currency that is
  /// often quoted per 100.
  private static let sharedPairs = [Pair(asset: "JPY", payment: "KRW")]

  // MARK: Applicable requests

  func canHold(_ spec: TableSpec, _ row: TickerRow) -> Bool {
    spec.canHold(payment: row.ticker.pair.payment, globalAliases: options.globalAliases)
  }

  private func holds(_ cassette: CassettePlayer, _ spec: TableSpec, _ pair: Pair) -> Bool {
    guard spec.canHold(payment: pair.payment, globalAliases: options.globalAliases) else { return false }
    var writer = RequestWriter(spec, client.context(for: spec.owner, pair: pair))
    guard let request = try? writer.request(named: "test") else { return false }
    return cassette.holds(request)
  }
}

/// Keeps every request that passes through, with its answer.
final class AnswerCapture: Sendable {
  private let kept = Mutex<[CapturedAnswer]>([])

  var answers: [CapturedAnswer] { kept.withLock { $0 } }

  func keep(_ answer: CapturedAnswer) { kept.withLock { $0.append(answer) } }

  func tapping(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      let outcome = await Result { () async throws(TransportError) in try await handler(request) }
      self.keep(CapturedAnswer(request: request, outcome: outcome))
      return try outcome.get()
    }
  }
}

extension MarketClient {
  /// Returns a client with every answer tapped and no cached lookups. Rate providers' budgets still apply: their
  /// earlier answers replace calls that are not yet allowed.
  func tapped(by tap: AnswerCapture) -> MarketClient {
    MarketClient(
      handler: tap.tapping(handler),
      rates: rates?.telling { request, response in
        tap.keep(CapturedAnswer(request: request, outcome: .success(response)))
      },
      credentials: credentials, configPath: configPath, hooks: hooks, now: now)
  }
}

extension MarketClient {
  /// Returns a client that only has the answers to earlier requests, whatever they were for.
  fileprivate func repeating(_ answers: [CapturedAnswer]) -> MarketClient {
    MarketClient(
      handler: { request throws(TransportError) in
        let same = answers.first { answer in
          answer.request.method == request.method && answer.request.urls == request.urls
            && answer.request.body == request.body
        }
        guard let same else { throw .notInCassette("\(request.method) \(request.urls.first ?? "")") }
        return try same.outcome.get()
      }, credentials: credentials, configPath: configPath, hooks: hooks, now: now)
  }
}

/// A part of a table with what distinguishes it from the others.
typealias TablePart = (name: String, spec: TableSpec)

extension [TableSpec] {
  var named: [TablePart] {
    map { spec in
      if count == 1 { return ("", spec) }
      let groups = spec.paymentCurrencies.map(\.name).joined(separator: " ")
      return (spec.partName.isEmpty ? groups : spec.partName, spec)
    }
  }
}

extension TableSpec {
  /// Two pairs that an exchange without a table of all pairs is likely to list, of very different prices.
  fileprivate func likelyPairs(_ globalAliases: [String: String]) -> [Pair] {
    let currency = paymentCurrencies.lazy.flatMap(\.currencies).first ?? "USDT"
    let own = aliases.first { $0.from == currency }?.to ?? currency.uppercased()
    return ["BTC", "ETH"].map { Pair(asset: $0, payment: globalAliases[own] ?? own) }
  }
}
