package import Cassettes
package import Config
import HTTP
package import Mapping
package import MarketData
import Quotes

/// Tests an exchange's mapping: requests every table of all pairs, and some single pairs on their own.
package struct ExchangeTester: Sendable {
  let client: MarketClient
  let options: Interpretation
  /// nil for live requests.
  let cassette: CassettePlayer?
  /// Those of its recordings.
  let names: RecordingNames
  /// The connections recorded with it.
  let tapes: [(name: String, tape: StreamTape)]
  /// The live connections to use instead; nil if streams are not tested.
  let live: LiveStreams?
}

extension ExchangeTester {
  /// Creates a test of live answers.
  ///
  /// - Parameters:
  ///   - streams: For testing streams as well.
  ///   - options: How answers are read.
  package init(live client: MarketClient, streams: LiveStreams? = nil, _ options: Interpretation) {
    self.init(client: client, options: options, cassette: nil, names: RecordingNames(of: nil), tapes: [], live: streams)
  }

  /// Creates a test of a cassette, at the time of its last recording.
  ///
  /// - Parameter tapes: The connections recorded with it, with their names.
  package init(
    _ cassette: CassettePlayer, _ tapes: [(name: String, tape: StreamTape)] = [], credentials: Credentials,
    _ options: Interpretation
  ) {
    let now = cassette.latestArrival ?? Instant(nanoseconds: 0)
    let client = MarketClient(
      handler: cassette.handler, credentials: credentials, hooks: options.hooks, now: { now })
    self.init(
      client: client, options: options, cassette: cassette, names: RecordingNames(of: cassette), tapes: tapes, live: nil
    )
  }

  /// - Parameter base: The same exchange's results from its cassette, for comparison.
  package func test(_ exchange: Exchange, comparedWith base: TestedExchange? = nil) async -> TestedExchange {
    let disabled = cassette == nil ? exchange.markets.filter { !$0.isEnabled }.map(\.market) : []
    let markets = exchange.markets.filter { !disabled.contains($0.market) }
    // Beside the streams: they are listened to for longer than an answer may take.
    async let wallets = TestedWallets(exchange, by: client, options.globalAliases)
    let results = await concurrently(markets) { market in
      await MarketTester(tester: self, exchange: exchange.name, market: market, base: base).results()
    }
    return TestedExchange(
      exchange.name, markets, results.flatMap(\.tables), results.flatMap(\.blocks), results.flatMap(\.streams),
      names: results.compactMap(\.names), wallets: await wallets, disabled: disabled, cassette: cassette,
      comparedWith: base)
  }

  // MARK: Exchange rates

  /// Tests a provider; there is nothing to test if its rate is an exchange's price.
  ///
  /// - Parameter base: The same provider's results from its cassette, for comparison.
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
      let failure = state.trouble ?? state.replies.lazy.compactMap(\.failure).first ?? AnswerFailure(.emptyAnswer)
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
  private var recordedPairs: [Pair] { names.of("rate").compactMap(\.pair) }

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
}
