import JSON

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
    func column(_ letter: Character, at element: SingularStep? = nil) -> Int? {
      lettered.first {
        columns[$0].leafName.letter == letter && columns[$0].hasNumbers
          && (element == nil || columns[$0].path.steps.last == element)
      }
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
    // Lists such as `"h": [today's, that of 24 hours]` have the same order.
    func bound(_ letter: Character, of index: Int) -> Int? { column(letter, at: columns[index].path.steps.last) }
    func isNearHigh(_ index: Int) -> Bool {
      guard columns[index].hasNumbers, !["h", "l"].contains(columns[index].leafName.letter) else { return false }
      let near = relations.areNear(index, bound("h", of: index) ?? high, factor: 2)
      return near.rows > 0 && near.share >= 0.8
    }
    func isWithin(_ index: Int, _ share: Double) -> Bool {
      relations.isAtMost(bound("l", of: index) ?? low, index).share >= share
        && relations.isAtMost(index, bound("h", of: index) ?? high).share >= share
    }
    // Any other letter may be a number of trades that is as large, or yesterday's close.
    let ofPrices = lettered.filter { index in
      [Role.price, .open, .bid, .ask].contains { FieldLexicon.score($0, columns[index].leafName) >= 0.3 }
    }
    let others = ofPrices.filter(isNearHigh)
    let hasPrices =
      others.isEmpty
      ? columns.indices.contains { $0 != low && isNearHigh($0) && isWithin($0, 0.95) }
      : others.allSatisfy { isWithin($0, 0.5) } && others.contains { isWithin($0, 0.95) }
    areUsual = hasPrices && relations.isAtMost(low, high).share >= 0.95
  }

  /// Returns whether the names of columns are letters alone, of which one may be the price, and nothing shows what they mean.
  static func areOpen(_ columns: [SampleColumn]) -> Bool {
    columns.allSatisfy { $0.partNames.isEmpty || $0.partNames.count == 1 && $0.leafName.letter != nil }
      && columns.contains { $0.leafName.letter == "c" && $0.hasNumbers && $0.letterTrust == 0 }
  }

  /// Returns whether there are six letters in a row, such as `a` to `f`.
  private static func followEachOther(_ letters: Set<UInt32>) -> Bool {
    letters.contains { first in (0..<6).allSatisfy { letters.contains(first + $0) } }
  }
}
