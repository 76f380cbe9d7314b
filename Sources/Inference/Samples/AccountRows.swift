import Config

/// Recognizes rows of an account by their member names: orders, fills, positions. They have prices, but none of a market.
struct AccountRows {
  private let rows: SampleRows

  init(_ rows: SampleRows) { self.rows = rows }

  /// nil unless there are signs of two different sorts: a member that says one thing about an order may be in any answer.
  var sign: AnswerKind.Sign? {
    let signs = signs
    return signs.count < 2 ? nil : (.orders, signs.prefix(3).map { "'\($0)'" }.joined(separator: ", "))
  }

  /// The first member of each sort that orders or positions have.
  var signs: [String] {
    let ids = paths(named: Self.orderIDs)
    let sorts = [
      ids, paths(named: Self.orderTypes), paths(named: Self.triggers), states, paths(named: Self.filledAmounts),
      // Markets have fees, too.
      ids.isEmpty ? [] : paths(named: Self.fees),
    ]
    let ofPositions = Self.positions.map(paths)
    return (sorts + ofPositions).compactMap(\.first)
  }

  private func paths(named names: Set<String>) -> [String] {
    rows.columns.filter { column in
      // An amount may be an object with its currency.
      !column.path.isInList && column.path.names.contains { names.contains(Spelling.folded($0)) }
    }.map(\.path.text)
  }

  /// The members with the state of an order; those of markets have such names as well, but other texts.
  private var states: [String] {
    let named = rows.columns.filter { column in
      let texts = column.presentTexts.map { Spelling.folded($0) }
      return column.leafName.has(.status) && !texts.isEmpty && texts.allSatisfy(Self.orderStates.contains)
    }.map(\.path.text)
    return named + paths(named: ["orderstatus", "ordstatus", "orderstate"])
  }

  private static let orderIDs = OrderWords.ownIDs.union(["orderid", "ordid", "oid", "cloid"])
  private static let orderTypes = OrderWords.durations.union(["ordertype", "ordtype", "ordermethod"])
  private static let triggers = OrderWords.stops.union(["triggerprice", "triggerpx"])
  private static let fees = OrderWords.fees.union(["feetoken", "feeccy", "execfee"])
  private static let filledAmounts = OrderWords.filledAmounts.union([
    "accfillsz", "fillsz", "executedvolume", "remainingvolume", "origqty", "orderqty", "orderquantity", "dealsize",
    "numberdeal",
  ])
  private static let orderStates: Set<String> = [
    "new", "filled", "partiallyfilled", "partialfilled", "cancelled", "canceled", "pendingcancel", "pendingnew",
    "rejected", "untriggered", "inprogress",
  ]
  /// The members of positions, by sort.
  private static let positions: [Set<String>] = [
    ["entryprice", "avgentryprice", "averageentryprice", "openavgpx", "entrypx", "avgopenprice"],
    ["liquidationprice", "liqprice", "liqpx", "bankruptprice"],
    ["unrealizedpnl", "unrealisedpnl", "upl", "realizedpnl", "realisedpnl", "closedpnl", "pnl"],
    ["posid", "positionid", "posside", "positionside", "positionamt", "currentqty", "startposition"],
  ]
}
