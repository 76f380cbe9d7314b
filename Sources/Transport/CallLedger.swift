package import HTTP
package import Quotes

/// Counts and spaces calls, and shares their answers between processes.
///
/// Everything that causes a refresh goes through here: stored answers are used until the provider can have something
/// new and its rule allows a call. A call is recorded before it is sent, so one that crashes still counts, and other
/// processes wait for it to finish.
package struct CallLedger: Sendable {
  private let cache: DiskCache?
  /// Whether requests may be sent; otherwise only stored answers are used.
  private let mayCall: Bool
  /// How long to wait for another process's call.
  private let patience: @Sendable () -> Duration

  /// - Parameter cache: nil if the user has no place for it; calls with a budget are then not made at all.
  package init(
    _ cache: DiskCache?, mayCall: Bool = true, patience: @escaping @Sendable () -> Duration = { .seconds(10) }
  ) {
    (self.cache, self.mayCall, self.patience) = (cache, mayCall, patience)
  }

  /// Returns the number of calls to these hosts in the current day or month, by any process; nil if none was recorded.
  ///
  /// - Parameter urls: Any URLs on these hosts.
  package func calls(to urls: [String], in budget: CallRule.Budget, now: Instant) -> Int? {
    let hosts = urls.map { HostName(of: $0).text }
    return cache.flatMap { CallCounts(in: $0)?.calls(to: hosts, with: nil, in: budget.period, now: now) }
  }

  /// Returns the answers to a request: stored ones, or a new one if the rule allows it.
  ///
  /// - Parameters:
  ///   - owner: The owner of the answers; stored answers are only returned for the same owner. The budget is per host
  ///     and secret, regardless of the owner.
  ///   - since: A stored answer that arrived from this moment until now is sufficient; nil for the newest that the rule
  ///     allows.
  ///   - worth: Judges a new answer, given the stored ones.
  package func answers(
    to request: HTTPRequest, of owner: String, rule: CallRule, since: Instant? = nil,
    now: @escaping @Sendable () -> Instant, by handler: @escaping HTTPHandler,
    worth: @escaping @Sendable (Result<HTTPResponse, TransportError>, [KeptAnswer]) -> CallWorth
  ) async -> CallReport {
    let call = Call(request, owner, rule, since, patience)
    guard let cache else {
      guard rule.budget == nil, mayCall else {
        return CallReport(answers: [], trouble: .uncountable, nextCall: nil, wasCalled: false, previous: nil, calls: 0)
      }
      var log = CallLog()
      return await call.send(&log, nil, now: now, by: handler, worth: worth)
    }
    // Most of the time nothing has to be sent, so there is nothing to wait for.
    let log = call.log(in: cache)
    if let report = call.report(log, cache, now: now(), mayCall: mayCall), !(mayCall && call.isUnderway(log)) {
      return report
    }
    let report = await cache.exclusively(call.key, patience: patience()) {
      var log = call.log(in: cache)
      if call.giveUpLost(&log) { cache.put(call.key, log.encoded, now: now()) }
      // The previous holder of the lock may have sent it.
      if let report = call.report(log, cache, now: now(), mayCall: mayCall) { return report }
      return await call.send(&log, cache, now: now, by: handler, worth: worth)
    }
    if let report { return report }
    if rule.budget != nil { return call.report(log, trouble: .uncountable, next: nil) }
    var scratch = log
    return await call.send(&scratch, nil, now: now, by: handler, worth: worth)
  }
}

/// One request to one provider under its rule.
private struct Call: Sendable {
  let request: HTTPRequest
  let rule: CallRule
  let since: Instant?
  let key: String
  /// The request without its secrets.
  let name: String
  let mark: String
  let hosts: [String]
  let marks: [String]
  /// How long to wait for another process that is updating the counts.
  let patience: @Sendable () -> Duration

  init(
    _ request: HTTPRequest, _ owner: String, _ rule: CallRule, _ since: Instant?,
    _ patience: @escaping @Sendable () -> Duration
  ) {
    self.patience = patience
    var request = request
    request.repetition = .oncePerURL
    self.request = request
    self.rule = rule
    self.since = since
    key = "answers of \(owner)"
    name = request.identity
    hosts = request.hosts
    marks = request.secretMarks
    mark = marks.joined(separator: " ")
  }

  func log(in cache: DiskCache) -> CallLog { cache.latest(key).flatMap { CallLog(decoding: $0) } ?? CallLog() }

