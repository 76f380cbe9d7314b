/// What is the same for every transfer of a client.
struct CurlSettings: Sendable {
  /// Sent unless the request has a `User-Agent` of its own.
  var userAgent: String
  /// The time for resolving and connecting alone, in nanoseconds.
  var connectTimeout: Int64
  /// Whether libcurl looks for proxies in the environment (`https_proxy`, `no_proxy` …).
  var usesProxies: Bool
}
