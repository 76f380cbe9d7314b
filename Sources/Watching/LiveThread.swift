import Live
import Terminal
import Transport

extension LiveLoop where Screen: Sendable {
  /// Runs a screen on its own thread because its loop blocks: Swift's task threads are limited to the number of cores,
  /// and the feeds need them.
  static func runAlone(
    _ screen: Screen, wokenBy wakePipe: WakePipe, options: LiveOptions
  ) async throws(LiveProblem) -> LiveEnding {
    let result: Result<LiveEnding, LiveProblem> = await withCheckedContinuation { continuation in
      let thread = SystemThread {
        continuation.resume(
          returning: Result { () throws(LiveProblem) in try run(screen, wokenBy: wakePipe, options: options) })
      }
      guard let thread else {
        return continuation.resume(returning: .failure(.noTerminal("cannot create a thread")))
      }
      thread.detach()
    }
    return try result.get()
  }
}
