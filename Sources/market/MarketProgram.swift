#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process: sets up the signals, runs the command line, leaves with its exit code.
@main
enum MarketProgram {
  static func main() {
    // A reader that goes away is told by EPIPE, see `OutputWriter`.
    signal(SIGPIPE, SIG_IGN)
    switch Program.market.begin(in: .process()) {
    case .finished(let code):
      exit(code.rawValue)
    case .awaiting(let rest):
      // `main` itself is not async: that alone would start the concurrency runtime for `--version` too.
      Task.detached { exit(await rest().rawValue) }
      while true { pause() }
    }
  }
}
