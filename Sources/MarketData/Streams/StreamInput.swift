import Cassettes
import HTTP
import Mapping
import Quotes

/// An external input to a hub.
enum StreamInput: Sendable {
  /// The tables needed to start a market's streams have arrived, or lookups that had failed.
  case start([StreamSubject], [LookupRenewal] = [])
  case signals([StreamSignal], link: Int, generation: Int)
  case answered(Result<HTTPResponse, AnswerFailure>, link: Int)
  case polled([PolledPair], link: Int)
  /// The clock has jumped.
  case jumped(ClockJump.Kind)
  /// Messages about these rows are to be explained from now on, and no others.
  case explain(Set<RowKey>)
}

extension StreamCommand {
  /// How the answer to a command about a subject is named in recordings; nil if it is not answered by REST.
  func answer(about subject: StreamSubject) -> RESTAnswerLog.Answer? {
    switch self {
    case .ask: .handshake(subject.name)
    case .poll: .poll(subject.name)
    case .open, .send, .ping, .close: nil
    }
  }
}

extension StreamHub {
  /// Processes everything due up to a moment, each at its own time, so that a replay gives the same result as the
  /// original run. After a sleep, all of it is due now.
  mutating func advance(to now: Instant) -> Output {
    var output = Output()
    var last: Instant?
    while let due = deadline, due <= now {
      let isLate = Self.isLate(due, at: now) || last.map { due <= $0 } ?? false
      let moment = isLate ? now : due
      let done = tick(at: moment)
      output.commands += done.commands
      output.events += done.events
      // Another pass at the same time would do nothing more.
      if last == moment { break }
      last = moment
    }
    return output
  }

  /// Returns whether something was due so long ago that it did not happen in time.
  static func isLate(_ due: Instant, at now: Instant) -> Bool { now.nanoseconds(since: due) > lateness }

  /// In nanoseconds.
  private static let lateness = Instant.second
}
