import Quotes
package import Shell
package import Views

/// A live view without a screen: lines of text, or one JSON object per line.
package struct WatchLines {
  private let everyMilliseconds: Int
  private let speed: Int?
  /// When a replay is over, by its own clock; nil for no limit.
  private let end: Instant?
  /// When a live run is over, whatever happens to the clock; nil for no limit.
  private let deadline: ContinuousClock.Instant?
  private let isAwaited: Bool
  private var alarms: AlertRunner

  /// - Parameters:
  ///   - every: The minimum time between two lines about a pair, in milliseconds.
  ///   - speed: The speed of a replay; nil for as fast as possible.
  ///   - milliseconds: How long to run; nil for no limit.
  package init(
    every: Int, speed: Int?, for milliseconds: Int?, _ alerts: WatchAlerts, of watch: WatchRun, in context: Context
  ) {
    (everyMilliseconds, self.speed) = (every, speed)
    isAwaited = alerts.until != nil
    let limit = milliseconds.map { Duration.milliseconds($0) }
    end = watch.settings.isReplay ? limit.map { watch.now().advanced(by: $0) } : nil
    deadline = watch.settings.isReplay ? nil : limit.map { .now.advanced(by: $0) }
    alarms = AlertRunner(alerts, of: watch, in: context)
    alarms.followSignals()
  }

  /// Writes a line whenever a printed figure changes.
  ///
  /// - Parameter bars: What is written instead, for a status bar, which has no room for alerts; nil for lines.
  package mutating func writeText(
    as bars: WatchBars? = nil, of watch: inout WatchRun, in context: Context
  ) async throws -> ExitCode {
    var bars = bars
    var log = WatchLog(everyMilliseconds: everyMilliseconds)
    let code = try await watch.follow(in: context, speed: speed) { picture in
      if picture.isAsked {
        let isWhole = picture.isWhole || picture.isEnd
        context.output.write(
          bars?.text(picture.board, isWhole: isWhole)
            ?? log.lines(picture.board, isWhole: isWhole).map { $0 + "\n" }.joined())
      }
      for firing in alarms.take(picture.board) where bars == nil {
        context.output.write(WatchLog.line(firing, localClock: context.localClock) + "\n")
      }
      return alarms.reached == nil && !alarms.isEnding && !isOver(picture.board) ? .whole : .last
    }
    return await finish(code)
  }

  /// How much of a picture is written before checking for a newer one.
  private static let partBytes = 8192

  /// Writes JSON objects, the last of which gives the reason for the end.
  package mutating func writeObjects(of watch: inout WatchRun, in context: Context) async throws -> ExitCode {
    var events = WatchEvents(everyMilliseconds: everyMilliseconds)
    context.output.write(bytes: events.start(watch.pairs, exchanges: watch.exchanges, at: watch.now()))
    let code = try await watch.follow(in: context, speed: speed) { picture in
      let board = picture.board
      if picture.isAsked { context.output.write(bytes: events.lines(board, upTo: Self.partBytes)) }
      for firing in alarms.take(board) { context.output.write(bytes: events.alert(firing)) }
      let reason =
        alarms.reached != nil
        ? "until" : picture.isEnd && !events.hasRest ? "replay-ended" : isOver(board) ? "timeout" : nil
      if let reason { context.output.write(bytes: events.end(reason, at: board.now)) }
      return reason != nil || alarms.isEnding ? .last : picture.isAsked && events.hasRest ? .inPart : .whole
    }
    return await finish(code)
  }

  private func isOver(_ board: WatchBoard) -> Bool {
    end.map { board.now >= $0 } ?? deadline.map { ContinuousClock.now >= $0 } ?? false
  }

  /// Waits for commands that are under way. A run with `--until` has an answer only once its alert has fired.
  private func finish(_ code: ExitCode) async -> ExitCode {
    await alarms.finish()
    return isAwaited ? alarms.reached == nil ? .noAnswer : .answer : code
  }
}
