import MarketData

/// The process: runs the command line and leaves with its exit code.
@main
enum MarketProgram {
  static func main() {
    ProcessControl.ignoreBrokenPipes()
    ProcessControl.growHeapInLargePages()
    MarketSession.prepare(for: CommandLine.arguments.dropFirst())
    switch Program.market.begin(in: .process()) {
    case .finished(let code):
      ProcessControl.leave(with: code)
    case .awaiting(let rest):
      // `main` itself is not async: that alone would start the concurrency runtime for `--version` too.
      Task.detached { ProcessControl.leave(with: await rest()) }
      ProcessControl.waitForever()
    }
  }
}
