package import Config
package import HTTP
import JSON
package import Quotes

/// Reads order books out of answers.
package enum BookReader {
  /// - Throws: `TableFailure` where the answer is an error, has no such levels, or one without a number: half a book
  ///   would give a wrong price.
  package static func book(
    _ spec: BookSpec, answer: HTTPResponse, hooks: HookRegistry
  ) throws(TableFailure) -> OrderBook {
    let document = try AnswerReader.document(answer, hook: spec.hook, hooks: hooks, success: spec.success)
    try AnswerReader.check(document, status: answer.status, success: spec.success, isForPair: true)
    let book = OrderBook(
      bids: try levels(of: spec.bids, in: document), asks: try levels(of: spec.asks, in: document))
    if book.bids.isEmpty, book.asks.isEmpty { throw TableFailure(.emptyAnswer, "the order book is empty") }
    if book.isCrossed { throw TableFailure(.noAnswer("book-crossed"), "a bid is above an ask") }
    return book
  }

  private static func levels(
    of side: BookSpec.Side, in document: JSONDocument
  ) throws(TableFailure) -> [OrderBook.Level] {
    var levels: [OrderBook.Level] = []
    for row in try TreeRow.rows(of: side.rows, in: document) {
      let reader = NodeReader(row: row, response: document.root)
      guard let price = reader.number(side.price), let size = reader.number(side.size) else {
        throw TableFailure(.notANumber, "a level of the order book has no price or no size")
      }
      levels.append(OrderBook.Level(price: price, size: size))
    }
    return levels
  }
}
