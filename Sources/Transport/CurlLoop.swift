import CCurl
import HTTP
import Synchronization

/// The settings shared by all transfers of a client.
struct CurlSettings: Sendable {
  /// Sent unless the request has its own `User-Agent`.
  var userAgent: String
  /// The time limit for resolving and connecting, in nanoseconds.
  var connectTimeout: Int64
  /// The URL of the proxy, empty for none; nil to let libcurl read the environment (`https_proxy`, `no_proxy`, …).
  var proxy: String?
  /// The trusted authorities; nil for those of the system.
  var authorities: CertificateAuthorities?
  /// The maximum body size, in bytes after decoding.
  var maximumBytes: Int
  var streamLimits = WebSocketSession.Limits()
  /// How many files may be open at once.
  var openFiles = OpenFileBudget.ofProcess
}

/// libcurl's multi interface on a dedicated thread: all exchanges concurrently, one connection pool, one DNS cache.
///
/// WebSockets run on the same thread: libcurl opens their connections, and from then on their sockets are polled
/// alongside its own.
///
/// Nothing happens before the first request, as loading libcurl and its TLS library takes milliseconds, and most
/// commands need no network. After that, the thread sleeps in `curl_multi_poll`; new requests, cancellations and
/// shutdown wake it with `curl_multi_wakeup`.
final class CurlLoop: Sendable {
  /// A request on its way to the thread, with the continuation of its caller.
  struct Submission: Sendable {
    var number: UInt64
    var request: HTTPRequest
    /// In nanoseconds.
    var timeout: Int64
    var waiter: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
  }

  /// Work that callers leave for the thread.
  private struct Inbox: Sendable {
    var arrivals: [Submission] = []
    var cancellations: [UInt64] = []
    var streamOrders: [StreamOrder] = []
    /// Why nothing is requested any more: `.cancelled` once stopped, or the reason why libcurl could not start.
    var ending: TransportError?
    var lastNumber: UInt64 = 0
    var thread: SystemThread?
    /// Set while the thread can be woken.
    var alarm: Alarm?
  }

  /// The multi handle as seen by other threads: usable only to wake the loop's thread.
  ///
  /// `@unchecked Sendable` because libcurl allows `curl_multi_wakeup` from any thread while the handle is alive. The
  /// inbox's lock ensures that: the thread removes the alarm before it frees the handle.
  private struct Alarm: @unchecked Sendable {
    let curl: CurlFunctions
    let multi: UnsafeMutableRawPointer

    func ring() { _ = curl.multi_wakeup(multi) }
  }

  private let inbox = Mutex<Inbox>(Inbox())
  private let settings: CurlSettings

  init(settings: CurlSettings) { self.settings = settings }

  /// Ends the thread without waiting for it. Requests under way, and later ones, end with `.cancelled`.
  func stop() {
    let thread = inbox.withLock { inbox -> SystemThread? in
      inbox.ending = inbox.ending ?? .cancelled
      inbox.alarm?.ring()
      defer { inbox.thread = nil }
      return inbox.thread
    }
    thread?.detach()
  }

