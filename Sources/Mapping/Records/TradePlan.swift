package import Config
package import HTTP
package import Quotes

/// A compiled table of the latest trades of one pair.
package final class TradePlan: Sendable {
  private let record: RecordPlan<TradeField>

  /// - Parameter usesScan: false reads every response through a tree: see ``RecordPlan``.
  package init(_ spec: TableSpec, usesScan: Bool = true) {
    record = RecordPlan(spec, market: nil, usesScan: usesScan)
  }

  /// Returns the trades of a response, oldest first; trades without a price or a time are dropped and counted.
  ///
  /// - Throws: `AnswerFailure` if the response is an error or has no trades.
  package func trades(
    in answer: HTTPResponse, _ context: ReadingContext
  ) throws(AnswerFailure) -> (trades: [Trade], incomplete: Int) {
    let records = try record.records(in: answer, context, TradeBuilder())
    guard !records.all.isEmpty else {
      throw records.incomplete > 0
        ? records.failure("no row has a price and a time")
        : AnswerFailure(.emptyAnswer, "the conditions leave no row of the answer")
    }
    return (Self.ordered(records.all), records.incomplete)
  }

  /// Explains the fields of one of the response's trades.
  ///
  /// - Parameter multiplier: the number of units that the exchange counts as one, if not 1; the trade is unscaled.
  package func explained(
    _ trade: Trade, in answer: HTTPResponse, _ context: ReadingContext, multiplier: Decimal?
  ) throws(AnswerFailure) -> [ExplainedRecord] {
    let fields = try record.traces(in: answer, context, TradeBuilder()) {
      $0 == trade
    } multiplier: { _ in
      multiplier
    } result: {
      (multiplier.map($0.scaled) ?? $0).explainedText($1)
    }.last?.fields
    return fields.map { [ExplainedRecord(.newestTrade, $0)] } ?? []
  }

  /// The assumed order of trades that nothing distinguishes: responses usually begin with the newest, messages end with
  /// it.
  enum Order { case newestFirst, oldestFirst }

  /// Sorts trades by time, and those of the same time in the order in which they were made. Of trades that have an id and
  /// are equal in all fields, only the first is kept; those that only share it are several, as of one order or match.
  static func ordered(_ trades: [Trade], otherwise order: Order = .newestFirst) -> [Trade] {
    var sorted = isNewestFirst(trades, order) ? trades.reversed() : trades
    // The standard library's sort is stable.
    if sorted.indices.dropFirst().contains(where: { sorted[$0].time < sorted[$0 - 1].time }) {
      sorted.sort { $0.time < $1.time }
    }
    // Nearly every exchange numbers its trades: ascending ids are all different.
    guard !hasRisingIDs(sorted) else { return sorted }
    var seen: Set<Trade> = []
    return sorted.filter { $0.id == nil || seen.insert($0).inserted }
  }

  /// Returns whether each id is longer than the one before, or as long and alphabetically later.
  private static func hasRisingIDs(_ trades: [Trade]) -> Bool {
    trades.indices.dropFirst().allSatisfy { index in
      guard let last = trades[index - 1].id, let id = trades[index].id else { return false }
      let (length, lastLength) = (id.utf8.count, last.utf8.count)
      return length > lastLength || length == lastLength && id > last
    }
  }

  /// Returns whether the newest trade comes first, by time, or by numeric id if all times are equal.
  private static func isNewestFirst(_ trades: [Trade], _ order: Order) -> Bool {
    guard let first = trades.first, let last = trades.last else { return false }
    if first.time != last.time { return first.time > last.time }
    guard let newest = first.id.flatMap({ Decimal($0) }), let oldest = last.id.flatMap({ Decimal($0) }) else {
      return order == .newestFirst
    }
    return newest > oldest
  }
}

struct TradeBuilder: RecordBuilder {
  var needed: [TradeField] { [.price, .time] }

  /// The substitute for the time of trades if the exchange gives none; nil if it does.
  var arrival: Instant?

  func record<Rows>(_ row: RecordRow<Rows, TradeField>) -> Trade? {
    guard let price = row.number(.price), let time = row.time(.time) ?? arrival else { return nil }
    return Trade(time: time, price: price, size: row.amount(.size), side: row.side(.side), id: row.text(.id))
  }
}
