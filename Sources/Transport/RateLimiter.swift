import HTTP
import Synchronization

/// The buckets of all exchanges. One limit of one exchange is one bucket, whoever asks.
final class RateLimiter: Sendable {
  /// An exchange's markets may have limits of their own: then each has a bucket of its own.
  private struct Key: Hashable {
    var exchange: String
    var limit: RateLimit
  }

  private let buckets = Mutex<[Key: TokenBucket]>([:])

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
