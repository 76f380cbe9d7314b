package import HTTP
import Synchronization

/// Decides when exchanges may be called, by their limits and their own responses. Each limit of each exchange has
/// one window, shared by all callers.
final class RateLimiter: Sendable {
  /// An exchange's markets may have separate limits, and so separate windows.
  private let windows = Mutex<[SharedLimit: CallWindow]>([:])
  private let pauses = Mutex<[PauseKey: Pause]>([:])
  /// Until when, on `clock.now`, hosts that did not answer in time come last.
  private let silent = Mutex<[HostName: Int64]>([:])
  private static let silence: Int64 = 60 * 1_000_000_000

  /// The statuses that say that there were too many requests, of any kind.
  static let tooMany = [418, 429]

  /// A host, and whether a pause is because of too many requests: one for another reason may be longer and must not hide
  /// it, as it does not concern streams.
  private struct PauseKey: Hashable {
    let host: HostName
    let isOfTooMany: Bool
  }

  /// A period in which a host wants no requests (`Retry-After`).
  struct Pause {
    /// On `clock.now`.
    let end: Int64
    /// The host's response, without its body if that is not readable text.
    let answer: HTTPResponse

    /// Exchanges ban an IP address for three days at most; anything longer is a mistake.
    static let maximumPause: Int64 = 3 * 86_400 * 1_000_000_000
    fileprivate static let maximumBodyLength = 4096
  }

  /// Stops requests to the URL's host for `wish` nanoseconds.
  ///
  /// - Parameter answer: Must not contain secrets, as other requests receive it.
  func pause(_ url: String, for wish: Int64, from now: Int64, _ answer: HTTPResponse) {
    guard wish > 0 else { return }
    var answer = answer
    if answer.body.count > Pause.maximumBodyLength { answer.body = [] }
    let pause = Pause(end: now + min(wish, Pause.maximumPause), answer: answer)
    let host = HostName(of: url)
    pauses.withLock { pauses in
      for isOfTooMany in Self.tooMany.contains(answer.status) ? [false, true] : [false] {
        let key = PauseKey(host: host, isOfTooMany: isOfTooMany)
        // Of answers to requests that were in flight together, the longest pause counts.
        if pauses[key].map({ $0.end < pause.end }) ?? true { pauses[key] = pause }
      }
    }
  }

  /// Returns the current pause of the URL's host; nil if it may be called.
  ///
  /// - Parameter isOfTooMany: Whether only one because of too many requests counts.
  func pause(of url: String, at now: Int64, isOfTooMany: Bool = false) -> Pause? {
    pauses.withLock { pauses in
      guard !pauses.isEmpty else { return nil }
      let key = PauseKey(host: HostName(of: url), isOfTooMany: isOfTooMany)
      guard let pause = pauses[key] else { return nil }
      if pause.end > now { return pause }
      pauses[key] = nil
      return nil
    }
  }

  /// Records that the URL's host did not answer in time: for a minute its alternatives are tried first.
  func noteSilence(of url: String, at now: Int64) {
    silent.withLock { $0[HostName(of: url)] = now + Self.silence }
  }

  /// Returns the indices of URLs in the order in which to try them: those of silent hosts last.
  func order(of urls: [String], at now: Int64) -> [Int] {
    let indices = Array(urls.indices)
    if urls.count < 2 { return indices }
    let late = silent.withLock { silent in indices.filter { silent[HostName(of: urls[$0])].map { $0 > now } ?? false } }
    return late.isEmpty ? indices : indices.filter { !late.contains($0) } + late
  }

  /// Returns when a request may be sent.
  ///
  /// - Throws: `limitUsedUp` if that is after `deadline`.
  func reserve(_ request: HTTPRequest, now: Int64, deadline: Int64?) throws(TransportError) -> Int64 {
    guard let limit = request.limit else { return now }
    let key = SharedLimit(exchange: request.exchange, limit)
    let start = windows.withLock { windows in
      windows[key, default: CallWindow(limit)].reserve(cost: request.cost, now: now, deadline: deadline)
    }
    guard let start else { throw .limitUsedUp(limit) }
    return start
  }
}

/// The calls of one rate limit that still count: no window of its length, whenever it begins, has more than the
/// allowance.
///
/// The exchange counts them as they arrive, and they move closer together on the way: some open connections first. So the
/// window is longer here, by a margin. Integer arithmetic, and no timer.
package struct CallWindow: Sendable {
  /// A part of the period, and the longest it may be.
  package struct Margin: Sendable {
    fileprivate let divisor: Int64
    fileprivate let maximum: Int64

    package static let requests = Margin(divisor: 10, maximum: 250_000_000)
    package static let messages = Margin(divisor: 5, maximum: 1_000_000_000)
  }

  private let requests: Int
  /// The length, in nanoseconds.
  private let length: Int64
  /// The times and costs of calls, made or promised, in order of time.
  private var calls: [(time: Int64, cost: Int)]

  /// - Parameter other: A window that has counted the calls so far; nil for none.
  package init(_ limit: RateLimit, _ margin: Margin = .requests, after other: CallWindow? = nil) {
    calls = other?.calls ?? []
    requests = max(1, limit.requests)
    // Thirty years are as good as forever, and their nanoseconds still fit.
    let period = Int64(min(max(1, limit.perMilliseconds), 1_000_000_000_000)) * 1_000_000
    length = period + min(period / margin.divisor, margin.maximum)
  }

  /// Takes `cost` and returns when it may be spent: now or later. Takes nothing and returns nil if that is after
  /// `deadline`. First come, first served. A cost above the whole allowance waits as many windows as it fills.
  package mutating func reserve(cost: Int, now: Int64, deadline: Int64?) -> Int64? {
    calls = calls.filter { expiry(of: $0.time) > now }
    let cost = max(0, cost)
    var start = max(now, calls.last?.time ?? now)
    var spent = calls.reduce(0) { $0 + $1.cost }
    for call in calls {
      guard spent > requests - min(cost, requests) || expiry(of: call.time) <= start else { break }
      start = max(start, expiry(of: call.time))
      spent -= call.cost
    }
    let windows = Int64(max(0, cost - 1) / requests)
    let (wait, overflow) = windows.multipliedReportingOverflow(by: length)
    let (end, isBeyond) = start.addingReportingOverflow(wait)
    if overflow || isBeyond { return nil }
    if let deadline, end >= deadline { return nil }
    if cost > 0 { calls.append((end, cost - Int(windows) * requests)) }
    return end
  }

  /// Forgets what was promised for later than now, as nothing is after the clock was set back.
  package mutating func forget(after now: Int64) { calls.removeAll { $0.time > now } }

  /// When a call no longer counts.
  private func expiry(of time: Int64) -> Int64 {
    let (expiry, isBeyond) = time.addingReportingOverflow(length)
    return isBeyond ? .max : expiry
  }
}
