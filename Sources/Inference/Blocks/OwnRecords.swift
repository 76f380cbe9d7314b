/// The signs of an account's own orders and trades, which have a price, a size, a side and a time like public trades.
enum OwnRecords {
  /// What only an account has, folded: its own names for orders, how much of them is executed, and how long they last.
  private static let telling = OrderWords.ownIDs.union(OrderWords.durations).union(OrderWords.filledAmounts).union([
    "clientid", "clientrequestid", "cumquantity", "leavesquantity", "executedquantity", "openvolume", "unexecuted",
    "account", "accountid",
  ])
  /// What a public trade may have one of.
  private static let frequent = OrderWords.stops.union(OrderWords.fees).union([
    "status", "state", "orderstatus", "ordstatus", "original", "originalsize", "originalamount", "remaining", "filled",
    "executed", "liquidity", "role", "trailing", "hidden", "reduceonly", "postonly", "owner", "accounttype", "avgprice",
    "fees", "feeamount", "commissionpaid", "commissionasset",
  ])

  /// Returns the names that show rows to be of an account; empty if they may be public.
  ///
  /// - Parameter columns: those beside the price. Public executions may have the orders of both sides in objects.
  static func signs(_ columns: [SampleColumn]) -> [String] {
    let telling = columns.filter { Self.telling.contains($0.plainName) }.map(\.title)
    let frequent = columns.filter { Self.frequent.contains($0.plainName) }.map(\.title)
    return !telling.isEmpty || frequent.count >= 2 ? telling + frequent : []
  }
}
