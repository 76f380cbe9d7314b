import Config
import Inference
import JSONPath
import Quotes

/// A check for two values that are each read from a member with the other one's name, such as a price from `bidPr` beside
/// a bid from `lastPr`. Numbers that are close to each other in every row do not show it; one name alone may mislead.
enum ExchangedNamesCheck: ConfigCheck {
  /// What is read, and words that only names of its members have.
  private typealias Role = (name: String, words: [String])

  private static let pairs: [(Role, Role)] = [
    (("price", ["last", "close"]), ("bid", ["bid"])), (("price", ["last", "close"]), ("ask", ["ask"])),
    (("bid", ["bid"]), ("ask", ["ask"])), (("high", ["high"]), ("low", ["low"])),
    (("free", ["free", "avail"]), ("locked", ["lock", "frozen", "froze", "hold"])),
  ]

  static func findings(in inspection: Inspection) -> [Finding] {
    let fields = inspection.allTables.flatMap { table in
      pairs.compactMap { one, other in
        finding(one, table.spec.fields[one.name], other, table.spec.fields[other.name]).map(table.own)
      }
    }
    let wallets = inspection.exchanges.flatMap { source, exchange in
      (exchange.account?.wallets ?? []).compactMap { wallets in
        finding(
          ("deposit", ["deposit"]), wallets.deposit.first?.value,
          ("withdraw", ["withdraw"]), wallets.withdraw.first?.value
        ).map { $0.found(in: source) }
      }
    }
    return fields + wallets
  }

  private static func finding(_ one: Role, _ first: ValueSpec?, _ other: Role, _ second: ValueSpec?) -> Finding? {
    guard let first, let second, isNamed(first, like: other, not: one), isNamed(second, like: one, not: other) else {
      return nil
    }
    return .exchangedNames(one.name, other.name, at: first.node)
  }

  private static func isNamed(_ value: ValueSpec, like role: Role, not own: Role) -> Bool {
    guard case .path(let path?, _) = value.origin, let steps = path.query.singularSteps else { return false }
    let name = steps.names.joined(separator: "_").lowercased()
    return role.words.contains { name.contains($0) } && !own.words.contains { name.contains($0) }
  }
}
