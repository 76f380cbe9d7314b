/// A query: where it begins, and the segments that lead on from there (RFC 9535 §2.1).
struct Query: Hashable, Sendable, CustomStringConvertible {
  /// The node a query begins at.
  enum Start: String, Sendable {
    /// The root of the document.
    case root = "$"
    /// The node that a filter is looking at.
    case current = "@"
  }

  var start: Start
  var segments: [Segment]

  /// The steps of a singular query (RFC 9535 §2.3.5.1), nil for every other.
  var singularSteps: [SingularStep]? {
    var steps: [SingularStep] = []
    steps.reserveCapacity(segments.count)
    for segment in segments {
      guard let step = segment.singularStep else { return nil }
      steps.append(step)
    }
    return steps
  }

  var description: String { start.rawValue + segments.map(\.description).joined() }
}
