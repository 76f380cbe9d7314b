/// An exchange's rate limit: a number of requests per number of milliseconds.
package struct RateLimit: Hashable, Sendable {
  /// The cost that may be spent in one period, or all at once after a quiet time. At least 1.
  package var requests: Int
  /// The period, in milliseconds. At least 1.
  package var perMilliseconds: Int

  package init(requests: Int, perMilliseconds: Int) {
    (self.requests, self.perMilliseconds) = (requests, perMilliseconds)
  }
}

/// A limit that requests count against: those to the same exchange with the same limit share it, whatever their market.
package struct SharedLimit: Hashable, Sendable {
  package let exchange: String
  package let limit: RateLimit

  package init(exchange: String, _ limit: RateLimit) {
    (self.exchange, self.limit) = (exchange, limit)
  }
}
