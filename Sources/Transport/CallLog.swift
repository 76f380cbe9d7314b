package import HTTP
import JSON
package import Quotes

/// What is known of the calls of one provider: how many there were, and of each request when it was last sent, how that
/// ended, and what it last gave. One record of the cache.
struct CallLog: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    /// Method, address and body, without secrets.
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
    /// The newest first; two at most.
    var answers: [KeptAnswer] = []
  }

  /// The day or month that `calls` counts; empty where there is no budget.
  var period = ""
  var calls = 0
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

  /// The calls of a budget's period so far.
  func calls(in budget: CallRule.Budget, now: Int64) -> Int {
    period == budget.period.name(of: now) ? calls : 0
  }

  mutating func count(_ count: Int, _ budget: CallRule.Budget?, now: Int64) {
    // Without a budget the month's calls are counted all the same: people like to know.
    let name = (budget?.period ?? .month).name(of: now)
    if period != name { (period, calls) = (name, 0) }
    calls = max(0, calls + count)
  }
}

extension CallLog {
  /// nil for anything but what `encoded` wrote.
  init?(decoding bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes), let period = document.root["period"]?.string,
      let calls = document.root["calls"]?.numberText.flatMap({ Int($0) })
    else { return nil }
    self.period = period
    self.calls = calls
    for node in document.root["requests"]?.elements.map(\.self) ?? [] {
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
          KeptAnswer(arrival: arrival, status: status, body: Array(body.utf8), isDoubtful: isDoubtful))
      }
      entries.append(entry)
    }
  }

  var encoded: [UInt8] {
    let json: JSONValue = [
      "period": .string(period), "calls": .integer(calls), "requests": .list(entries) { $0.json },
    ]
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
        "doubtful": .bool(answer.isDoubtful), "body": .string(String(decoding: answer.body, as: UTF8.self)),
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

  package init(arrival: Instant, status: Int, body: [UInt8], isDoubtful: Bool) {
    self.arrival = arrival
    self.status = status
    self.body = body
    self.isDoubtful = isDoubtful
  }

  package var response: HTTPResponse { HTTPResponse(status: status, body: body, arrival: arrival) }
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
