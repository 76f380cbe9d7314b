import Quotes

/// A comparison of what is traded in the candles of messages and of answers, by their starts: volumes in contracts, or
/// in money, are plausible by themselves.
///
/// A running candle grows, and an answer may be older than a message. So one that differs is doubted, and the next answer
/// decides: it has either caught up with the last message, or differs from it by the same factor again.
struct ComparedCandles: Sendable {
  /// What differs, in a message and in an answer.
  typealias Difference = (figure: String, streamed: Decimal, polled: Decimal)

  /// The last candles of answers, and the last one of a message.
  private var polled: [Candle] = []
  private var streamed: Candle?
  /// The candle of an answer that differed, in what, and by which factor.
  private var doubt: (candle: Candle, figure: String, factor: Decimal)?
  /// Whether a later answer has differed from the message before it by the same factor.
  private var isConfirmed = false
  /// The number of answers since the first doubt.
  private var answers = 0
  /// Whether a candle has agreed.
  private var isSettled = false

  /// The least factor between two units: contracts, lots, or the other currency.
  private static let leastFactor: Decimal = 8
  /// How much the factors of two comparisons may differ, as what is traded between a message and an answer is unknown.
  private static let tolerance: Decimal = 2
  /// How many answers are asked for at once; those that have not decided by then, have nothing that can be compared.
  private static let maximumAnswers = 5

  /// Whether another answer has to decide.
  var needsAnswer: Bool { doubt != nil && answers < Self.maximumAnswers }

  mutating func take(answer candles: [Candle]) {
    guard !isSettled else { return }
    polled = candles
    if doubt != nil { answers += 1 }
    guard let streamed, let other = polled.last(where: { $0.start == streamed.start }) else { return }
    switch Self.comparison(of: streamed, and: other) {
    case .agreement?: settle()
    case .difference(let difference, let factor)?:
      isConfirmed = doubt.map { $0.candle != other && Self.isSame($0, difference, factor) } ?? false
    case nil: break
    }
  }

  /// Takes a candle of a message.
  ///
  /// - Returns: In what it differs, if two answers say so.
  mutating func take(_ candle: Candle) -> Difference? {
    guard !isSettled else { return nil }
    streamed = candle
    guard let other = polled.last(where: { $0.start == candle.start }) else { return nil }
    switch Self.comparison(of: candle, and: other) {
    case .agreement?: settle()
    case .difference(let difference, let factor)?:
      if let doubt, doubt.figure == difference.figure {
        if doubt.candle == other { return nil }
        if isConfirmed, Self.isSame(doubt, difference, factor) { return difference }
      }
      (doubt, isConfirmed) = ((other, difference.figure, factor), false)
    case nil: break
    }
    return nil
  }

  private mutating func settle() { (isSettled, doubt, polled, streamed) = (true, nil, [], nil) }

  private enum Comparison {
    case agreement
    case difference(Difference, factor: Decimal)
  }

  /// Compares two candles of one start; nil if they have no figure in common.
  private static func comparison(of candle: Candle, and other: Candle) -> Comparison? {
    let pairs = [("volume", candle.volume, other.volume), ("turnover", candle.turnover, other.turnover)]
    var hasAgreed = false
    for (figure, own, theirs) in pairs {
      guard let own = own.value, let theirs = theirs.value, own.signum > 0, theirs.signum > 0,
        let factor = own.divided(by: theirs)
      else { continue }
      if isFar(factor, 1, leastFactor) { return .difference((figure, own, theirs), factor: factor) }
      hasAgreed = true
    }
    return hasAgreed ? .agreement : nil
  }

  private static func isSame(
    _ doubt: (candle: Candle, figure: String, factor: Decimal), _ difference: Difference, _ factor: Decimal
  ) -> Bool {
    doubt.figure == difference.figure && !isFar(factor, doubt.factor, tolerance)
  }

  /// Returns whether one factor is another one times `limit`, or more, or the other way round.
  private static func isFar(_ one: Decimal, _ other: Decimal, _ limit: Decimal) -> Bool {
    one >= other * limit || other >= one * limit
  }
}
