import CCurl
import HTTP

/// libcurl's multi handle, with everything under way. Confined to the loop's thread.
final class CurlMulti {
  let curl: CurlFunctions
  let handle: UnsafeMutableRawPointer
  let settings: CurlSettings
  /// Whether a `CURLOPT_CONNECT_ONLY` connection is closed with its handle, as in libcurl 7.86 and later. Before that,
  /// it stays open until another connection needs its slot.
  let closesWithHandle: Bool
  /// Whether the directory of authorities has lacked one; once is enough to stop using it.
  private(set) var isUsingBundle = false
  let connections: UsedConnections
  let floodGuard = FloodGuard()

  init(curl: CurlFunctions, handle: UnsafeMutableRawPointer, settings: CurlSettings) {
    self.curl = curl
    self.handle = handle
    self.settings = settings
    connections = UsedConnections(curl)
    closesWithHandle = (curl.version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0) >= 0x075600
    makeRoom(forStreams: 0)
  }

  /// Limits the connections to what fits beside this number of streams; requests beyond that wait.
  func makeRoom(forStreams count: Int) {
    let most = settings.openFiles.connections(with: count)
    market_curl_multi_set_long(curl, handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, most)
  }

  /// Returns false if libcurl refuses the handle.
  func add(_ easy: UnsafeMutableRawPointer) -> Bool { curl.multi_add_handle(handle, easy) == CURLM_OK }

  func remove(_ easy: UnsafeMutableRawPointer) { _ = curl.multi_remove_handle(handle, easy) }

  /// Restarts a transfer that failed for lack of an authority; from now on, all use the bundle.
  func restartWithBundle(_ easy: UnsafeMutableRawPointer) -> Bool {
    isUsingBundle = true
    return restart(easy)
  }

  func restart(_ easy: UnsafeMutableRawPointer) -> Bool {
    remove(easy)
    return add(easy)
  }

  /// Lets libcurl do its work, and passes on what has finished.
  func perform(_ finish: (_ easy: UnsafeMutableRawPointer, _ code: CURLcode) -> Void) {
    var running: Int32 = 0
    _ = curl.multi_perform(handle, &running)
    var waiting: Int32 = 0
    while let message = curl.multi_info_read(handle, &waiting) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      // The message becomes invalid when its handle is removed.
      finish(easy, market_curl_message_result(message))
    }
  }
}

/// The transfers under way on a multi handle. Confined to the loop's thread.
final class CurlTransfers {
  private let multi: CurlMulti
  private var byNumber: [UInt64: CurlTransfer] = [:]
  private var numbers: [UnsafeMutableRawPointer: UInt64] = [:]

  init(_ multi: CurlMulti) { self.multi = multi }

  /// Starts a transfer; one that cannot start ends immediately.
  func add(_ submission: CurlLoop.Submission) {
    let transfer: CurlTransfer
    do {
      transfer = try CurlTransfer(submission.request, timeout: submission.timeout, multi: multi)
    } catch {
      submission.waiter.resume(returning: .failure(error))
      return
    }
    transfer.waiter = submission.waiter
    guard multi.add(transfer.easy) else {
      transfer.end(with: .failure(.other("libcurl does not accept the request")))
      return
    }
    byNumber[submission.number] = transfer
    numbers[transfer.easy] = submission.number
  }

  /// Cancels a transfer whose caller no longer waits. Does nothing if it has already ended.
  func cancel(_ number: UInt64) {
    guard let transfer = byNumber[number] else { return }
    remove(number, transfer)
    transfer.end(with: .failure(.cancelled))
  }

  func cancelAll() {
    for number in Array(byNumber.keys) { cancel(number) }
  }

  /// Delivers the result of a finished transfer. Returns true if it was restarted instead.
  func finish(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) -> Bool {
    guard let number = numbers[easy], let transfer = byNumber[number] else { return false }
    if transfer.fallsBackToBundle(after: code), multi.restartWithBundle(easy) { return true }
    if transfer.fallsBackToNewConnection(after: code), multi.restart(easy) { return true }
    multi.connections.note(easy)
    let result = transfer.result(code)
    remove(number, transfer)
    transfer.end(with: result)
    return false
  }

  var isEmpty: Bool { byNumber.isEmpty }

  private func remove(_ number: UInt64, _ transfer: CurlTransfer) {
    multi.remove(transfer.easy)
    byNumber[number] = nil
    numbers[transfer.easy] = nil
  }
}
