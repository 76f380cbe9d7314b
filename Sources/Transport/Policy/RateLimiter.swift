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
