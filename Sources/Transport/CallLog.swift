package import HTTP
import JSON
package import Quotes

/// What is known of the calls of one owner: of each request when it was last sent, how that ended, and what it last gave.
/// One record of the cache.
struct CallLog: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    /// The request as it is sent, without secrets.
    let request: String
    /// Nanoseconds since 1970.
    var lastCall: Int64
    /// Whether it left the machine, as far as we know: what could not even be addressed cost the provider nothing.
    var wasSent = true
    /// Whether it is written down that the call was sent, and not yet what came of it: another process waits for the
    /// answer, or has come to its end without writing it down.
    var isUnderway = false
    /// How often it has failed in a row.
    var failures = 0
    /// Why it last failed; nil after a success.
    var failure: CallFailure?
    /// Tells another secret from this one, and nothing about either.
    var secretMark: String
    /// Other secrets that have failed since the last success, the newest last.
    var refused: [Refusal] = []
    /// The newest first; two at most.
    var answers: [KeptAnswer] = []

    struct Refusal: Sendable, Equatable {
      let mark: String
      let time: Int64
      let failures: Int
    }

    /// So many secrets are tried one right after the other; the next waits like a failed one.
    private static let maximumRefused = 4
  }

  var entries: [Entry] = []

  /// Requests that name a day pile up; more than these are forgotten, the oldest first.
  private static let maximumEntries = 32

  func entry(_ request: String) -> Entry? { entries.first { $0.request == request } }

  mutating func set(_ entry: Entry) {
    entries.removeAll { $0.request == entry.request }
    entries.append(entry)
    if entries.count > Self.maximumEntries {
      entries.sort { $0.lastCall < $1.lastCall }
      entries.removeFirst(entries.count - Self.maximumEntries)
    }
  }
}

extension CallLog.Entry {
  /// When the request was last sent with a secret, and how often in a row that has failed; nil where it may be sent at
  /// once: what failed for want of the right secret is tried with another.
  func attempt(with mark: String) -> (time: Int64, failures: Int)? {
    if mark == secretMark || failures == 0 { return (lastCall, failures) }
    if let refusal = refused.first(where: { $0.mark == mark }) { return (refusal.time, refusal.failures) }
    return refused.count < Self.maximumRefused ? nil : (lastCall, failures)
  }

  /// Writes down that the request is sent.
  mutating func begin(at time: Int64, with mark: String) {
    if mark != secretMark, failures > 0 {
      refused.append(Refusal(mark: secretMark, time: lastCall, failures: failures))
      failures = refused.first { $0.mark == mark }?.failures ?? 0
      refused.removeAll { $0.mark == mark }
      if refused.count > Self.maximumRefused { refused.removeFirst() }
    }
    (lastCall, secretMark) = (time, mark)
    (wasSent, isUnderway) = (true, true)
  }
}

extension CallLog {
  /// nil for anything but what `encoded` wrote.
  init?(decoding bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes), let requests = document.root["requests"] else { return nil }
    for node in requests.elements {
      guard let request = node["request"]?.string, let lastCall = node["called"]?.string.flatMap(Self.instant),
        let failures = node["failures"]?.numberText.flatMap({ Int($0) }), let mark = node["mark"]?.string
      else { return nil }
      var entry = Entry(request: request, lastCall: lastCall.nanoseconds, failures: failures, secretMark: mark)
      entry.wasSent = node["unsent"]?.boolean != true
      entry.isUnderway = node["underway"]?.boolean == true
      if let code = node["failure"]?.string { entry.failure = CallFailure(code, node["message"]?.string) }
      for answer in node["answers"]?.elements.map(\.self) ?? [] {
        guard let arrival = answer["arrival"]?.string.flatMap(Self.instant),
          let status = answer["status"]?.numberText.flatMap({ Int($0) }), let body = answer["body"]?.string,
          let isDoubtful = answer["doubtful"]?.boolean
        else { return nil }
        entry.answers.append(
          KeptAnswer(
            arrival: arrival, status: status, body: Array(body.utf8), isDoubtful: isDoubtful,
            url: answer["url"]?.string ?? ""))
      }
      for refusal in node["refused"]?.elements.map(\.self) ?? [] {
        guard let mark = refusal["mark"]?.string, let time = refusal["called"]?.string.flatMap(Self.instant),
          let failures = refusal["failures"]?.numberText.flatMap({ Int($0) })
        else { return nil }
        entry.refused.append(.init(mark: mark, time: time.nanoseconds, failures: failures))
      }
      entries.append(entry)
    }
  }

  var encoded: [UInt8] {
    let json: JSONValue = ["requests": .list(entries) { $0.json }]
    return json.written(indent: 1)
  }

  private static func instant(_ text: String) -> Instant? { .iso8601(text, defaultOffsetSeconds: 0) }
}

extension CallLog.Entry {
  fileprivate var json: JSONValue {
    var json: JSONValue = ["request": .string(request), "called": .string(Instant(nanoseconds: lastCall).iso8601)]
    if !wasSent { json += ["unsent": true] }
    if isUnderway { json += ["underway": true] }
    json += ["failures": .integer(failures)]
    if let failure {
      json += ["failure": .string(failure.code)]
      if let message = failure.message { json += ["message": .string(message)] }
    }
    let answers = JSONValue.list(answers) { answer in
      [
        "arrival": .string(answer.arrival.iso8601), "status": .integer(answer.status),
        "doubtful": .bool(answer.isDoubtful), "url": .string(answer.url),
        "body": .string(String(decoding: answer.body, as: UTF8.self)),
      ]
    }
    if !refused.isEmpty {
      json += [
        "refused": .list(refused) {
          [
            "mark": .string($0.mark), "called": .string(Instant(nanoseconds: $0.time).iso8601),
            "failures": .integer($0.failures),
          ]
        }
      ]
    }
    return json + ["mark": .string(secretMark), "answers": answers]
  }
}

/// An answer as it is kept on disk: nothing of it is secret.
package struct KeptAnswer: Sendable, Hashable {
  package let arrival: Instant
  package let status: Int
  package let body: [UInt8]
  /// Whether it looks wrong, so that the one before it is kept too.
  package let isDoubtful: Bool
  /// The address that gave it.
  package let url: String

  package init(arrival: Instant, status: Int, body: [UInt8], isDoubtful: Bool, url: String = "") {
    self.url = url
    self.arrival = arrival
    self.status = status
    self.body = body
    self.isDoubtful = isDoubtful
  }

  package var response: HTTPResponse { HTTPResponse(status: status, body: body, arrival: arrival, url: url) }
}

/// Why a call failed, as it can be kept: a stable word and what was said.
package struct CallFailure: Error, Sendable, Hashable {
  package let code: String
  package let message: String?

  package init(_ code: String, _ message: String? = nil) {
    self.code = code
    self.message = message
  }
}
