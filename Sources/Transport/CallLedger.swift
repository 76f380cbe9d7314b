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

  /// The calls of a provider in the present day or month; nil where none has been written down.
  package func calls(of provider: String, in budget: CallRule.Budget, now: Int64) -> Int? {
    let bytes = cache?.latest(Self.key(of: provider))
    return bytes.flatMap { CallLog(decoding: $0) }?.calls(in: budget, now: now)
  }

  /// Under what the calls of a provider are written down.
  fileprivate static func key(of provider: String) -> String { "calls of \(provider)" }

  /// The answers to a request: those that are kept, or a new one where the rule allows it.
  ///
  /// - Parameters:
  ///   - since: a kept answer that came at this moment or later will do; nil: one as new as the rule allows.
  ///   - now: nanoseconds since 1970.
  ///   - worth: what a new answer is worth, given those that are kept.
  package func answers(
    to request: HTTPRequest, of provider: String, rule: CallRule, since: Instant? = nil,
    now: @escaping @Sendable () -> Int64, by handler: @escaping HTTPHandler,
    worth: @escaping @Sendable (Result<HTTPResponse, TransportError>, [KeptAnswer]) -> CallWorth
  ) async -> CallReport {
    let call = Call(request, provider, rule, since)
    guard let cache else {
      guard rule.budget == nil, mayCall else {
        return CallReport(answers: [], trouble: .uncountable, nextCall: nil, wasCalled: false, previous: nil, calls: 0)
      }
      var log = CallLog()
      return await call.send(&log, nil, now: now, by: handler, worth: worth)
    }
    // Most often nothing has to be sent, and there is nothing to wait for.
    let log = call.log(in: cache)
    if let report = call.report(log, now: now(), mayCall: mayCall), !(mayCall && call.isUnderway(log)) { return report }
    let report = await cache.exclusively(call.key, patience: patience()) {
      var log = call.log(in: cache)
      if call.giveUpLost(&log) { cache.put(call.key, log.encoded, now: now()) }
      // Whoever had the lock before may have sent it.
      if let report = call.report(log, now: now(), mayCall: mayCall) { return report }
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

  init(_ request: HTTPRequest, _ provider: String, _ rule: CallRule, _ since: Instant?) {
    var request = request
    request.repetition = .oncePerURL
    self.request = request
    self.rule = rule
    self.since = since
    key = CallLedger.key(of: provider)
    name = request.fingerprint
    // Sixteen bits: enough to see that a secret has changed, and too few to learn it from.
    let hash = CacheRecord.hash(request.secrets.joined(separator: "\n").utf8)
    mark = request.secrets.isEmpty ? "" : String((hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) & 0xffff, radix: 16)
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
  func report(_ log: CallLog, now: Int64, mayCall: Bool) -> CallReport? {
    let entry = log.entry(name)
    if let since, let newest = entry?.answers.first, newest.arrival >= since {
      return report(log, trouble: nil, next: nil)
    }
    // What failed for want of the right secret may be tried at once with another.
    let failures = entry.map { $0.secretMark == mark ? $0.failures : 0 } ?? 0
    let lastCall = entry.flatMap { $0.failures > 0 && $0.secretMark != mark ? nil : $0.lastCall }
    // What never left the machine is tried again after a pause; the provider has not been called.
    let spacing = entry?.wasSent == false ? CallRule(everyMilliseconds: nil) : rule
    let wait = [
      spacing.wait(now: now, lastCall: lastCall, failures: failures), rule.wait(now: now, lastCall: nil, failures: 0),
    ]
    .compactMap(\.self).max()
    if let wait {
      let trouble: CallReport.Trouble? =
        entry?.failure.map { .failed($0) } ?? (entry?.answers.isEmpty == false ? nil : .tooEarly)
      return report(log, trouble: trouble, next: wait)
    }
    if let budget = rule.budget, log.calls(in: budget, now: now) >= budget.calls {
      return report(log, trouble: .overBudget(calls: budget.calls), next: budget.period.end(of: now))
    }
    return mayCall ? nil : report(log, trouble: entry?.failure.map { .failed($0) }, next: nil)
  }

  func report(
    _ log: CallLog, trouble: CallReport.Trouble?, next: Int64?, wasCalled: Bool = false, previous: KeptAnswer? = nil
  ) -> CallReport {
    CallReport(
      answers: log.entry(name)?.answers ?? [], trouble: trouble, nextCall: next, wasCalled: wasCalled,
      previous: previous, calls: log.calls)
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
    var entry = log.entry(name) ?? CallLog.Entry(request: name, lastCall: start, secretMark: mark)
    entry.lastCall = start
    entry.wasSent = true
    entry.isUnderway = true
    entry.secretMark = mark
    log.count(1, rule.budget, now: start)
    log.set(entry)
    let isWritten = cache?.put(key, log.encoded, now: start, isDurable: rule.budget != nil) ?? false
    // A call that nobody will know of must not be made where they are limited.
    if !isWritten, rule.budget != nil { return report(log, trouble: .uncountable, next: nil) }

    let outcome: Result<HTTPResponse, TransportError>
    do throws(TransportError) {
      outcome = .success(try await handler(request))
    } catch {
      outcome = .failure(error)
    }
    entry.isUnderway = false
    entry.wasSent = !Self.isUnsent(outcome, request)
    // Each address that was tried on the way is a call of its own.
    let calls = (try? outcome.get().attempts) ?? request.urls.count
    log.count(entry.wasSent ? max(0, calls - 1) : -1, rule.budget, now: now())
    let previous = entry.answers.first
    switch worth(outcome, entry.answers) {
    case .bad(let failure):
      entry.failures += 1
      entry.failure = failure
    case let value:
      entry.failures = 0
      entry.failure = nil
      if case .success(let response) = outcome {
        let redact = Redaction(request.secrets)
        let answer = KeptAnswer(
          arrival: response.arrival ?? Instant(nanoseconds: now()), status: response.status,
          body: redact(response.body), isDoubtful: value == .doubtful)
        entry.answers =
          value == .doubtful ? [answer] + entry.answers.filter { !$0.isDoubtful }.prefix(1) : [answer]
      }
    }
    log.set(entry)
    if let cache, isWritten { cache.put(key, log.encoded, now: now()) }
    return report(
      log, trouble: entry.failure.map { .failed($0) }, next: nil, wasCalled: true, previous: previous)
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
  /// The calls of the day or month so far.
  package let calls: Int
}
