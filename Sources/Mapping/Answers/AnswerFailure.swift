package import HTTP
package import Quotes

/// The reason why there is no answer, or none that can be used.
package struct AnswerFailure: Error, Sendable, Hashable {
  /// What is known beyond the reason.
  package enum Detail: Sendable, Hashable {
    case none
    /// Nothing but the status, which we explain.
    case status
    case theirs(String)
    case ours(String)
    /// The exchange's own words, in a member that usually explains an error, after ours.
    case quoting(String, after: String?)
    case network(TransportError)
    /// The failure of the lookup that was needed.
    indirect case lookup(AnswerFailure)
    case stream(StreamLapse)
  }

  package let reason: Missing
  package private(set) var detail: Detail
  /// What we add: what may be the cause, or what to do.
  package private(set) var remark: String?
  /// From when until when the host wants no other request; nil if it did not say.
  package private(set) var pause: Range<Instant>?

  /// - Parameter message: The exchange's words if it reports an error, or if they came with a status; else ours.
  package init(_ reason: Missing, _ message: String? = nil) {
    self.reason = reason
    detail =
      switch (reason, message) {
      case (_, nil): .none
      case (.exchangeError, let words?), (.http, let words?): .theirs(words)
      case (_, let words?): .ours(words)
      }
  }

  /// - Parameter message: What we say, of an answer that says nothing itself.
  package init(_ reason: Missing, ours message: String) { (self.reason, detail) = (reason, .ours(message)) }

  package init(_ reason: Missing, _ error: TransportError) { (self.reason, detail) = (reason, .network(error)) }

  private init(_ reason: Missing, _ detail: Detail) { (self.reason, self.detail) = (reason, detail) }

  /// Returns the failure of an answer that says nothing beyond its status.
  package static func status(_ status: Int) -> AnswerFailure { AnswerFailure(.http(status), .status) }

  /// Returns the failure of a stream.
  package static func stream(_ lapse: StreamLapse) -> AnswerFailure { AnswerFailure(lapse.reason, .stream(lapse)) }

  /// That of a pair whose messages say so, each of them.
  static let haltedStream = stream(.halted)

  /// Returns the failure of an answer whose host wants no other request for some time.
  ///
  /// - Parameter pause: nil if the host did not say.
  package func pausing(_ pause: Duration?, from moment: Instant) -> AnswerFailure {
    guard let pause else { return self }
    var failure = self
    failure.pause = moment..<max(moment, moment.advanced(by: pause))
    return failure
  }

  /// Returns the failure with words of the exchange after its message.
  func quoting(_ words: String) -> AnswerFailure { AnswerFailure(reason, .quoting(words, after: message)) }

  /// Returns the failure with a further remark of ours.
  package func adding(_ words: String) -> AnswerFailure {
    var failure = self
    failure.remark = [remark, words].compactMap(\.self).joined(separator: "; ")
    return failure
  }

  /// Returns the failure for rows that need a lookup which failed with this reason.
  package func ofLookup(_ name: String) -> AnswerFailure {
    AnswerFailure(.lookupFailed(InternedText(name)), .lookup(self))
  }

  /// Whether a replay lacks the answer, or that of a lookup that it needs.
  package var isUnrecorded: Bool {
    if case .lookup(let failure) = detail { failure.isUnrecorded } else { reason == .notRecorded }
  }

  /// What keeps a stream from providing it; nil if it is not about a stream.
  package var lapse: StreamLapse? { if case .stream(let lapse) = detail { lapse } else { nil } }

  /// What the exchange or we say about it, and what we add. Text from an exchange must be sanitized before it is shown.
  package var message: String? {
    guard let remark else { return statement }
    return statement.map { "\($0); \(remark)" } ?? remark
  }

  /// The message without the remark.
  package var statement: String? {
    switch detail {
    case .none: nil
    case .status: if case .http(let status) = reason { Self.meaning(ofStatus: status) } else { nil }
    case .theirs(let words), .ours(let words): words
    case .quoting(let words, let ours): [ours, "the answer says '\(words)'"].compactMap(\.self).joined(separator: "; ")
    case .network(let error): error.description
    case .lookup(let failure): failure.message ?? failure.reason.code
    case .stream(let lapse): lapse.sentence
    }
  }

  /// `04:22 UTC`, with the date if the pause takes half a day: the minute after which the host wants another request.
  package var pausedUntil: String? {
    guard let pause else { return nil }
    // A minute that has begun is not over.
    let end = pause.upperBound.advanced(by: .seconds(59)).iso8601
    let time = "\(end.dropFirst(11).prefix(5)) UTC"
    let isShort = pause.upperBound.nanoseconds(since: pause.lowerBound) < 43_200 * Instant.second
    return isShort ? time : "\(end.prefix(10)) \(time)"
  }

  /// `http-451: blocked in this region`, or the code alone; `http-418: banned for too many requests, until 04:22 UTC`.
  package var words: String {
    reason.code + (message.map { ": \($0)" } ?? "") + (pausedUntil.map { ", until \($0)" } ?? "")
  }

  /// `http-451 (blocked in this region)`, or the code alone.
  package var wordsInParentheses: String { reason.code + (message.map { " (\($0))" } ?? "") }

  /// Explains statuses that are commonly misread.
  private static func meaning(ofStatus status: Int) -> String? {
    switch status {
    case 206: "only a part of the answer"
    case 301, 302, 303, 307, 308: "a redirect without a target"
    case 401: "not authorised"
    case 403: "refused, usually a regional or IP block"
    case 404: "page not found"
    case 407: "the proxy requires a login"
    case 418: "banned for too many requests"
    case 429: "too many requests"
    case 451: "blocked in this region"
    case 511: "this network requires a login"
    case 500...599: "the exchange's server failed"
    default: nil
    }
  }
}

extension Missing {
  /// A replay lacks the answer.
  package static var notRecorded: Missing { .noAnswer(.notRecorded) }
}
