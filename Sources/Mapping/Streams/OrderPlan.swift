import Config
import JSON
import Quotes

/// The fields of an order in a book that is sent order by order.
enum OrderField: String, RecordField {
  /// What identifies it.
  case key
  /// In the payment currency, for one unit of the asset.
  case price
  /// What is left of it, in the asset.
  case size

  var kind: FieldKind { self == .key ? .text : .number }

  var index: Int {
    switch self {
    case .key: 0
    case .price: 1
    case .size: 2
    }
  }
}

/// What a message says about one order.
struct OrderChange: Sendable {
  let key: String
  let isBid: Bool
  /// nil if the message does not say; likewise `size`.
  let price: Decimal?
  let size: Decimal?
}

/// A compiled order book that is sent order by order.
final class OrderPlan: Sendable {
  private let bids: RecordPlan<OrderField>
  private let asks: RecordPlan<OrderField>
  private let areMixed: Bool

  /// Returns nil if the book is sent as levels.
  init?(_ spec: BookSpec, usesScan: Bool) {
    guard let key = spec.key else { return nil }
    func side(_ side: BookSpec.Side) -> RecordPlan<OrderField> {
      var record = RecordSpec(spec.table)
      record.rows = side.rows
      record.conditions = side.conditions
      record.fields = [
        OrderField.key.rawValue: key, OrderField.price.rawValue: side.price, OrderField.size.rawValue: side.size,
      ]
      record.hook = nil
      record.mayBeEmpty = true
      return RecordPlan(record, of: spec.table, market: nil, usesScan: usesScan)
    }
    bids = side(spec.bids)
    asks = side(spec.asks)
    areMixed = spec.areMixed
  }

  /// Returns what one message row says about orders.
  ///
  /// - Parameters:
  ///   - place: the names of the pair.
  ///   - isWhole: whether both sides must be present.
  func changes(
    in row: [UInt8], _ scope: ValueScope, of place: RowPlace, isWhole: Bool
  ) throws(AnswerFailure) -> [OrderChange] {
    let ofBids = try changes(of: bids, isBid: true, in: row, scope, place, isWhole: isWhole)
    let ofAsks = try changes(of: asks, isBid: false, in: row, scope, place, isWhole: isWhole)
    let all = ofBids.changes + ofAsks.changes
    if areMixed, all.count < ofBids.rowCount {
      let count = ofBids.rowCount - all.count
      throw AnswerFailure(.noAnswer(.bookSide), "\(count) of \(ofBids.rowCount) orders are of neither side")
    }
    return all
  }

  private func changes(
    of plan: RecordPlan<OrderField>, isBid: Bool, in row: [UInt8], _ scope: ValueScope, _ place: RowPlace, isWhole: Bool
  ) throws(AnswerFailure) -> (changes: [OrderChange], rowCount: Int) {
    var visitor = OrderVisitor(plan: plan, pair: place, isBid: isBid, needsRows: isWhole)
    var scanner = plan.scanner
    guard let read = try plan.readMessage(row, by: &scanner, plan.scope(in: scope), &visitor) else {
      throw AnswerFailure(.notJSON)
    }
    return (read, visitor.rowCount)
  }

  /// A visitor that reads the orders of one side of a message.
  private struct OrderVisitor: MessageVisitor {
    let plan: RecordPlan<OrderField>
    let pair: RowPlace
    let isBid: Bool
    let needsRows: Bool
    var rowCount = 0

    mutating func read<Rows>(_ reader: ValueReader<Rows>) throws(AnswerFailure) -> [OrderChange] {
      rowCount = reader.rows.count
      if needsRows, let failure = reader.rows.failure { throw failure }
      var row = RecordRow(plan: plan, reader: reader, place: pair)
      var changes: [OrderChange] = []
      for index in 0..<reader.rows.count {
        row.place.index = index
        guard plan.conditions.allSatisfy({ reader.holds($0, at: row.place) }) else { continue }
        try reader.rows.requireDistinctMembers(index)
        guard let key = row.text(.key) else { throw AnswerFailure(.pathMiss, "an order has no key") }
        let price = try Self.number(row.cell(.price))
        let size = try Self.number(row.amount(.size))
        changes.append(OrderChange(key: key, isBid: isBid, price: price, size: size))
      }
      return changes
    }

    /// Returns nil for a number that is left out.
    private static func number(_ cell: Cell) throws(AnswerFailure) -> Decimal? {
      switch cell {
      case .value(let number): return number
      case .missing(.pathMiss), .missing(.jsonNull): return nil
      case .missing: throw AnswerFailure(.notANumber, "the price or the size of an order is not a number")
      }
    }
  }
}
