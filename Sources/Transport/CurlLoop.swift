import CCurl
import HTTP
import Synchronization

/// What is the same for every transfer of a client.
struct CurlSettings: Sendable {
  /// Sent unless the request has a `User-Agent` of its own.
  var userAgent: String
  /// The time for resolving and connecting alone, in nanoseconds.
  var connectTimeout: Int64
  /// Whether libcurl looks for proxies in the environment (`https_proxy`, `no_proxy` …).
  var usesProxies: Bool
  /// The longest body that is taken, in bytes after decoding.
  var maximumBytes: Int
}

/// libcurl's multi interface on one thread of its own: all exchanges at once, one pool of connections, one DNS cache.
///
/// Nothing happens before the first request: loading libcurl and its TLS library costs milliseconds, and most commands
/// need no network. From then on the thread sleeps in `curl_multi_poll`; a new request, a cancellation and
/// the end wake it with `curl_multi_wakeup`.
final class CurlLoop: Sendable {
  /// A request on its way to the thread, with the caller who waits for it.
  struct Submission: Sendable {
    var number: UInt64
    var request: HTTPRequest
    /// In nanoseconds.
    var timeout: Int64
    var waiter: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
  }

  /// What callers leave for the thread.
  private struct Inbox: Sendable {
    var arrivals: [Submission] = []
    var cancellations: [UInt64] = []
    var isStopped = false
    var lastNumber: UInt64 = 0
    var thread: SystemThread?
    /// Set while the thread may be woken.
    var alarm: Alarm?
  }

  /// The multi handle as others than the loop's thread see it: good for waking, for nothing else.
  ///
  /// Sendable without a check, because libcurl allows `curl_multi_wakeup` from any thread while the handle lives, and
  /// the inbox's lock sees to that: the thread takes the alarm out before it frees the handle.
  private struct Alarm: @unchecked Sendable {
    let curl: CurlFunctions
    let multi: UnsafeMutableRawPointer

    func ring() { _ = curl.multi_wakeup(multi) }
  }

  private let inbox = Mutex<Inbox>(Inbox())
  private let settings: CurlSettings

  init(settings: CurlSettings) {
    self.settings = settings
  }

  /// Lets the thread end, and does not wait for that. Requests that are under way end with `.cancelled`, and so do later
  /// ones.
  func stop() {
    let thread = inbox.withLock { inbox -> SystemThread? in
      inbox.isStopped = true
      inbox.alarm?.ring()
      defer { inbox.thread = nil }
      return inbox.thread
    }
    thread?.detach()
  }

  /// Sends a request to its first URL and waits for the whole answer, at most so many nanoseconds.
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
      // Asked under the lock: a task cancelled before this line is refused here, one cancelled after it finds its
      // request in the inbox.
      if inbox.isStopped || Task.isCancelled { return .cancelled }
      startThread(&inbox)
      guard inbox.thread != nil else { return .other("no thread for the network") }
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

  private func startThread(_ inbox: inout Inbox) {
    if inbox.thread != nil || inbox.isStopped { return }
    inbox.thread = SystemThread { self.run() }
  }

  // MARK: - On the thread

  private func run() {
    let curl: CurlFunctions
    let multi: UnsafeMutableRawPointer
    do throws(TransportError) {
      curl = try CurlLibrary.functions()
      guard let handle = curl.multi_init() else { throw .other("libcurl cannot be initialised") }
      multi = handle
    } catch {
      return refuseAll(error)
    }
    // Idle connections to keep for the next round of questions, to all exchanges together.
    market_curl_multi_set_long(curl, multi, CURLMOPT_MAXCONNECTS, 128)
    inbox.withLock { $0.alarm = Alarm(curl: curl, multi: multi) }
    let transfers = CurlTransfers(curl: curl, multi: multi, settings: settings)
    while takeInbox(into: transfers) {
      if transfers.perform() { continue }
      // libcurl wakes itself for its own timeouts, and the alarm is remembered when it rings before the wait; the
      // number is only what to wait for when there is neither.
      _ = curl.multi_poll(multi, nil, 0, 3_600_000, nil)
    }
    transfers.cancelAll()
    _ = curl.multi_cleanup(multi)
  }