  func isUnderway(_ log: CallLog) -> Bool { log.entry(name)?.isUnderway == true }

  /// Gives up a call that is still marked as underway; returns whether there was one. As the lock is held here, the
  /// process that made the call must have ended and its result is lost.
  func giveUpLost(_ log: inout CallLog) -> Bool {
    guard var entry = log.entry(name), entry.isUnderway else { return false }
    entry.isUnderway = false
    entry.failures += 1
    entry.failure = CallFailure(.noAnswer(.cutOff), "the last call was cut off")
    log.set(entry)
    return true
  }

  /// Returns the report that can be given without a call; nil if a call should be made.
  func report(_ log: CallLog, _ cache: DiskCache, now: Instant, mayCall: Bool) -> CallReport? {
    let entry = log.entry(name)
    let counts = rule.budget == nil ? nil : CallCounts(in: cache)
    let calls = rule.budget.map { self.calls(in: $0, counts, now: now) } ?? 0
    // One that a clock ahead has stamped may have arrived before that.
    if let since, let newest = entry?.answers.first, newest.arrival >= since,
      !newest.arrival.isAhead(of: now)
    {
      return report(log, trouble: nil, next: nil, calls: calls)
    }
    let last = entry?.attempt(with: mark)
    // A request that never left the machine is no failure of the provider, and is repeated after a short pause.
    let wait = [
      entry?.wasSent == false
        ? CallRule.afterUnsent.wait(now: now, lastCall: last?.time, failures: 0)
        : rule.wait(now: now, lastCall: last?.time, failures: last?.failures ?? 0),
      rule.wait(now: now, lastCall: nil, failures: 0),
    ]
    .compactMap(\.self).max()
    if let wait {
      let trouble: CallReport.Obstacle? =
        entry?.failure.map { .failed($0) } ?? (entry?.answers.isEmpty == false ? nil : .tooEarly)
      return report(log, trouble: trouble, next: wait, calls: calls)
    }
    if let budget = rule.budget {
      if counts == nil { return report(log, trouble: .uncountable, next: nil) }
      if calls >= budget.calls { return overBudget(log, budget, now: now) }
    }
    return mayCall ? nil : report(log, trouble: entry?.failure.map { .failed($0) }, next: nil, calls: calls)
  }

  private func calls(in budget: CallRule.Budget, _ counts: CallCounts?, now: Instant) -> Int {
    counts?.calls(to: hosts, with: marks, in: budget.period, now: now) ?? 0
  }

  private func overBudget(_ log: CallLog, _ budget: CallRule.Budget, now: Instant) -> CallReport {
    report(log, trouble: .overBudget(calls: budget.calls), next: budget.period.end(of: now), calls: budget.calls)
  }

  func report(
    _ log: CallLog, trouble: CallReport.Obstacle?, next: Instant?, calls: Int = 0, wasCalled: Bool = false,
    previous: KeptAnswer? = nil
  ) -> CallReport {
    CallReport(
      answers: log.entry(name)?.answers ?? [], trouble: trouble, nextCall: next, wasCalled: wasCalled,
      previous: previous, calls: calls)
  }

  // MARK: Counting

  /// What is left of a budget. One call per URL is deducted in advance, so that a crash cannot lose the count.
  private enum Allowance: Sendable {
    case left(Int, taken: Int)
    case none
    /// The count cannot be read or written, or another process does not release the lock.
    case unknown
  }

  private func reserve(_ budget: CallRule.Budget, _ cache: DiskCache, now: Instant) async -> Allowance {
    await cache.exclusively(CallCounts.key, patience: patience()) {
      guard var counts = CallCounts(in: cache) else { return .unknown }
      let left = budget.calls - calls(in: budget, counts, now: now)
      guard left > 0 else { return .none }
      let taken = min(left, request.urls.count)
      counts.add(taken, to: hosts, with: marks, now: now)
      return counts.write(to: cache, now: now) ? .left(left, taken: taken) : .unknown
    } ?? .unknown
  }

  /// Corrects what was deducted in advance, and returns the number of calls so far.
  private func settle(_ difference: Int, _ budget: CallRule.Budget, _ cache: DiskCache, now: Instant) async -> Int {
    if difference != 0 {
      // The run may be out of time, but the count must be right.
      _ = await cache.exclusively(CallCounts.key, patience: max(patience(), .seconds(1))) {
        guard var counts = CallCounts(in: cache) else { return }
        counts.add(difference, to: hosts, with: marks, now: now)
        _ = counts.write(to: cache, now: now)
      }
    }
    return calls(in: budget, CallCounts(in: cache), now: now)
  }

