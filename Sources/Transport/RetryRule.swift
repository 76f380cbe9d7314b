import CCurl
import HTTP
import Quotes

/// When an answer, or the lack of one, is reason to ask again, and how long to wait before.
package struct RetryRule: Sendable, Equatable {
  /// How often a request is tried again after all of its URLs have failed. 0 = never.
  package var maximumRetries = 2
  /// The wait before the first retry; it doubles with each further one.
  package var firstDelay: Duration = .milliseconds(200)
  package var longestDelay: Duration = .seconds(5)
  /// An exchange that asks for a longer pause than this is not asked again in this run.
  package var longestRetryAfter: Duration = .seconds(30)

  package init() {}

  /// What to do after one sending.
  struct Verdict: Hashable, Sendable {
    /// The next URL may do better.
    var mayFailOver: Bool
    /// The same URL may do better later.
    var mayRetry: Bool
  }

  static func verdict(on outcome: Result<HTTPResponse, TransportError>) -> Verdict {
    switch outcome {
    case .success(let response) where response.status == 429: Verdict(mayFailOver: false, mayRetry: true)
    case .success(let response): verdict(onStatus: response.status)
    case .failure(.timeout), .failure(.cannotResolve), .failure(.cannotConnect), .failure(.brokenOff):
      Verdict(mayFailOver: true, mayRetry: true)
    // Another host has a certificate of its own; the same one is not asked twice.
    case .failure(.tls): Verdict(mayFailOver: true, mayRetry: false)
    case .failure: Verdict(mayFailOver: false, mayRetry: false)
    }
  }

  /// The server's own failures (RFC 9110 §15.6) may pass. All others stand: 4xx says what is wrong with the question,
  /// and 403, 418 and 451 also mean that an exchange counts those who keep asking.
  private static func verdict(onStatus status: Int) -> Verdict {
    let isServerFailure = (500...599).contains(status)
    return Verdict(mayFailOver: isServerFailure, mayRetry: isServerFailure)
  }

  /// The wait before a retry in nanoseconds: exponential, and between half and all of it by chance, so that those who
  /// failed together do not come back together. `retry` counts from 0, `chance` is in `0..<1`.
  func delay(before retry: Int, chance: Double) -> Int64 {
    let doubled = firstDelay.nanoseconds.multipliedReportingOverflow(by: 1 << Int64(min(max(retry, 0), 40)))
    let longest = min(doubled.overflow ? .max : doubled.partialValue, longestDelay.nanoseconds)
    return longest / 2 + Int64(Double(longest / 2) * chance)
  }
}

/// The pause that an exchange asks for with `Retry-After` (RFC 9110 §10.2.3).
enum RetryAfter {
  /// Nanoseconds to wait from `wall` (nanoseconds since 1970) on, at least 0; nil where there is no such header or it
  /// is neither a number of seconds nor a date.
  static func pause(_ headers: [HTTPHeader], wall: Int64) -> Int64? {
    guard let value = headers.first(named: "Retry-After"), !value.isEmpty else { return nil }
    if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // More digits than a number holds are a very long pause, not a mistake.
      let seconds = Int64(value) ?? .max
      return seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow ? .max : seconds * 1_000_000_000
    }
    guard value.utf8.first.map({ $0 > UInt8(ascii: "9") }) == true, let date = HTTPDate.instant(value) else {
      return nil
    }
    return max(0, date - wall)
  }
}

/// Dates as headers write them (RFC 9110 §5.6.7), the obsolete forms too.
package enum HTTPDate {
  /// Nanoseconds since 1970; nil for anything but a date, and without libcurl to read it. A date beyond
  /// the year 2262 is the last moment there is.
  package static func instant(_ text: String) -> Int64? {
    guard let curl = try? CurlLibrary.textFunctions() else { return nil }
    let seconds = Int64(curl.getdate(text, nil))
    let (nanoseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return seconds < 0 ? nil : isBeyond ? .max : nanoseconds
  }
}
