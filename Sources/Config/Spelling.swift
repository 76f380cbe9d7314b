/// What people write, and what they may have meant.
package enum Spelling {
  /// The letters and digits of a name, small: `GMO Coin`, `gmo-coin` and `GmoCoin` are one name.
  package static func folded(_ name: String) -> String {
    let lower = name.lowercased()
    let kept = lower.filter { $0.isLetter || $0.isNumber }
    return kept.isEmpty ? lower : kept
  }

  /// The candidate that was most likely meant, or nil when none is near.
  ///
  /// Near means: at most one slip for every three letters (a letter too many, too few, wrong, or two swapped), or the
  /// candidate begins with what was written (three letters at least). Upper and lower case are the same. Among equally
  /// near ones the first is taken.
  package static func suggestion(for written: String, among candidates: some Sequence<String>) -> String? {
    // Two different names of one or two letters are always near: no suggestion is better than a wild one.
    guard written.count > 2 else { return nil }
    let word = written.lowercased()
    let limit = max(1, word.count / 3)
    // Only near ones are measured: a difference in length is a distance already.
    let length = word.count
    let distances = candidates.lazy.filter { abs($0.count - length) <= limit }
      .map { (name: $0, distance: distance(word, $0.lowercased())) }
    if let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= limit {
      return nearest.name
    }
    return candidates.first { $0.lowercased().hasPrefix(word) }
  }

  /// The least number of insertions, deletions, substitutions and swaps of neighbours that turn one text into the other
  /// (optimal string alignment).
  package static func distance(_ first: String, _ second: String) -> Int {
    let source = Array(first)
    let target = Array(second)
    var beforePrevious: [Int] = []
    var previous = Array(0...target.count)
    for row in source.indices {
      var current = [row + 1]
      for column in target.indices {
        let substitution = previous[column] + (source[row] == target[column] ? 0 : 1)
        var best = min(substitution, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, source[row] == target[column - 1], source[row - 1] == target[column] {
          best = min(best, beforePrevious[column - 1] + 1)
        }
        current.append(best)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[target.count]
  }
}
