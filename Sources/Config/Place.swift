package import JSON

/// A stretch of a config file's text.
package struct Place: Sendable, Hashable {
  package let file: ConfigFile
  /// Byte offsets.
  package let range: Range<Int>

  package init(file: ConfigFile, range: Range<Int>) {
    self.file = file
    self.range = range
  }

  package static func == (a: Place, b: Place) -> Bool { a.file === b.file && a.range == b.range }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(file))
    hasher.combine(range)
  }

  package var start: SourcePosition { file.sourceMap.position(of: range.lowerBound) }
  package var end: SourcePosition { file.sourceMap.position(of: range.upperBound) }
}
