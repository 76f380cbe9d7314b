import Config
import Mapping
import Quotes

extension PairState {
  /// Takes the result of polling the pair.
  mutating func polled(
    _ result: Result<StreamUpdate.Value, AnswerFailure>, at now: Instant
  ) -> [StreamEvent.Content] {
    guard !isTransferred else { return [] }
    // An answer asked for before the last message may be older than it.
    let isOld = asked.map { asked in lastMessage.map { asked < $0 } ?? false } ?? false
    (isAsked, asked, refusal.awaitsAnswer, lastPoll) = (false, nil, false, now)
    kept.take(result, at: now)
    guard !isLive else { return polledWhileLive(result, at: now) }
    if case .failure = result { failedPolls += 1 } else { failedPolls = 0 }
    nextPoll = pollsWhenOffline ? now.advanced(by: pause) : jumped != nil ? now.advanced(by: Self.doubtAfter) : nil
    contradictions.wait(until: now)
    switch result {
    case .success(let value):
      failure = nil
      let (possible, leftOut) = partedAnswer(value, at: now)
      var decision: [StreamEvent.Content] = []
      if let jumped, let polled = possible.flatMap(headline) {
        if !jumped.isFar(from: polled, limitPercent) {
          // The answer confirms the stream.
          (self.jumped, isLive, lastMessage, nextPoll) = (nil, true, now, now.advanced(by: Self.quietAfter))
        } else if !isBelieved {
          self.jumped = nil
          refuse(at: now)
          decision = [.fallback(.stream(.differs(jumped, polled: polled, figure: nil)), retry: refusal.until)]
        }
      }
      if !isLive, late.isDue(at: now) {
        decision.append(.fallback(.stream(.behind), retry: nil))
      }
      guard let possible else { return leftOut + decision }
      // Of trades, only later ones are news.
      return leftOut + decision + (isOld && channel != .trades ? [] : news(of: possible, isStreamed: false))
    case .failure(let failure):
      // The same failure again is not news.
      defer { self.failure = failure }
      return failure == self.failure ? [] : [.failed(failure)]
    }
  }

  /// Handles an answer about a stream that is quiet, dead without us noticing, or does not provide the whole row.
  private mutating func polledWhileLive(
    _ result: Result<StreamUpdate.Value, AnswerFailure>, at now: Instant
  ) -> [StreamEvent.Content] {
    nextPoll = now.advanced(by: gap.isOpen ? refresh : Self.quietAfter)
    let events: [StreamEvent.Content]
    switch result {
    case .success(let value): events = answered(value, at: now)
    case .failure(let failure): events = failed(because: failure, at: now)
    }
    gap.endAsking()
    // A stream that is contradicted is checked again in less than another minute.
    if contradictions.count > 0, isLive {
      nextPoll = min(nextPoll ?? now, now.advanced(by: max(refresh, confirmedAfter)))
    }
    if comparedCandles.needsAnswer, isLive { pollForUnits(at: now) }
    kept.renewal = nextPoll
    let quiet = movement.latest?.advanced(by: Self.quietAfter)
    if !gap.isOpen, let quiet, now < quiet { nextPoll = nextPoll.map { min($0, quiet) } }
    return events
  }

  /// Whether the stream has had nothing new for about a minute.
  private func isQuiet(at now: Instant) -> Bool { isPast(movement.latest, at: now) }

  /// Returns whether a moment is about a minute ago, or there was none.
  private func isPast(_ moment: Instant?, at now: Instant) -> Bool {
    moment.map { $0.advanced(by: Self.quietAfter - PairFeed.patience) <= now } ?? true
  }

