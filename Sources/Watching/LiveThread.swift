import Live
import Terminal
import Transport

extension LiveLoop where Screen: Sendable {
  /// Runs a screen on a thread of its own, for its loop blocks: the threads of Swift's tasks are as many as the machine has
  /// cores, and belong to the feeds.
  static func runAlone(
    _ screen: Screen, wokenBy wakePipe: WakePipe, options: LiveOptions
  ) async throws(LiveProblem) -> LiveEnding {
    let result: Result<LiveEnding, LiveProblem> = await withCheckedContinuation { continuation in
      let thread = SystemThread {
        continuation.resume(
          returning: Result { () throws(LiveProblem) in try run(screen, wokenBy: wakePipe, options: options) })
      }
      guard let thread else {
        return continuation.resume(returning: .failure(.noTerminal("the system gives no thread")))
      }
      thread.detach()
    }
    return try result.get()
  }
}
