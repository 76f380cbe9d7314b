package import MarketData
package import Shell

/// Tells the user, once, that the recording of a run's connections is incomplete.
package struct RecordingNotice: Sendable {
  private let session: MarketSession
  private var isSaid = false

  package init(_ session: MarketSession) { self.session = session }

  /// Says on stderr why the recording is incomplete, if it has become so: a view without a screen may run until it is
  /// killed, so its end is too late.
  package mutating func say(in context: Context) {
    guard !isSaid, let problem = session.recordingProblem else { return }
    isSaid = true
    context.note("the recording is incomplete: \(problem)")
  }
}
