import CProcess
import Files
import Live
import Quotes
import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
  import MachO
#endif

/// The context of the running process. Only this file asks the system about it.
extension Context {
  package static func process() -> Context {
    Context(
      program: "market",
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: Environment { name in getenv(name).map { String(cString: $0) } },
      executablePath: { executablePath },
      output: OutputWriter(
        capacity: 64 * 1024, unread: { PipeReader.unread(of: STDOUT_FILENO) },
        isReaderGone: { PipeReader.isGone(of: STDOUT_FILENO) },
        sink: { FileSystem.send($0, to: STDOUT_FILENO, named: "standard output") }),
      errorOutput: OutputWriter(capacity: 0) { FileSystem.send($0, to: STDERR_FILENO, named: "standard error") },
      terminal: terminalState(),
      readInput: { limit throws(FileError) in
        try FileSystem.readAll(from: STDIN_FILENO, named: "standard input", limit: limit)
      },
      readLine: { Swift.readLine() },
      readHidden: { try HiddenLines.read(asking: $0) },
      now: TransportClock.system.wall,
      localClock: localClock)
  }

  private static let executablePath: String? = {
    #if canImport(Glibc)
      let link = "/proc/self/exe"
    #else
      var link = CommandLine.arguments.first ?? ""
      var capacity: UInt32 = 0
      // The first call returns the length of the path.
      _NSGetExecutablePath(nil, &capacity)
      var buffer = [CChar](repeating: 0, count: Int(capacity))
      if _NSGetExecutablePath(&buffer, &capacity) == 0 {
        link = buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? link
      }
    #endif
    guard let path = realpath(link, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }()

  /// Determined by `TZ`, or else by the system's time zone.
  @Sendable private static func localClock(_ moment: Instant) -> ClockZone? {
    var seconds = time_t(moment.nanoseconds / Instant.second)
    var local = tm()
    guard localtime_r(&seconds, &local) != nil, local.tm_gmtoff != 0, let name = local.tm_zone else { return nil }
    return ClockZone(offsetSeconds: Int(local.tm_gmtoff), name: String(cString: name))
  }

  private static func terminalState() -> TerminalState {
    let size = screenSize(STDOUT_FILENO)
    return TerminalState(
      inputIsTerminal: isatty(STDIN_FILENO) == 1, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      errorIsTerminal: isatty(STDERR_FILENO) == 1, columns: size?.columns, rows: size?.rows,
      errorColumns: screenSize(STDERR_FILENO)?.columns)
  }

  /// Returns nil if the descriptor is not a terminal, or one of unknown size.
  private static func screenSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}

/// Process control: signals, waiting, exiting, exec.
package enum ProcessControl {
  /// Makes writes fail that the system would end the program for: with EPIPE to a closed pipe, which `OutputWriter` treats
  /// as success, and with EFBIG beyond the largest file of `ulimit -f`.
  package static func surviveWriting() { handleWriting(SIG_IGN) }

  private static func handleWriting(_ handler: (@convention(c) (Int32) -> Void)?) {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, handler) }
  }

  /// Lets Ctrl-\ end the program at once, as it ends others, instead of writing a report of a crash and going on.
  package static func endOnQuit() { market_restore_signal(SIGQUIT) }

  /// Opens `/dev/null` for standard streams the caller has closed: otherwise the first opened file would get that
  /// number, and messages would be written to it. Standard output cannot be written to then: an answer to nobody is
  /// none.
  package static func openStandardStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // The lowest free descriptor is used, so it is this one.
      _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Raises the limit of open files as far as the system allows, since each exchange needs several: to 4096 at most,
  /// which is enough for a thousand connections that are opened at once.
  package static func allowOpenFiles() {
    var files = rlimit()
    guard getrlimit(openFiles, &files) == 0, files.rlim_cur < 4096, files.rlim_cur < files.rlim_max else { return }
    files.rlim_cur = min(4096, files.rlim_max)
    setrlimit(openFiles, &files)
  }

  /// The missing system resource needed for many concurrent requests; nil if there is enough. Without it, the
  /// underlying libraries would hang or trap.
  package static var missingResource: String? {
    var limit = rlimit()
    let neededFiles: rlim_t = 32
    let neededMegabytes: rlim_t = 256
    if getrlimit(openFiles, &limit) == 0, limit.rlim_cur < neededFiles {
      return "only \(limit.rlim_cur) files may be open at once, and \(neededFiles) are needed; run: ulimit -n 256"
    }
    if getrlimit(addresses, &limit) == 0, limit.rlim_cur >> 20 < neededMegabytes {
      return "only \(limit.rlim_cur >> 20) MB of addresses are allowed, and \(neededMegabytes) are needed; "
        + "run: ulimit -v unlimited"
    }
    return nil
  }

  #if canImport(Glibc)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private static let addresses = __rlimit_resource_t(RLIMIT_AS.rawValue)
  #else
    private static let openFiles = RLIMIT_NOFILE
    private static let addresses = RLIMIT_AS
  #endif

  /// Lets the heap grow in 2 MB pages, if supported.
  ///
  /// An exchange's whole table takes several megabytes, and on Linux the first access to each 4 KB of them takes a
  /// microsecond: as long as the reading itself. No memory is allocated here; a range is only marked for the heap to
  /// grow into.
  package static func growHeapInLargePages() {
    #if canImport(Glibc)
      market_share_heap()
      // glibc maps large blocks individually, each with its own pages. Once one has been freed, it takes blocks up to
      // that size from the heap, and retains twice as much freed memory.
      var block: UnsafeMutableRawPointer?
      guard posix_memalign(&block, largePage, 15 * largePage) == 0 else { return }
      free(block)
      guard posix_memalign(&block, largePage, 14 * largePage) == 0, let block else { return }
      madvise(block, 8 * largePage, MADV_HUGEPAGE)
      // The heap before the first large page is never used again: this costs no memory, only addresses.
      var start: UnsafeMutableRawPointer?
      if posix_memalign(&start, 16, 64) == 0, let start, block - start > 8192 {
        var gap: UnsafeMutableRawPointer?
        posix_memalign(&gap, 16, block - start - 4096)
      }
      free(block)
    #endif
  }

  #if canImport(Glibc)
    private static let largePage = 2 << 20
  #endif

  /// Exits immediately: all output has been sent, and the system reclaims what libraries would still clean up. It does
  /// not wait for the network thread either, which must not meet the TLS library during its teardown.
  package static func leave(with code: ExitCode) -> Never { _exit(code.rawValue) }

  /// Runs the work and all that it asks for, then exits with its exit code.
  package static func run(_ work: @escaping @Sendable () async -> ExitCode) -> Never {
    let executor = CommandExecutor()
    Task.detached(executorPreference: executor) { leave(with: await work()) }
    executor.run()
  }

  /// Replaces the process with another program; returns the system's reason only on failure.
  package static func become(_ path: String, arguments: [String]) -> String {
    // An ignored signal stays ignored across exec; the other program expects the default.
    handleWriting(SIG_DFL)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    let reason = String(cString: strerror(errno))
    for word in words { free(word) }
    surviveWriting()
    return reason
  }
}
