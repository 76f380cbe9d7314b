import CTerminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lines typed without echo: passwords and keys.
///
/// Echo is off from before the first question until after the last, so that several lines pasted at once are not shown
/// either. The terminal's settings are restored however the program ends, including signals and traps, and while it is
/// stopped. What was typed and not read is discarded: the shell would show it, or even run it.
package enum HiddenLines {
  /// Prompts on standard error and reads standard input, which must be a terminal.
  ///
  /// - Returns: A line for each question, without its line break; fewer if the input ends early.
  package static func read(asking questions: [String]) throws(LiveProblem) -> [String] {
    let session = try Session(STDIN_FILENO, STDERR_FILENO)
    defer { session.end() }
    var lines: [String] = []
    for question in questions {
      guard let line = session.line(asking: question) else { break }
      lines.append(line)
    }
    return lines
  }

  /// What ends a wait.
  enum Wakeup: Hashable { case input, signal }

  /// Waits for input, or for its end, and for signals, which come first. Returns nil if the system cannot wait.
  static func wakeup(by input: Int32, _ signals: Int32) -> Wakeup? {
    while true {
      var waited = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0), pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waited, nfds_t(waited.count), -1) < 0 {
        if errno == EINTR { continue }
        return nil
      }
      if waited[1].revents & Int16(POLLIN) != 0 { return .signal }
      return waited[1].revents == 0 ? .input : nil
    }
  }

  private struct Session {
    let input: Int32
    let output: Int32
    /// Readable once a signal has arrived.
    private var signals: Int32 = -1

    init(_ input: Int32, _ output: Int32) throws(LiveProblem) {
      (self.input, self.output) = (input, output)
      terminal_prepare_thread()
      let problem = terminal_keep_settings(input)
      guard problem == 0 else { throw .noTerminal(String(cString: strerror(problem))) }
      _ = terminal_prepare_leaving(input, [], 0, 0)
      let trouble = terminal_watch_signals(&signals)
      guard trouble == 0 else { throw .noSignals(String(cString: strerror(trouble))) }
      terminal_set_screen(TERMINAL_SCREEN_ENTERED)
      let refusal = terminal_hide_typing(input)
      guard refusal == 0 else {
        end()
        throw .noTerminal(String(cString: strerror(refusal)))
      }
    }

    func end() {
      terminal_set_screen(TERMINAL_SCREEN_LEFT)
      tcflush(input, TCIFLUSH)
      _ = terminal_restore_settings(input)
      terminal_unwatch_signals()
    }

    /// Returns nil at the end of the input.
    func line(asking question: String) -> String? {
      show(question)
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        guard let wakeup = HiddenLines.wakeup(by: input, signals) else {
          show("\n")
          return nil
        }
        if wakeup == .signal {
          if obey(terminal_take_signals()) { show(question) }
          continue
        }
        let count = systemRead(input, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        if count > 0 { bytes += buffer[..<count] }
        guard count <= 0 || bytes.last == 0x0A else { continue }
        // The line break was not echoed.
        show("\n")
        if bytes.isEmpty { return nil }
        if bytes.last == 0x0A { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
      }
    }

    private func show(_ text: String) {
      let bytes = Array(text.utf8)
      _ = systemWrite(output, bytes, bytes.count)
    }

    /// Handles pending signals. Returns whether the question has to be asked again.
    private func obey(_ signals: UInt32) -> Bool {
      if case .signal(let number)? = LiveEnding(signals: signals) {
        show("\n")
        end()
        LiveEnding.end(by: number)
      }
      let stops = signals & UInt32(TERMINAL_SIGNAL_STOP) != 0
      if stops {
        tcflush(input, TCIFLUSH)
        _ = terminal_restore_settings(input)
        terminal_set_screen(TERMINAL_SCREEN_LEFT)
        terminal_stop_process()
        terminal_set_screen(TERMINAL_SCREEN_ENTERED)
      }
      guard stops || signals & UInt32(TERMINAL_SIGNAL_CONTINUE) != 0 else { return false }
      // While a program is stopped, the shell uses its own settings.
      _ = terminal_hide_typing(input)
      return true
    }
  }
}