  /// Handles a failure: nothing contradicts the stream, but nothing confirms it either.
  private mutating func failed(because failure: AnswerFailure, at now: Instant) -> [StreamEvent.Content] {
    let isAbsent = isQuiet(at: now) && failure.reason.isAbsence
    if gap.isAsked, !isAbsent {
      // What the connection lacks is still to be found.
      failedPolls += 1
      nextPoll = now.advanced(by: pause)
      let isNews = gap.reopen(because: failure)
      return (isNews ? [.failed(failure)] : []) + (trades.reportGap() ? [.missed] : [])
    }
    if failure.reason.isAbsence {
      // The exchange has an answer: it does not list or trade the pair any more.
      guard isAbsent, contradictions.add(at: now) else { return [] }
      self.failure = failure
      return doubt(at: now) + [.failed(failure)]
    }
    if !kept.fields.isEmpty {
      failedPolls += 1
      nextPoll = now.advanced(by: pause)
    }
    guard isPast(lastMessage, at: now) else { return [] }
    unconfirmed += 1
    guard unconfirmed > 1 else {
      nextPoll = now.advanced(by: max(refresh, Self.unconfirmedAfter))
      return []
    }
    // Nothing vouches for the price any more.
    self.failure = failure
    fallBack(at: now)
    return [.fallback(.stream(.silent(.unconfirmed)), retry: nil), .failed(failure)]
  }

  /// Handles data: it confirms a quiet stream or contradicts it, and has what the stream lacks.
  private mutating func answered(_ answer: StreamUpdate.Value, at now: Instant) -> [StreamEvent.Content] {
    (unconfirmed, failedPolls) = (0, 0)
    gap.take()
    let (possible, leftOut) = partedAnswer(answer, at: now)
    guard let asked = possible else { return leftOut }
    let isQuiet = isQuiet(at: now)
    if isQuiet, let isSame = isSame(as: asked) {
      guard isSame || !contradictions.add(at: now) else {
        return leftOut + doubt(at: now) + news(of: asked, isStreamed: false)
      }
      if isSame { contradictions = Contradictions() }
    }
    switch asked {
    case .ticker(let asked):
      // The answer is newer than what a quiet stream says, and the stream may be dead.
      let isNewer = isQuiet && contradictions.count == 0
      isAnswered = isAnswered || isNewer
      let new = row.taking(kept.fields.union(mapped.subtracting(said)), and: isNewer ? mapped : [], from: asked)
      return new.map { news(of: .ticker($0), isStreamed: false) } ?? leftOut
    case .trades:
      // Trades are reported from any source; later ones that only an answer has contradict a quiet stream.
      let last = trades.lastTime
      let news = news(of: asked, isStreamed: false)
      let isLater = news.contains { content in
        guard case .trades(let new) = content, let last else { return false }
        return new.contains { $0.time > last }
      }
      // Both answers have been reported, so nothing about the pair is wrong, but the connection is.
      if isQuiet, isLater {
        contradictions.addConclusively(at: now)
      } else if isQuiet {
        contradictions = Contradictions()
      }
      return leftOut + news
    case .orderbook, .candle, .unusable: return leftOut
    }
  }

  /// Polls by REST as if there were no stream until its next message; if that does not come, the connection is given up.
  private mutating func doubt(at now: Instant) -> [StreamEvent.Content] {
    let since = contradictions.since ?? now
    standsStill = true
    fallBack(at: now)
    contradictions = Contradictions(since: since)
    nextPoll = nextPoll ?? since.advanced(by: Self.doubtAfter)
    return [.fallback(.stream(.silent(.contradicted)), retry: nil)]
  }

  /// Returns the plausible part of an answer, nil if there is none or it is outdated, and why the rest is implausible,
  /// once, as answers repeat their data.
  private mutating func partedAnswer(
    _ value: StreamUpdate.Value, at now: Instant
  ) -> (possible: StreamUpdate.Value?, leftOut: [StreamEvent.Content]) {
    if case .orderbook(let book) = value, books.isOutdated(book, at: now) { return (nil, []) }
    // Its trades may be older than the latest price.
    let (possible, findings) = value.separatingImpossible(on: nil, after: nil, candles, now)
    if case .candle(let newest, let previous)? = possible {
      comparedCandles.take(answer: [previous, newest].compactMap(\.self))
    }
    defer { lastProblems = findings.map(\.kind) }
    return (possible, findings.filter { !lastProblems.contains($0.kind) }.map { .leftOut($0) })
  }
}
