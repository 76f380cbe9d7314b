/// The order of a row's product in the config: by the part of the table, then by the rule that split its symbol, then by
/// the group of its payment currency.
///
/// Every row has one, so it takes no more memory than a number would.
package struct ProductRank: Hashable, Comparable, Sendable {
  private var part: UInt16 = 0
  private var rule: UInt16 = 0
  private let group: UInt16

  /// Creates the rank of a row of the first part, split by its first rule.
  ///
  /// - Parameter group: the index of the group; nil for a currency in none of them, which comes after all of them.
  package init(group: Int? = 0) { self.group = group.map { UInt16(clamping: $0) } ?? .max }

  /// The rank as one number.
  package var order: Int { Int(part) << 32 | Int(rule) << 16 | Int(group) }

  package static func < (left: ProductRank, right: ProductRank) -> Bool { left.order < right.order }

  /// Returns the rank of the same row split by another rule.
  func ofRule(_ index: Int) -> ProductRank {
    var rank = self
    rank.rule = UInt16(clamping: index)
    return rank
  }

  /// Returns the rank of the same row in another part of the table.
  func inPart(_ index: Int) -> ProductRank {
    var rank = self
    rank.part = UInt16(clamping: index)
    return rank
  }
}
