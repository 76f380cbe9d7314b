package import Config
import HTTP
package import Mapping
package import Quotes

/// Display names of assets, with the exchanges they come from.
///
/// An exchange's own name takes precedence, then that of the first exchange in the config. A symbol may mean another
/// coin elsewhere, so each name comes with its source.
package struct AssetNames: Sendable {
  package struct Named: Sendable, Hashable {
    package let name: AssetName
    /// The exchange that the name comes from.
    package let exchange: String
  }

  /// The names from one market.
  package struct Answer: Sendable {
    package let exchange: String
    package let market: Market
    package let result: Result<[String: AssetName], AnswerFailure>

    package init(exchange: String, market: Market, _ result: Result<[String: AssetName], AnswerFailure>) {
      (self.exchange, self.market, self.result) = (exchange, market, result)
    }
  }

  /// In the order of the config.
  package let answers: [Answer]
  private let first: [String: Named]
  private let own: [String: [String: AssetName]]

  /// - Parameter answers: The answers in the order of the config.
  package init(_ answers: [Answer] = []) {
    self.answers = answers
    var first: [String: Named] = [:]
    var own: [String: [String: AssetName]] = [:]
    for answer in answers {
      guard let names = try? answer.result.get() else { continue }
      own[answer.exchange, default: [:]].merge(names) { first, _ in first }
      first.merge(names.mapValues { Named(name: $0, exchange: answer.exchange) }) { first, _ in first }
    }
    self.first = first
    self.own = own
  }

  /// - Parameter exchange: The pair's exchange; nil for a pair of many exchanges.
  package subscript(asset: String, on exchange: String? = nil) -> Named? {
    if let exchange, let name = own[exchange]?[asset] { return Named(name: name, exchange: exchange) }
    return first[asset]
  }

  /// The exchanges that provided names, in the order of the config.
  package var exchanges: [String] {
    answers.filter { (try? $0.result.get()) != nil }.map(\.exchange).unique
  }
}

extension MarketClient {
  /// How long names are cached on disk; they seldom change.
  private static let secondsOfNames = 86_400

  /// Returns the asset names of a market; nil if the config does not define a request for them.
  package func assetNames(
    on market: ExchangeMarket, of exchange: String, _ options: Interpretation
  ) async -> AssetNames.Answer? {
    guard let table = market.names else { return nil }
    let context = context(for: exchange, pair: nil)
    let plan = AssetNamePlan(table)
    let reading = ReadingContext(context, hooks: hooks)
    let result = await Result { () async throws(AnswerFailure) in
      let request = try request(table, named: "\(market.market.rawValue)-names", context)
      return try await kept(request, for: Self.secondsOfNames, scope(of: table)) { answer throws(AnswerFailure) in
        try plan.names(in: answer, reading, globalAliases: options.globalAliases)
      }.0
    }
    return AssetNames.Answer(exchange: exchange, market: market.market, result)
  }
}

extension MarketSession {
  /// Returns the asset names of every enabled exchange whose config defines a request for them, regardless of the
  /// exchanges of the run. Answers are cached on disk for a day.
  package func assetNames() async -> AssetNames { await assetNames(by: client) }

  /// Returns the assets with that Korean or English name, as far as an earlier run has kept the names, or a replay has
  /// recorded them: nothing is requested. Two coins may have one name. Empty for the symbol of an asset with a name,
  /// which is what was meant, even if another coin is called so.
  package func keptAssets(called word: String) async -> [(asset: String, name: String)] {
    var client = client
    if replay == nil { client.handler = { _ throws(TransportError) in throw .cancelled } }
    let wanted = Spelling.folded(word)
    let names = await assetNames(by: client)
    let symbol = word.uppercased()
    guard names[configuration.aliases[symbol] ?? symbol] == nil else { return [] }
    var found: [String: String] = [:]
    for answer in names.answers {
      for (asset, name) in (try? answer.result.get()) ?? [:] where found[asset] == nil {
        found[asset] = [name.korean, name.english].compactMap(\.self).first { Spelling.folded($0) == wanted }
      }
    }
    return found.sorted { $0.key < $1.key }.map { (asset: $0.key, name: $0.value) }
  }

  private func assetNames(by client: MarketClient) async -> AssetNames {
    let options = interpretation()
    let configuration = configuration
    let hooks = client.hooks.names
    let extent = ExchangeExtent(isSinglePair: true, hasNames: true)
    let answers = await concurrently(configuration.exchanges.filter(\.hasAssetNames)) {
      source -> [AssetNames.Answer] in
      guard let exchange = configuration.read(source, extent, hooks: hooks).exchange else { return [] }
      return await concurrently(exchange.enabled(among: Market.allCases)) { exchange, market in
        await client.assetNames(on: market, of: exchange.name, options)
      }.compactMap(\.self)
    }
    return AssetNames(answers.flatMap(\.self))
  }
}
