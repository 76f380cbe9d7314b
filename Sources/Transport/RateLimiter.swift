import HTTP
import Synchronization

/// Decides when exchanges may be called, by their limits and their own responses. Each limit of each exchange is one
/// bucket, shared by all callers.
final class RateLimiter: Sendable {
  /// An exchange's markets may have separate limits, and so separate buckets.
  private struct Key: Hashable {
    var exchange: String
    var limit: RateLimit
  }

  private let buckets = Mutex<[Key: TokenBucket]>([:])
  private let pauses = Mutex<[HostName: Pause]>([:])
  /// Until when, on `clock.now`, hosts that did not answer in time come last.
  private let silent = Mutex<[HostName: Int64]>([:])
  private static let silence: Int64 = 60 * 1_000_000_000

  /// A period in which a host wants no requests (`Retry-After`).
  struct Pause {
    /// On `clock.now`.
    let end: Int64
    /// The host's response, without its body if that is not readable text.
    let answer: HTTPResponse

    /// Exchanges ban an IP address for three days at most; anything longer is a mistake.
    fileprivate static let maximumPause: Int64 = 3 * 86_400 * 1_000_000_000
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
    // Of answers to requests that were in flight together, the longest pause counts.
    pauses.withLock { if $0[host].map({ $0.end < pause.end }) ?? true { $0[host] = pause } }
  }

  /// Returns the current pause of the URL's host; nil if it may be called.
  func pause(of url: String, at now: Int64) -> Pause? {
    pauses.withLock { pauses in
      guard !pauses.isEmpty else { return nil }
      let host = HostName(of: url)
      guard let pause = pauses[host] else { return nil }
      if pause.end > now { return pause }
      pauses[host] = nil
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

  /// Returns when a request may be sent; nil if that is after `deadline`.
  func reserve(_ request: HTTPRequest, now: Int64, deadline: Int64?) -> Int64? {
    guard let limit = request.limit else { return now }
    let key = Key(exchange: request.exchange, limit: limit)
    return buckets.withLock { buckets in
      buckets[key, default: TokenBucket(limit)].reserve(cost: request.cost, now: now, deadline: deadline)
    }
  }
}

/// The allowance of one rate limit, as a schedule instead of a counter: `requests` may be spent at once and are
/// restored one by one over the period (the generic cell rate algorithm). Exact integer arithmetic, and no timer.
struct TokenBucket: Sendable, Equatable {
  /// How long it takes to restore one unit of cost, in nanoseconds.
  private let interval: Int64
  /// How far `full` may lie ahead of now: the time it takes to restore the whole allowance.
  private let reach: Int64
  /// When the bucket will be full again.
  private var full = Int64.min / 2

  init(_ limit: RateLimit) {
    let requests = Int64(max(1, limit.requests))
    // Thirty years are as good as forever, and their nanoseconds still fit.
    let period = Int64(min(max(1, limit.perMilliseconds), 1_000_000_000_000)) * 1_000_000
    interval = max(1, period / requests)
    reach = interval * requests
  }

  /// Takes `cost` and returns when it may be spent: now or later. Takes nothing and returns nil if that is after
  /// `deadline`. First come, first served. A cost above the whole allowance waits as long as necessary.
  mutating func reserve(cost: Int, now: Int64, deadline: Int64?) -> Int64? {
    let (spent, overflow) = Int64(max(0, cost)).multipliedReportingOverflow(by: interval)
    if overflow { return nil }
    let fullAfter = max(full, now).addingReportingOverflow(spent)
    if fullAfter.overflow { return nil }
    let start = max(now, fullAfter.partialValue - reach)
    if let deadline, start >= deadline { return nil }
    full = fullAfter.partialValue
    return start
  }
}
