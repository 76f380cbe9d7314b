import Files

#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// A separate tmux server with one window and a shell in it.
package final class Tmux {
  package static let path: String? = ["/usr/bin/tmux", "/opt/homebrew/bin/tmux", "/usr/local/bin/tmux"].first {
    access($0, X_OK) == 0
  }

  private let socket: String
  private var settingsAsked = 0

  package init() throws {
    socket = "market-\(getpid())-\(Int.random(in: 0...99_999))"
    // None of the user's files are read: neither tmux's nor the shell's.
    let shell = "env PS1='$ ' SWIFT_BACKTRACE=enable=no LANG=C.UTF-8 bash --norc --noprofile"
    run(["-u", "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", shell])
    guard shows("$") else { throw TerminalProcess.Problem("no shell in tmux") }
  }

  deinit { run(["kill-server"]) }

  /// The screen's contents.
  package var screen: String { run(["capture-pane", "-p"]) }

  package var cursorIsShown: Bool { run(["display-message", "-p", "#{cursor_flag}"]).hasPrefix("1") }

  package func type(_ keys: String...) { run(["send-keys"] + keys) }

  package func resize(columns: Int, rows: Int) { run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"]) }

  /// Returns whether a text appears on the screen, or disappears from it, within a minute.
  package func shows(_ text: String, isWanted: Bool = true) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(60)
    while clock.now < end {
      if screen.contains(text) == isWanted { return true }
      _ = poll(nil, 0, 20)
    }
    return false
  }

  /// Returns the terminal's settings as printed by the shell in it.
  package func settings() throws -> String {
    settingsAsked += 1
    // The typed text must not be mistaken for the printed one.
    type("echo \"set\"\"tings-\(settingsAsked) $(stty -g)\" end", "Enter")
    guard shows("settings-\(settingsAsked) ") else { throw TerminalProcess.Problem("the shell does not answer") }
    let line = screen.replacing("\n", with: "").split(separator: "settings-\(settingsAsked) ").last ?? ""
    return String(line.prefix { $0 != " " })
  }

  /// The program running in the shell.
  package var process: pid_t? {
    let shell = run(["display-message", "-p", "#{pane_pid}"]).prefix { $0.isNumber }
    let children = Self.output(of: "/bin/sh", ["-c", "ps -o pid= --ppid \(shell) 2>/dev/null || pgrep -P \(shell)"])
    return children.split { !$0.isNumber }.first.flatMap { pid_t($0) }
  }

  @discardableResult private func run(_ words: [String]) -> String {
    guard let path = Self.path else { return "" }
    return Self.output(of: path, ["-L", socket] + words)
  }

  private static func output(of program: String, _ arguments: [String]) -> String {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return "" }
    // Programs started by other tests must not inherit it.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var child = ChildProcess(variables: [
      "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TERM=xterm-256color", "TMUX_TMPDIR=/tmp",
    ])
    child.output = .descriptor(ends[1])
    let process = try? child.start(program, arguments)
    close(ends[1])
    defer { close(ends[0]) }
    guard let process else { return "" }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var hasEnded = false
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while clock.now < end {
      hasEnded = hasEnded || ChildProcess.ending(of: process) != nil
      // A process that inherited the other end may keep it open, so the end of the program is the end of its output.
      var waited = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      guard poll(&waited, 1, hasEnded ? 0 : 5) > 0 else {
        if hasEnded { break }
        continue
      }
      let count = read(ends[0], &buffer, buffer.count)
      if count <= 0, hasEnded { break }
      bytes += buffer[..<max(0, count)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
