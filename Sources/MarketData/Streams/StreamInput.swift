import Cassettes
import Config
import HTTP
import Mapping
import Quotes

/// An external input to a hub.
enum StreamInput: Sendable {
  /// The tables needed to start a market's streams have arrived, or lookups that had failed.
  case start([StreamSubject], [LookupRenewal] = [])
  case signals([StreamSignal], link: Int, generation: Int)
  case answered(Result<HTTPResponse, TableFailure>, link: Int)
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
  /// - Parameter now: Not before that of the previous call, unless the clock was set back.
  mutating func take(_ input: StreamInput, at now: Instant) -> Output {
    switch input {
    case .start(let subjects, let renewals):
      var output = Output()
      for renewal in renewals { renew(renewal) }
      for subject in subjects {
        add(subject, at: now)
        // Report what the table already provided.
        guard subject.channel.isPolledWithTable else { continue }
        output.events += subject.pairs.map(\.row).filter { $0.arrival != nil }.map { row in
          StreamEvent(
            exchange: subject.exchange, market: subject.market, channel: subject.channel, pair: row.pair,
            product: row.product, content: .ticker(row), isStreamed: false, arrival: row.arrival ?? now)
        }
      }
      return output
    case .signals(let signals, let link, let generation):
      return take(signals, of: link, generation: generation, at: now)
    case .answered(let answer, let link): return answered(answer, of: link, at: now)
    case .polled(let results, let link): return polled(results, of: link, at: now)
    // Time has passed without a turn: whatever is read now may have arrived at any moment of it.
    case .jumped(.suspended): return restart(because: .streamSuspended, at: now)
    case .jumped(.late): return advance(to: now)
    // Nothing would become due for as long as the clock was set back.
    case .jumped(.setBack): return restart(because: .streamClockSetBack, at: now)
    case .explain(let rows):
      explain(rows)
      return Output()
    }
  }

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
