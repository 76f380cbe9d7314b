/// The age of a row or an order book when it arrived.
///
/// A quote or a book is either recent or stale. A last trade's price stays valid for up to an hour. No time may lie in
/// the future, except by the five seconds that clocks may differ. An unreadable time is no better than an old one: it
/// does not prove that the price is recent. Without a time, all that is known is the age of the answer, if a cache says
/// it.
extension MeaningCheck {
  func timeFinding(_ ticker: Ticker, arrival: Instant?) -> Flag? {
    guard let time = ticker.time else { return unreadFinding(ticker.timeMissing) ?? answerFinding(arrival) }
    guard let arrival else { return nil }
    return ageFinding(time, of: ticker.timeBasis == .quote ? .quote : .lastTrade, arrival: arrival)
  }

  /// Returns what is wrong with the time of an order book.
  ///
  /// - Parameters:
  ///   - time: The exchange's time of the book.
  ///   - missing: Why there is no time; nil if there is one, or if the exchange does not offer it.
  ///   - arrival: When the answer arrived; nil if unknown (a file), which skips the age check.
  package func bookFinding(time: Instant?, missing: Missing?, arrival: Instant?) -> Flag? {
    guard let time else { return unreadFinding(missing) ?? answerFinding(arrival) }
    return arrival.flatMap { ageFinding(time, of: .orderBook, arrival: $0) }
  }

  private func unreadFinding(_ missing: Missing?) -> Flag? {
    switch missing {
    case .notANumber?, .pathMany?: Flag(.time, .unreadTime, advice: .timeUnit)
    default: nil
    }
  }

  /// Returns that the answer is old, whatever it contains.
  private func answerFinding(_ arrival: Instant?) -> Flag? {
    guard let made = answerMade, let arrival else { return nil }
    return ageFinding(made, of: .answer, arrival: arrival)
  }

  private func ageFinding(_ time: Instant, of what: Flag.Dated, arrival: Instant) -> Flag? {
    let second: Int64 = 1_000_000_000
    let age = arrival.nanoseconds(since: time)
    if age < -5 * second {
      return Flag(.stale, .futureTime(nanoseconds: Self.shown(nanoseconds: -max(age, -Int64.max))), advice: .timeUnit)
    }
    let limit = what == .lastTrade ? 3_600_000 : staleAfterMilliseconds
    guard age > Int64(clamping: Int128(limit) * 1_000_000) else { return nil }
    // Times in a unit that is too small are of 1970.
    return Flag(
      .stale, .old(what, nanoseconds: Self.shown(nanoseconds: age), limitMilliseconds: limit),
      advice: age > Self.oldestNanoseconds ? .timeUnit : nil)
  }

  /// Twenty years, before any exchange.
  private static let oldestNanoseconds: Int64 = 20 * 365 * 86_400_000_000_000

  /// Formats a duration in suitable units, to the next second and the nearest minute or day: `61.5 s`, `59 min 30 s`,
  /// `9 h`, `26 h 5 min`, `3 d`. A difference of whole hours is one of time zones: it must not end up below them.
  package static func text(nanoseconds: Int64, _ units: DurationUnits = DurationUnits()) -> String {
    let exact = Decimal(mantissa: Int128(nanoseconds), exponent: -9)
    if nanoseconds < 120_000_000_000 { return exact.rounded(toPlaces: 3).shortest + units.seconds }
    func text(_ count: Int64, _ unit: String, of size: Int64, _ smaller: String) -> String {
      count % size == 0 ? "\(count / size)\(unit)" : "\(count / size)\(unit) \(count % size)\(smaller)"
    }
    let seconds = nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000 == 0 ? 0 : 1)
    if seconds < 7200 { return text(seconds, units.minutes, of: 60, units.seconds) }
    let minutes = (seconds + 30) / 60
    return minutes < 2880
      ? text(minutes, units.hours, of: 60, units.minutes) : "\((minutes + 720) / 1440)\(units.days)"
  }

  /// Returns a duration as exact as ``text(nanoseconds:_:)`` has it.
  private static func shown(nanoseconds: Int64) -> Int64 {
    let (millisecond, second, minute, day) = (Int64(1_000_000), Int64(1_000_000_000), Int64(60), Int64(86_400))
    if nanoseconds < 120 * second { return (nanoseconds + millisecond / 2) / millisecond * millisecond }
    let seconds = nanoseconds / second + (nanoseconds % second == 0 ? 0 : 1)
    if seconds < 7200 { return seconds * second }
    let minutes = (seconds + 30) / minute
    if minutes < 2880 { return minutes * minute * second }
    let (whole, isTooLong) = ((minutes + 720) / 1440).multipliedReportingOverflow(by: day * second)
    return isTooLong ? nanoseconds : whole
  }

  /// Formats the limit of an age: `60 s`, `1 h`.
  package static func text(limitMilliseconds: Int, _ units: DurationUnits = DurationUnits()) -> String {
    limitMilliseconds == 3_600_000
      ? "1\(units.hours)" : Decimal(mantissa: Int128(limitMilliseconds), exponent: -3).shortest + units.seconds
  }
}

/// What follows the number of a duration, by unit.
package struct DurationUnits: Sendable {
  package var (seconds, minutes, hours, days) = (" s", " min", " h", " d")

  package init() {}
}
