import Asking
import Cassettes
import Files
import Mapping
import Quotes
import TestSupport
import Testing

@testable import MarketData

/// What a live view says about its recording.
@Suite struct RecordingNoticeTests {
  /// That it is incomplete, as soon as it is, and once.
  @Test func saysOnceThatItIsIncomplete() throws {
    let folder = try TemporaryFolder()
    let locator = ConfigLocator(environment: { _ in nil }, userFolder: nil, executablePath: { nil })
    let config = try LoadedConfig(locator.find(named: Checkout.path("exchanges.json")), locator)
    var options = MarketSession.Options(userAgent: "test")
    options.record = folder.path
    let session = try MarketSession(
      config, options, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(),
      now: { Instant(nanoseconds: 0) })
    defer { session.close() }
    var notice = RecordingNotice(session)
    #expect(notice.problem() == nil)
    // A file where a folder is needed.
    try FileSystem.writeAtomically([], to: "\(folder.path)/Upbit")
    let jump = ClockJump(.late, since: Instant(nanoseconds: 0), until: Instant(nanoseconds: 1), behind: .zero)
    session.streamRecorder?.note(jump, of: ["Upbit"])
    let problem = try #require(session.recordingProblem)
    #expect(notice.problem() == problem)
    #expect(notice.problem() == nil)
  }
}
