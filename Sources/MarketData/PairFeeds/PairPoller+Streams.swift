import Config
import Mapping
import Quotes

extension PairPoller {
  /// Follows the sources until the task is cancelled: by streams what those provide, and by polling everything else.
  ///
  /// Each source starts with answers to requests, so that there is a picture before any stream message, and continues
  /// with them while its stream is broken.
  package func run(_ tell: @escaping @Sendable (PairEvent) -> Void) async {
    let live = LiveChannels(sources, subjects)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await run(beside: live, tell) }
      // A market shown in one payment currency does not need pairs in others.
      for pair in pairs {
        group.addTask {
          await StreamRun(session, markets(of: pair), query(about: [pair])).follow { events in
            for event in events.flatMap(live.take) { tell(event) }
            return true
          }
        }
      }
    }
  }

  /// Plays the recordings: the answers, round by round, and then the streams.
  ///
  /// - Parameters:
  ///   - speed: A multiple of the recorded speed; nil for as fast as possible.
  ///   - show: Called after each round and each moment with events; returns false to end.
  /// - Throws: `CassetteError` for recordings that cannot be read.
  package func play(
    speed: Int?, on clock: ReplayClock, _ tell: @escaping @Sendable (PairEvent) -> Void, _ show: () async -> Bool
  ) async throws {
    let live = LiveChannels(sources, subjects)
    for _ in 0..<max(1, session.recordedRounds) {
      await round { event in
        live.note(event.product, of: event.source)
        clock.turn(to: event.arrival)
        tell(event)
      }
      guard await show() else { return }
    }
    guard let directory = session.replay else { return }
    let markets = pairs.flatMap(markets(of:))
    var replay = try StreamReplay(session, markets, query(about: pairs), from: directory)
    await replay.play { moment, events in
      let told = events.flatMap(live.take)
      guard !told.isEmpty else { return !Task.isCancelled }
      guard await clock.reach(moment, speed: speed) else { return false }
      for event in told { tell(event) }
      return await show()
    }
  }

  private var pairs: [Pair] { sources.map(\.query.pair).unique }

  private func markets(of pair: Pair) -> [AskedMarket] {
    sources.filter { $0.query.pair == pair && !$0.market.streams.isEmpty }.map { ($0.exchange, $0.market) }
  }

  private func query(about pairs: [Pair]) -> StreamQuery {
    StreamQuery(
      pairs, subjects.compactMap(\.channel), interval: candles?.interval ?? .oneMinute, servesFeeds: true,
      session.interpretation())
  }
}
