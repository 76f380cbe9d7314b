package import MarketData
import Shell
package import Terminal

extension Context {
  /// Does the work, and shows meanwhile on the terminal that messages go to how far it is. The line comes when the work has
  /// taken 300 ms, is written again ten times a second at most, and is gone in the end. There is none where messages go
  /// elsewhere, and none on a terminal that cannot take it away (`TERM=dumb`).
  ///
  /// - Parameter progress: nil where there is nothing to say.
  package func showing<Value: Sendable>(
    _ progress: @escaping @Sendable () -> Progress?, during work: () async throws -> Value
  ) async rethrows -> Value {
    guard terminal.errorIsTerminal, environment["TERM"] != "dumb" else { return try await work() }
    // The last cell stays free: some terminals go to the next line with it.
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

  /// The same for questions to exchanges: `24 of 60 answers, waiting for Slow, Coinone: 2.1 s`.
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
