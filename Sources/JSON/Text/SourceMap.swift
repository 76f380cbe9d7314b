/// A map from byte offsets to lines and columns.
///
/// Readers only keep offsets; a map is created when a position is shown to a human. Lines end with LF, CR LF or CR.
package struct SourceMap: Sendable {
  private let bytes: [UInt8]
  /// The offset at which each line starts.
  private let lineStarts: [Int]

  /// Finds the lines of `bytes`, in one pass.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    for offset in bytes.indices {
      let endsLine =
        switch bytes[offset] {
        case ASCII.lineFeed: true
        case ASCII.carriageReturn: offset + 1 == bytes.count || bytes[offset + 1] != ASCII.lineFeed
        default: false
        }
      if endsLine { starts.append(offset + 1) }
    }
    lineStarts = starts
  }

  /// Returns the line and column of the byte at `offset`. Offsets beyond the text mean its end.
  package func position(of offset: Int) -> SourcePosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineIndex(of: offset)
    let scalarsBefore = bytes[lineStarts[line]..<offset].count { !UTF8.isContinuation($0) }
    return SourcePosition(line: line + 1, column: scalarsBefore + 1)
  }

  /// Returns the text of the line `number` (from 1) without its line break; empty if there is no such line.
  package func line(_ number: Int) -> String {
    guard lineStarts.indices.contains(number - 1) else { return "" }
    let end = number < lineStarts.count ? lineStarts[number] : bytes.count
    let line = bytes[lineStarts[number - 1]..<end]
    let isEnd = { (byte: UInt8) in byte == ASCII.lineFeed || byte == ASCII.carriageReturn }
    let kept = line.lastIndex { !isEnd($0) }.map { $0 + 1 } ?? line.startIndex
    return String(decoding: line[..<kept], as: UTF8.self)
  }

  /// Binary-searches the last line that starts at or before `offset`.
  private func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

/// A position as humans count: from 1, columns in Unicode scalars.
package struct SourcePosition: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension SourcePosition: CustomStringConvertible {
  /// `line:column`, as compilers print it.
  package var description: String { "\(line):\(column)" }
}
