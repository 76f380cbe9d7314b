/// The age of a row or an order book when it arrived.
///
/// A quote or a book is either recent or stale. A last trade's price stays valid for up to an hour. No time may lie in
/// the future, except by the five seconds that clocks may differ. An unreadable time is no better than an old one: it
/// does not prove that the price is recent.
extension MeaningCheck {
  func timeFinding(_ ticker: Ticker, arrival: Instant?) -> Flag? {
    guard let time = ticker.time else { return unreadFinding(ticker.timeMissing) }
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
    guard let time else { return unreadFinding(missing) }
    return arrival.flatMap { ageFinding(time, of: .orderBook, arrival: $0) }
  }

  /// What a time belongs to, as worded in a finding.
  private enum Dated: String {
    case quote
    case lastTrade = "last trade"
    case orderBook = "order book"
  }

  private func unreadFinding(_ missing: Missing?) -> Flag? {
    switch missing {
    case .notANumber?, .pathMany?: Flag(.time, "its timestamp cannot be parsed", advice: .timeUnit)
    default: nil
    }
  }

  private func ageFinding(_ time: Instant, of what: Dated, arrival: Instant) -> Flag? {
    let second: Int64 = 1_000_000_000
    let age = arrival.nanoseconds(since: time)
    if age < -5 * second {
      let lead = MeaningCheck.text(nanoseconds: -max(age, -Int64.max))
      return Flag(.stale, "its timestamp is \(lead) later than its arrival", advice: .timeUnit)
    }
    let limit = what == .lastTrade ? 3600 : staleAfterSeconds
    guard age > Int64(clamping: Int128(limit) * Int128(second)) else { return nil }
    let most = what == .lastTrade ? "1 h" : "\(staleAfterSeconds) s"
    return Flag(.stale, "its \(what.rawValue) is \(MeaningCheck.text(nanoseconds: age)) old, more than \(most)")
  }

  /// Formats a duration in a suitable unit: `61.5 s`, `59 min`, `26 h`, `3 d`.
  private static func text(nanoseconds: Int64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    if seconds < 120 {
      return Decimal(mantissa: Int128(nanoseconds), exponent: -9).rounded(toPlaces: 3).shortest + " s"
    }
    if seconds < 7200 { return "\(seconds / 60) min" }
    return seconds < 172_800 ? "\(seconds / 3600) h" : "\(seconds / 86400) d"
  }
}
