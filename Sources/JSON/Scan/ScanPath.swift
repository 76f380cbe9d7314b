/// A way down into a JSON text by member names and array indexes only. Example: `$.data[0].last` has three steps.
package struct ScanPath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// The member of that name; the last one where a name occurs several times.
    case member(String)
    /// The element at that index, from 0; a negative index counts from the end, as in RFC 9535 §2.3.3.
    case index(Int)
  }

  package var steps: [Step]

  /// No steps: the value at which the path begins.
  package init(steps: [Step] = []) { self.steps = steps }
}
