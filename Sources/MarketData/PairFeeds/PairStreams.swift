import Config
import Mapping
package import Quotes
import Synchronization

/// Follows the sources of a live view: by streams what these bring, and by requests all else.
///
/// Each source begins with answers to requests, so that there is a picture before any stream has said a word, and goes on
/// with them while its stream is broken.
package struct PairStreams: Sendable {
  private let session: MarketSession
  private let sources: [PairPoller.Source]
  private let subjects: [PairPoller.Subject]
  private let poller: PairPoller

  package init(
    _ session: MarketSession, _ sources: [PairPoller.Source], _ subjects: [PairPoller.Subject], asksRate: Bool
  ) {
    self.session = session
    self.sources = sources
    self.subjects = subjects
    poller = PairPoller(session, sources, subjects, asksRate: asksRate)
  }

  /// The sources as a board begins with them.
  package var beginning: [PairBoard.Source] { poller.beginning }

  /// Asks each source for everything once, all at once.
  package func round(_ tell: @escaping @Sendable (PairEvent) -> Void) async { await poller.round(tell) }

  /// Candles from before a moment, so many of them at most.
  package func older(
    of source: Int, _ interval: CandleInterval, before start: Instant, count: Int
  ) async -> PairEvent {
    await poller.older(of: source, interval, before: start, count: count)
  }

  /// Tells until the task is cancelled.
  package func run(_ tell: @escaping @Sendable (PairEvent) -> Void) async {
    let live = LiveChannels(sources, subjects.first?.channel)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await poller.run(unless: { live.holds($0, $1) }, tell) }
      // Pairs of other payment currencies are no business of a market that is shown in one.
      for pair in pairs {
        group.addTask {
          await StreamRun(session, markets(of: pair), question(about: [pair])).follow { events in
            for event in events.flatMap(live.take) { tell(event) }
            return true
          }
        }
      }
    }
  }

  /// Plays the recordings: what was answered, round by round, and then what streams said.
  ///
  /// - Parameters:
  ///   - speed: so many times as fast as it was recorded; nil: as fast as it goes.
  ///   - show: called after each round and each moment at which something was told. False: no more is wanted.
  /// - Throws: `CassetteError` for recordings that cannot be read.
  package func play(
    speed: Int?, on clock: ReplayClock, _ tell: @escaping @Sendable (PairEvent) -> Void, _ show: () async -> Bool
  ) async throws {
    for _ in 0..<max(1, session.recordedRounds) {
      await poller.round { event in
        clock.turn(to: event.arrival)
        tell(event)
      }
      guard await show() else { return }
    }
    guard let directory = session.replay else { return }
    let live = LiveChannels(sources, subjects.first?.channel)
    let markets = pairs.flatMap(markets(of:))
    var replay = try StreamReplay(session, markets, question(about: pairs), from: directory)
    await replay.play { moment, events in
      let told = events.flatMap(live.take)
      guard !told.isEmpty else { return !Task.isCancelled }
      guard await clock.reach(moment, speed: speed) else { return false }
      for event in told { tell(event) }
      return await show()
    }
  }

  private var pairs: [Pair] {
    sources.reduce(into: []) { pairs, source in
      if !pairs.contains(source.question.pair) { pairs.append(source.question.pair) }
    }
  }

  private func markets(of pair: Pair) -> [(exchange: Exchange, market: ExchangeMarket)] {
    sources.filter { $0.question.pair == pair && !$0.market.streams.isEmpty }.map { ($0.exchange, $0.market) }
  }

  private func question(about pairs: [Pair]) -> StreamQuestion {
    let interval = subjects.lazy.compactMap { subject -> CandleInterval? in
      if case .candles(let interval, _, _) = subject { interval } else { nil }
    }.first
    return StreamQuestion(
      pairs, subjects.compactMap(\.channel), interval: interval ?? .oneMinute, isOfFeeds: true,
      session.interpretation())
  }
}

extension PairPoller.Subject {
  /// What streams bring it; nil for what none does.
  fileprivate var channel: StreamChannel? {
    switch self {
    case .orderbook: .orderbook
    case .trades: .trades
    // A stream's days begin when the exchange says so.
    case .candles(let interval, _, let zone): zone == nil || interval < .oneDay ? .candles : nil
    case .days: nil
    case .ticker: .ticker
    }
  }
}

/// What streams bring at present, by source.
private final class LiveChannels: Sendable {
  private struct Key: Hashable {
    let source: Int
    let channel: StreamChannel
  }

  private let keys = Mutex<Set<Key>>([])
  private let sources: [PairPoller.Source]
  /// The one whose state is that of the source.
  private let first: StreamChannel?

  init(_ sources: [PairPoller.Source], _ first: StreamChannel?) {
    self.sources = sources
    self.first = first
  }

  func holds(_ source: Int, _ subject: PairPoller.Subject) -> Bool {
    subject.channel.map { channel in keys.withLock { $0.contains(Key(source: source, channel: channel)) } } ?? false
  }

  /// What an event means to the sources that it is about.
  func take(_ event: StreamEvent) -> [PairEvent] {
    sources.indices.filter { place in
      let source = sources[place]
      return source.exchange.name == event.exchange && source.market.market == event.market
        && event.pair.map { $0 == source.question.pair } ?? true
    }.compactMap { take(event, of: $0) }
  }

  private func take(_ event: StreamEvent, of source: Int) -> PairEvent? {
    let key = Key(source: source, channel: event.channel == .tickers ? .ticker : event.channel)
    switch event.content {
    case .ticker, .trades, .orderbook, .candle:
      guard event.isStreamed else { return nil }
      keys.withLock { _ = $0.insert(key) }
    case .fallback(let failure, _):
      keys.withLock { _ = $0.remove(key) }
      // A replay has what was recorded, and misses nothing else.
      if key.channel != first || failure.reason == TableFailure.notRecorded { return nil }
    case .gap: if key.channel != .orderbook { return nil }
    // What does not come at all is asked for, and the answer says why.
    case .connected, .life, .missed, .refused, .failed: return nil
    }
    return PairEvent(event, source: source)
  }
}
