extension Array where Element: Equatable {
  /// Returns the minimum number of insertions, deletions, substitutions and swaps of neighbors that turn one array into
  /// the other (optimal string alignment).
  ///
  /// Inlinable, as thousands of names are measured at a keystroke.
  @inlinable
  package func editDistance(to target: [Element]) -> Int {
    // No name that long is mistyped, and the table would have millions of cells.
    let longest = Swift.max(count, target.count)
    guard longest <= 1000 else { return self == target ? 0 : longest }
    var beforePrevious: [Int] = []
    var previous = [Int](0...target.count)
    for row in indices {
      var current = [row + 1]
      for column in target.indices {
        let substitution = previous[column] + (self[row] == target[column] ? 0 : 1)
        var best = Swift.min(substitution, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, self[row] == target[column - 1], self[row - 1] == target[column] {
          best = Swift.min(best, beforePrevious[column - 1] + 1)
        }
        current.append(best)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[target.count]
  }
}
