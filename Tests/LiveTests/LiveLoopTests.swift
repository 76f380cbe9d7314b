import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A live screen on a terminal simulated by the test: well-behaved, mute, slow or closed.
@Suite(.serialized, .waitsForPrograms) struct LiveLoopTests {
  private static let enter = "\u{1B}[?1049h"
  private static let leave = "\u{1B}[?1049l"
  /// Sent before leaving, as tmux may keep lines of the screen otherwise.
  private static let blank = "\u{1B}[m\u{1B}[H\u{1B}[2J"
  private static let frameEnd = "\u{1B}[?2026l"

  /// Returns a session that has started and painted its first frame.
  private func started(
    _ manners: LiveSession.Manners = LiveSession.Manners(), newsEvery milliseconds: Int? = nil
  ) throws -> LiveSession {
    let session = try LiveSession(manners, newsEvery: milliseconds)
    try #require(session.play(untilWritten: "bottom"))
    return session
  }

  @Test func entersAndLeaves() throws {
    let session = try LiveSession()
    let before = session.terminal.settingsBefore
    #expect(session.play(untilWritten: "bottom"))
    #expect(session.text.hasPrefix(Self.enter))
    #expect(session.text.contains("probe 60x10 비트코인 ┃█…"))
    #expect(session.terminal.flags == (echoes: false, signals: true))
    session.terminal.write("q")
    #expect(session.ending() == 0)
    #expect(session.terminal.settings == before)
    #expect(session.text.hasSuffix("\u{1B}[?25h\(Self.leave)\u{1B}[c"))
    #expect(session.terminal.unread == [])
    #expect(Self.blanksOnce(session))
  }