  /// Whether the call cannot have reached anyone: none of its hosts could be resolved, as without a network.
  private static func isUnsent(_ outcome: Result<HTTPResponse, TransportError>, _ request: HTTPRequest) -> Bool {
    guard case .failure(.cannotResolve) = outcome, let meter = request.meter, meter.reachCount == 0 else {
      return false
    }
    // A handler that does not use the meter tells only of the last host.
    return meter.count > 0 || request.urls.count == 1
  }

  /// Returns the number of calls that were made: each URL and each redirect that was reached. A handler without a meter
  /// reports its attempts, or may have tried every URL.
  private static func calls(of outcome: Result<HTTPResponse, TransportError>, _ request: HTTPRequest) -> Int {
    if let meter = request.meter, meter.count > 0 { return meter.reachCount }
    return isUnsent(outcome, request) ? 0 : (try? outcome.get().attempts) ?? request.urls.count
  }

  /// Sends the request and records the outcome.
  ///
  /// - Parameter cache: nil if nothing can be written.
  func send(
    _ log: inout CallLog, _ cache: DiskCache?, now: @Sendable () -> Instant, by handler: HTTPHandler,
    worth: @Sendable (Result<HTTPResponse, TransportError>, [KeptAnswer]) -> CallWorth
  ) async -> CallReport {
    let start = now()
    var request = request
    var taken = 0
    request.meter = SendCounter()
    if let budget = rule.budget {
      // Where calls are limited, never make one that cannot be recorded.
      guard let cache else { return report(log, trouble: .uncountable, next: nil) }
      switch await reserve(budget, cache, now: start) {
      case .left(let left, let count):
        request.meter = SendCounter(limit: left)
        taken = count
      case .none: return overBudget(log, budget, now: start)
      case .unknown: return report(log, trouble: .uncountable, next: nil)
      }
    }
    var entry = log.entry(name) ?? CallLog.Entry(request: name, lastCall: start, secretMark: mark)
    entry.begin(at: start, with: mark)
    log.set(entry)
    let isWritten = cache?.put(key, log.encoded, now: start, isDurable: rule.budget != nil) ?? false
    if !isWritten, rule.budget != nil { return report(log, trouble: .uncountable, next: nil) }

    let outcome = await Result { () async throws(TransportError) in try await handler(request) }
    entry.isUnderway = false
    entry.wasSent = !Self.isUnsent(outcome, request)
    var calls = 0
    if let budget = rule.budget, let cache {
      calls = await settle(Self.calls(of: outcome, request) - taken, budget, cache, now: now())
    }
    let previous = entry.answers.first
    let answer = (try? outcome.get()).map { response in
      let redact = Redaction(request.secrets)
      return KeptAnswer(
        arrival: response.arrival ?? now(), status: response.status, body: redact(response.body),
        url: redact(response.url))
    }
    entry.end(worth(outcome, entry.answers), with: answer)
    log.set(entry)
    if let cache, isWritten { cache.put(key, log.encoded, now: now()) }
    return report(
      log, trouble: entry.failure.map { .failed($0) }, next: nil, calls: calls, wasCalled: true, previous: previous)
  }
}

/// How good an answer is.
package enum CallWorth: Sendable, Hashable {
  /// Replaces the stored answer.
  case good
  /// Stored in front of the last good answer.
  case doubtful
  /// Not stored.
  case bad(CallFailure)
}

/// The available answers of a provider to a request, and whether the provider was called for them.
package struct CallReport: Sendable {
  /// Why there is nothing newer.
  package enum Obstacle: Sendable, Hashable {
    /// The last call failed, in this run or an earlier one.
    case failed(CallFailure)
    /// All calls of the period are used up.
    case overBudget(calls: Int)
    /// Nothing is stored, and the provider has nothing new yet.
    case tooEarly
    /// Calls are limited but cannot be counted: the count is damaged, nothing can be written, or another process does
    /// not release the lock.
    case uncountable
  }

  /// Newest first.
  package let answers: [KeptAnswer]
  package let trouble: Obstacle?
  /// When the provider may be called again, nil if right away.
  package let nextCall: Instant?
  /// Whether the provider was called for this report.
  package let wasCalled: Bool
  /// The newest answer before the call.
  package let previous: KeptAnswer?
  /// The number of calls so far in the budget's day or month; 0 without a budget.
  package let calls: Int
}
