package import HTTP
package import Quotes

/// Calls that are counted, spaced and shared between processes.
///
/// Every cause of a refresh goes through here: what is kept on disk answers until the provider can have something new
/// and its rule allows a call. A call is written down before it is sent, so one that crashes counts, and others wait for
/// its end.
package struct CallLedger: Sendable {
  private let cache: DiskCache?
  /// Whether anything is sent; else what is kept is all there is.
  private let mayCall: Bool
  /// How long another process's call is waited for.
  private let patience: @Sendable () -> Duration

  /// - Parameter cache: nil where the user has no place for it: then calls with a budget are not made at all.
  package init(
    _ cache: DiskCache?, mayCall: Bool = true, patience: @escaping @Sendable () -> Duration = { .seconds(10) }
  ) {
    self.cache = cache
    self.mayCall = mayCall
    self.patience = patience
  }

  /// The calls that hosts have had in the present day or month, whoever made them; nil where none has been written down.
  ///
  /// - Parameter urls: any addresses there.
  package func calls(to urls: [String], in budget: CallRule.Budget, now: Int64) -> Int? {
    let hosts = urls.map { HostName(of: $0).text }
    return cache.flatMap { CallCounts(in: $0).calls(to: hosts, with: nil, in: budget.period, now: now) }
  }

  /// The answers to a request: those that are kept, or a new one where the rule allows it.
  ///
  /// - Parameters:
  ///   - owner: whose answers they are: only requests of the same owner are answered by what is kept. The budget is that of
  ///     the host and the secret, whoever asks.
  ///   - since: a kept answer that came at this moment or later will do; nil: one as new as the rule allows.
  ///   - now: nanoseconds since 1970.
  ///   - worth: what a new answer is worth, given those that are kept.
  package func answers(
    to request: HTTPRequest, of owner: String, rule: CallRule, since: Instant? = nil,
    now: @escaping @Sendable () -> Int64, by handler: @escaping HTTPHandler,
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
    // Most often nothing has to be sent, and there is nothing to wait for.
    let log = call.log(in: cache)
    if let report = call.report(log, cache, now: now(), mayCall: mayCall), !(mayCall && call.isUnderway(log)) {
      return report
    }
    let report = await cache.exclusively(call.key, patience: patience()) {
      var log = call.log(in: cache)
      if call.giveUpLost(&log) { cache.put(call.key, log.encoded, now: now()) }
      // Whoever had the lock before may have sent it.
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
  /// How long another process that is counting is waited for.
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

  /// Whoever holds the lock and finds a call underway knows that its process has ended: what came of it is lost.
  /// Returns whether there was one.
  func giveUpLost(_ log: inout CallLog) -> Bool {
    guard var entry = log.entry(name), entry.isUnderway else { return false }
    entry.isUnderway = false
    entry.failures += 1
    entry.failure = CallFailure("no-answer cut-off", "the last call was cut off")
    log.set(entry)
    return true
  }

  /// What can be said without a call; nil when one is to be made.
  func report(_ log: CallLog, _ cache: DiskCache, now: Int64, mayCall: Bool) -> CallReport? {
    let entry = log.entry(name)
    let calls = rule.budget.map { self.calls(in: $0, CallCounts(in: cache), now: now) } ?? 0
    if let since, let newest = entry?.answers.first, newest.arrival >= since {
      return report(log, trouble: nil, next: nil, calls: calls)
    }
    let last = entry?.attempt(with: mark)
    // What never left the machine is tried again after a pause; the provider has not been called.
    let spacing = entry?.wasSent == false ? CallRule(everyMilliseconds: nil) : rule
    let wait = [
      spacing.wait(now: now, lastCall: last?.time, failures: last?.failures ?? 0),
      rule.wait(now: now, lastCall: nil, failures: 0),
    ]
    .compactMap(\.self).max()
    if let wait {
      let trouble: CallReport.Trouble? =
        entry?.failure.map { .failed($0) } ?? (entry?.answers.isEmpty == false ? nil : .tooEarly)
      return report(log, trouble: trouble, next: wait, calls: calls)
    }
    if let budget = rule.budget, calls >= budget.calls { return overBudget(log, budget, now: now) }
    return mayCall ? nil : report(log, trouble: entry?.failure.map { .failed($0) }, next: nil, calls: calls)
  }

  private func calls(in budget: CallRule.Budget, _ counts: CallCounts, now: Int64) -> Int {
    counts.calls(to: hosts, with: marks, in: budget.period, now: now) ?? 0
  }

  private func overBudget(_ log: CallLog, _ budget: CallRule.Budget, now: Int64) -> CallReport {
    report(
      log, trouble: .overBudget(calls: budget.calls), next: budget.period.end(of: now), calls: budget.calls)
  }

  func report(
    _ log: CallLog, trouble: CallReport.Trouble?, next: Int64?, calls: Int = 0, wasCalled: Bool = false,
    previous: KeptAnswer? = nil
  ) -> CallReport {
    CallReport(
      answers: log.entry(name)?.answers ?? [], trouble: trouble, nextCall: next, wasCalled: wasCalled,
      previous: previous, calls: calls)
  }

  // MARK: Counting

  /// What is left of a budget, with one sending to each URL taken from it in advance: a process that crashes has counted.
  private enum Allowance: Sendable {
    case left(Int, taken: Int)
    case none
    /// Nothing can be written, or another process does not let go.
    case unknown
  }

  private func reserve(_ budget: CallRule.Budget, _ cache: DiskCache, now: Int64) async -> Allowance {
    await cache.exclusively(CallCounts.key, patience: patience()) {
      var counts = CallCounts(in: cache)
      let left = budget.calls - calls(in: budget, counts, now: now)
      guard left > 0 else { return .none }
      let taken = min(left, request.urls.count)
      counts.add(taken, to: hosts, with: marks, now: now)
      return counts.write(to: cache, now: now) ? .left(left, taken: taken) : .unknown
    } ?? .unknown
  }

  /// Corrects what was taken in advance, and says how many calls there have been.
  private func settle(_ difference: Int, _ budget: CallRule.Budget, _ cache: DiskCache, now: Int64) async -> Int {
    if difference != 0 {
      // The run may be over; the count has to be right.
      _ = await cache.exclusively(CallCounts.key, patience: max(patience(), .seconds(1))) {
        var counts = CallCounts(in: cache)
        counts.add(difference, to: hosts, with: marks, now: now)
        _ = counts.write(to: cache, now: now)
      }
    }
    return calls(in: budget, CallCounts(in: cache), now: now)
  }

  /// Whether nobody can have seen the call: the only host has no address, as without a network.
  private static func isUnsent(_ outcome: Result<HTTPResponse, TransportError>, _ request: HTTPRequest) -> Bool {
    guard case .failure(.cannotResolve) = outcome else { return false }
    return request.urls.count == 1
  }

  /// Sends the request and writes down what came of it.
  ///
  /// - Parameter cache: nil: nothing can be written.
  func send(
    _ log: inout CallLog, _ cache: DiskCache?, now: @Sendable () -> Int64, by handler: HTTPHandler,
    worth: @Sendable (Result<HTTPResponse, TransportError>, [KeptAnswer]) -> CallWorth
  ) async -> CallReport {
    let start = now()
    var request = request
    var taken = 0
    request.meter = SendingMeter()
    if let budget = rule.budget {
      // A call that nobody will know of must not be made where they are limited.
      guard let cache else { return report(log, trouble: .uncountable, next: nil) }
      switch await reserve(budget, cache, now: start) {
      case .left(let left, let count):
        request.meter = SendingMeter(limit: left)
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

    let outcome: Result<HTTPResponse, TransportError>
    do throws(TransportError) {
      outcome = .success(try await handler(request))
    } catch {
      outcome = .failure(error)
    }
    entry.isUnderway = false
    entry.wasSent = !Self.isUnsent(outcome, request)
    // Each address that was tried on the way, and each redirect, is a call of its own. A handler that does not count says how
    // often it has tried, or may have tried each address.
    let counted = request.meter?.count ?? 0
    let sent = counted > 0 ? counted : (try? outcome.get().attempts) ?? request.urls.count
    var calls = 0
    if let budget = rule.budget, let cache {
      calls = await settle((entry.wasSent ? sent : 0) - taken, budget, cache, now: now())
    }
    let previous = entry.answers.first
    switch worth(outcome, entry.answers) {
    case .bad(let failure):
      entry.failures += 1
      entry.failure = failure
    case let value:
      entry.failures = 0
      entry.failure = nil
      entry.refused = []
      if case .success(let response) = outcome {
        let redact = Redaction(request.secrets)
        let answer = KeptAnswer(
          arrival: response.arrival ?? Instant(nanoseconds: now()), status: response.status,
          body: redact(response.body), isDoubtful: value == .doubtful, url: redact(response.url))
        entry.answers =
          value == .doubtful ? [answer] + entry.answers.filter { !$0.isDoubtful }.prefix(1) : [answer]
      }
    }
    log.set(entry)
    if let cache, isWritten { cache.put(key, log.encoded, now: now()) }
    return report(
      log, trouble: entry.failure.map { .failed($0) }, next: nil, calls: calls, wasCalled: true, previous: previous)
  }
}

/// What an answer is worth.
package enum CallWorth: Sendable, Hashable {
  /// It takes the place of what was kept.
  case good
  /// It is kept before the one that was good.
  case doubtful
  /// It is not kept.
  case bad(CallFailure)
}

/// What there is of a provider's answers to a request, and whether it was called for it.
package struct CallReport: Sendable {
  /// Why there is nothing newer.
  package enum Trouble: Sendable, Hashable {
    /// The last call failed, in this run or before.
    case failed(CallFailure)
    /// All calls of the period are used up.
    case overBudget(calls: Int)
    /// Nothing is kept, and the provider has nothing new yet.
    case tooEarly
    /// The calls are limited, and cannot be counted: nothing can be written, or another process does not let go.
    case uncountable
  }

  /// The newest first.
  package let answers: [KeptAnswer]
  package let trouble: Trouble?
  /// When it may be called again, in nanoseconds since 1970; nil: at once.
  package let nextCall: Int64?
  /// Whether it was called for this.
  package let wasCalled: Bool
  /// The newest answer before the call.
  package let previous: KeptAnswer?
  /// The calls of the budget's day or month so far; 0 without a budget.
  package let calls: Int
}
