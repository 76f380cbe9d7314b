package import MarketData
package import Shell
import Views

/// Tells the user, once, that the recording of a run's connections is incomplete.
package struct RecordingNotice: Sendable {
  private let session: MarketSession
  private var isSaid = false

  package init(_ session: MarketSession) { self.session = session }

  /// Returns why the recording is incomplete, as untrusted text; nil if it is not, and if that was said before.
  package mutating func problem() -> String? {
    guard !isSaid, let problem = session.recordingProblem else { return nil }
    isSaid = true
    return problem
  }

  /// Says on stderr why the recording is incomplete, if it has become so: a view without a screen may run until it is
  /// killed, so its end is too late.
  package mutating func say(in context: Context) {
    guard let problem = problem() else { return }
    context.note(Language.english.incompleteRecording(problem))
  }
}
