import Cassettes
import HTTP
import JSON
import Quotes
import Transport

/// The answers of exchanges that runs with `--cache` keep for each other, as they were received. An answer is found by its
/// request, so it is read by today's config, and the rest of a question, such as a currency to convert to, need not be the
/// same.
///
/// Failures are kept, too: a host that does not answer would make every run wait for it. What may hold a secret is not.
package struct AnswerStore: Sendable {
  private let cache: DiskCache
  /// How old an answer may be; nil for any age.
  private let maximumAge: Duration?
  /// Whether requests may be sent; otherwise only what is kept answers them.
  package let mayAsk: Bool

  package init(in folder: String, maximumAge: Duration?, mayAsk: Bool) {
    (cache, self.maximumAge, self.mayAsk) = (DiskCache(directory: "\(folder)/answers"), maximumAge, mayAsk)
  }

  /// The code of a request that would have to be sent.
  package static let notKept = "not-kept"

  /// Limits what is kept, which is many requests for whole tables, or for all exchanges and hundreds of pairs.
  package func trim() { cache.trim(toEntries: 2000, bytes: 64 << 20) }

  /// Answers a request with what is kept, or else by sending it.
  func answer(
    to request: HTTPRequest, now: @Sendable () -> Instant, by handler: HTTPHandler
  ) async throws(TransportError) -> HTTPResponse {
    let mayKeep = !request.isCredentialed && request.signer == nil
    let key = request.identity
    if mayKeep, let kept = kept(key, at: now()) { return try kept.get() }
    guard mayAsk else { throw .notSent(reason: Self.notKept, "no answer is kept, and nothing is requested") }
    let outcome = await Result { () async throws(TransportError) in try await handler(request) }
    if mayKeep { keep(outcome, key, at: now()) }
    return try outcome.get()
  }

  /// Both are kept, as an exchange that fails now may still have a price from before.
  private static func key(_ key: String, isFailure: Bool) -> String { isFailure ? "failure of \(key)" : key }

  private func kept(_ key: String, at now: Instant) -> Result<HTTPResponse, TransportError>? {
    let kept = [false, true].compactMap { isFailure -> KeptOutcome? in
      let bytes = cache.latest(Self.key(key, isFailure: isFailure))
      guard let kept = bytes.flatMap({ KeptOutcome(decoding: $0) }) else { return nil }
      // What the future has kept is of a clock that was wrong.
      let age = Duration.nanoseconds(now.nanoseconds(since: kept.arrival))
      return age >= .zero && maximumAge.map { age <= $0 } ?? true ? kept : nil
    }
    // Whoever takes anything takes the last price rather than a newer failure.
    let chosen = maximumAge == nil ? kept.first : kept.max { $0.arrival < $1.arrival }
    return chosen?.outcome.map { response in
      var response = response
      response.kept = .nanoseconds(now.nanoseconds(since: chosen?.arrival ?? now))
      response.arrival = now
      return response
    }
  }

  private func keep(_ outcome: Result<HTTPResponse, TransportError>, _ key: String, at now: Instant) {
    var isFailure = false
    switch outcome {
    case .success(let response): isFailure = response.status >= 500 || HTTPResponse.isDenial(response.status)
    // These say nothing about the host.
    case .failure(.cancelled), .failure(.notSent): return
    case .failure: isFailure = true
    }
    let kept = KeptOutcome(arrival: (try? outcome.get().arrival) ?? now, outcome: outcome)
    cache.put(Self.key(key, isFailure: isFailure), kept.encoded, now: now.nanoseconds)
  }
}

/// What became of a request, as a file: a line of JSON, then the body.
///
///     {"arrival":"2026-11-18T05:12:07.421Z","status":200,"url":"https://api.example.com/ticker","headers":{"age":"3"}}
private struct KeptOutcome {
  let arrival: Instant
  let outcome: Result<HTTPResponse, TransportError>

  init(arrival: Instant, outcome: Result<HTTPResponse, TransportError>) {
    (self.arrival, self.outcome) = (arrival, outcome)
  }

  /// Returns nil for anything that `encoded` did not write.
  init?(decoding bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDocument(parsing: Array(bytes[..<end])).root,
      let arrival = head["arrival"]?.string.flatMap({ Instant.iso8601($0, defaultOffsetSeconds: 0) })
    else { return nil }
    self.arrival = arrival
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
      return (head + ["failure": .string(error.cassetteText)]).written() + [UInt8(ascii: "\n")]
    case .success(let response):
      let headers = response.headers.filter { !$0.mayBeSecret }.map { ($0.name, JSONValue.string($0.value)) }
      let rest: JSONValue = [
        "status": .integer(response.status), "url": .string(response.url), "headers": .members(headers),
      ]
      return (head + rest).written() + [UInt8(ascii: "\n")] + response.body
    }
  }
}
