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
    let limit = what == .lastTrade ? 3_600_000 : staleAfterMilliseconds
    guard age > Int64(clamping: Int128(limit) * 1_000_000) else { return nil }
    let most = what == .lastTrade ? "1 h" : "\(Decimal(mantissa: Int128(limit), exponent: -3).shortest) s"
    // Times in a unit that is too small are of 1970.
    return Flag(
      .stale, "its \(what.rawValue) is \(MeaningCheck.text(nanoseconds: age)) old, more than \(most)",
      advice: age > Self.oldestNanoseconds ? .timeUnit : nil)
  }

  /// Twenty years, before any exchange.
  private static let oldestNanoseconds: Int64 = 20 * 365 * 86_400_000_000_000

  /// Formats a duration in suitable units, to the next second and the nearest minute or day: `61.5 s`, `59 min 30 s`,
  /// `9 h`, `26 h 5 min`, `3 d`. A difference of whole hours is one of time zones: it must not end up below them.
  static func text(nanoseconds: Int64) -> String {
    let exact = Decimal(mantissa: Int128(nanoseconds), exponent: -9)
    if nanoseconds < 120_000_000_000 { return exact.rounded(toPlaces: 3).shortest + " s" }
    func text(_ count: Int64, _ unit: String, of size: Int64, _ smaller: String) -> String {
      count % size == 0 ? "\(count / size) \(unit)" : "\(count / size) \(unit) \(count % size) \(smaller)"
    }
    let seconds = nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000 == 0 ? 0 : 1)
    if seconds < 7200 { return text(seconds, "min", of: 60, "s") }
    let minutes = (seconds + 30) / 60
    return minutes < 2880 ? text(minutes, "h", of: 60, "min") : "\((minutes + 720) / 1440) d"
  }
}
