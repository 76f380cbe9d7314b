/// Whether columns that are called by single letters mean the usual: `h` is the high, `c` the close.
///
/// An exchange that shortens its names does so for the range of the day as well, and its `h` and `l` keep their word in all
/// rows. Letters that follow each other like those of the alphabet are numbers of columns, not names.
struct LetterNames {
  let areUsual: Bool

  init(_ columns: [SampleColumn]) {
    let lettered = columns.indices.filter { columns[$0].leafName.letter != nil }
    let letters = Set(lettered.compactMap { columns[$0].leafName.letter?.lowercased().unicodeScalars.first?.value })
    func column(_ letter: Character) -> Int? {
      lettered.first { columns[$0].leafName.letter == letter && columns[$0].hasNumbers }
    }
    guard !Self.followEachOther(letters), let high = column("h"), let low = column("l") else {
      areUsual = false
      return
    }
    let relations = RowRelations(columns: columns)
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

  /// Six letters in a row, such as `a` to `f`.
  private static func followEachOther(_ letters: Set<UInt32>) -> Bool {
    letters.contains { first in (0..<6).allSatisfy { letters.contains(first + $0) } }
  }
}