  /// Ends the loop before it has begun.
  private func refuseAll(_ error: TransportError) {
    let arrivals = inbox.withLock { inbox in
      inbox.isStopped = true
      return inbox.arrivals
    }
    for arrival in arrivals { arrival.waiter.resume(returning: .failure(error)) }
  }

  /// Takes over what has come since; false when the loop is to end.
  private func takeInbox(into transfers: CurlTransfers) -> Bool {
    let (arrivals, cancellations, isStopped) = inbox.withLock { inbox in
      defer {
        inbox.arrivals = []
        inbox.cancellations = []
        if inbox.isStopped { inbox.alarm = nil }
      }
      return (inbox.arrivals, inbox.cancellations, inbox.isStopped)
    }
    for arrival in arrivals { transfers.add(arrival) }
    for number in cancellations { transfers.cancel(number) }
    return !isStopped
  }
}

/// The transfers under way on a multi handle. Lives on the loop's thread and never leaves it.
final class CurlTransfers {
  private let curl: CurlFunctions
  private let multi: UnsafeMutableRawPointer
  private let settings: CurlSettings
  private var byNumber: [UInt64: CurlTransfer] = [:]
  private var numbers: [UnsafeMutableRawPointer: UInt64] = [:]

  /// Whether an authority was missing in the folder of authorities; one is enough to leave it alone.
  private var isUsingBundle = false

  init(curl: CurlFunctions, multi: UnsafeMutableRawPointer, settings: CurlSettings) {
    self.curl = curl
    self.multi = multi
    self.settings = settings
  }

  /// Begins a transfer; one that cannot begin ends at once.
  func add(_ submission: CurlLoop.Submission) {
    let transfer: CurlTransfer
    do {
      transfer = try CurlTransfer(
        submission.request, timeout: submission.timeout, curl: curl, settings: settings, usingBundle: isUsingBundle)
    } catch {
      submission.waiter.resume(returning: .failure(error))
      return
    }
    transfer.waiter = submission.waiter
    guard curl.multi_add_handle(multi, transfer.easy) == CURLM_OK else {
      transfer.end(with: .failure(.other("libcurl does not take the request")))
      return
    }
    byNumber[submission.number] = transfer
    numbers[transfer.easy] = submission.number
  }

  /// Ends a transfer for a caller who no longer waits. Does nothing when it has already ended.
  func cancel(_ number: UInt64) {
    guard let transfer = byNumber[number] else { return }
    remove(number, transfer)
    transfer.end(with: .failure(.cancelled))
  }

  func cancelAll() {
    for number in Array(byNumber.keys) { cancel(number) }
  }

  /// Lets libcurl do what there is to do, and hands out the answers that are whole. True when a transfer was begun
  /// anew and libcurl should be asked again at once.
  func perform() -> Bool {
    var hasRestarted = false
    var running: Int32 = 0
    _ = curl.multi_perform(multi, &running)
    var waiting: Int32 = 0
    while let message = curl.multi_info_read(multi, &waiting) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let number = numbers[easy], let transfer = byNumber[number]
      else { continue }
      // The message is gone once its handle is removed.
      let code = market_curl_message_result(message)
      if transfer.fallsBackToBundle(after: code) {
        isUsingBundle = true
        _ = curl.multi_remove_handle(multi, easy)
        if curl.multi_add_handle(multi, easy) == CURLM_OK {
          hasRestarted = true
          continue
        }
      }
      let result = transfer.result(code)
      remove(number, transfer)
      transfer.end(with: result)
    }
    return hasRestarted
  }

  private func remove(_ number: UInt64, _ transfer: CurlTransfer) {
    _ = curl.multi_remove_handle(multi, transfer.easy)
    byNumber[number] = nil
    numbers[transfer.easy] = nil
  }
}
