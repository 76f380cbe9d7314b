import CTerminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The signals that end a program, for a run without a screen that has something to finish: connections that want to be told
/// goodbye, lines that are half written. Ctrl-Z stops the process as ever.
package struct EndSignals: Sendable {
  private let pipe: Int32

  /// From now on signals are heard here, and a second one ends the process at once; nil where the system gives no handlers:
  /// then they do what they always do.
  package init?() {
    var readable: Int32 = -1
    guard terminal_watch_signals(&readable) == 0 else { return nil }
    pipe = readable
  }

  /// Blocks the thread until the first of SIGINT, SIGTERM and SIGHUP has come; nil where the system will not wait.
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
