/// One question to an exchange: where it may be asked, with what, and what of it nobody else may see.
///
/// Every request is a public read, a POST too: asking twice does no harm, so any of them may be tried again.
package struct HTTPRequest: Sendable, Equatable {
  /// The exchange's name: the key of its rate limit and the folder of its cassettes.
  package var exchange: String
  /// A short label for the cassette file, such as `spot-tickers`.
  package var name: String
  package var method: String
  /// Full URLs, already escaped, in the order of failover. At least one.
  package var urls: [String]
  /// Sent in this order. A `User-Agent` here replaces the client's own.
  package var headers: [HTTPHeader]
  package var body: [UInt8]?
  /// Values to redact wherever they occur. A request with secrets goes out by https or to loopback only.
  package var secrets: [String]
  /// Texts that the clock filled in: a recording of the request is played at any time.
  package var moments: [String]
  package var limit: RateLimit?
  /// What one sending takes from `limit`. At least 0.
  package var cost: Int
  /// Whether it may be tried again after all of its URLs have failed. Where calls are counted, whoever counts decides.
  package var mayRetry = true
  /// It may take one of so many parts of the time that is left to the run, and each of its URLs but the last one of so
  /// many parts of that: where others are asked only after it has failed, they need time too. At least 1.
  package var shareOfTime: Int64 = 1

  package init(
    exchange: String, name: String, method: String = "GET", urls: [String], headers: [HTTPHeader] = [],
    body: [UInt8]? = nil, secrets: [String] = [], moments: [String] = [], limit: RateLimit? = nil, cost: Int = 1
  ) {
    self.exchange = exchange
    self.name = name
    self.method = method
    self.urls = urls
    self.headers = headers
    self.body = body
    self.secrets = secrets
    self.moments = moments
    self.limit = limit
    self.cost = cost
  }
}
