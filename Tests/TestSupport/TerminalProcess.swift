#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that runs on a terminal of its own, whose other end a test holds: it sees each byte, answers or does not,
/// and types.
///
/// Every wait is bounded; what has not come by then has not come.
package final class TerminalProcess {
  private let process: pid_t
  private var near: Int32
  /// Kept open, so that the terminal outlives the program and its settings can be compared.
  private let far: Int32
  private var status: Int32?

  package struct Problem: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
      self.description = description
    }
  }

  /// The settings that the program found.
  package let settingsBefore: String

  /// Starts the program as the leader of a session that the terminal controls.
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

    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The first terminal that the leader of a session opens controls it.
    for descriptor in 0...2 as ClosedRange<Int32> {
      posix_spawn_file_actions_addopen(&actions, descriptor, path, O_RDWR, 0)
    }
    // What the tests themselves ignore or block must not be inherited.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    let problem = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    guard problem == 0 else { throw Problem("\(program): \(String(cString: strerror(problem)))") }
    self.process = process
  }

  /// POSIX_SPAWN_SETSID, which glibc shows to its own extensions alone.
  #if canImport(Glibc)
    private static let newSession: Int16 = 0x80
  #else
    private static let newSession: Int16 = 0x400
  #endif

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      _ = waitpid(process, nil, 0)
    }
    hangUp()
    _ = systemClose(far)
  }

  private static func path(ofFarEnd near: Int32) -> String? {
    #if canImport(Glibc)
      // What `unlockpt` and `ptsname` do, which glibc shows to programs of X/Open alone.
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

  /// What the program has written since the last call; empty when nothing came in time.
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

  /// Closes the end that the test holds, as a terminal does whose window is closed.
  package func hangUp() {
    if near >= 0 { _ = systemClose(near) }
    near = -1
  }

  /// The terminal's settings, to be compared.
  package var settings: String { Self.settings(far) }

  private static func settings(_ terminal: Int32) -> String {
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { return "none" }
    return "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag)"
  }

  /// Whether what is typed is shown, and whether Ctrl-C is a signal.
  package var flags: (echoes: Bool, signals: Bool) {
    var settings = termios()
    _ = tcgetattr(far, &settings)
    return (settings.c_lflag & tcflag_t(ECHO) != 0, settings.c_lflag & tcflag_t(ISIG) != 0)
  }

  /// What was typed, or answered, and nobody has read: it is what a shell would read next.
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

  /// How the process ended: its code, or 128 and the signal as in the shell; nil: it still runs.
  package func ending(milliseconds: Int32 = 20_000) -> Int32? {
    var left = milliseconds
    while status == nil {
      var found: Int32 = 0
      if waitpid(process, &found, WNOHANG) == process {
        status = found & 0x7F == 0 ? found >> 8 & 0xFF : 128 + found & 0x7F
      } else if left <= 0 {
        return nil
      } else {
        left -= 5
        _ = poll(nil, 0, 5)
      }
    }
    return status
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
