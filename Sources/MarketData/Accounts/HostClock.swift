package import HTTP
package import Quotes
import Synchronization
import Transport

/// What a host's response reveals about this machine's clock.
package struct ClockReading: Sendable, Hashable {
  /// This machine's time before the request was sent, and when its response arrived.
  package let sent: Instant
  package let received: Instant
  /// The host's time in between, from its `Date` header (RFC 9110 §6.6.1): the actual time was up to a second later.
  package let theirs: Instant

  /// Returns nil if the response does not tell the host's time. The `Age` of a cached copy is added (RFC 9111 §5.1).
  package init?(_ headers: [HTTPHeader], sent: Instant, received: Instant) {
    guard let date = headers.first(named: "Date").flatMap({ HTTPDate.instant($0) }) else { return nil }
    let age = headers.cacheAge ?? 0
    guard age <= Self.maximumAge, headers.cacheAge != nil || headers.first(named: "Age") == nil else { return nil }
    (self.sent, self.received) = (sent, received)
    theirs = date.advanced(by: .seconds(age))
  }

  /// Older copies say nothing about the time.
  private static let maximumAge: Int64 = 86_400

  /// The minimum by which the clock is ahead, in nanoseconds; negative if it is behind. 0 if the times agree within the
  /// measurable precision: one second and the duration of the request.
  package var ahead: Int64 {
    let late = sent.nanoseconds(since: theirs.advanced(by: .seconds(1)))
    if late > 0 { return late }
    return min(0, received.nanoseconds(since: theirs))
  }

  /// The largest difference with which signed requests are still sent.
  package static let tolerance: Int64 = 5_000_000_000

  /// Whether the difference may cause rejections: some exchanges only accept requests that are at most a second old.
  package var isWorthSaying: Bool { ahead.magnitude > Instant.second }

  package var isTooFar: Bool { ahead.magnitude > UInt64(Self.tolerance) }
}

/// Compares this machine's clock with those of hosts, using the time in any response of this run, or else its own
/// `HEAD` request.
package actor HostClock {
  private let handler: HTTPHandler
  private let now: @Sendable () -> Instant
  private let elapsed: @Sendable () -> Int64
  /// The latest reading of each host, updated by any response, and when it was taken.
  private let readings = Mutex<[HostName: (reading: ClockReading, moment: Moment)]>([:])
  /// The requests under way, so that each host is asked once.
  private var asked: [HostName: Task<Void, Never>] = [:]

  /// - Parameters:
  ///   - handler: Sends the `HEAD` request, without any secrets.
  ///   - now: This machine's clock.
  ///   - elapsed: One that no one sets, in nanoseconds.
  package init(
    _ handler: @escaping HTTPHandler, now: @escaping @Sendable () -> Instant,
    elapsed: @escaping @Sendable () -> Int64 = TransportClock.system.now
  ) {
    (self.handler, self.now, self.elapsed) = (handler, now, elapsed)
  }

  /// What both clocks show.
  private struct Moment {
    let shown: Instant
    let elapsed: Int64

    /// Returns whether this machine's clock was set since an earlier moment, by more than a second.
    func isSet(since earlier: Moment) -> Bool {
      let passed = Int128(shown.nanoseconds(since: earlier.shown))
      return (passed - Int128(elapsed) + Int128(earlier.elapsed)).magnitude > Instant.second
    }
  }

  private nonisolated var moment: Moment { Moment(shown: now(), elapsed: elapsed()) }

  /// Returns the handler, recording the times in its responses. Replays say nothing about today's clocks.
  package nonisolated func noting(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      let sent = self.moment
      let response = try await handler(request)
      self.note(response, sent: sent)
      return response
    }
  }

  private nonisolated func note(_ response: HTTPResponse, sent: Moment) {
    let received = moment
    // After a retry or failover, the measured duration is less precise, as the answered request was sent later. The
    // answer to an equal request before, or a clock that was set in between, says nothing.
    guard !response.isRecorded, !response.url.isEmpty, !received.isSet(since: sent),
      response.arrival.map({ $0 >= sent.shown }) ?? true,
      let reading = ClockReading(response.headers, sent: sent.shown, received: received.shown)
    else { return }
    readings.withLock { $0[HostName(of: response.url)] = (reading, received) }
  }

  /// Returns the reading of a host's time in this run, by this machine's clock as it is set now; nil if there is none.
  package nonisolated func reading(of baseURL: String) -> ClockReading? {
    guard let kept = readings.withLock({ $0[HostName(of: baseURL)] }), !moment.isSet(since: kept.moment) else {
      return nil
    }
    return kept.reading
  }

  /// Returns a sentence on how this machine's clock differs from that of a host that has answered in this run; nil if
  /// they agree to a second, or the host did not tell the time.
  package nonisolated func difference(from url: String) -> String? {
    guard let reading = reading(of: url), reading.isWorthSaying else { return nil }
    let seconds = Decimal(mantissa: Int128(reading.ahead.magnitude), exponent: -9).rounded(toPlaces: 0)
    let side = reading.ahead > 0 ? "ahead of" : "behind"
    return "this machine's clock is \(seconds.shortest) s \(side) that of \(HostName(of: url).text); correct this "
      + "machine's clock"
  }

  /// Checks the clock of a base URL's host before a nonce is taken for a request; asks the host once per run.
  ///
  /// - Throws: `clock` if the two differ by more than 5 s plus the round trip. A host that does not tell the time is
  ///   not an error.
  package func check(_ baseURL: String) async throws(SecretProblem) {
    let host = HostName(of: baseURL)
    // Whoever corrects the clock, here or there, need not start the program again.
    if let kept = readings.withLock({ $0[host] }),
      moment.isSet(since: kept.moment)
        || kept.reading.isTooFar && elapsed() - kept.moment.elapsed >= Self.patience
    {
      readings.withLock { $0[host] = nil }
      asked[host] = nil
    }
    if reading(of: baseURL) == nil { await ask(baseURL, host) }
    guard let reading = reading(of: baseURL), reading.isTooFar else { return }
    throw .clock(host: host.text, own: reading.received, theirs: reading.theirs)
  }

  /// The time after which a host whose time was too different is asked again, in nanoseconds.
  private static let patience: Int64 = 10_000_000_000

  private func ask(_ baseURL: String, _ host: HostName) async {
    if let task = asked[host] { return await task.value }
    var request = HTTPRequest(exchange: host.text, name: "clock", method: "HEAD", urls: [baseURL])
    request.repetition = .never
    // A host that does not answer this may still answer the actual request, which needs the rest of the time.
    request.timeBudgetDivisor = 4
    let task = Task { [request] in _ = try? await noting(handler)(request) }
    asked[host] = task
    await task.value
  }
}
