/// Why the open of a rate is unknown, if a rule takes it from another provider's rate.
package struct OpenAbsence: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Reason: Sendable, Hashable {
    /// Its answer is not usable, or it was not asked: `timeout`, `implausible`, `disabled`.
    case unusable(code: String)
    case noneOfEarlierDay
    case undated
    case ofToday
    case old(days: Int)
    /// Its answer may be from before the day of its rate had ended: it is, or a clock that was ahead says when it arrived.
    ///
    /// - Parameter code: why there is no later answer, if one was tried.
    case early(isByClockAhead: Bool, code: String?)
    /// It may be later than the rate itself, which has no date, or is.
    case later(isUndated: Bool)
  }

  package let provider: String
  package let reason: Reason

  package var description: String { "\(provider): \(words)" }

  private var words: String {
    switch reason {
    case .unusable(let code): code
    case .noneOfEarlierDay: "no rate from an earlier day"
    case .undated: "its rate has no date"
    case .ofToday: "its rate is from today, so it is not a close"
    case .old(let days): "its last rate is \(days) days old, so it is not the last close"
    case .early(let isByClockAhead, let code):
      (isByClockAhead
        ? "a clock that was ahead recorded when it was last requested" : "it was last requested before midnight")
        + ", so its rate may not be a close" + (code.map { " (\($0))" } ?? "")
    case .later(let isUndated):
      "its last rate " + (isUndated ? "may be later than this one, which has no date" : "is later than this one")
    }
  }
}