  /// Sends a request to its first URL and waits for the whole response, for at most `timeout` nanoseconds.
  func send(_ request: HTTPRequest, timeout: Int64) async throws(TransportError) -> HTTPResponse {
    let number = inbox.withLock { inbox in
      inbox.lastNumber += 1
      return inbox.lastNumber
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        submit(Submission(number: number, request: request, timeout: timeout, waiter: waiter))
      }
    } onCancel: {
      cancel(number)
    }
    return try result.get()
  }

  private func submit(_ submission: Submission) {
    let refusal = inbox.withLock { inbox -> TransportError? in
      // Checked under the lock: a task cancelled before this line is refused here; one cancelled after it finds its
      // request in the inbox.
      if let ending = inbox.ending { return ending }
      if Task.isCancelled { return .cancelled }
      startThread(&inbox)
      guard inbox.thread != nil else { return .other("cannot create a network thread") }
      inbox.arrivals.append(submission)
      inbox.alarm?.ring()
      return nil
    }
    if let refusal { submission.waiter.resume(returning: .failure(refusal)) }
  }

  private func cancel(_ number: UInt64) {
    inbox.withLock { inbox in
      guard inbox.thread != nil else { return }
      inbox.cancellations.append(number)
      inbox.alarm?.ring()
    }
  }

  // MARK: - Streams

  /// Starts opening a WebSocket. Its events go to `receiver`, never before this returns.
  func open(_ request: StreamRequest, receiver: @escaping StreamReceiver) -> NetworkStream {
    let (number, refusal) = inbox.withLock { inbox -> (UInt64, TransportError?) in
      inbox.lastNumber += 1
      let number = inbox.lastNumber
      if let ending = inbox.ending { return (number, ending) }
      startThread(&inbox)
      guard inbox.thread != nil else { return (number, .other("cannot create a network thread")) }
      inbox.streamOrders.append(StreamOrder(stream: number, kind: .open(request, receiver)))
      inbox.alarm?.ring()
      return (number, nil)
    }
    if let refusal { Task { receiver([.closed(.failed(refusal))]) } }
    return NetworkStream(number: number, loop: self)
  }

  /// Ends a WebSocket before it is opened.
  func refuse(_ end: StreamEnd, receiver: @escaping StreamReceiver) -> NetworkStream {
    let number = inbox.withLock { inbox in
      inbox.lastNumber += 1
      return inbox.lastNumber
    }
    Task { receiver([.closed(end)]) }
    return NetworkStream(number: number, loop: self)
  }

  func post(_ order: StreamOrder) {
    inbox.withLock { inbox in
      guard inbox.thread != nil, inbox.ending == nil else { return }
      inbox.streamOrders.append(order)
      inbox.alarm?.ring()
    }
  }

  private func startThread(_ inbox: inout Inbox) {
    if inbox.thread != nil || inbox.ending != nil { return }
    inbox.thread = SystemThread { self.run() }
  }

  // MARK: - On the thread

  private func run() {
    let curl: CurlFunctions
    let handle: UnsafeMutableRawPointer
    do throws(TransportError) {
      curl = try CurlLibrary.functions()
      guard let multi = curl.multi_init() else { throw .other("libcurl cannot be initialised") }
      handle = multi
    } catch {
      return refuseAll(error)
    }
    // The total number of idle connections, across all exchanges, to keep for the next round of requests.
    market_curl_multi_set_long(curl, handle, CURLMOPT_MAXCONNECTS, 128)
    inbox.withLock { $0.alarm = Alarm(curl: curl, multi: handle) }
    let multi = CurlMulti(curl: curl, handle: handle, settings: settings)
    let transfers = CurlTransfers(multi)
    let streams = CurlStreams(multi)
    while takeInbox(into: transfers, streams) {
      var hasRestarted = false
      multi.floodGuard.beginTurn(hasTransfers: !transfers.isEmpty)
      multi.perform { easy, code in
        if transfers.finish(easy, code) || streams.finish(easy, code) { hasRestarted = true }
      }
      multi.floodGuard.endTurn(hasTransfers: !transfers.isEmpty)
      let hasMore = streams.attend()
      streams.wait(atMost: hasRestarted || hasMore ? 0 : 3_600_000)
    }
    multi.floodGuard.stopWatching()
    transfers.cancelAll()
    streams.abandonAll()
    // Closes the connections that are left, through the guard.
    withExtendedLifetime(multi) { _ = curl.multi_cleanup(handle) }
  }

  /// Fails everything queued if the loop cannot start.
  private func refuseAll(_ error: TransportError) {
    let (arrivals, orders) = inbox.withLock { inbox in
      inbox.ending = error
      return (inbox.arrivals, inbox.streamOrders)
    }
    for arrival in arrivals { arrival.waiter.resume(returning: .failure(error)) }
    for case .open(_, let receiver) in orders.map(\.kind) { receiver([.closed(.failed(error))]) }
  }

  /// Takes over what has arrived since; returns false if the loop should end.
  private func takeInbox(into transfers: CurlTransfers, _ streams: CurlStreams) -> Bool {
    let (arrivals, cancellations, orders, isStopped) = inbox.withLock { inbox in
      defer {
        inbox.arrivals = []
        inbox.cancellations = []
        inbox.streamOrders = []
        if inbox.ending != nil { inbox.alarm = nil }
      }
      return (inbox.arrivals, inbox.cancellations, inbox.streamOrders, inbox.ending != nil)
    }
    for arrival in arrivals { transfers.add(arrival) }
    for number in cancellations { transfers.cancel(number) }
    for order in orders { streams.obey(order) }
    return !isStopped
  }
}
