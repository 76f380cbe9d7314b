import Synchronization

/// The buckets of all venues. One limit of one venue is one bucket, whoever asks.
final class RateLimiter: Sendable {
  /// A venue's markets may have limits of their own: then each has a bucket of its own.
  private struct Key: Hashable {
    var venue: String
    var limit: RateLimit
  }

  private let buckets = Mutex<[Key: TokenBucket]>([:])

  /// When a request may be sent; nil where that would be after `deadline`.
  func reserve(_ request: HTTPRequest, now: Int64, deadline: Int64?) -> Int64? {
    guard let limit = request.limit else { return now }
    let key = Key(venue: request.venue, limit: limit)
    return buckets.withLock { buckets in
      buckets[key, default: TokenBucket(limit)].reserve(cost: request.cost, now: now, deadline: deadline)
    }
  }
}
