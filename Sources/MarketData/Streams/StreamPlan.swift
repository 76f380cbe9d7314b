package import Config
import HTTP
package import Mapping
package import Quotes

/// What to stream from some markets.
package struct StreamQuery: Sendable {
  /// The channels as users know them: `ticker` includes `offers`, and whether `tickers` is used is up to the plan.
  package let channels: [StreamChannel]
  /// nil for all that the tables list.
  package let pairs: [Pair]?
  private let wanted: Set<Pair>
  /// The interval of candles.
  package let interval: CandleInterval
  package let options: Interpretation
  /// Whether another component polls what streams do not provide, and does not need bids and asks in addition.
  package let servesFeeds: Bool
  /// The pairs to stream from markets that do not need all of them.
  var pairsByMarket: [FeedKey: [Pair]] = [:]

  package init(
    _ pairs: [Pair]?, _ channels: [StreamChannel], interval: CandleInterval = .oneMinute, servesFeeds: Bool = false,
    _ options: Interpretation
  ) {
    self.pairs = pairs
    self.channels = channels
    self.interval = interval
    self.servesFeeds = servesFeeds
    self.options = options
    wanted = Set(pairs ?? [])
  }

  func asked(of market: FeedKey) -> StreamQuery {
    guard let own = pairsByMarket[market] else { return self }
    return StreamQuery(own, channels, interval: interval, servesFeeds: servesFeeds, options)
  }

  func wants(_ pair: Pair) -> Bool { pairs == nil || wanted.contains(pair) }

  /// Returns whether a table may list one of the pairs.
  package func mayBe(in table: TableSpec) -> Bool {
    pairs?.contains { table.canHold($0, options) } ?? true
  }
}

/// The initial data for the streams of one market.
package struct StreamStart: Sendable {
  package var subjects: [StreamSubject] = []
  /// The requested pairs that the tables do not list.
  package var unlisted: [Pair] = []
  /// The requested pairs that a table has more than once.
  package var repeated: [Pair] = []
  /// Why parts of the table are missing.
  package var failures: [AnswerFailure] = []
  /// When the last answer arrived; nil if nothing was requested.
  package var arrival: Instant?

  /// Lookups that failed at an earlier start.
  package var renewals: [LookupRenewal] = []

  /// The parts of the table that failed without a row, which are requested again.
  var failedParts: Set<Int> = []
  /// The streams of which lookups failed, which are requested again.
  var lacking: [StreamSpec] = []

  var isLast: Bool { failedParts.isEmpty && lacking.isEmpty }

  /// The requested pairs that tables have listed so far.
  var listed: Set<Pair> = []
  /// Whether other parts have started before, whose streams the failures of the rest do not concern.
  var isFollowing = false
}

/// The lookups of a stream's table, for the connections that began without them.
package struct LookupRenewal: Sendable {
  let spec: StreamSpec
  let lookups: [String: LookupState]
}

extension [String: LookupState] {
  /// Whether one of them could not be obtained.
  fileprivate var hasFailure: Bool { values.contains { if case .failed = $0 { true } else { false } } }
}

extension MarketClient {
  /// Requests the tables needed by a market's streams, and distributes its pairs among connections. Pairs without a
  /// stream are only polled by REST, and need no table for that.
  ///
  /// - Parameter previous: The start whose failed parts and lookups are requested again; nil for all parts.
  package func streamStart(
    _ query: StreamQuery, on market: ExchangeMarket, of exchange: Exchange, after previous: StreamStart? = nil
  ) async -> StreamStart {
    let plan = StreamPlan(query: query, market: market, exchange: exchange.name)
    guard plan.hasStream else {
      if query.servesFeeds { return StreamStart() }
      let subjects = query.channels.map { plan.polled($0, (query.pairs ?? []).map(plan.unknown)) }
      return StreamStart(subjects: plan.paced(subjects, sharing: exchange))
    }
    var start = StreamStart()
    start.listed = previous?.listed ?? []
    start.isFollowing = previous.map { $0.isFollowing || !$0.subjects.isEmpty } ?? false
    let parts = zip(market.tickers, market.streams).enumerated().filter { number, part in
      query.mayBe(in: part.0) && previous?.failedParts.contains(number) ?? true
    }
    async let renewed = concurrently(previous?.lacking ?? []) { spec in
      LookupRenewal(spec: spec, lookups: await lookupStates(of: spec.table))
    }
    let gathered = await concurrently(parts) { number, part in
      (number, await self.part(part.0, part.1, plan))
    }
    for renewal in await renewed {
      if renewal.lookups.hasFailure { start.lacking.append(renewal.spec) } else { start.renewals.append(renewal) }
    }
    for (number, part) in gathered {
      start.failures += part.table.failures.map(\.failure)
      if !part.table.failures.isEmpty, part.rows.isEmpty { start.failedParts.insert(number) }
      start.arrival = [start.arrival, part.arrival].compactMap(\.self).max()
      start.listed.formUnion(part.rows.map(\.pair))
      start.repeated += part.rows.filter(\.isRepeated).map(\.pair).unique
      let subjects = plan.subjects(part.rows, of: part.spec, part.streams, part.lookups)
      start.subjects += subjects
      for subject in subjects where subject.lookups.hasFailure {
        guard let spec = subject.spec, !start.lacking.contains(where: { $0 === spec }) else { continue }
        start.lacking.append(spec)
      }
    }
    start.subjects = plan.paced(start.subjects, sharing: exchange)
    // Of some parts alone it is not known what the others list.
    if start.failures.isEmpty, previous?.failedParts.isEmpty != true {
      start.unlisted = (query.pairs ?? []).filter { !start.listed.contains($0) }
    }
    return start
  }

