package import HTTP
import Synchronization

/// Sends requests to exchanges: concurrently, over reused connections, with failover, retries and the exchange's rate
/// limit. Equal requests are sent once, and everything ends by the deadline of the run.
///
///     let client = HTTPClient(HTTPClient.Options(userAgent: "market/1.0"))
///     let response = try await client.handler(request)
///
/// A client costs nothing until its first request. Connections, DNS cache and rate limits live as long as the client.
package final class HTTPClient: Sendable {
  package struct Options: Sendable {
    /// Sent unless a request has its own `User-Agent` header: `market/<version>`.
    package var userAgent: String
    /// The time limit of one attempt, from resolving the name to the last byte.
    package var timeout: Duration = .seconds(5)
    /// The time limit for resolving and connecting, part of `timeout`.
    package var connectTimeout: Duration = .seconds(4)
    /// The time limit of the whole run, from the client's creation; nil for none.
    package var deadline: Duration? = .seconds(10)
    /// Whether the deadline holds whatever is requested; otherwise further pages of an answer postpone it.
    package var isDeadlineFixed = false
    /// The maximum response size, in bytes after decoding.
    package var maximumBytes = AnswerLimit.bytes
    var streamLimits = WebSocketSession.Limits()
    package var retryRule = RetryRule()
    /// The pauses that hosts asked for in earlier runs; nil to remember none.
    package var keptPauses: KeptPauses?
    /// The URL of the proxy, empty for none; nil to look for proxies in the environment, as curl does (`https_proxy`,
    /// `no_proxy`, …).
    package var proxy: String?
    /// A file with the only certificate authorities to trust; nil for those of the system or its user.
    package var authorities: String?
    package var clock = TransportClock.system
    /// Returns a number in `0..<1`, for the jitter of retries.
    package var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

    package init(userAgent: String) { self.userAgent = userAgent }

    /// - Parameter limit: The time limit of each attempt, of connecting, of opening a WebSocket, and of the whole run.
    package init(userAgent: String, limit: Duration) {
      self.init(userAgent: userAgent)
      (timeout, connectTimeout, deadline) = (limit, limit, limit)
      streamLimits.opening = limit.nanoseconds
    }
  }

  /// The state of one round of requests.
  private final class Run: Sendable {
    let coalescer = RequestCoalescer()
    private let limit: Duration?
    private let end: Mutex<Int64?>

    init(limit: Duration?, from now: Int64) {
      self.limit = limit
      end = Mutex(Self.instant(limit, after: now))
    }

    /// On `clock.now`.
    var deadline: Int64? { end.withLock { $0 } }

    /// Gives the run its whole time again.
    func prolong(from now: Int64) {
      end.withLock { end in end = end.flatMap { old in Self.instant(limit, after: now).map { max(old, $0) } } }
    }

    /// The deadline of a request that has the whole time for itself.
    func deadline(from now: Int64) -> Int64? { Self.instant(limit, after: now) }

    private static func instant(_ time: Duration?, after now: Int64) -> Int64? {
      guard let time else { return nil }
      let (sum, overflow) = now.addingReportingOverflow(time.nanoseconds)
      return overflow ? nil : sum
    }
  }

  private let loop: CurlLoop
  private let sender: RetryingSender
  private let firstRun: Run
  private let isDeadlineFixed: Bool

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
      timeout: options.timeout.nanoseconds, keptPauses: options.keptPauses)
    firstRun = Run(limit: options.deadline, from: options.clock.now())
    isDeadlineFixed = options.isDeadlineFixed
  }

  deinit { loop.stop() }

  /// The handler of the client's first run, with the deadline of the options.
  package var handler: HTTPHandler { handler(of: firstRun) }

  /// Opens WebSockets over the same network. They belong to no run and have no deadline. A host that refuses one because
  /// there are too many, and says for how long, gets no requests meanwhile, and the other way round: they are counted
  /// together.
  package var streams: StreamHandler {
    { [sender] request, receiver in
      if let refusal = sender.refusal(ofStreamAt: request.url) { return self.loop.refuse(refusal, receiver: receiver) }
      return self.loop.open(request) { signals in
        if case .closed(.refused(let status, let wish?))? = signals.last {
          sender.note(refusalOf: request.url, status: status, retryAfter: wish)
        }
        receiver(signals)
      }
    }
  }

  /// The time left in the client's first run: negative once it is over, an hour if it has no deadline.
  package var timeLeft: Duration { timeLeft(in: firstRun) }

  private func timeLeft(in run: Run) -> Duration {
    guard let deadline = run.deadline else { return .seconds(3600) }
    return .nanoseconds(deadline.subtractingReportingOverflow(sender.clock.now()).partialValue)
  }

  /// Returns the handler of a new run on the same connections and rate limits, and the time left in it, for a view that
  /// polls repeatedly: equal requests are sent again, and the deadline counts from now.
  package func newRun(deadline: Duration?) -> (handler: HTTPHandler, timeLeft: @Sendable () -> Duration) {
    let run = Run(limit: deadline, from: sender.clock.now())
    return (handler(of: run), { self.timeLeft(in: run) })
  }

  /// Loads libcurl, in some 3 ms, before a client exists, and initialises its TLS library in the background.
  ///
  /// The loading itself stays on this thread: with two threads running, each page that the loader modifies must also be
  /// flushed from the other core's TLB, and loading takes half as long again.
  package static func preload() {
    guard CurlLibrary.problem == nil else { return }
    SystemThread { _ = try? CurlLibrary.functions() }?.detach()
  }

  /// Why this system cannot send requests; nil if libcurl can be loaded.
  package static var problem: TransportError? { CurlLibrary.problem }

  /// Ends all requests with `.cancelled`, all streams after sending them 1001 ("going away"), and the network thread
  /// some milliseconds later. A process must then leave with `_exit`: `exit` tears down the TLS library, which must not
  /// be in use at that point.
  package func shutDown() { loop.stop() }

  private func handler(of run: Run) -> HTTPHandler {
    { request throws(TransportError) in
      try await run.coalescer.answer(request) { request throws(TransportError) in
        guard request.prolongsRun, !self.isDeadlineFixed else {
          return try await self.sender.send(request, deadline: run.deadline)
        }
        defer { run.prolong(from: self.sender.clock.now()) }
        return try await self.sender.send(request, deadline: run.deadline(from: self.sender.clock.now()))
      }
    }
  }
}
