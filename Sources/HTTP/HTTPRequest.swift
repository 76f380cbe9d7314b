/// A request to an exchange: where it may be sent, with what, and which parts of it are secret.
package struct HTTPRequest: Sendable, Hashable {
  /// Whether one request may reach the exchange more than once.
  package enum Repetition: Sendable, Hashable {
    /// A read, by POST too: sending it twice does no harm, so it is retried after a failure.
    case retried
    /// Each of its URLs once: where calls are counted, whoever counts them decides about the next.
    case oncePerURL
    /// One sending to its first URL, whatever comes of it: what changes something at the exchange.
    case never
  }

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
  package var moments: [Moment]
  package var limit: RateLimit?
  /// What one sending takes from `limit`. At least 0.
  package var cost: Int
  package var repetition = Repetition.retried
  /// Makes what is really sent; nil for a request that is sent as it stands.
  package var signer: RequestSigner?
  /// Counts each sending, and stops at its limit; nil where nobody counts.
  package var meter: SendingMeter?
  /// The request may take one part in so many of the time that is left, and each of its URLs but the last one part in so
  /// many of that: leaves time for whatever is asked after it has failed. At least 1.
  package var shareOfTime: Int64 = 1

  package init(
    exchange: String, name: String, method: String = "GET", urls: [String], headers: [HTTPHeader] = [],
    body: [UInt8]? = nil, secrets: [String] = [], moments: [Moment] = [], limit: RateLimit? = nil, cost: Int = 1
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

  /// Whether the request carries something that only its own host may see.
  package var isCredentialed: Bool {
    secrets.contains { !$0.isEmpty } || headers.contains(where: \.mayBeSecret)
  }

  /// The request as it is sent, to be told from others on disk: method, every URL in the order of failover, headers and
  /// body, without secrets and with a mark for what the clock filled in.
  package var identity: String {
    let lines = [([method] + urls).joined(separator: " ")] + headers.map { "\($0.name.lowercased()): \($0.value)" }
    let text = (lines + [body.map { String(decoding: $0, as: UTF8.self) } ?? ""]).joined(separator: "\n")
    return withoutMoments(Redaction(secrets)(text))
  }
}

/// How often an exchange allows requests: so many in so many milliseconds.
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