  private struct Part: Sendable {
    let spec: TableSpec
    let table: TickerTable
    /// The rows of the wanted pairs.
    let rows: [Ticker]
    let streams: StreamPart
    let lookups: [StreamChannel: [String: LookupState]]
    let arrival: Instant?
  }

  private func part(_ spec: TableSpec, _ streams: StreamPart, _ plan: StreamPlan) async -> Part {
    let query = plan.query
    var asked = TableQuery(market: plan.market.market, options: query.options)
    asked.sought = Set(query.pairs ?? [])
    let gathered = await table(of: [spec], asked)
    let rows = gathered.table.rows.map(\.ticker).filter { query.wants($0.pair) }
    var lookups: [StreamChannel: [String: LookupState]] = [:]
    for (channel, stream) in streams where !rows.isEmpty && plan.mayUse(channel) {
      let pairs = query.pairs == nil ? [] : rows.map { StreamPair($0, of: stream.table) }
      lookups[channel] = await lookupStates(of: stream.table, for: pairs)
    }
    return Part(
      spec: spec, table: gathered.table, rows: rows, streams: streams, lookups: lookups,
      arrival: gathered.requests.map(\.arrival).max())
  }
}

extension Ticker {
  /// Whether its table has the pair more than once.
  fileprivate var isRepeated: Bool { flags.contains { $0.kind == .duplicate } }

  /// Returns the row of a channel beside another one for bids and asks: those that it lacks are not missing at the
  /// exchange.
  fileprivate func beside(_ offers: StreamSpec?) -> Ticker {
    guard offers != nil else { return self }
    var row = self
    if row.bid == .missing(.notOffered) { row.bid = .missing(.notRequested) }
    if row.ask == .missing(.notOffered) { row.ask = .missing(.notRequested) }
    return row
  }
}

/// Distributes the pairs of one market among channels and connections.
struct StreamPlan: Sendable {
  let query: StreamQuery
  let market: ExchangeMarket
  let exchange: String

  /// If a channel needs more connections than this, a single one for all pairs is preferred.
  private static let maximumConnections = 2

  /// Whether any wanted data is available as a stream.
  var hasStream: Bool {
    market.streams.contains { part in part.values.contains { mayUse($0.channel) && isUsable($0) } }
  }

  func mayUse(_ channel: StreamChannel) -> Bool {
    switch channel {
    case .ticker, .tickers: query.channels.contains(.ticker)
    case .offers: query.channels.contains(.ticker) && !query.servesFeeds
    case .trades, .orderbook, .candles: query.channels.contains(channel)
    }
  }

  /// Returns a pair for which no table was requested.
  func unknown(_ pair: Pair) -> StreamPair {
    StreamPair(
      row: Ticker(exchange: exchange, market: market.market, symbol: "", pair: pair),
      spelling: PairSpelling(asset: pair.asset, payment: pair.payment))
  }

  func polled(_ channel: StreamChannel, _ pairs: [StreamPair]) -> StreamSubject {
    StreamSubject(
      exchange: exchange, market: market.market, channel: channel, spec: nil, pairs: pairs,
      interval: query.interval, options: query.options, refreshMilliseconds: market.refreshMilliseconds)
  }

