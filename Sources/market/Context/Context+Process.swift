import Files
import Quotes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The context of the running process: the one file that asks the system who we are.
extension Context {
  static func process() -> Context {
    Context(
      program: "market",
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: Environment { name in getenv(name).map { String(cString: $0) } },
      workingDirectory: currentDirectory(),
      executablePath: executablePath,
      output: OutputWriter(capacity: 64 * 1024) { FileSystem.send($0, to: STDOUT_FILENO, named: "standard output") },
      errorOutput: OutputWriter(capacity: 0) { FileSystem.send($0, to: STDERR_FILENO, named: "standard error") },
      terminal: terminalState(),
      readInput: { limit throws(FileError) in
        try FileSystem.readAll(from: STDIN_FILENO, named: "standard input", limit: limit)
      },
      readLine: { Swift.readLine() },
      now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
      })
  }

  private static func currentDirectory() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  @Sendable private static func executablePath() -> String? {
    #if canImport(Glibc)
      let link = "/proc/self/exe"
    #else
      var link = CommandLine.arguments.first ?? ""
      var capacity: UInt32 = 0
      // The first call tells how long the path is.
      _NSGetExecutablePath(nil, &capacity)
      var buffer = [CChar](repeating: 0, count: Int(capacity))
      if _NSGetExecutablePath(&buffer, &capacity) == 0 { link = String(cString: buffer) }
    #endif
    guard let path = realpath(link, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  private static func terminalState() -> TerminalState {
    var state = TerminalState(
      inputIsTerminal: isatty(STDIN_FILENO) == 1,
      outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      errorIsTerminal: isatty(STDERR_FILENO) == 1)
    let size = screenSize(STDOUT_FILENO)
    state.columns = size?.columns
    state.rows = size?.rows
    state.errorColumns = screenSize(STDERR_FILENO)?.columns
    return state
  }

  /// Nil when the descriptor is no terminal, or one that does not know its size.
  private static func screenSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
