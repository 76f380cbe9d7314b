import CTerminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The termination signals, for a run without a screen that has to clean up: connections to close properly,
/// half-written lines. Ctrl-Z stops the process as usual.
package struct EndSignals: Sendable {
  private let pipe: Int32

  /// Starts handling signals; a second one ends the process at once. Returns nil if handlers cannot be installed, in
  /// which case signals keep their default action.
  package init?() {
    var readable: Int32 = -1
    guard terminal_watch_signals(&readable) == 0 else { return nil }
    pipe = readable
  }

  /// Blocks the thread until the first of SIGINT, SIGTERM, SIGHUP and SIGQUIT; nil if the system cannot wait.
  package func wait() -> LiveEnding? {
    terminal_prepare_thread()
    while true {
      var waiting = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, -1) >= 0 || errno == EINTR else { return nil }
      let signals = terminal_take_signals()
      if signals & TERMINAL_SIGNAL_STOP != 0 { terminal_stop_process() }
      if let ending = LiveEnding(signals: signals) { return ending }
    }
  }
}
