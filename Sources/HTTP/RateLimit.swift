/// How often an exchange lets itself be asked: so many requests in so many milliseconds.
package struct RateLimit: Hashable, Sendable {
  /// The cost that may be spent in one period, and at once after a quiet time. At least 1.
  package var requests: Int
  /// The period, in milliseconds. At least 1.
  package var perMilliseconds: Int

  package init(requests: Int, perMilliseconds: Int) {
    self.requests = requests
    self.perMilliseconds = perMilliseconds
  }
}
