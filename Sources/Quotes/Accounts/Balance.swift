/// The balance of an asset in one account of an exchange.
package struct Balance: Sendable, Hashable {
  /// `spot`, `funding`, `futures`, or the exchange's own name.
  package let account: String
  /// The canonical name.
  package let asset: String
  /// The amount that can be used.
  package var free: Cell
  /// The amount in orders, held as margin, or on its way out.
  package var locked: Cell
  /// The amount owned; for futures, including unrealized profit if the exchange reports it.
  package var total: Cell

  package init(account: String, asset: String, free: Cell, locked: Cell, total: Cell) {
    self.account = account
    self.asset = asset
    self.free = free
    self.locked = locked
    self.total = total
  }
}

package enum BalanceField: String, RecordField {
  /// In the exchange's spelling.
  case asset
  case free, locked, total

  package var kind: FieldKind { self == .asset ? .text : .number }

  package var dependsOnUnit: Bool { self != .asset }
}

extension Balance {
  /// The balance with the third amount derived from the other two, unless one of them is more than the total: that is
  /// contradictory, and stays so in a sum. Three amounts are kept as they are; one alone leaves the others missing. An
  /// amount that is not offered is missing for the reason of the one it would have been computed from.
  package var completed: Balance {
    var balance = self
    switch (free, locked, total) {
    case (.missing(.contradictory), .value, .value), (.value, .missing(.contradictory), .value): break
    case (.value(let free), .value(let locked), .missing): balance.total = .value(free + locked)
    case (.value(let free), .missing, .value(let total)):
      // More than all there is cannot be free, unless other assets vouch for it.
      balance.locked = free > total ? .missing(.contradictory) : .value(total - free)
    case (.missing, .value(let locked), .value(let total)):
      // Neither can more be locked, unless it is beside a debt.
      balance.free = locked > total && total.signum >= 0 ? .missing(.contradictory) : .value(total - locked)
    case (.value, .missing(let reason), .missing(.notOffered)), (.missing(let reason), .value, .missing(.notOffered)):
      balance.total = .missing(reason)
    case (.missing(let reason), .missing(let other), .missing(.notOffered))
    where reason != .notOffered && other != .notOffered:
      balance.total = .missing(reason)
    case (.missing(.notOffered), .missing(let reason), .value): balance.free = .missing(reason)
    case (.missing(let reason), .missing(.notOffered), .value): balance.locked = .missing(reason)
    default: break
    }
    return balance
  }

  /// Whether the known amounts are all zero and no unknown amount could be nonzero.
  package var isZero: Bool {
    let cells = [free, locked, total]
    guard cells.contains(where: { $0.value != nil }), cells.allSatisfy({ $0.value?.isZero ?? true }) else {
      return false
    }
    return total.value != nil || cells.allSatisfy { $0.value != nil || $0.missing == .notOffered }
  }

  /// Sums the rows of each asset in an account, in order of first appearance, and drops those that are zero throughout.
  /// A member that is missing in one row is missing in the sum, unless that row is only half of a balance: one that
  /// offers neither a total nor any other member.
  package static func merged(_ rows: [Balance]) -> [Balance] {
    rows.grouped { $0.account + "\n" + $0.asset }.map(sum).filter { !$0.isZero }
  }

  private static func sum(_ rows: [Balance]) -> Balance {
    let whole = rows.map(\.completed)
    func cell(_ member: (Balance) -> Cell) -> Cell {
      var sum: Cell?
      for row in whole {
        switch (sum, member(row)) {
        case (_, .missing(.notOffered)) where row.isHalf: continue
        case (.missing?, _): break
        case (_, .missing(let reason)): sum = .missing(reason)
        case (nil, .value(let value)): sum = .value(value)
        case (.value(let before)?, .value(let value)): sum = .value(before + value)
        }
      }
      return sum ?? .missing(.notOffered)
    }
    let first = rows[0]
    return Balance(
      account: first.account, asset: first.asset, free: cell(\.free), locked: cell(\.locked), total: cell(\.total)
    ).completed
  }

  /// Whether the exchange reports free and locked amounts in separate rows.
  private var isHalf: Bool {
    total.missing == .notOffered && [free, locked].count { $0.missing == .notOffered } == 1
  }
}
