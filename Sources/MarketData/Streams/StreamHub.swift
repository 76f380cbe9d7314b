import Cassettes
import Config
import HTTP
import Mapping
package import Quotes
import Transport

/// All links of a run, as a function of input and time: its driver has the clock and the network or recordings, and
/// carries out the hub's commands.
package struct StreamHub: Sendable {
  package struct Output: Sendable {
    package var commands: [(link: Int, command: StreamCommand)] = []
    package var events: [StreamEvent] = []
  }

  private var links: [StreamLink] = []
  /// The deadline of each link, cached because every message needs it.
  private var deadlines: [Instant?] = []
  private let windows: SendWindows
  private let chance: @Sendable (Instant) -> Double
  private let inflate: @Sendable (_ bytes: [UInt8]) throws(UnreadableBytes) -> [UInt8]?

  /// - Parameters:
  ///   - windows: The limits that its connections share, also with those of other hubs.
  ///   - chance: Returns a number in `0..<1` for the time of a failure, so that not all links retry at once.
  ///   - inflate: Returns the text of a message of bytes, which may be compressed; nil for bytes that are neither.
  package init(
    _ windows: SendWindows = SendWindows(), chance: @escaping @Sendable (Instant) -> Double,
    inflate: @escaping @Sendable (_ bytes: [UInt8]) throws(UnreadableBytes) -> [UInt8]?
  ) {
    (self.windows, self.chance, self.inflate) = (windows, chance, inflate)
  }

  /// The time until the last of a number of connections to a host is opened.
  package static func timeToOpen(_ connections: Int) -> Duration { HostGate.wait(forConnections: connections) }

  /// - Returns: The index of the link.
  @discardableResult
  package mutating func add(_ subject: StreamSubject, at now: Instant) -> Int {
    add(StreamLink(subject, at: now, windows, chance: chance))
    return links.count - 1
  }

  private mutating func add(_ link: StreamLink) {
    links.append(link)
    deadlines.append(link.deadline)
  }

  /// The number of links; an error from an exchange may add one.
  package var count: Int { links.count }

  package func subject(of link: Int) -> StreamSubject { links[link].subject }

  /// Returns the generation of the connection that a link has, or is opening.
  func generation(of link: Int) -> Int { links[link].generation }

  /// When `tick` is due at the latest; nil if it is not.
  package var deadline: Instant? { deadlines.lazy.compactMap(\.self).min() }

  package mutating func tick(at now: Instant) -> Output {
    var output = Output()
    for link in links.indices where deadlines[link].map({ $0 <= now }) ?? false {
      take(links[link].tick(at: now) { windows.waitToOpen($0, at: now) }, of: link, at: now, &output)
    }
    return output
  }

  /// Takes an input; signals of an earlier connection than the link's are ignored.
  ///
  /// - Parameter now: Not before that of the previous call, unless the clock was set back.
  mutating func take(_ input: StreamInput, at now: Instant) -> Output {
    var output = Output()
    switch input {
    case .start(let subjects, let renewals):
      for renewal in renewals { for link in links.indices { links[link].renew(renewal) } }
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
    case .signals(let signals, let link, let generation):
      for signal in signals where links[link].generation == generation {
        take(links[link].take(signal, at: now, inflate: inflate), of: link, at: now, &output)
      }
    case .answered(let answer, let link): take(links[link].answered(answer, at: now), of: link, at: now, &output)
    case .polled(let results, let link): take(links[link].polled(results, at: now), of: link, at: now, &output)
    // Time has passed without a turn: whatever is read now may have arrived at any moment of it.
    case .jumped(.suspended): return restart(because: .stream(.silent(.suspended)), at: now)
    case .jumped(.late): return advance(to: now)
    // Nothing would become due for as long as the clock was set back.
    case .jumped(.setBack): return restart(because: .stream(.silent(.clockSetBack)), at: now)
    case .explain(let rows): for link in links.indices { links[link].explain(rows) }
    }
    return output
  }

  /// Gives up all open connections and starts over, as stored times or what is received no longer mean what they say.
  mutating func restart(because failure: AnswerFailure, at now: Instant) -> Output {
    var output = Output()
    windows.restart(at: now)
    for link in links.indices {
      take(links[link].restart(because: failure, at: now), of: link, at: now, &output)
    }
    return output
  }

  /// Ends the run.
  package mutating func close() -> Output {
    var output = Output()
    for link in links.indices {
      output.commands += links[link].close().map { (link, $0) }
      deadlines[link] = nil
    }
    return output
  }

  private mutating func take(_ done: StreamLink.Output, of link: Int, at now: Instant, _ output: inout Output) {
    deadlines[link] = links[link].deadline
    output.commands += done.commands.map { (link, $0) }
    output.events += done.events
    for (subject, feed) in done.transferred { add(StreamLink(subject, feed, at: now, windows, chance: chance)) }
  }
}

extension StreamHub {
  /// Creates a hub whose retry delays depend on the times of the failures: reproducible in a replay, and not all
  /// simultaneous.
  init(_ windows: SendWindows = SendWindows()) {
    self.init(windows) { moment in
      // SplitMix64, so that nearby times give unrelated results.
      var bits = UInt64(bitPattern: moment.nanoseconds) &+ 0x9E37_79B9_7F4A_7C15
      bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
      return Double((bits ^ bits >> 31) >> 11) / Double(1 << 53)
    } inflate: { bytes throws(UnreadableBytes) in
      do throws(Deflate.Problem) {
        return try Deflate.text(bytes, limit: AnswerLimit.messageBytes)
      } catch {
        throw UnreadableBytes(error)
      }
    }
  }
}