  /// - Parameters:
  ///   - rows: The rows of one part of the table.
  ///   - part: That part.
  ///   - streams: The streams of that part.
  func subjects(
    _ rows: [Ticker], of part: TableSpec, _ streams: StreamPart, _ lookups: [StreamChannel: [String: LookupState]]
  ) -> [StreamSubject] {
    let single = rows.filter { !$0.isRepeated }
    let repeated = rows.filter(\.isRepeated).grouped(by: \.key).compactMap(\.first)
    return query.channels.flatMap { channel -> [StreamSubject] in
      if channel.feedsRows { return subjects(channel, rows, of: part, streams, lookups) }
      // Of the names of one pair, each row says that it is flagged; books, trades and candles would be mixed. A request
      // knows the pair by one name.
      let asked = repeated.map { StreamPair(row: $0, spelling: unknown($0.pair).spelling) }
      let polled = query.servesFeeds || asked.isEmpty ? [] : [polled(channel, asked)]
      return subjects(channel, single, of: part, streams, lookups) + polled
    }
  }

  /// - Parameter rows: Each of another pair, if the channel is not of rows.
  private func subjects(
    _ channel: StreamChannel, _ rows: [Ticker], of part: TableSpec, _ streams: StreamPart,
    _ lookups: [StreamChannel: [String: LookupState]]
  ) -> [StreamSubject] {
    guard !rows.isEmpty else { return [] }
    let specs = specs(for: channel, streams, count: rows.count)
    // Bids and asks alone leave the rows to be polled.
    var subjects: [StreamSubject] = []
    if !query.servesFeeds, specs.allSatisfy({ $0.channel == .offers }) {
      let pairs = rows.map { row in
        StreamPair(row: row.beside(specs.first), spelling: unknown(row.pair).spelling)
      }
      subjects.append(polled(channel, pairs))
    }
    for spec in specs {
      let rows = spec.channel == .ticker || spec.channel == .tickers ? rows.map { $0.beside(streams[.offers]) } : rows
      let pairs = rows.map { StreamPair($0, of: spec.table) }
      let size = spec.namesPair ? max(1, spec.connection.maximumPairs) : pairs.count
      subjects += stride(from: 0, to: pairs.count, by: size).map { first in
        subject(
          spec, Array(pairs[first..<min(first + size, pairs.count)]), of: part, lookups[spec.channel] ?? [:])
      }
    }
    return subjects
  }

  private func subject(
    _ spec: StreamSpec, _ pairs: [StreamPair], of part: TableSpec, _ lookups: [String: LookupState]
  ) -> StreamSubject {
    var subject = StreamSubject(
      exchange: exchange, market: market.market, channel: spec.channel, spec: spec, pairs: pairs,
      interval: query.interval, lookups: lookups, options: query.options,
      refreshMilliseconds: market.refreshMilliseconds)
    subject.pollsWhenOffline = !query.servesFeeds
    if spec.channel == .ticker || spec.channel == .tickers {
      subject.unsaid = spec.unsaid(of: part)
    }
    return subject
  }

  /// Returns the subjects with an interval at which all their pairs could be polled without a stream: they, and those
  /// of other markets with the same limit, would otherwise wait for each other until none has time left.
  func paced(_ subjects: [StreamSubject], sharing exchange: Exchange) -> [StreamSubject] {
    if query.servesFeeds { return subjects }
    let limits = subjects.map { market.limit(of: exchange, for: $0.channel) }
    return zip(subjects, limits).map { subject, limit in
      guard let limit else { return subject }
      let cost = zip(subjects, limits).reduce(0) { sum, other in
        other.1 == limit ? sum + market.cost(of: other.0.channel, pairs: other.0.pairs.count) : sum
      }
      let sharers = exchange.markets.count { $0.isEnabled && $0.limit(of: exchange, for: subject.channel) == limit }
      var subject = subject
      subject.refreshMilliseconds = max(
        subject.refreshMilliseconds, FeedPlan.milliseconds(for: cost * max(1, sharers), limit.limit))
      return subject
    }
  }

  /// Returns the channels that together provide what is wanted; empty if none do.
  private func specs(for channel: StreamChannel, _ part: StreamPart, count: Int) -> [StreamSpec] {
    guard channel == .ticker else { return [part[channel]].compactMap(\.self).filter(isUsable) }
    var rows = part[.ticker]
    let connections = rows.map { (count - 1) / max(1, $0.connection.maximumPairs) + 1 }
    if let all = part[.tickers] {
      if connections.map({ $0 > Self.maximumConnections }) ?? true { rows = all }
    } else if query.pairs == nil, rows?.namesPair == true, let connections,
      connections > Self.maximumConnections
    {
      // Following all pairs of an exchange does not justify that many connections.
      return []
    }
    let offers = query.servesFeeds ? nil : part[.offers]
    return [rows, offers].compactMap(\.self)
  }

  /// Returns whether the stream can be used. Its own intervals replace the block's; other intervals are polled by REST.
  private func isUsable(_ spec: StreamSpec) -> Bool {
    spec.channel != .candles || spec.intervals.contains { $0.interval == query.interval }
  }
}
