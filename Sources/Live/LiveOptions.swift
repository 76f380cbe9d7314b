import CTerminal
package import Quotes
package import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The settings and environment of a live screen.
package struct LiveOptions: Sendable {
  /// The colours of up and down, and whether there are any.
  package var palette: Palette
  /// What pictures are drawn with.
  package var glyphs: GlyphMode
  package var environment: @Sendable (String) -> String?
  /// The clock that is shown.
  package var now: @Sendable () -> Instant

  package init(
    palette: Palette, glyphs: GlyphMode = .auto, environment: @escaping @Sendable (String) -> String?,
    now: @escaping @Sendable () -> Instant
  ) {
    (self.palette, self.glyphs, self.environment, self.now) = (palette, glyphs, environment, now)
  }

  /// Over ssh a sequence may arrive in pieces.
  var isRemote: Bool { ["SSH_CONNECTION", "SSH_TTY"].contains { !(environment($0) ?? "").isEmpty } }
}

/// How a live screen ended.
package enum LiveEnding: Hashable, Sendable {
  /// The screen asked to end.
  case quit
  /// SIGINT, SIGTERM, SIGHUP or SIGQUIT: the process should end by it, so that the calling shell sees it.
  case signal(Int32)
  /// There is no terminal any more to read from or write to.
  case terminalGone

  /// Of several signals, prefers the one sent by the user.
  init?(signals: UInt32) {
    let endings = [
      (TERMINAL_SIGNAL_INTERRUPT, SIGINT), (TERMINAL_SIGNAL_TERMINATE, SIGTERM), (TERMINAL_SIGNAL_HANGUP, SIGHUP),
      (TERMINAL_SIGNAL_QUIT, SIGQUIT),
    ]
    guard let (_, number) = endings.first(where: { signals & $0.0 != 0 }) else { return nil }
    self = .signal(number)
  }

  /// Ends the process by a signal as if it had not been handled.
  package static func end(by signal: Int32) { terminal_end_by_signal(signal) }
}

enum LiveClock {
  static let second: Int64 = 1_000_000_000
  /// How long the first frame waits for the terminal's answers.
  static let firstFrame: Int64 = 30_000_000
  /// How long the terminal may take to answer on leaving the screen.
  static let leaving: Int64 = 300_000_000

  /// Never goes backwards.
  static var monotonic: Int64 { nanoseconds(CLOCK_MONOTONIC) }
  /// Continues while the machine sleeps.
  static var wall: Int64 { nanoseconds(CLOCK_REALTIME) }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Instant(clockSeconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds
  }
}
