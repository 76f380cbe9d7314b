import Quotes
import Terminal

/// A part of a pair's screen: its prices, what is left out of them, or its futures.
struct PairPart {
  struct Line {
    let text: StyledText
    /// The row it is about.
    let key: RowKey?

    init(_ text: StyledText, _ key: RowKey?) { (self.text, self.key) = (text, key) }
  }

  /// The line above the others.
  var head: StyledText?
  let lines: [Line]
  /// Whether the last line matters as much as the first: the lowest price, the last disparity.
  var hasEnds = false
  /// How many lines it gets at a time of the room that is left.
  var weight = 1

  /// The line above the others, if there is one.
  var heads: [Line] { head.map { [Line($0, nil)] } ?? [] }

  /// The fewest lines that say enough, with one about the others.
  private var minimum: Int { min(lines.count, hasEnds ? 3 : 2) }

  /// Returns the number of lines of each part that fit into the room, beside the lines above them; nil if not even the
  /// fewest do.
  static func fitted(_ parts: [PairPart], room: Int) -> [(part: PairPart, count: Int)]? {
    var counts = parts.map(\.minimum)
    var spare = room - counts.reduce(0, +) - parts.count { $0.head != nil }
    guard spare >= 0 else { return nil }
    while spare > 0, zip(parts, counts).contains(where: { $0.lines.count > $1 }) {
      for (place, part) in parts.enumerated() {
        let more = min(part.weight, part.lines.count - counts[place], spare)
        counts[place] += more
        spare -= more
      }
    }
    return zip(parts, counts).map { (part: $0, count: $1) }
  }

  /// Returns that many lines: all, or those up to one about the others, which the last may follow.
  func shown(_ count: Int, _ rest: (Int) -> StyledText) -> [Line] {
    guard count < lines.count else { return lines }
    let ends = hasEnds ? 1 : 0
    let first = max(0, count - 1 - ends)
    return lines.prefix(first) + [Line(rest(lines.count - first - ends), nil)] + lines.suffix(ends)
  }
}
