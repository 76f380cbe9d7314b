import JSON

/// What a filter would work out again at every node, although it is the same for all of them.
final class EvaluationMemory {
  private var patterns: [ScalarText: IRegexp?] = [:]
  private var absoluteNodes: [Query: [JSONNode]] = [:]

  /// The compiled pattern, nil where the text is no I-Regexp.
  func pattern(_ text: ScalarText) -> IRegexp? {
    if let known = patterns[text] { return known }
    let pattern = try? IRegexp(text.string)
    patterns[text] = .some(pattern)
    return pattern
  }

  /// The nodes of a query that begins at the root, found the first time that they are asked for.
  func nodes(ofAbsolute query: Query, find: () -> [JSONNode]) -> [JSONNode] {
    if let known = absoluteNodes[query] { return known }
    let nodes = find()
    absoluteNodes[query] = nodes
    return nodes
  }
}
