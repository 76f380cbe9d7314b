/// How much of an asset lies in one account of an exchange.
package struct Balance: Sendable, Hashable {
  /// `spot`, `funding`, `futures`, or the exchange's own word.
  package let account: String
  /// The canonical name.
  package let asset: String
  /// What can be used.
  package var free: Cell
  /// In orders, as margin, or on its way out.
  package var locked: Cell
  /// What is the owner's; in futures with the open profit where the exchange says it.
  package var total: Cell

  package init(account: String, asset: String, free: Cell, locked: Cell, total: Cell) {
    self.account = account
    self.asset = asset
    self.free = free
    self.locked = locked
    self.total = total
  }
}

/// Where a row of an account has how much.
package enum BalanceField: String, RecordField {
  /// As the exchange spells it.
  case asset
  case free, locked, total

  package var kind: FieldKind { self == .asset ? .text : .number }

  package var dependsOnUnit: Bool { self != .asset }
}

extension Balance {
  /// Two of the three give the third; three are as they are, and one alone leaves the others empty. A total that is not
  /// offered is missing for the reason for which a member of it is.
  package var completed: Balance {
    var balance = self
    switch (free, locked, total) {
    case (.value(let free), .value(let locked), .missing): balance.total = .value(free + locked)
    case (.value(let free), .missing, .value(let total)): balance.locked = .value(total - free)
    case (.missing, .value(let locked), .value(let total)): balance.free = .value(total - locked)
    case (.value, .missing(let reason), .missing(.notOffered)), (.missing(let reason), .value, .missing(.notOffered)):
      balance.total = .missing(reason)
    case (.missing(let reason), .missing(let other), .missing(.notOffered))
    where reason != .notOffered && other != .notOffered:
      balance.total = .missing(reason)
    default: break
    }
    return balance
  }

  /// Nothing is there, and nothing that is not known could be.
  package var isZero: Bool {
    let cells = [free, locked, total]
    guard cells.contains(where: { $0.value != nil }), cells.allSatisfy({ $0.value?.isZero ?? true }) else {
      return false
    }
    return total.value != nil || cells.allSatisfy { $0.value != nil || $0.missing == .notOffered }
  }

  /// Adds the rows of an asset in one account, in the order in which the assets come, and leaves out what is zero
  /// throughout. A member that one of the rows lacks is missing in the sum; but a row that offers neither a total nor
  /// another member than this one is the half of a row.
  package static func added(_ rows: [Balance]) -> [Balance] {
    var groups: [String: Int] = [:]
    var result: [[Balance]] = []
    for row in rows {
      let key = row.account + "\n" + row.asset
      if let index = groups[key] {
        result[index].append(row)
      } else {
        groups[key] = result.count
        result.append([row])
      }
    }
    return result.map(sum).filter { !$0.isZero }
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

  /// Whether the exchange says the free and the locked amount in rows of their own.
  private var isHalf: Bool {
    total.missing == .notOffered && [free, locked].count { $0.missing == .notOffered } == 1
  }
}
