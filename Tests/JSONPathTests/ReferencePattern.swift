/// A pattern matched in the simplest way, straight from the definition, without regard for speed.
indirect enum ReferencePattern: Sendable {
  case letter(Character)
  case any
  case sequence(ReferencePattern, ReferencePattern)
  case alternatives(ReferencePattern, ReferencePattern)
  case repeated(ReferencePattern, ClosedRange<Int>, suffix: String)

  /// The pattern as an I-Regexp.
  var text: String {
    switch self {
    case .letter(let letter): String(letter)
    case .any: "."
    case .sequence(let first, let second): "(\(first.text))(\(second.text))"
    case .alternatives(let first, let second): "(\(first.text))|(\(second.text))"
    case .repeated(let inner, _, let suffix): "(\(inner.text))\(suffix)"
    }
  }

  /// Returns the positions where a match that begins at `start` may end.
  func ends(in text: [Character], from start: Int) -> Set<Int> {
    switch self {
    case .letter(let letter):
      return start < text.count && text[start] == letter ? [start + 1] : []
    case .any:
      return start < text.count && text[start] != "\n" ? [start + 1] : []
    case .sequence(let first, let second):
      return Set(first.ends(in: text, from: start).flatMap { second.ends(in: text, from: $0) })
    case .alternatives(let first, let second):
      return first.ends(in: text, from: start).union(second.ends(in: text, from: start))
    case .repeated(let inner, let counts, _):
      var reached: Set<Int> = [start]
      var ends: Set<Int> = counts.contains(0) ? reached : []
      for count in 1...counts.upperBound {
        reached = Set(reached.flatMap { inner.ends(in: text, from: $0) })
        if counts.contains(count) { ends.formUnion(reached) }
      }
      return ends
    }
  }

  /// Letters and the dot, these repeated and joined in all ways, and the results repeated once more.
  static let all: [ReferencePattern] = {
    let letters: [ReferencePattern] = [.letter("a"), .letter("b"), .any]
    let small = letters + repetitions(of: letters) + joined(letters, letters)
    return small + repetitions(of: small) + joined(small, letters) + joined(letters, small)
  }()

  /// Unbounded counts go up to 8, more than the length of the texts.
  private static func repetitions(of patterns: [ReferencePattern]) -> [ReferencePattern] {
    let counts = [("*", 0...8), ("+", 1...8), ("?", 0...1), ("{2}", 2...2), ("{1,3}", 1...3), ("{2,}", 2...8)]
    return patterns.flatMap { pattern in counts.map { .repeated(pattern, $0.1, suffix: $0.0) } }
  }

  private static func joined(_ first: [ReferencePattern], _ second: [ReferencePattern]) -> [ReferencePattern] {
    first.flatMap { left in
      second.flatMap { [.sequence(left, $0), .alternatives(left, $0)] }
    }
  }
}
