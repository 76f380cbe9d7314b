import Quotes

/// A comparison of what is traded in the candles of messages and of answers, by their starts: volumes in contracts, or
/// in money, are plausible by themselves.
///
/// A running candle grows, and an answer may be older than a message. So one that differs is doubted, and another answer
/// decides: two units differ by the same factor again, two moments do not.
struct ComparedCandles: Sendable {
  /// What differs, in a message and in an answer.
  typealias Difference = (figure: String, streamed: Decimal, polled: Decimal)

  /// The last candles of answers.
  private var polled: [Candle] = []
  /// The candle of an answer that differed, in what, and by which factor.
  private var doubt: (candle: Candle, figure: String, factor: Decimal)?
  /// Whether a candle has agreed.
  private var isSettled = false

  /// The least factor between two units: contracts, lots, or the other currency.
  private static let leastFactor: Decimal = 8
  /// How much the factors of two comparisons may differ, as what is traded between a message and an answer is unknown.
  private static let tolerance: Decimal = 2

  /// Whether another answer has to decide.
  var needsAnswer: Bool { doubt != nil }

  mutating func take(answer candles: [Candle]) {
    if !isSettled { polled = candles }
  }

  /// Takes a candle of a message.
  ///
  /// - Returns: In what it differs, if two answers say so.
  mutating func take(_ candle: Candle) -> Difference? {
    guard !isSettled, let other = polled.last(where: { $0.start == candle.start }) else { return nil }
    let pairs = [("volume", candle.volume, other.volume), ("turnover", candle.turnover, other.turnover)]
    var hasAgreed = false
    for (figure, own, theirs) in pairs {
      guard let own = own.value, let theirs = theirs.value, own.signum > 0, theirs.signum > 0,
        let factor = own.divided(by: theirs)
      else { continue }
      guard Self.isFar(factor, 1, Self.leastFactor) else {
        hasAgreed = true
        continue
      }
      guard let doubt, doubt.figure == figure else {
        self.doubt = (other, figure, factor)
        return nil
      }
      if doubt.candle == other { return nil }
      if !Self.isFar(factor, doubt.factor, Self.tolerance) { return (figure, own, theirs) }
      self.doubt = (other, figure, factor)
      return nil
    }
    if hasAgreed { (isSettled, doubt, polled) = (true, nil, []) }
    return nil
  }

  /// Returns whether one factor is another one times `limit`, or more, or the other way round.
  private static func isFar(_ one: Decimal, _ other: Decimal, _ limit: Decimal) -> Bool {
    one >= other * limit || other >= one * limit
  }
}
