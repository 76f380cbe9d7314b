import Files

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program on its own terminal whose other end is held by a test, which sees each byte, may reply, and types.
///
/// Every wait is bounded; what has not arrived by then is not waited for.
package final class TerminalProcess {
  private let process: pid_t
  private var near: Int32
  /// Kept open so that the terminal outlives the program and its settings can be compared.
  private let far: Int32
  private var ended: ChildProcess.Ending?

  package struct Problem: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
      self.description = description
    }
  }

  /// The terminal settings at the program's start.
  package let settingsBefore: String

  /// Starts the program as the leader of a session controlled by the terminal.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], columns: UInt16 = 80,
    rows: UInt16 = 24
  ) throws {
    near = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard near >= 0, let path = Self.path(ofFarEnd: near) else { throw Problem("no terminal") }
    far = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard far >= 0 else { throw Problem("no terminal '\(path)'") }
    settingsBefore = Self.settings(far)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(far, UInt(TIOCSWINSZ), &size)

    var child = ChildProcess(variables: environment.map { "\($0.key)=\($0.value)" })
    // The first terminal opened by a session leader becomes its controlling terminal.
    (child.input, child.output) = (.file(path, flags: O_RDWR), .file(path, flags: O_RDWR))
    child.errorOutput = .file(path, flags: O_RDWR)
    child.membership = .newSession
    do {
      process = try child.start(program, arguments)
    } catch {
      throw Problem("\(program): \(error.reason)")
    }
  }

  deinit {
    if ended == nil {
      kill(process, SIGKILL)
      ChildProcess.wait(for: process)
    }
    hangUp()
    _ = systemClose(far)
  }

  private static func path(ofFarEnd near: Int32) -> String? {
    #if canImport(Glibc)
      // Equivalent to `unlockpt` and `ptsname`, which glibc only declares for X/Open programs.
      var (lock, number): (Int32, Int32) = (0, 0)
      let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      guard ioctl(near, setLock, &lock) == 0, ioctl(near, getNumber, &number) == 0 else { return nil }
      return "/dev/pts/\(number)"
    #else
      guard grantpt(near) == 0, unlockpt(near) == 0, let name = ptsname(near) else { return nil }
      return String(cString: name)
    #endif
  }

  // MARK: - The terminal

  /// Returns the program's output since the last call; empty if nothing arrives in time.
  package func read(milliseconds: Int32 = 100) -> [UInt8] {
    var waited = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
    guard poll(&waited, 1, milliseconds) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = systemRead(near, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  package func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = systemWrite(near, bytes, bytes.count)
  }

  package func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(near, UInt(TIOCSWINSZ), &size)
  }

  /// Closes the test's end, like a terminal whose window is closed.
  package func hangUp() {
    if near >= 0 { _ = systemClose(near) }
    near = -1
  }

  /// The terminal's settings, for comparisons.
  package var settings: String { Self.settings(far) }

  private static func settings(_ terminal: Int32) -> String {
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { return "none" }
    return "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag)"
  }

  /// Whether typed text is shown, and whether Ctrl-C sends a signal.
  package var flags: (echoes: Bool, signals: Bool) {
    var settings = termios()
    _ = tcgetattr(far, &settings)
    return (settings.c_lflag & tcflag_t(ECHO) != 0, settings.c_lflag & tcflag_t(ISIG) != 0)
  }

  /// Unread input, typed or replied, which a shell would read next.
  package var unread: [UInt8] {
    var settings = termios()
    guard tcgetattr(far, &settings) == 0 else { return [] }
    settings.c_lflag &= ~tcflag_t(ICANON)
    _ = tcsetattr(far, TCSANOW, &settings)
    var waited = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
    guard poll(&waited, 1, 0) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = systemRead(far, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  // MARK: - The process

  package func signal(_ number: Int32) {
    kill(process, number)
  }

  /// Returns how the process ended: its exit code, or 128 plus the signal as in a shell; nil if it is still running.
  package func ending(milliseconds: Int32 = 60_000) -> Int32? {
    var left = milliseconds
    while ended == nil {
      ended = ChildProcess.ending(of: process)
      if ended != nil { break }
      guard left > 0 else { return nil }
      left -= 5
      _ = poll(nil, 0, 5)
    }
    return ended?.shellCode
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
