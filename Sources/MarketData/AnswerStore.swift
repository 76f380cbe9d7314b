import Cassettes
package import Files
import HTTP
import JSON
import Quotes
import Synchronization
import Transport

/// The answers of exchanges that runs with `--cache` keep for each other, as they were received. An answer is found by its
/// request, so it is read by today's config, and the rest of a question, such as a currency to convert to, need not be the
/// same.
///
/// Failures are kept, too, as a host that does not answer would make every run wait for it. Runs that ask nothing do
/// without them, and take the answer from before. What may hold a secret is not kept.
package struct AnswerStore: Sendable {
  private let cache: DiskCache
  /// How old an answer may be; nil for any age.
  private let maximumAge: Duration?
  /// Whether requests may be sent; otherwise only what is kept answers them.
  package let mayAsk: Bool
  /// The time limit of the run: one with a longer limit asks again where this one has waited in vain.
  private let timeLimit: Duration
  private let problem = Problem()

  private final class Problem: Sendable {
    let first = Mutex<FileError?>(nil)
  }

  package init(in folder: String, maximumAge: Duration?, mayAsk: Bool, timeLimit: Duration) {
    cache = DiskCache(directory: "\(folder)/answers")
    (self.maximumAge, self.mayAsk, self.timeLimit) = (maximumAge, mayAsk, timeLimit)
  }

  /// Why the first answer that could not be kept is not; nil if all are.
  package var firstProblem: FileError? { problem.first.withLock(\.self) }

  /// Returns why a run that asks could not keep its answers; nil if it could.
  package func obstacle() -> FileError? {
    do throws(FileError) {
      try cache.probe()
      return nil
    } catch {
      return error
    }
  }

  /// Limits what is kept, which is many requests for whole tables, or for all exchanges and hundreds of pairs.
  func trim() { if mayAsk { cache.trim(toEntries: 2000, bytes: 64 << 20) } }

  /// Answers a request with what is kept, or else by sending it. A request without an answer is kept at once; an answer
  /// is for the caller to `keep`.
  func answer(
    to request: HTTPRequest, now: @Sendable () -> Instant, by handler: HTTPHandler
  ) async throws(TransportError) -> HTTPResponse {
    if Self.mayKeep(request), let kept = kept(request.identity, at: now()) { return try kept.get() }
    guard mayAsk else { throw .notSent(reason: .notKept, "no answer is kept, and nothing is requested") }
    do {
      return try await handler(request)
    } catch {
      switch error {
      // These say nothing about the host.
      case .cancelled, .notSent, .tooManyFiles: break
      default: if Self.mayKeep(request) { put(.failure(error), request.identity, isFailure: true, at: now()) }
      }
      throw error
    }
  }

  /// Keeps an answer that has been read.
  ///
  /// - Parameter isFailure: Whether it could not be: an error in JSON, a page of HTML, HTTP 503. It does not replace the
  ///   answer from before, then.
  func keep(_ response: HTTPResponse, to request: HTTPRequest, isFailure: Bool, at now: Instant) {
    guard response.kept == nil, Self.mayKeep(request) else { return }
    put(.success(response), request.identity, isFailure: isFailure, at: response.arrival ?? now)
  }

  private static func mayKeep(_ request: HTTPRequest) -> Bool { !request.isCredentialed && request.signer == nil }

  /// Both are kept, as an exchange that fails now may still have a price from before.
  private static func key(_ key: String, isFailure: Bool) -> String { isFailure ? "failure of \(key)" : key }

  private func kept(_ key: String, at now: Instant) -> Result<HTTPResponse, TransportError>? {
    let kept = (mayAsk ? [false, true] : [false]).compactMap { isFailure -> KeptOutcome? in
      let bytes = cache.latest(Self.key(key, isFailure: isFailure))
      guard let kept = bytes.flatMap({ KeptOutcome(decoding: $0) }) else { return nil }
      // What the future has kept is of a clock that was wrong.
      let age = Duration.nanoseconds(now.nanoseconds(since: kept.arrival))
      guard age >= .zero, maximumAge.map({ age <= $0 }) ?? true else { return nil }
      return kept.timeLimit.map { timeLimit <= $0 } ?? true ? kept : nil
    }
    let chosen = kept.max { $0.arrival < $1.arrival }
    return chosen?.outcome.map { response in
      var response = response
      response.kept = .nanoseconds(now.nanoseconds(since: chosen?.arrival ?? now))
      response.arrival = now
      return response
    }
  }

  private func put(
    _ outcome: Result<HTTPResponse, TransportError>, _ key: String, isFailure: Bool, at arrival: Instant
  ) {
    let kept = KeptOutcome(
      arrival: arrival, outcome: outcome, timeLimit: outcome == .failure(.timeout) ? timeLimit : nil)
    do throws(FileError) {
      try cache.store(Self.key(key, isFailure: isFailure), kept.encoded, now: arrival)
    } catch {
      problem.first.withLock { $0 = $0 ?? error }
    }
  }
}

/// What became of a request, as a file: a line of JSON, then the body.
///
///     {"arrival":"2026-11-18T05:12:07.421Z","status":200,"url":"https://api.example.com/ticker","headers":{"age":"3"}}
///     {"arrival":"2026-11-18T05:12:12.421Z","failure":"timeout","timeLimit":5000}
private struct KeptOutcome {
  let arrival: Instant
  let outcome: Result<HTTPResponse, TransportError>
  /// The limit of the run that had no answer in time; nil for any other outcome.
  let timeLimit: Duration?

  init(arrival: Instant, outcome: Result<HTTPResponse, TransportError>, timeLimit: Duration?) {
    (self.arrival, self.outcome, self.timeLimit) = (arrival, outcome, timeLimit)
  }

  /// Returns nil for anything that `encoded` did not write.
  init?(decoding bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDocument(parsing: Array(bytes[..<end])).root,
      let arrival = head["arrival"]?.string.flatMap({ Instant.iso8601($0, defaultOffsetSeconds: 0) })
    else { return nil }
    self.arrival = arrival
    timeLimit = head["timeLimit"]?.numberText.flatMap { Int($0) }.map { .milliseconds($0) }
    if let failure = head["failure"]?.string {
      guard let error = TransportError(cassetteText: failure) else { return nil }
      outcome = .failure(error)
    } else {
      guard let status = head["status"]?.numberText.flatMap({ Int($0) }), let url = head["url"]?.string
      else { return nil }
      let headers = head["headers"]?.members.compactMap { member in
        member.value.string.map { HTTPHeader(name: member.name, value: $0) }
      }
      outcome = .success(
        HTTPResponse(
          status: status, headers: headers ?? [], body: Array(bytes[(end + 1)...]), arrival: arrival, url: url,
          attempts: 0))
    }
  }

  var encoded: [UInt8] {
    let head: JSONValue = ["arrival": .string(arrival.iso8601)]
    switch outcome {
    case .failure(let error):
      let limit: JSONValue = timeLimit.map { ["timeLimit": .integer(Int($0.nanoseconds / 1_000_000))] } ?? [:]
      return (head + ["failure": .string(error.cassetteText)] + limit).written() + [UInt8(ascii: "\n")]
    case .success(let response):
      let headers = response.headers.filter { !$0.mayBeSecret }.map { ($0.name, JSONValue.string($0.value)) }
      let rest: JSONValue = [
        "status": .integer(response.status), "url": .string(response.url), "headers": .members(headers),
      ]
      return (head + rest).written() + [UInt8(ascii: "\n")] + response.body
    }
  }
}
