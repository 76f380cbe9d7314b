/// Folded names of members that only an account's orders and trades have.
enum OrderWords {
  /// Its own names for orders.
  static let ownIDs: Set<String> = ["clordid", "clientorderid", "clientoid", "orderlinkid", "origclientorderid"]
  /// How long an order lasts.
  static let durations: Set<String> = ["timeinforce", "tif"]
  /// How much of an order is executed, or is not.
  static let filledAmounts: Set<String> = [
    "executedqty", "cumexecqty", "cumqty", "leavesqty", "filledqty", "filledquantity", "filledsize", "filledamount",
    "remainingqty", "remainingsize", "remainingquantity", "sizematched",
  ]
  /// The price at which an order becomes one.
  static let stops: Set<String> = ["stopprice", "stoppx"]
  /// What is paid; markets and some public trades have fees, too.
  static let fees: Set<String> = ["fee", "feecurrency", "commission"]
}
