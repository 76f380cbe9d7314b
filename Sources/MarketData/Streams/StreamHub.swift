package import HTTP
package import Mapping
package import Quotes

/// All links of a run, as a function of what comes and of the time: whoever drives it has a clock, the network or
/// recordings, and does what it is told.
package struct StreamHub: Sendable {
  package struct Output: Sendable {
    package var commands: [(link: Int, command: StreamCommand)] = []
    package var events: [StreamEvent] = []
  }

  private var links: [StreamLink] = []
  /// Of each link: asked for with every message, so that it is kept.
  private var deadlines: [Instant?] = []
  private var hosts = HostGate()
  private let chance: @Sendable (Instant) -> Double
  private let inflate: @Sendable (_ bytes: [UInt8]) throws(TableFailure) -> [UInt8]

  /// - Parameters:
  ///   - chance: a number in `0..<1` for the moment of a failure, so that not all come back at once.
  ///   - inflate: takes the compression off a message.
  package init(
    chance: @escaping @Sendable (Instant) -> Double,
    inflate: @escaping @Sendable (_ bytes: [UInt8]) throws(TableFailure) -> [UInt8]
  ) {
    self.chance = chance
    self.inflate = inflate
  }

  /// - Returns: the number of the link.
  @discardableResult
  package mutating func add(_ subject: StreamSubject, at now: Instant) -> Int {
    add(StreamLink(subject, at: now, chance: chance))
    return links.count - 1
  }

  private mutating func add(_ link: StreamLink) {
    links.append(link)
    deadlines.append(link.deadline)
  }

  /// How many links there are: an error of an exchange may add one.
  package var count: Int { links.count }

  package func subject(of link: Int) -> StreamSubject { links[link].subject }

  /// Of the connection that a link has, or is opening.
  func generation(of link: Int) -> Int { links[link].generation }

  /// When `tick` is due at the latest; nil where nothing is.
  package var deadline: Instant? { deadlines.lazy.compactMap(\.self).min() }

  package mutating func tick(at now: Instant) -> Output {
    var output = Output()
    for link in links.indices where deadlines[link].map({ $0 <= now }) ?? false {
      let done = links[link].tick(at: now) { hosts.wait(for: $0, at: now) }
      take(done, of: link, at: now, &output)
    }
    return output
  }

  /// What a connection has said, in the order in which it came; of a connection that is gone nothing is taken.
  package mutating func take(_ signals: [StreamSignal], of link: Int, generation: Int, at now: Instant) -> Output {
    var output = Output()
    for signal in signals where links[link].generation == generation {
      take(links[link].take(signal, at: now, inflate: inflate), of: link, at: now, &output)
    }
    return output
  }

  /// What was asked before a connection.
  package mutating func answered(_ answer: Result<HTTPResponse, TableFailure>, of link: Int, at now: Instant) -> Output
  {
    var output = Output()
    take(links[link].answered(answer, at: now), of: link, at: now, &output)
    return output
  }

  /// What asking by REST came to.
  package mutating func polled(
    _ results: [(pair: Int, result: Result<StreamUpdate.Value, TableFailure>)], of link: Int, at now: Instant
  ) -> Output {
    var output = Output()
    take(links[link].polled(results, at: now), of: link, at: now, &output)
    return output
  }

  /// The clock was set back: whatever is open is given up, and all begins anew.
  mutating func restart(at now: Instant) -> Output {
    var output = Output()
    hosts = HostGate()
    for link in links.indices { take(links[link].restart(at: now), of: link, at: now, &output) }
    return output
  }

  /// The end of the run.
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
    for (subject, feed) in done.handedOn { add(StreamLink(subject, feed, at: now, chance: chance)) }
  }
}

/// To one host no more than five tries at once, and one more each three seconds.
struct HostGate: Sendable {
  /// By host: when the tries begin to count no more.
  private var free: [String: Instant] = [:]
  private static let atOnce: Int64 = 5
  private static let period = Duration.seconds(3)

  /// When the next try is allowed; nil: it is now, and counts.
  mutating func wait(for host: String, at now: Instant) -> Instant? {
    // A bucket that empties by one each period, told by the moment at which it is empty.
    let empty = max(free[host] ?? now, now)
    let full = now.advanced(by: Self.period * Int(Self.atOnce))
    let after = empty.advanced(by: Self.period)
    guard after <= full else { return Instant(nanoseconds: now.nanoseconds + after.nanoseconds(since: full)) }
    free[host] = after
    return nil
  }
}
