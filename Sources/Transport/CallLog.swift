package import HTTP
import JSON
package import Quotes

/// What is known about one owner's calls: for each request, when it was last sent, the outcome, and the last answers.
/// Stored as one record of the cache.
struct CallLog: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    /// The request as sent, without secrets.
    let request: String
    var lastCall: Instant
    /// Whether the request left the machine, as far as known. If its host was not resolved, it cost nothing.
    var wasSent = true
    /// Whether the call has been recorded as sent but its outcome has not. Another process is waiting for the answer,
    /// or ended without recording it.
    var isUnderway = false
    /// The number of consecutive failures.
    var failures = 0
    /// The reason for the last failure; nil after a success.
    var failure: CallFailure?
    /// Distinguishes this secret from others without revealing it.
    var secretMark: String
    /// Other secrets that have failed since the last success, newest last.
    var refused: [Refusal] = []
    /// At most two, newest first.
    var answers: [KeptAnswer] = []

    struct Refusal: Sendable, Equatable {
      let mark: String
      let time: Instant
      let failures: Int
    }

    /// The number of different secrets tried without a pause; the next one waits like a failed one.
    private static let maximumRefused = 4
  }

  var entries: [Entry] = []

  /// Requests that contain a date pile up, so the oldest beyond this number are dropped.
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
  /// Returns when the request was last sent with a secret, and its consecutive failures; nil if it may be sent right
  /// away, because a failure with a wrong secret should not delay another one.
  func attempt(with mark: String) -> (time: Instant, failures: Int)? {
    if mark == secretMark || failures == 0 { return (lastCall, failures) }
    if let refusal = refused.first(where: { $0.mark == mark }) { return (refusal.time, refusal.failures) }
    return refused.count < Self.maximumRefused ? nil : (lastCall, failures)
  }

  /// Records that the request is being sent.
  mutating func begin(at time: Instant, with mark: String) {
    if mark != secretMark, failures > 0 {
      refused.append(Refusal(mark: secretMark, time: lastCall, failures: failures))
      failures = refused.first { $0.mark == mark }?.failures ?? 0
      refused.removeAll { $0.mark == mark }
      if refused.count > Self.maximumRefused { refused.removeFirst() }
    }
    (lastCall, secretMark) = (time, mark)
    (wasSent, isUnderway) = (true, true)
  }

  /// Records what came of the request, which was sent or not.
  mutating func end(_ worth: CallWorth, with answer: KeptAnswer?) {
    if case .bad(let failure) = worth {
      if wasSent { failures += 1 }
      self.failure = failure
      return
    }
    (failures, failure, refused) = (0, nil, [])
    guard var answer else { return }
    answer.isDoubtful = worth == .doubtful
    answers = answer.isDoubtful ? [answer] + answers.filter { !$0.isDoubtful }.prefix(1) : [answer]
  }
}

extension CallLog {
  /// Returns nil for anything that `encoded` did not write.
  init?(decoding bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes), let requests = document.root["requests"] else { return nil }
    for node in requests.elements {
      guard let request = node["request"]?.string, let lastCall = node["called"]?.string.flatMap(Self.instant),
        let failures = CallCounts.count(node["failures"]), let mark = node["mark"]?.string
      else { return nil }
      var entry = Entry(request: request, lastCall: lastCall, failures: failures, secretMark: mark)
      entry.wasSent = node["unsent"]?.boolean != true
      entry.isUnderway = node["underway"]?.boolean == true
      if let code = node["failure"]?.string {
        // Another version of the program may have written it.
        entry.failure = CallFailure(Missing(code: code) ?? .noAnswer(.transport), node["message"]?.string)
      }
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
          let failures = CallCounts.count(refusal["failures"])
        else { return nil }
        entry.refused.append(.init(mark: mark, time: time, failures: failures))
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
    var json: JSONValue = ["request": .string(request), "called": .string(lastCall.iso8601)]
    if !wasSent { json += ["unsent": true] }
    if isUnderway { json += ["underway": true] }
    json += ["failures": .integer(failures)]
    if let failure {
      json += ["failure": .string(failure.reason.code)]
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
            "mark": .string($0.mark), "called": .string($0.time.iso8601),
            "failures": .integer($0.failures),
          ]
        }
      ]
    }
    return json + ["mark": .string(secretMark), "answers": answers]
  }
}

/// An answer as stored on disk, without secrets.
package struct KeptAnswer: Sendable, Hashable {
  package let arrival: Instant
  package let status: Int
  package let body: [UInt8]
  /// Whether it looks wrong, in which case the previous answer is kept too.
  package var isDoubtful = false
  package var url = ""

  package var response: HTTPResponse { HTTPResponse(status: status, body: body, arrival: arrival, url: url) }
}

/// The reason for a failed call in a form that can be stored: a stable code and a message.
package struct CallFailure: Error, Sendable, Hashable {
  package let reason: Missing
  package let message: String?

  package init(_ reason: Missing, _ message: String? = nil) { (self.reason, self.message) = (reason, message) }
}
