import CCurl
import HTTP
package import Quotes

/// When a response, or the lack of one, warrants another attempt, and how long to wait before it.
package struct RetryRule: Sendable, Equatable {
  /// The number of retries after all URLs of a request have failed; 0 for none.
  package var maximumRetries = 2
  /// The wait before the first retry; it doubles with each further one.
  package var firstDelay: Duration = .milliseconds(200)
  package var maximumDelay: Duration = .seconds(5)
  /// A longer pause that an exchange asks for is not waited for: until it is over, its answer is repeated.
  package var maximumRetryAfter: Duration = .seconds(30)

  package init() {}

  /// What to do after an attempt.
  struct Verdict: Hashable, Sendable {
    /// The next URL may succeed.
    var mayFailOver: Bool
    /// The same URL may succeed later.
    var mayRetry: Bool
  }

  /// - Parameter isSigned: Whether the request bears a key. Exchanges lock keys that keep failing, and ban their
  ///   addresses, so it is only sent again if nothing indicates that they have seen and refused it.
  static func verdict(on outcome: Result<HTTPResponse, TransportError>, isSigned: Bool = false) -> Verdict {
    switch outcome {
    case .success(let response) where isSigned && response.isFinalForKey: Verdict(mayFailOver: false, mayRetry: false)
    case .success(let response) where response.status == 429: Verdict(mayFailOver: false, mayRetry: true)
    // Server errors (RFC 9110 §15.6) may be temporary. All others are final: 4xx means the request is wrong, and for
    // 403, 418 and 451 exchanges also penalise clients that keep trying.
    case .success(let response) where 500...599 ~= response.status: Verdict(mayFailOver: true, mayRetry: true)
    case .success: Verdict(mayFailOver: false, mayRetry: false)
    case .failure(.timeout), .failure(.cannotResolve), .failure(.cannotConnect), .failure(.brokenOff):
      Verdict(mayFailOver: true, mayRetry: true)
    // Soon others may have closed theirs.
    case .failure(.tooManyFiles): Verdict(mayFailOver: false, mayRetry: true)
    // Another host has its own certificate; the same one is not tried twice.
    case .failure(.tls): Verdict(mayFailOver: true, mayRetry: false)
    case .failure: Verdict(mayFailOver: false, mayRetry: false)
    }
  }

  /// Returns the wait before a retry in nanoseconds: exponential, and randomly between half and all of it, so that
  /// clients that failed together do not return together. `retry` counts from 0, `chance` is in `0..<1`.
  func delay(before retry: Int, chance: Double) -> Int64 {
    let doubled = firstDelay.nanoseconds.multipliedReportingOverflow(by: 1 << Int64(min(max(retry, 0), 40)))
    let longest = min(doubled.overflow ? .max : doubled.partialValue, maximumDelay.nanoseconds)
    return longest / 2 + Int64(Double(longest / 2) * chance)
  }
}

extension HTTPResponse {
  /// Whether a key must not be sent again: the exchange wants less without saying when, or has answered a server error
  /// with words of its own, as some do to a key they refuse (`["error",10100,"apikey: invalid"]`).
  fileprivate var isFinalForKey: Bool {
    guard status == 429 || 500...599 ~= status, RetryAfter.pause(headers, wall: Instant(nanoseconds: 0)) == nil else {
      return false
    }
    let first = body.first { $0 > 0x20 }
    return status == 429 || first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

/// The pause that an exchange requests with `Retry-After` (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// Returns the nanoseconds to wait, at least 0; nil if the header is missing or is neither a number of seconds nor a
  /// date. A date is one of the host's clock, so it is measured from the answer's own `Date`, if it has one. A fraction
  /// of a second counts as a whole one, and of a list the first number, although the standard knows neither.
  ///
  /// - Parameter wall: This machine's time.
  static func pause(_ headers: [HTTPHeader], wall: Instant) -> Int64? {
    let sent = headers.first(named: "Date").flatMap { HTTPDate.instant($0) }
    return headers.first(named: "Retry-After").flatMap { pause($0, wall: sent ?? wall) }
  }

  /// Returns the same for the header's value.
  package static func pause(_ value: String, wall: Instant) -> Int64? {
    if let seconds = seconds(value.prefix { $0 != "," }.trimmingBlanks()) {
      return seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow ? .max : seconds * 1_000_000_000
    }
    guard value.utf8.first.map({ $0 > UInt8(ascii: "9") }) == true, let date = HTTPDate.instant(value) else {
      return nil
    }
    return max(0, date.nanoseconds(since: wall))
  }

  /// Returns the number, rounded up; nil if it is none.
  private static func seconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
      return nil
    }
    let isFraction = parts.count == 2 && parts[1].contains { $0 != "0" }
    // A number too large for Int64 is a very long pause, not a mistake.
    guard let seconds = Int64(whole), seconds < .max else { return .max }
    return isFraction ? seconds + 1 : seconds
  }
}

/// Dates in HTTP headers (RFC 9110 §5.6.7), including the obsolete forms.
package enum HTTPDate {
  /// Returns nil for anything but a date, or if libcurl, which parses it, is unavailable. A
  /// date after the year 2262 is clamped to the last representable moment.
  package static func instant(_ text: String) -> Instant? {
    guard let curl = try? CurlLibrary.textFunctions() else { return nil }
    let seconds = Int64(curl.getdate(text, nil))
    let (nanoseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return seconds < 0 ? nil : Instant(nanoseconds: isBeyond ? .max : nanoseconds)
  }
}