  /// Returns whether the screen was blanked once, right before it was left: frames never are, as that would flicker.
  private static func blanksOnce(_ session: LiveSession) -> Bool {
    let parts = session.text.split(separator: "\u{1B}[2J", omittingEmptySubsequences: false)
    return parts.count == 2 && (parts[0] + "\u{1B}[2J").hasSuffix(blank) && !parts[0].contains(leave)
      && parts[1].contains(leave) && !parts[1].contains("bottom")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT]) func signalEndsLoop(_ number: Int32) throws {
    let session = try started()
    let before = session.terminal.settingsBefore
    session.terminal.signal(number)
    #expect(session.ending() == 128 + number)
    #expect(session.text.contains(Self.leave))
    #expect(Self.blanksOnce(session))
    #expect(session.terminal.flags == (echoes: true, signals: true))
    #expect(session.terminal.settings == before)
    #expect(session.terminal.unread == [])
  }

  @Test func controlCEndsLoopAsShellsExpect() throws {
    let session = try started()
    session.terminal.write("\u{3}")
    #expect(session.ending() == 128 + SIGINT)
    #expect(session.text.contains(Self.leave))
    #expect(session.terminal.flags.echoes)
  }

  /// The terminal stops responding, so leaving would wait for it.
  @Test func secondControlCEndsLoopAtOnce() throws {
    let session = try started()
    session.manners.answers = false
    session.terminal.signal(SIGINT)
    session.terminal.signal(SIGTERM)
    #expect([128 + SIGINT, 128 + SIGTERM].contains(try #require(session.ending())))
    #expect(session.text.contains(Self.leave))
    // The user's own screen is never blanked.
    #expect(!session.text.split(separator: Self.leave).dropFirst().joined().contains("\u{1B}[2J"))
    #expect(session.terminal.flags.echoes)
  }

  @Test func trapRestoresTheScreen() throws {
    let session = try started()
    session.terminal.write("t")
    #expect([128 + SIGILL, 128 + SIGTRAP, 128 + SIGABRT].contains(try #require(session.ending())))
    #expect(session.text.contains(Self.leave))
    #expect(Self.blanksOnce(session))
    #expect(session.terminal.flags.echoes)
  }

  /// While another thread crashes, which takes a while, nothing is painted on the user's own screen.
  @Test func nothingIsPaintedAfterCrash() throws {
    let session = try started(newsEvery: 5)
    session.terminal.write("T")
    #expect(session.ending() == 128 + SIGABRT)
    let left = try #require(session.text.ranges(of: Self.leave).first?.upperBound)
    #expect(!session.text[left...].contains(Self.frameEnd))
    #expect(session.terminal.flags.echoes)
  }

  @Test func closedTerminalEndsLoop() throws {
    let session = try started()
    session.terminal.hangUp()
    #expect([1, 128 + SIGHUP].contains(try #require(session.terminal.ending())))
  }

  // MARK: - Answers

  @Test func silentTerminalGetsUnambiguousGlyphs() throws {
    var manners = LiveSession.Manners()
    manners.answers = false
    let session = try started(manners)
    #expect(session.text.contains("비트코인 ⡇⣿⋯"))
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  @Test(arguments: [false, true]) func wideBarsAreReplaced(_ isSplit: Bool) throws {
    let session = try started(LiveSession.Manners(barWidth: 2, isSplit: isSplit))
    // Only the glyph that was asked about.
    #expect(session.count(of: "┃") == 1)
    #expect(session.count(of: "…") == 0)
    session.terminal.write("q")
    #expect(session.ending() == 0)
    #expect(session.terminal.unread == [])
  }

  /// Late answers change the picture, and none of them is taken for a key.
  @Test func lateRepliesAreNotKeys() throws {
    let session = try LiveSession(LiveSession.Manners(isSplit: true))
    session.holdsAnswers = true
    #expect(session.play(untilWritten: "⡇⣿⋯"))
    session.holdsAnswers = false
    let start = session.written.count
    session.answerHeld()
    #expect(session.play(untilWritten: "┃█…", since: start))
    #expect(!session.text(since: start).contains("key"))
    session.terminal.write("q")
    #expect(session.ending() == 0)
    #expect(session.terminal.unread == [])
  }

  /// Leaving before the answers have arrived still reads them.
  @Test func leavingWaitsForReplies() throws {
    let session = try LiveSession()
    session.holdsAnswers = true
    #expect(session.play(untilWritten: "bottom"))
    session.terminal.write("q")
    #expect(session.play(untilWritten: Self.leave))
    _ = session.play { session.held.count == 6 }
    #expect(session.terminal.ending(milliseconds: 0) == nil)
    session.answerHeld()
    session.holdsAnswers = false
    #expect(session.ending() == 0)
    #expect(session.terminal.unread == [])
  }

  // MARK: - Frames

  @Test func resizeRepaints() throws {
    let session = try started()
    for (columns, rows) in [(40, 8), (1, 1), (200, 60), (7, 3), (80, 24)] as [(UInt16, UInt16)] {
      let start = session.written.count
      session.terminal.resize(columns: columns, rows: rows)
      #expect(session.play(untilWritten: Self.frameEnd, since: start))
      if columns >= 40 { #expect(session.play(untilWritten: "probe \(columns)x\(rows)", since: start)) }
    }
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  /// At most two frames are in flight to a terminal that has not acknowledged them; then the newest one is sent.
  @Test func slowTerminalGetsFewerFramesAndNoStaleOnes() throws {
    let session = try started(newsEvery: 5)
    #expect(session.play { session.count(of: "\u{1B}[5n") > 3 })
    session.holdsAnswers = true
    #expect(session.play { session.held.count == 2 })
    for _ in 0..<20 { session.play(milliseconds: 10) }
    #expect(session.held == ["\u{1B}[0n", "\u{1B}[0n"])
    let start = session.written.count
    for _ in 0..<20 { session.play(milliseconds: 10) }
    #expect(session.written.count == start)
    session.holdsAnswers = false
    session.answerHeld()
    #expect(session.play(untilWritten: Self.frameEnd, since: start))
    session.terminal.write("q")
    #expect(session.ending() == 0)
    #expect(session.terminal.unread == [])
  }

  @Test func terminalThatNeverAcknowledgesIsNotAwaitedAgain() throws {
    var manners = LiveSession.Manners()
    manners.confirms = false
    let session = try started(manners, newsEvery: 5)
    let asked = { session.count(of: "\u{1B}[5n") }
    #expect(session.play { asked() == 2 && session.count(of: Self.frameEnd) > 8 })
    #expect(asked() == 2)
  }

  /// A frame is read after it was written, so that a busy machine can only make frames seem rarer.
  @Test func dataFramesAreLimitedToTenPerSecond() throws {
    let session = try started(newsEvery: 1)
    let start = session.written.count
    let begin = ContinuousClock.now
    // Two may have been on their way.
    #expect(session.play { session.count(of: Self.frameEnd, since: start) >= 8 })
    #expect(.now - begin >= .milliseconds(500))
    // Without focus: one frame a second. The key is handled after the loss of focus, and its frame is shown at once.
    let unfocused = ContinuousClock.now
    let typed = session.written.count
    session.terminal.write("\u{1B}[Ox")
    #expect(session.play(untilWritten: "x", since: typed))
    let shown = session.written.count
    #expect(session.play { session.count(of: Self.frameEnd, since: shown) >= 4 })
    #expect(.now - unfocused >= .milliseconds(2000))
  }

  // MARK: - Keys

  @Test func keysReachTheScreen() throws {
    let session = try started()
    let keys = [("j", "key j"), ("ㅓ", "key j"), ("비", "hangul"), ("\u{1B}[A", "key up"), ("\u{1B}", "key escape")]
    for (typed, shown) in keys {
      let start = session.written.count
      session.terminal.write("x")
      _ = session.play(untilWritten: Self.frameEnd, since: start)
      session.terminal.write(typed)
      #expect(session.play(untilWritten: String(shown.split(separator: " ").last ?? ""), since: start), "\(typed)")
    }
    session.terminal.write("ㅂ")
    #expect(session.ending() == 0)
  }

  @Test func openInputLineTakesTextAndShowsCursor() throws {
    let session = try started()
    let start = session.written.count
    session.terminal.write("/q비")
    #expect(session.play(untilWritten: "비", since: start))
    #expect(session.play(untilWritten: "\u{1B}[?25h", since: start))
    session.terminal.write("\u{1B}[200~코\rq\u{1B}[201~")
    #expect(session.play(untilWritten: "코", since: start))
    // After "/ q비코 q", in the last row.
    #expect(session.play(untilWritten: "\u{1B}[10;10H", since: start))
    session.terminal.write("\r")
    #expect(session.play(untilWritten: "\u{1B}[?25l", since: start))
    session.terminal.write("q")
    #expect(session.ending() == 0)
  }

  @Test func copyAndMouseReporting() throws {
    let session = try started()
    session.terminal.write("y")
    #expect(session.play(untilWritten: "\u{1B}]52;c;Y29waWVk\u{1B}\\"))
    let start = session.written.count
    // Mouse events that were not requested are ignored.
    #expect(session.count(of: "\u{1B}[?1006h") == 0)
    session.terminal.write("\u{1B}[<0;5;3Mm")
    #expect(session.play(untilWritten: "\u{1B}[?1002h\u{1B}[?1006h", since: start))
    #expect(session.play(untilWritten: "mouse on", since: start))
    session.terminal.write("\u{1B}[<0;5;3M")
    #expect(session.play(untilWritten: "4 2", since: start))
    // In an open input line it is a letter.
    session.terminal.write("/m\r")
    session.terminal.write("m")
    #expect(session.play(untilWritten: "\u{1B}[?1002l\u{1B}[?1006l", since: start))
    session.terminal.write("m")
    #expect(session.play { session.count(of: "\u{1B}[?1006h") == 2 })
    session.terminal.write("q")
    #expect(session.ending() == 0)
    #expect(session.text.contains("\u{1B}[?1006l\u{1B}[?1002l"))
  }
}
