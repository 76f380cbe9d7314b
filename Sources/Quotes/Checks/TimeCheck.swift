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

  /// Returns what is wrong with the time at which an exchange sent a quote.
  package func quoteFinding(time: Instant, arrival: Instant) -> Flag? { ageFinding(time, of: .quote, arrival: arrival) }

  /// Returns what is wrong with the time of a last trade, for which there is no setting.
  package static func tradeFinding(time: Instant, arrival: Instant) -> Flag? {
    MeaningCheck().ageFinding(time, of: .lastTrade, arrival: arrival)
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
    if time.isFuture(at: arrival) {
      let lead = DurationText.shown(nanoseconds: time.nanoseconds(since: arrival))
      return Flag(.stale, .futureTime(nanoseconds: lead), advice: .timeUnit)
    }
    let age = arrival.nanoseconds(since: time)
    let limit = what == .lastTrade ? 3_600_000 : staleAfterMilliseconds
    guard age > Int64(clamping: Int128(limit) * 1_000_000) else { return nil }
    // Times in a unit that is too small are of 1970.
    return Flag(
      .stale, .old(what, nanoseconds: DurationText.shown(nanoseconds: age), limitMilliseconds: limit),
      advice: age > Self.oldestNanoseconds ? .timeUnit : nil)
  }

  /// Twenty years, before any exchange.
  private static let oldestNanoseconds: Int64 = 20 * 365 * Instant.day
}
