/// A request to an exchange: where and how it may be sent, and which parts of it are secret.
package struct HTTPRequest: Sendable, Hashable {
  /// Whether a request may reach the exchange more than once.
  package enum Repetition: Sendable, Hashable {
    /// A read, even by POST: sending it twice does no harm, so it is retried after a failure.
    case retried
    /// Each URL once: calls are counted, and whoever counts them decides about the next one. If the meter has a limit,
    /// each sending has a connection of its own, as a retry by libcurl would not be counted.
    case oncePerURL
    /// Sent once, to its first URL, whatever the outcome, and over a connection of its own.
    case never
  }

  /// The exchange's name, which is the key of its rate limit and the folder of its cassettes.
  package var exchange: String
  /// A short label for the cassette file, such as `spot-tickers`.
  package var name: String
  package var method: String
  /// Full URLs, already escaped, in failover order. At least one.
  package var urls: [String]
  /// Sent in this order. A `User-Agent` here replaces the client's own.
  package var headers: [HTTPHeader]
  package var body: [UInt8]?
  /// Values to redact wherever they occur. A request with secrets is only sent by https or to loopback.
  package var secrets: [String]
  /// Texts filled in from the clock, so that a recording of the request can be replayed at any time.
  package var clockValues: [ClockValue]
  package var limit: RateLimit?
  /// The cost of each sending, taken from `limit`. At least 0.
  package var cost: Int
  package var repetition = Repetition.retried
  /// The signer that creates what is actually sent; nil for a request that is sent as it is.
  package var signer: RequestSigner?
  /// The meter that counts each sending, up to its limit; nil if sendings are not counted.
  package var meter: SendCounter?
  /// The divisor of the remaining time that the request may take, and of that time that each URL but the last may take.
  /// It leaves time for what is asked if the request fails. At least 1.
  package var timeBudgetDivisor: Int64 = 1
  /// Whether it continues an answer of several pages. It waits for the rate limit as long as necessary, each attempt has
  /// its own time, and the run then has its whole time again, unless that is fixed.
  package var prolongsRun = false

  package init(
    exchange: String, name: String, method: String = "GET", urls: [String], headers: [HTTPHeader] = [],
    body: [UInt8]? = nil, secrets: [String] = [], clockValues: [ClockValue] = [], limit: RateLimit? = nil, cost: Int = 1
  ) {
    self.exchange = exchange
    self.name = name
    self.method = method
    self.urls = urls
    self.headers = headers
    self.body = body
    self.secrets = secrets
    self.clockValues = clockValues
    self.limit = limit
    self.cost = cost
  }

  /// Whether the request carries anything that only its own host may see.
  package var isCredentialed: Bool { secrets.contains { !$0.isEmpty } || headers.contains(where: \.mayBeSecret) }

  /// The identity of the request on disk: method, all URLs in failover order, headers and body, without secrets and
  /// with marks for what the clock filled in.
  package var identity: String {
    let lines = [([method] + urls).joined(separator: " ")] + headers.map { "\($0.name.lowercased()): \($0.value)" }
    let text = (lines + [body.map { String(decoding: $0, as: UTF8.self) } ?? ""]).joined(separator: "\n")
    return replacingClockValues(Redaction(secrets)(text))
  }
}
