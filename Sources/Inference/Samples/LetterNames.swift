/// Whether single-letter columns have the usual meaning: `h` is the high, `c` the close.
///
/// An exchange that abbreviates names does so for the day's range as well, and its `h` and `l` are consistent in all
/// rows. Successive letters of the alphabet are column numbers, not names.
struct LetterNames {
  private let areUsual: Bool
  /// Whether `b` and `a` behave like bid and ask: enough to propose them, but not to accept them.
  private let areOffers: Bool

  func trust(_ column: SampleColumn) -> Double {
    areUsual ? 1 : areOffers && ["a", "b"].contains(column.leafName.letter) ? 0.6 : 0
  }

  init(_ columns: [SampleColumn]) {
    let lettered = columns.indices.filter { columns[$0].leafName.letter != nil }
    let letters = Set(lettered.compactMap { columns[$0].leafName.letter?.lowercased().unicodeScalars.first?.value })
    func column(_ letter: Character) -> Int? {
      lettered.first { columns[$0].leafName.letter == letter && columns[$0].hasNumbers }
    }
    let relations = RowRelations(columns: columns)
    areOffers =
      !Self.followEachOther(letters)
      && column("b").flatMap { bid in
        column("a").map { ask in
          let vote = relations.isNeverAbove(bid, ask)
          return vote.rows >= 5 && vote.share >= 0.95 && relations.areNear(bid, ask, factor: 1.1).share >= 0.95
        }
      } ?? false
    guard !Self.followEachOther(letters), let high = column("h"), let low = column("l") else {
      areUsual = false
      return
    }
    func isNearHigh(_ index: Int) -> Bool {
      guard columns[index].hasNumbers, !["h", "l"].contains(columns[index].leafName.letter) else { return false }
      let near = relations.areNear(index, high, factor: 2)
      return near.rows > 0 && near.share >= 0.8
    }
    func isWithin(_ index: Int, _ share: Double) -> Bool {
      relations.isAtMost(low, index).share >= share && relations.isAtMost(index, high).share >= share
    }
    let others = lettered.filter(isNearHigh)
    let hasPrices =
      others.isEmpty
      ? columns.indices.contains { $0 != low && isNearHigh($0) && isWithin($0, 0.95) }
      : others.allSatisfy { isWithin($0, 0.5) } && others.contains { isWithin($0, 0.95) }
    areUsual = hasPrices && relations.isAtMost(low, high).share >= 0.95
  }

  /// Returns whether there are six letters in a row, such as `a` to `f`.
  private static func followEachOther(_ letters: Set<UInt32>) -> Bool {
    letters.contains { first in (0..<6).allSatisfy { letters.contains(first + $0) } }
  }
}
