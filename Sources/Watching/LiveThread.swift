import Live
import Transport

extension LiveLoop where Screen: Sendable {
  /// Runs a screen on its own thread because its loop blocks: Swift's task threads are limited to the number of cores,
  /// and the feeds need them.
  static func runAlone(
    _ screen: Screen, wokenBy wakePipe: WakePipe, options: LiveOptions
  ) async -> Result<LiveEnding, LiveProblem> {
    let result = await SystemThread.value {
      Result { () throws(LiveProblem) in try run(screen, wokenBy: wakePipe, options: options) }
    }
    return result ?? .failure(.noTerminal("cannot create a thread"))
  }
}
