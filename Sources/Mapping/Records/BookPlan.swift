package import Config
package import HTTP
package import Quotes

/// The order book of one pair, compiled: each side is a list of records with a price and a size.
package struct BookPlan: Sendable {
  private let bids: RecordPlan<LevelField>
  private let asks: RecordPlan<LevelField>
  private let hook: String?

  /// - Parameter usesScan: false reads every answer through a tree: see ``RecordPlan``.
  package init(_ spec: BookSpec, usesScan: Bool = true) {
    func side(_ side: BookSpec.Side) -> RecordPlan<LevelField> {
      let fields = [LevelField.price.rawValue: side.price, LevelField.size.rawValue: side.size]
      return RecordPlan(
        RecordSpec(rows: side.rows, success: spec.success, fields: fields, mayBeEmpty: true), usesScan: usesScan)
    }
    bids = side(spec.bids)
    asks = side(spec.asks)
    hook = spec.hook
  }

  /// - Throws: `TableFailure` where the answer is an error, has no such levels, or one without a number: half a book
  ///   would give a wrong price.
  package func book(
    in answer: HTTPResponse, request: RequestContext, hooks: HookRegistry
  ) throws(TableFailure) -> OrderBook {
    let body = try AnswerReader.json(answer, hook: hook, hooks: hooks)
    let answer = HTTPResponse(status: answer.status, body: body)
    let context = ReadingContext(request: request)
    let book = OrderBook(
      bids: try Self.levels(bids.records(in: answer, context)), asks: try Self.levels(asks.records(in: answer, context))
    )
    if book.bids.isEmpty, book.asks.isEmpty { throw TableFailure(.emptyAnswer, "the order book is empty") }
    if book.isCrossed { throw TableFailure(.noAnswer("book-crossed"), "a bid is above an ask") }
    return book
  }

  private static func levels(_ records: [Record<LevelField>]) throws(TableFailure) -> [OrderBook.Level] {
    var levels: [OrderBook.Level] = []
    for record in records {
      guard let price = record.number(.price), let size = record.number(.size) else {
        throw TableFailure(.notANumber, "a level of the order book has no price or no size")
      }
      levels.append(OrderBook.Level(price: price, size: size))
    }
    return levels
  }
}
