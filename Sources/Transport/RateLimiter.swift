import HTTP
import Synchronization

/// When exchanges may be asked, by their limits and by what they say themselves. One limit of one exchange is one bucket,
/// whoever asks.
final class RateLimiter: Sendable {
  /// An exchange's markets may have limits of their own: then each has a bucket of its own.
  private struct Key: Hashable {
    var exchange: String
    var limit: RateLimit
  }

  private let buckets = Mutex<[Key: TokenBucket]>([:])
  private let pauses = Mutex<[HostName: Pause]>([:])

  /// A time in which a host wants no request (`Retry-After`).
  struct Pause {
    /// On `clock.now`.
    let end: Int64
    /// What it answered; without its body where that is no sentence.
    let answer: HTTPResponse

    /// Exchanges ban an address for three days at most; what asks for more has made a mistake.
    fileprivate static let longest: Int64 = 3 * 86_400 * 1_000_000_000
    fileprivate static let longestBody = 4096
  }

  /// Nothing is to be sent to the URL's host for so many nanoseconds.
  ///
  /// - Parameter answer: without secrets: other requests get it.
  func pause(_ url: String, for wish: Int64, from now: Int64, _ answer: HTTPResponse) {
    guard wish > 0 else { return }
    var answer = answer
    if answer.body.count > Pause.longestBody { answer.body = [] }
    let pause = Pause(end: now + min(wish, Pause.longest), answer: answer)
    pauses.withLock { $0[HostName(of: url)] = pause }
  }

  /// The pause that the URL's host is in; nil where it may be asked.
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

  /// When a request may be sent; nil where that would be after `deadline`.
  func reserve(_ request: HTTPRequest, now: Int64, deadline: Int64?) -> Int64? {
    guard let limit = request.limit else { return now }
    let key = Key(exchange: request.exchange, limit: limit)
    return buckets.withLock { buckets in
      buckets[key, default: TokenBucket(limit)].reserve(cost: request.cost, now: now, deadline: deadline)
    }
  }
}

/// The allowance of one rate limit, as a schedule instead of a counter: `requests` may be spent at once, and come back
/// one by one over the period (the generic cell rate algorithm). Exact in integers, and it needs no timer.
struct TokenBucket: Sendable, Equatable {
  /// How long one unit of cost takes to come back, in nanoseconds.
  private let interval: Int64
  /// How far `full` may lie ahead of now: the time that the whole allowance takes to come back.
  private let reach: Int64
  /// When the bucket will be full again.
  private var full = Int64.min / 2

  init(_ limit: RateLimit) {
    let requests = Int64(max(1, limit.requests))
    // Thirty years are as good as for ever, and their nanoseconds still fit.
    let period = Int64(min(max(1, limit.perMilliseconds), 1_000_000_000_000)) * 1_000_000
    interval = max(1, period / requests)
    reach = interval * requests
  }

  /// Takes `cost` and says when it may be spent: now or later. Takes nothing, and says nil, where that would be after
  /// `deadline`. Who asks first is served first. A cost above the whole allowance waits for as long as it takes.
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
