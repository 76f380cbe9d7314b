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

extension ScanPath.Step {
  // Names in JSON are compared scalar by scalar; `String` would hold a composed and a decomposed letter to be the same.
  package static func == (left: ScanPath.Step, right: ScanPath.Step) -> Bool {
    switch (left, right) {
    case (.member(let left), .member(let right)): left.utf8.elementsEqual(right.utf8)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .member(let name): for byte in name.utf8 { hasher.combine(byte) }
    case .index(let index): hasher.combine(index)
    }
  }
}
