/// The age of a row when it arrived.
///
/// A quote is recent or it is stale. A trade may be old and its price still the last one, up to an hour. Neither may
/// lie in the future, but for the five seconds by which clocks differ.
extension MeaningCheck {
  func timeFinding(_ ticker: Ticker, arrival: Instant) -> Flag? {
    guard let time = ticker.time else { return nil }
    let second: Int64 = 1_000_000_000
    let age = arrival.nanoseconds(since: time)
    if age < -5 * second {
      let lead = MeaningCheck.text(nanoseconds: -max(age, -Int64.max))
      return Flag(
        code: "stale", message: "its time is \(lead) after the arrival: check unit and zone", excludes: true)
    }
    switch ticker.timeBasis {
    case .quote:
      guard age > Int64(clamping: Int128(staleAfterSeconds) * Int128(second)) else { return nil }
      let text = MeaningCheck.text(nanoseconds: age)
      return Flag(
        code: "stale", message: "its quote is \(text) old, more than \(staleAfterSeconds) s", excludes: true)
    case .trade:
      guard age > 3600 * second else { return nil }
      let text = MeaningCheck.text(nanoseconds: age)
      return Flag(code: "stale", message: "its last trade is \(text) old, more than 1 h", excludes: true)
    }
  }

  /// A span in the unit that suits it: `61.5 s`, `59 min`, `26 h`, `3 d`.
  private static func text(nanoseconds: Int64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    if seconds < 120 {
      return Decimal(mantissa: Int128(nanoseconds), exponent: -9).rounded(toPlaces: 3).shortest + " s"
    }
    if seconds < 7200 { return "\(seconds / 60) min" }
    return seconds < 172_800 ? "\(seconds / 3600) h" : "\(seconds / 86400) d"
  }
}
