import Config
import Mapping
package import Quotes

/// The order book of one pair in a trial.
package struct TrialBook: Sendable {
  package let market: Market
  package let pair: Pair
  package let outcome: Result<OrderBook, PriceObjection>
  /// The price that the table of all pairs has; nil where it has none.
  let price: Decimal?
  let spec: BookSpec
  /// What was asked for it.
  let answers: [TrialAnswer]

  /// What came.
  func side(_ hooks: HookRegistry) -> DriftSide { DriftSide(answers.compactMap(\.response), hook: spec.hook, hooks) }

  /// What has changed since the recording.
  func drift(_ base: ExchangeTrial?, _ hooks: HookRegistry) -> [TrialFinding] {
    let books = (base?.books ?? []).filter { $0.market == market && (try? $0.outcome.get()) != nil }
    guard let old = books.first(where: { $0.pair == pair }) ?? books.first else { return [] }
    return AnswerDrift.drifts(old.side(hooks), side(hooks), of: spec).flatMap(\.findings)
      .map { $0.prefixed("\(market.rawValue): the order book of \(pair)") }
  }

  package var finding: TrialFinding? {
    let name = "\(market.rawValue): the order book of \(pair)"
    switch outcome {
    case .failure(let objection): return TrialFinding(.problem, "\(name): \(objection.code)")
    case .success(let book):
      guard let bid = book.bids.first, let ask = book.asks.first else {
        return TrialFinding(.problem, "\(name) has no \(book.bids.isEmpty ? "bids" : "asks")")
      }
      // A price and a size that are swapped, another pair, another unit.
      guard let price, bid.price > price * 2 || price > ask.price * 2 else { return nil }
      return TrialFinding(.problem, "\(name) has \(bid.price) to \(ask.price), and the price in the table is \(price)")
    }
  }

  /// What of it is kept beside a cassette.
  var recordCells: [String] {
    switch outcome {
    case .failure(let objection): return ["(failed)", objection.code]
    case .success(let book):
      func side(_ name: String, _ levels: [OrderBook.Level]) -> String {
        let best = levels.first.map { " \($0.size) at \($0.price)" } ?? ""
        let worst = levels.last.map { " to \($0.size) at \($0.price)" } ?? ""
        return "\(levels.count) \(name)\(best)\(worst)"
      }
      return ["(order book)", side("bids", book.bids), side("asks", book.asks)]
    }
  }
}
