package import HTTP
package import Quotes
import Synchronization
import Transport

/// What a host's answer says of this machine's clock.
package struct ClockReading: Sendable, Hashable {
  /// This machine's time before the request went out, and when its answer was there.
  package let sent: Instant
  package let received: Instant
  /// The host's own time in between, by its `Date` (RFC 9110 §6.6.1), to the second: it was that, or up to a second later.
  package let theirs: Instant

  package init(sent: Instant, received: Instant, theirs: Instant) {
    (self.sent, self.received, self.theirs) = (sent, received, theirs)
  }

  /// nil where the answer does not say what time it is there. A copy that a cache has kept is as much older as its `Age`
  /// says (§5.1 of RFC 9111).
  package init?(_ headers: [HTTPHeader], sent: Instant, received: Instant) {
    guard let date = headers.first(named: "Date").flatMap({ HTTPDate.instant($0) }) else { return nil }
    let age = headers.first(named: "Age").flatMap { Int64($0) } ?? 0
    guard (0...Self.longestAge).contains(age) else { return nil }
    self.init(
      sent: sent, received: received, theirs: Instant(nanoseconds: date).advanced(by: .seconds(age)))
  }

  /// A copy that is older says nothing of the time.
  private static let longestAge: Int64 = 86_400

  /// How far the clock is ahead at the least, in nanoseconds, below zero: behind; 0 where the times agree as well as can be
  /// seen, which is to the second and to the time that the request took.
  package var ahead: Int64 {
    let late = sent.nanoseconds(since: theirs.advanced(by: .seconds(1)))
    if late > 0 { return late }
    return min(0, received.nanoseconds(since: theirs))
  }

  /// The most that a signed request is worth sending with.
  package static let tolerance: Int64 = 5_000_000_000

  /// Whether a refusal may come of it: some exchanges take a request of a second ago at the most.
  package var isWorthSaying: Bool { ahead.magnitude > 1_000_000_000 }

  package var isTooFar: Bool { ahead.magnitude > UInt64(Self.tolerance) }
}

/// Holds this machine's clock against those of hosts, by what they say of the time in any answer of this run, else by a
/// `HEAD` of their own.
package actor HostClock: ClockCheck {
  private let handler: HTTPHandler
  private let now: @Sendable () -> Instant
  /// The last reading of each host: written by whatever is answered meanwhile.
  private let readings = Readings()
  /// What is being asked, so that each host is asked once.
  private var asked: [HostName: Task<Void, Never>] = [:]

  private final class Readings: Sendable {
    let known = Mutex<[HostName: ClockReading]>([:])
  }

  /// - Parameters:
  ///   - handler: sends the `HEAD`, without any secret.
  ///   - now: this machine's clock.
  package init(_ handler: @escaping HTTPHandler, now: @escaping @Sendable () -> Instant) {
    self.handler = handler
    self.now = now
  }

  /// The handler, with the times in its answers noted. A replay says nothing of today's clocks.
  package nonisolated func noting(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    let (readings, now) = (readings, now)
    return { request throws(TransportError) in
      let sent = now()
      let response = try await handler(request)
      Self.note(response, sent: sent, received: now(), in: readings)
      return response
    }
  }

  private nonisolated static func note(
    _ response: HTTPResponse, sent: Instant, received: Instant, in readings: Readings
  ) {
    // A request that was sent again, or elsewhere, says less about the time that its answer took; it was sent later.
    guard response.cassette == nil, !response.url.isEmpty,
      let reading = ClockReading(response.headers, sent: sent, received: received)
    else { return }
    readings.known.withLock { $0[HostName(of: response.url)] = reading }
  }

  /// What is known of a host's time in this run.
  package nonisolated func reading(of baseURL: String) -> ClockReading? {
    readings.known.withLock { $0[HostName(of: baseURL)] }
  }

  package nonisolated func difference(from url: String) -> String? {
    guard let reading = reading(of: url), reading.isWorthSaying else { return nil }
    let seconds = Decimal(mantissa: Int128(reading.ahead.magnitude), exponent: -9).rounded(toPlaces: 0)
    let side = reading.ahead > 0 ? "ahead of" : "behind"
    return "this machine's clock is \(seconds.shortest) s \(side) that of \(HostName(of: url).text): set the clock"
  }

  package func check(_ baseURL: String) async throws(SecretProblem) {
    let host = HostName(of: baseURL)
    if reading(of: baseURL) == nil { await ask(baseURL, host) }
    guard let reading = reading(of: baseURL), reading.isTooFar else { return }
    throw .clock(host: host.text, own: reading.received, theirs: reading.theirs)
  }

  private func ask(_ baseURL: String, _ host: HostName) async {
    if let task = asked[host] { return await task.value }
    let (handler, now, readings) = (handler, now, readings)
    let task = Task {
      var request = HTTPRequest(exchange: host.text, name: "clock", method: "HEAD", urls: [baseURL])
      request.repetition = .never
      let sent = now()
      // A host that does not answer this may answer what matters.
      guard let response = try? await handler(request) else { return }
      Self.note(response, sent: sent, received: now(), in: readings)
    }
    asked[host] = task
    await task.value
  }
}
