import Mapping
import Quotes
import Synchronization

extension PairPoller {
  /// Plays the recordings. Those of a run of streams are played in the order in which everything arrived; otherwise the
  /// answers come first, round by round, and then the streams.
  ///
  /// - Parameters:
  ///   - speed: A multiple of the recorded speed; nil for as fast as possible.
  ///   - show: Called after each round and each moment with events; returns false to end.
  /// - Throws: `CassetteError` for recordings that cannot be read.
  package func play(
    speed: Int?, on clock: ReplayClock, _ tell: @escaping @Sendable (PairEvent) -> Void, _ show: () async -> Bool
  ) async throws {
    guard let directory = session.replay else { return }
    let live = LiveChannels(sources, subjects)
    let (markets, query) = streamed
    var replay = try StreamReplay(session, markets, query, from: directory)
    var answers: ArraySlice<RecordedAnswer> = []
    if replay.isOfRun {
      answers = await recordedAnswers(of: replay)[...]
    } else {
      for number in 0..<max(1, session.recordedRounds) {
        await round(isFirst: number == 0) { event in
          live.note(event.product, of: event.source)
          live.keep(event)
          clock.turn(to: event.arrival)
          tell(event)
        }
        guard await show() else { return }
      }
    }

    /// Tells the answers up to a moment, all if it is nil; returns false to end.
    func tellAnswers(until end: Instant?) async -> Bool {
      while let answer = answers.first, end.map({ answer.moment.time <= $0 }) ?? true {
        answers.removeFirst()
        guard let event = live.news(in: answer.event, about: answer.subject, at: answer.moment.shown) else { continue }
        // A rate may have been kept from long before the run.
        if answer.subject != nil, await !clock.reach(answer.moment, speed: speed) { return false }
        tell(event)
        guard await show() else { return false }
      }
      return true
    }

    /// Returns false to end.
    func tellEvents(_ events: [PairEvent], at moment: ReplayMoment) async -> Bool {
      guard !events.isEmpty else { return !Task.isCancelled }
      guard await clock.reach(moment, speed: speed) else { return false }
      for event in events { tell(event) }
      return await show()
    }

    var isWanted = true
    await replay.play { moment, events in
      isWanted = await tellAnswers(until: moment.time)
      guard isWanted else { return false }
      isWanted = await tellEvents(events.flatMap(live.take), at: moment)
      return isWanted
    }
    if isWanted { _ = await tellAnswers(until: nil) }
  }

  /// Returns the recorded answers in order of arrival. A round has an answer to each request, the last one again if
  /// there is no further one.
  private func recordedAnswers(of replay: StreamReplay) async -> [RecordedAnswer] {
    struct Key: Hashable {
      let source: Int
      let subject: Subject?
    }
    let start = session.recordedStart ?? session.clock()
    let told = Mutex<[(event: PairEvent, subject: Subject?)]>([])
    var answers: [RecordedAnswer] = []
    var last: [Key: (moment: ReplayMoment, failure: AnswerFailure?)] = [:]
    for round in 0..<max(1, session.recordedRounds) {
      await self.answers(isFirst: round == 0) { event, subject in told.withLock { $0.append((event, subject)) } }
      let newest = told.withLock { told in
        defer { told = [] }
        return told
      }
      for (event, subject) in newest {
        let key = Key(source: event.source, subject: subject)
        let shown =
          switch event.content {
          case .name: start
          case .rate(let report): report.quote?.arrival ?? start
          // When it failed is not known, only after which answer.
          case .failed: last[key]?.moment.shown ?? start
          default: event.arrival
          }
        let moment = replay.moment(showing: shown, notBefore: last[key]?.moment)
        if let known = last[key], known.moment == moment, known.failure == event.failure { continue }
        last[key] = (moment, event.failure)
        answers.append(RecordedAnswer(event: event, subject: subject, moment: moment))
      }
    }
    // The standard library's sort is stable.
    return answers.sorted { $0.moment.time < $1.moment.time }
  }
}

/// A recorded answer to a request of a live view.
private struct RecordedAnswer: Sendable {
  let event: PairEvent
  /// nil for a name or a rate.
  let subject: PairPoller.Subject?
  /// Its turn in the replay.
  let moment: ReplayMoment
}
