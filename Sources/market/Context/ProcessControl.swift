#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the process does with itself: signals, waiting, leaving, becoming another program.
enum ProcessControl {
  /// A reader that goes away is told by EPIPE, which `OutputWriter` takes for a success, and not by SIGPIPE.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  static func leave(with code: ExitCode) -> Never {
    exit(code.rawValue)
  }

  /// Leaves the calling thread to the signals while others work; somebody else has to leave the process.
  static func waitForever() -> Never {
    while true { pause() }
  }

  /// Replaces the process by another program; returns the system's reason only when that fails.
  static func become(_ path: String, arguments: [String]) -> String {
    // An ignored signal stays ignored across exec; the other program expects the default.
    signal(SIGPIPE, SIG_DFL)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    let reason = String(cString: strerror(errno))
    for word in words { free(word) }
    ignoreBrokenPipes()
    return reason
  }
}
