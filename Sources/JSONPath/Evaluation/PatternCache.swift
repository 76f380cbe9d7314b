/// The regular expressions of one evaluation: a filter asks for the same one at every node.
final class PatternCache {
  private var patterns: [ScalarText: IRegexp?] = [:]

  /// The compiled pattern, nil where the text is no I-Regexp.
  subscript(text: ScalarText) -> IRegexp? {
    if let known = patterns[text] { return known }
    let pattern = try? IRegexp(text.string)
    patterns[text] = .some(pattern)
    return pattern
  }
}
