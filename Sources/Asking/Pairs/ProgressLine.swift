package import MarketData
import Shell
package import Terminal

extension Context {
  /// Runs the work while showing progress on the terminal for messages. The line appears after 300 ms, is updated at
  /// most ten times a second, and disappears at the end. It is not shown if messages go elsewhere, or on a terminal
  /// that cannot erase it (`TERM` is `dumb` or not set).
  ///
  /// - Parameter progress: nil if there is nothing to show.
  package func showing<Value: Sendable>(
    _ progress: @escaping @Sendable () -> Progress?, during work: () async throws -> Value
  ) async rethrows -> Value {
    guard terminal.errorIsTerminal, canErase else { return try await work() }
    // The last cell stays free: some terminals wrap when it is written.
    let cells = max(1, (terminal.errorColumns ?? 80) - 1)
    let stream = errorOutput
    let painter = Task.detached {
      var pause = Duration.milliseconds(300)
      while (try? await Task.sleep(for: pause)) != nil {
        if let line = progress()?.text(cells: cells) { stream.show(passing: line) }
        pause = .milliseconds(100)
      }
    }
    func end() async {
      painter.cancel()
      await painter.value
      stream.erasePassing()
    }
    do {
      let value = try await work()
      await end()
      return value
    } catch {
      await end()
      throw error
    }
  }

  /// Does the same for requests to exchanges: `24 of 60 answers, waiting for Slow, Coinone: 2.1 s`.
  package func showing<Value: Sendable>(
    _ journal: RequestJournal, during work: () async throws -> Value
  ) async rethrows -> Value {
    try await showing({ journal.progress }, during: work)
  }
}

extension RequestJournal {
  /// nil before the first request.
  fileprivate var progress: Progress? {
    let (done, all) = counts
    guard all > 0 else { return nil }
    let (exchanges, nanoseconds) = waiting
    return Progress(done: "\(done) of \(all) answers", waitingFor: exchanges, waitNanoseconds: nanoseconds)
  }
}
