/// Why there is no answer, or none that could be read as one. The raw values are shown and written, after `no-answer`.
package enum NoAnswer: String, Sendable, CaseIterable {
  /// The host is unknown or does not answer, or the connection broke.
  case unreachable
  /// This machine has no open file left for a connection.
  case tooManyFiles = "too-many-files"
  case tls
  /// A redirect that is not followed.
  case redirect
  /// The compression of the answer is unknown or damaged.
  case encoding
  /// The run ended before the answer.
  case cancelled
  /// The library that sends requests reports something else.
  case transport
  /// A replay lacks the answer.
  case notRecorded = "not-recorded"
  /// The answer has too many bytes, rows or values, or takes too many requests.
  case tooLarge = "too-large"
  /// The answer is about another pair.
  case otherPair = "other-pair"
  /// Levels of an order book are of neither side.
  case bookSide = "book-side"
  /// A bid of the order book is above an ask.
  case bookCrossed = "book-crossed"
  /// The candles are of another interval, or an ended one has changed.
  case candleStep = "candle-step"
  /// A candle has not begun.
  case candleTime = "candle-time"
  /// Two candles of one start differ.
  case candleTwice = "candle-twice"
  /// A needed answer is not among the saved ones.
  case noResponse = "no-response"
  /// There are more saved answers than are read.
  case tooManyResponses = "too-many-responses"
  /// A span of candles takes too many requests.
  case tooManyRequests = "too-many-requests"
  /// The exchange's block in the config is invalid.
  case config
  /// All rows of the account are left out by its conditions.
  case rowsLeftOut = "rows-left-out"
  /// The provider's budget of calls is used up.
  case overBudget = "over-budget"
  /// The provider has nothing new yet.
  case tooEarly = "too-early"
  /// The calls of a provider with a budget cannot be counted.
  case uncountable
  /// The last call of the provider was cut off.
  case cutOff = "cut-off"
}
