import CCurl
import HTTP

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
      transfer = try CurlTransfer(submission.request, curl: curl, settings: settings, usingBundle: isUsingBundle)
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
