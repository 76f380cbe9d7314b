/// A place in a text as people count: from 1, columns in Unicode scalars.
package struct SourcePosition: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension SourcePosition: Comparable, CustomStringConvertible {
  package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }

  /// `line:column`, as compilers write it.
  package var description: String { "\(line):\(column)" }
}
