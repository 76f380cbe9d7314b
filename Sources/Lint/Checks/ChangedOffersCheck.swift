import Config
import JSON
import JSONPath
import Quotes

/// A check for a bid or ask that is read from the first level of a list, in messages that the order book's channel takes
/// for changes: they begin with whatever changed, such as a level that is gone, and not with the best one.
enum ChangedOffersCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.exchanges.flatMap { source, exchange in
      exchange.markets.flatMap(\.streams).flatMap(findings).map { $0.found(in: source) }
    }
  }

  private static func findings(in part: StreamPart) -> [Finding] {
    guard let channel = part[.orderbook], channel.whole != nil, let book = channel.book else { return [] }
    let known = Set(channel.conditions.map(\.text))
    let sides = book.changes ?? book.whole
    return [.ticker, .tickers, .offers].compactMap { part[$0] }.flatMap { offers -> [Finding] in
      // Any further condition may tell whole books from changes, and without one the messages may be others altogether.
      guard !offers.conditions.isEmpty, offers.conditions.allSatisfy({ known.contains($0.text) }) else { return [] }
      return [("bid", sides.bids), ("ask", sides.asks)].flatMap { name, side in
        guard let first = MessagePlace(firstPriceOf: side, in: channel.table.rows) else { return [Finding]() }
        return (offers.table.fields[name]?.choices ?? []).filter { MessagePlace($0, in: offers.table.rows) == first }
          .map { .offerOfChanges(name, at: $0.node) }
      }
    }
  }
}

extension ConditionSpec {
  fileprivate var text: String { value.node.json.text }
}

/// Where a value is in a message.
private struct MessagePlace: Equatable {
  /// The path to the rows; nil if the message has only one.
  private let rows: JSONPathQuery?
  /// The way from the row, or from the message if it has only one.
  private let steps: [SingularStep]

  private init?(_ steps: [SingularStep], in rows: RowsSpec) {
    guard case .path(let path) = rows else { return nil }
    let way = path.query.singularSteps
    (self.rows, self.steps) = (way == nil ? path.query : nil, (way ?? []) + steps)
  }

  /// Returns nil for a value that is not simply read from a row.
  init?(_ value: ValueSpec, in rows: RowsSpec) {
    guard let steps = value.stepsFromRow else { return nil }
    self.init(steps, in: rows)
  }

  /// Returns nil unless the side is a whole list.
  init?(firstPriceOf side: BookSpec.Side, in rows: RowsSpec) {
    guard side.conditions.isEmpty, case .path(let levels) = side.rows, let list = levels.query.rowContainerSteps,
      let price = side.price.stepsFromRow
    else { return nil }
    self.init(list + [.index(0)] + price, in: rows)
  }
}

extension ValueSpec {
  fileprivate var stepsFromRow: [SingularStep]? {
    guard case .path(let path?, .row) = origin, path.templates.isEmpty else { return nil }
    return path.query.singularSteps
  }
}
