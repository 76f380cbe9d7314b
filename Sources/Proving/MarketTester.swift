import Cassettes
import Config
import HTTP
import Mapping
import MarketData
import Quotes

/// Tests one market of an exchange.
struct MarketTester: Sendable {
  let tester: ExchangeTester
  let exchange: String
  let market: ExchangeMarket
  /// The exchange's results from its cassette, to compare with.
  let base: TestedExchange?

  typealias Results = (tables: [TestedTable], blocks: [TestedBlock], streams: [TestedStream], names: TestedNames?)

  /// Requests everything that the market's mapping reads.
  func results() async -> Results {
    let tables = await tables()
    let blocks = await blocks(after: tables)
    let streams = await streams(beside: tables, blocks)
    let names = await tester.client.assetNames(on: market, of: exchange, tester.options)
    return (tables, blocks, streams, names.map { TestedNames(market: $0.market, outcome: $0.result) })
  }

  private func tables() async -> [TestedTable] {
    let bulk = await concurrently(market.tickers.named) { await table($0, pair: nil) }
    return bulk + (await concurrently(pairs(after: bulk)) { await table($0.part, pair: $0.pair) })
  }

  private func table(_ part: TablePart, pair: Pair?) async -> TestedTable {
    let tap = AnswerCapture()
    var options = tester.options
    options.namesUnsplit = true
    let query = TableQuery(market: market.market, pair: pair, options: options)
    let gathered = await tester.client.tapped(by: tap).table(of: [part.spec], query)
    return TestedTable(
      market.market, part: part.name, pair: pair, part.spec, gathered, tap.answers, hooks: options.hooks)
  }

  // MARK: Single pairs

  /// Returns which single pairs to request: all those on a cassette, or live two for each part.
  private func pairs(after bulk: [TestedTable]) -> [(part: TablePart, pair: Pair)] {
    let rows = bulk.flatMap(\.rows).map(\.ticker)
    let parts = market.ticker.named
    guard let cassette = tester.cassette else {
      return parts.flatMap { part in
        let own = rows.filter { part.spec.canHold($0.pair, tester.options) }
        let pairs: [Pair] =
          if let pair = typicalPair(of: own) {
            [pair, contrastingPair(to: pair, in: own)].compactMap(\.self)
          } else {
            bulk.isEmpty ? part.spec.likelyPairs(tester.options.globalAliases) : []
          }
        return pairs.map { (part, $0) }
      }
    }
    let names = tester.names.of(market.market.rawValue)
    let plain = Set(names.compactMap(\.pair).filter { pair in parts.contains { holds(cassette, $0.spec, pair) } })
    let others = names.filter { name in name.pair.map { !plain.contains($0) } ?? true }
    return parts.flatMap { part in
      let payments = Set(part.spec.paymentCurrencies.flatMap(\.currencies).map { $0.uppercased() })
      let guesses = others.compactMap { name in
        name.guesses(payments: payments).first { holds(cassette, part.spec, $0) }
      }
      let candidates = rows.map(\.pair) + plain.sorted { "\($0)" < "\($1)" } + guesses
      return candidates.unique.filter { holds(cassette, part.spec, $0) }.map { (part, $0) }
    }
  }

  /// Returns whether a cassette answers the request for a pair.
  private func holds(_ cassette: CassettePlayer, _ spec: TableSpec, _ pair: Pair) -> Bool {
    guard spec.canHold(pair, tester.options) else { return false }
    var writer = RequestWriter(spec, tester.client.context(for: spec.owner, pair: pair))
    guard let request = try? writer.request(named: "test") else { return false }
    return cassette.holds(request)
  }

  /// Returns a pair to request on its own: Bitcoin's, or else one without findings; if the table of all pairs has
  /// failed, a recorded one.
  func typicalPair(of rows: [Ticker]) -> Pair? {
    let sound = rows.filter(\.isSound)
    let usable = sound.isEmpty ? rows.filter { $0.multiplier == nil } : sound
    let recorded = (base?.tables ?? []).filter { $0.market == market.market }
    return (usable.first { $0.pair.asset == "BTC" } ?? usable.first)?.pair
      ?? recorded.lazy.filter { !$0.rows.isEmpty }.compactMap(\.pair).first
      ?? recorded.flatMap(\.rows).first { $0.ticker.multiplier == nil }?.ticker.pair
  }

  /// The factor between two prices that no answer can confuse.
  private static let contrast: Decimal = 4

  /// Returns the most traded pair whose price is clearly different: an answer for the first pair whatever is requested
  /// shows with the second. It is of the same payment currency if possible.
  func contrastingPair(to pair: Pair, in rows: [Ticker]) -> Pair? {
    let sound = rows.filter(\.isSound)
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
}

extension Ticker {
  /// Whether other answers about its pair can be compared with it.
  var isSound: Bool { multiplier == nil && headlineObjection(.anyPrice) == nil }
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
