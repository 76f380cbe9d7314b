import HTTP
import Mapping
package import Quotes

/// The newest trades of a pair.
package struct TradeList: Sendable, Hashable {
  /// Oldest first.
  package let trades: [Trade]
  /// The number of rows without a price or a time.
  package let incomplete: Int
  /// What makes their sizes doubtful; nil if nothing does.
  package var doubt: DataFinding?

  func scaled(by factor: Decimal) -> TradeList {
    TradeList(trades: trades.map { $0.scaled(by: factor) }, incomplete: incomplete, doubt: doubt)
  }
}

extension TradePlan {
  /// Returns the newest trades of a response, with an explanation if the options ask for one.
  func reading(
    of count: Int, in answer: HTTPResponse, _ context: ReadingContext, _ options: Interpretation,
    _ multiplier: Decimal?
  ) throws(AnswerFailure) -> (TradeList, [ExplainedRecord]) {
    let (trades, incomplete) = try trades(in: answer, context)
    let list = TradeList(trades: Array(trades.suffix(count)), incomplete: incomplete)
    guard options.traces, let newest = trades.last else { return (list, []) }
    return (list, try explained(newest, in: answer, context, multiplier: multiplier))
  }
}
