package import Live
package import MarketData
import Quotes
package import Shell
import Synchronization
import Transport

extension StreamWriter {
  /// Writes stream events until the end: a time limit, a signal, the maximum number of lines, or a reader that has
  /// gone.
  ///
  /// - Parameter milliseconds: The time limit; nil for none.
  /// - Returns: Whether there was data, and what ended the run if that came from outside.
  package consuming func write(
    _ run: StreamRun, for milliseconds: Int?, in context: Context
  ) async -> (hasData: Bool, ending: LiveEnding?) {
    guard let outlet = StreamOutlet() else {
      context.note("no file descriptors left")
      return (false, nil)
    }
    let following = Task {
      await run.follow { events in
        outlet.add(events)
        return true
      }
    }
    let ending = Mutex<LiveEnding?>(nil)
    if let signals = EndSignals() {
      SystemThread {
        let heard = signals.wait()
        ending.withLock { $0 = heard }
        following.cancel()
        // A reader that takes nothing must not keep the program alive.
        if case .signal(let number) = heard {
          SystemThread.sleep(seconds: 1)
          LiveEnding.end(by: number)
        }
      }?.detach()
    }
    let timer = milliseconds.map { milliseconds in
      Task {
        try? await Task.sleep(for: .milliseconds(milliseconds))
        following.cancel()
      }
    }
    let writer = self
    Task {
      await following.value
      outlet.end()
    }
    let hasData = await SystemThread.value { outlet.write(to: writer) }
    // No more is wanted: the number of lines is reached, the reader has gone, or there is no thread to write.
    following.cancel()
    await following.value
    timer?.cancel()
    return (hasData ?? false, ending.withLock { $0 })
  }

  /// Writes what a recording plays.
  ///
  /// - Parameters:
  ///   - speed: A multiple of the recorded speed; nil for as fast as possible.
  ///   - milliseconds: The limit in the recording's time; nil to play it to its end.
  /// - Returns: Whether there was data, and the exchanges of whose recorded run not all was played to the end, with the
  ///   number of messages and answers that were not.
  package consuming func write(
    _ replay: consuming StreamReplay, speed: Int?, for milliseconds: Int?
  ) async -> (hasData: Bool, unplayed: [(exchange: String, count: Int)]) {
    let writer = Mutex(self)
    let clock = ReplayClock()
    let beginning = Mutex<Instant?>(nil)
    let isWhole = await replay.play { moment, events in
      let first = beginning.withLock { first in
        first = first ?? moment.time
        return first ?? moment.time
      }
      if let milliseconds, moment.time > first.advanced(by: .milliseconds(milliseconds)) { return false }
      if speed != nil { writer.withLock { $0.flush() } }
      guard await clock.reach(moment, speed: speed) else { return false }
      return writer.withLock { writer in
        for event in events { writer.write(event) }
        return writer.isWanted
      }
    }
    return (writer.withLock { $0.hasData }, isWhole ? replay.unplayed : [])
  }
}
