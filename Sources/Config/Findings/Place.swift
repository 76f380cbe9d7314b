package import JSON

/// The text of a config under the name that messages give it, whether it can be read or not.
package final class SourceFile: Sendable {
  /// The path as the user gave it, or `builtin`.
  package let name: String
  package let bytes: [UInt8]
  /// True for a file found in the working directory: such a file never receives secrets.
  package let isUntrusted: Bool

  package init(name: String, bytes: [UInt8], isUntrusted: Bool = false) {
    self.name = name
    self.bytes = bytes
    self.isUntrusted = isUntrusted
  }
}

/// A stretch of a config's text.
package struct Place: Sendable, Hashable {
  package let file: SourceFile
  /// Byte offsets.
  package let range: Range<Int>

  package init(file: SourceFile, range: Range<Int>) {
    self.file = file
    self.range = range
  }

  package static func == (a: Place, b: Place) -> Bool { a.file === b.file && a.range == b.range }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(file))
    hasher.combine(range)
  }

  package var start: SourcePosition { SourceMap(file.bytes).position(of: range.lowerBound) }
  package var end: SourcePosition { SourceMap(file.bytes).position(of: range.upperBound) }
}
