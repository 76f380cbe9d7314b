/// A text that is not JSON: what is wrong, and where.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// The offset of the offending byte; the length of the text where it ends too early.
  package let offset: Int
  /// What is wrong there.
  package let problem: JSONProblem

  package init(offset: Int, problem: JSONProblem) {
    self.offset = offset
    self.problem = problem
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  package var description: String { "offset \(offset): \(problem)" }
}
