package import HTTP

/// Asks exchanges over the network: all at once, on connections that are kept, each request with failover, retries and
/// the exchange's rate limit, equal requests once, and everything ended by the deadline of the run.
///
///     let client = HTTPClient(HTTPClient.Options(userAgent: "market/1.0"))
///     let response = try await client.handler(request)
///
/// A client costs nothing until its first request. Connections, the DNS cache and the rate limits live as long as it.
package final class HTTPClient: Sendable {
  package struct Options: Sendable {
    /// Sent unless a request has a `User-Agent` header of its own: `market/<version>`.
    package var userAgent: String
    /// The time of one attempt, from resolving the name to the last byte.
    package var timeout: Duration = .seconds(5)
    /// The time for resolving and connecting, a part of `timeout`.
    package var connectTimeout: Duration = .seconds(4)
    /// The time of the whole run, from the making of the client on; nil = none.
    package var deadline: Duration? = .seconds(10)
    /// The longest answer that is taken, in bytes after decoding.
    package var maximumBytes = AnswerLimit.bytes
    /// The time for a WebSocket to open, from resolving the name to the answer of the handshake.
    package var streamOpening: Duration {
      get { .nanoseconds(streamLimits.opening) }
      set { streamLimits.opening = newValue.nanoseconds }
    }
    var streamLimits = WebSocketSession.Limits()
    package var retryRule = RetryRule()
    /// The address of the proxy to use, empty for none; nil: proxies are looked for in the environment, as curl does
    /// (`https_proxy`, `no_proxy` …).
    package var proxy: String?
    /// A file with the only certificate authorities to trust; nil: those that the system or its user trusts.
    package var authorities: String?
    package var clock = TransportClock.system
    /// A number in `0..<1`, for the jitter of retries.
    package var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

    package init(userAgent: String) {
      self.userAgent = userAgent
    }

    /// - Parameter limit: the time of each attempt, of each connecting, and of the whole run.
    package init(userAgent: String, limit: Duration) {
      self.init(userAgent: userAgent)
      (timeout, connectTimeout, deadline) = (limit, limit, limit)
    }
  }

  /// What belongs to one round of questions.
  private struct Run: Sendable {
    var coalescer = RequestCoalescer()
    /// On `clock.now`.
    var deadline: Int64?
  }

  private let loop: CurlLoop
  private let sender: RetryingSender
  private let firstRun: Run

  package init(_ options: Options) {
    let loop = CurlLoop(
      settings: CurlSettings(
        userAgent: options.userAgent, connectTimeout: options.connectTimeout.nanoseconds,
        proxy: options.proxy, authorities: options.authorities.map { CertificateAuthorities(file: $0) },
        maximumBytes: options.maximumBytes, streamLimits: options.streamLimits))
    self.loop = loop
    sender = RetryingSender(
      sendOnce: { request, timeout throws(TransportError) in try await loop.send(request, timeout: timeout) },
      limiter: RateLimiter(), rule: options.retryRule, clock: options.clock, chance: options.chance,
      timeout: options.timeout.nanoseconds)
    firstRun = Run(deadline: Self.instant(options.deadline, after: options.clock.now()))
  }

  deinit { loop.stop() }

  /// The handler of the client's one run, with the deadline of the options.
  package var handler: HTTPHandler { handler(of: firstRun) }

  /// Opens WebSockets over the same network. They belong to no run and have no deadline.
  package var streams: StreamHandler {
    StreamHandler { request, receiver in self.loop.open(request, receiver: receiver) }
  }

  /// What is left of the client's one run; below zero once it is over, and an hour where it has no end.
  package var timeLeft: Duration {
    guard let deadline = firstRun.deadline else { return .seconds(3600) }
    return .nanoseconds(deadline.subtractingReportingOverflow(sender.clock.now()).partialValue)
  }

  /// The handler of a new run on the same connections and rate limits, for a view that asks again and again: equal
  /// requests are sent anew, and the deadline counts from now.
  package func newRun(deadline: Duration?) -> HTTPHandler {
    handler(of: Run(deadline: Self.instant(deadline, after: sender.clock.now())))
  }

  /// Loads libcurl, in some 3 ms, before there is a client, and lets its TLS library get ready beside the caller.
  ///
  /// The loading itself is not left to another thread: while two threads run, each page that the loader changes has to
  /// be taken out of the other core's tables too, and the loading takes half as long again.
  package static func preload() {
    guard (try? CurlLibrary.textFunctions()) != nil else { return }
    SystemThread { _ = try? CurlLibrary.functions() }?.detach()
  }

  /// Why this system cannot send any request; nil where libcurl can be loaded.
  package static var problem: TransportError? {
    do throws(TransportError) {
      _ = try CurlLibrary.textFunctions()
      return nil
    } catch {
      return error
    }
  }

  /// Ends all requests with `.cancelled`, all streams too, once they have been told 1001 ("going away"), and the
  /// network's thread some milliseconds later. A process must leave by
  /// `_exit`: in `exit` the TLS library tears itself down, and must not be in use.
  package func shutDown() { loop.stop() }

  private func handler(of run: Run) -> HTTPHandler {
    { request throws(TransportError) in
      try await run.coalescer.answer(request) { request throws(TransportError) in
        try await self.sender.send(request, deadline: run.deadline)
      }
    }
  }

  private static func instant(_ time: Duration?, after now: Int64) -> Int64? {
    guard let time else { return nil }
    let (sum, overflow) = now.addingReportingOverflow(time.nanoseconds)
    return overflow ? nil : sum
  }
}
