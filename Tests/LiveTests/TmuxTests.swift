import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The probe in a shell in tmux, the only place where suspending, continuing and the alternate screen are real.
@Suite(.serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"), .waitsForPrograms) struct TmuxTests {
  @Test func suspendsAndResumes() throws {
    let tmux = try Tmux()
    let before = try tmux.settings()
    tmux.type("echo mark-of-the-shell; \(try LiveSession.probe())", "Enter")
    #expect(tmux.shows("bottom"))
    #expect(!tmux.screen.contains("mark-of-the-shell"))
    tmux.type("C-z")
    #expect(tmux.shows("mark-of-the-shell"))
    #expect(tmux.shows("Stopped"))
    #expect(try tmux.settings() == before)
    tmux.type("fg", "Enter")
    #expect(tmux.shows("last: awoke"))
    tmux.type("j")
    #expect(tmux.shows("last: key j"))
    tmux.type("q")
    #expect(tmux.shows("mark-of-the-shell"))
    #expect(try tmux.settings() == before)
    #expect(tmux.cursorIsShown)
  }

  /// SIGSTOP cannot be caught, so the shell gets a raw terminal on the alternate screen. After `kill -CONT` the process
  /// runs in the background, and after `fg` no signal tells it that it may paint again.
  @Test func resumesAfterSIGSTOP() throws {
    let tmux = try Tmux()
    let before = try tmux.settings()
    tmux.type(try LiveSession.probe(), "Enter")
    #expect(tmux.shows("bottom"))
    let process = try #require(tmux.process)
    kill(process, SIGSTOP)
    #expect(tmux.shows("Stopped"))
    kill(process, SIGCONT)
    // It stays off the terminal while the shell has it.
    tmux.type("clear; echo shell-$((6 * 7))", "Enter")
    #expect(tmux.shows("shell-42"))
    tmux.type("fg", "Enter")
    #expect(tmux.shows("last: awoke"))
    tmux.type("k")
    #expect(tmux.shows("last: key k"))
    tmux.type("q")
    // Keys typed before leaving the screen still go to the screen.
    #expect(tmux.shows("last:", isWanted: false))
    #expect(try tmux.settings() == before)
    #expect(tmux.cursorIsShown)
  }

  @Test func fiftyResizesLeaveShellUnchanged() throws {
    let tmux = try Tmux()
    let before = try tmux.settings()
    tmux.type("echo mark-of-the-shell; \(try LiveSession.probe()) 5", "Enter")
    #expect(tmux.shows("bottom"))
    for step in 1...50 { tmux.resize(columns: 20 + step * 37 % 90, rows: 3 + step * 13 % 40) }
    tmux.resize(columns: 80, rows: 24)
    #expect(tmux.shows("probe 80x24"))
    let lines = tmux.screen.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasPrefix("probe 80x24 비트코인") == true)
    #expect(lines.filter { $0.contains("bottom") }.count == 1)
    tmux.type("q")
    #expect(tmux.shows("mark-of-the-shell"))
    #expect(!tmux.screen.contains("probe 80x24"))
    #expect(try tmux.settings() == before)
    #expect(tmux.cursorIsShown)
  }

  @Test func trapRestoresTheScreen() throws {
    let tmux = try Tmux()
    let before = try tmux.settings()
    tmux.type("echo mark-of-the-shell; \(try LiveSession.probe())", "Enter")
    #expect(tmux.shows("bottom"))
    tmux.type("t")
    #expect(tmux.shows("mark-of-the-shell"))
    #expect(try tmux.settings() == before)
    #expect(tmux.cursorIsShown)
  }
}
