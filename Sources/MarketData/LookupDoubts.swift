import Config
import Mapping
import Quotes
import Transport

/// How old a cached lookup must be, in seconds, to be asked again before its time; and how long ago the last try.
enum LookupAge {
  /// Because it lacks a pair that is asked for.
  static let ofMiss = 60
  private static let mostOfDoubt = 600

  /// Because figures made with it contradict others: if it is from before they did, like one that lacks a pair. If they
  /// still do with a newer one, the limit is what that costs.
  static func ofDoubt(since: Instant, at now: Instant) -> Int {
    min(mostOfDoubt, max(ofMiss, Int(now.nanoseconds(since: since) / Instant.second) + 1))
  }

  static func ages(of names: Set<String>, _ seconds: Int) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, seconds) })
  }
}

/// Volume and turnover of a pair that contradict each other although they are made with lookups: its contract may have
/// another size than those say, which its order book and trades do not show. So it is noted beside the cached lookups, for
/// whatever else is made with them, in this run and in others.
extension MarketClient {
  /// How long a doubt counts after it was last noted, in seconds.
  private static let secondsOfDoubt = 600
  /// After how many seconds it is written again.
  private static let secondsOfNote = 60

  private func doubtKey(_ pair: Pair, _ market: Market, _ exchange: String) -> String {
    "doubt\n\(configPath)\n\(exchange)\n\(market.rawValue)\n\(pair)"
  }

  private func doubt(within seconds: Int, _ key: String) -> Instant? {
    let entry = cache?.entry(key, maxAgeSeconds: seconds, now: now())
    return entry.flatMap { Int64(String(decoding: $0.value, as: UTF8.self)) }.map { Instant(nanoseconds: $0) }
  }

  /// Returns since when a pair's figures are in doubt; nil if they are not, or if nothing is cached.
  func doubt(about pair: Pair, on market: Market, of exchange: String) -> Instant? {
    doubt(within: Self.secondsOfDoubt, doubtKey(pair, market, exchange))
  }

  /// Notes that a pair's figures are in doubt, and returns since when.
  @discardableResult
  func noteDoubt(about pair: Pair, on market: Market, of exchange: String) -> Instant {
    let key = doubtKey(pair, market, exchange)
    if let since = doubt(within: Self.secondsOfNote, key) { return since }
    let now = now()
    let since = doubt(within: Self.secondsOfDoubt, key) ?? now
    cache?.put(key, Array("\(since.nanoseconds)".utf8), now: now)
    return since
  }

  /// Requests all lookups of a stream's table that are cached from before figures were in doubt; nil if some still are, or
  /// fail.
  func lookups(of table: TableSpec, doubtedSince since: Instant) async -> [String: LookupState]? {
    let wanted = Set(table.lookups.map(\.name))
    let ages = LookupAge.ages(of: wanted, LookupAge.ofDoubt(since: since, at: now()))
    var lookups = await lookups(of: table, wanted, context(for: table.owner, pair: nil), renewedAfter: ages)
    lookups.doubted = since
    return lookups.areDoubtful || !lookups.failures.isEmpty ? nil : lookups.states
  }

  /// Requests the lookups that a part needs about a pair, also if they are cached from before the pair's figures were in
  /// doubt.
  func lookups(of table: TableSpec, _ wanted: Set<String>, _ asking: PairAsking) async -> LookupStates {
    guard let pair = asking.context.pair, !wanted.isEmpty,
      let since = doubt(about: pair, on: asking.market, of: table.owner)
    else { return await lookups(of: table, wanted, asking.context) }
    let ages = LookupAge.ages(of: wanted, LookupAge.ofDoubt(since: since, at: now()))
    var lookups = await lookups(of: table, wanted, asking.context, renewedAfter: ages)
    lookups.doubted = since
    return lookups
  }
}

extension ExchangeMarket {
  /// Whether sizes of its order books or trades are made with lookups, as of contracts.
  var looksUpSizes: Bool {
    orderbooks.contains { !BookPlan.lookups(of: $0).isEmpty } || trades.contains { !$0.lookupsOfRows.isEmpty }
  }
}

extension LookupStates {
  /// Whether one of them is from before a doubt about what is made with it.
  var areDoubtful: Bool { doubted.map { since in kept.values.contains { $0 < since } } ?? false }
}
