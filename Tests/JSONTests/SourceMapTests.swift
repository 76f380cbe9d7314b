import JSON
import Testing

/// Positions given by markers in the text: the line and column of the byte after each.
@Suite("Source positions")
struct SourceMapTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var marked: String
    var positions: [SourcePosition]

    init(_ name: String, _ marked: String, _ positions: [(Int, Int)]) {
      self.name = name
      self.marked = marked
      self.positions = positions.map { SourcePosition(line: $0.0, column: $0.1) }
    }

    var testDescription: String { name }
  }

  static let cases = [
    Case("empty", "▶", [(1, 1)]),
    Case("one line", "▶a▶b▶", [(1, 1), (1, 2), (1, 3)]),
    Case("line feeds", "a▶\n▶b\n▶\n▶", [(1, 2), (2, 1), (3, 1), (4, 1)]),
    Case("carriage return and line feed", "a▶\r\n▶b\r\n▶", [(1, 2), (2, 1), (3, 1)]),
    Case("carriage returns", "a▶\r▶b\r▶", [(1, 2), (2, 1), (3, 1)]),
    Case("Hangul", "{\"비트▶\": ▶1}", [(1, 5), (1, 8)]),
    Case("beyond the basic plane", "\"😀▶é▶\"", [(1, 3), (1, 4)]),
    Case("combining marks count for themselves", "e\u{301}▶x", [(1, 3)]),
  ]

  @Test(arguments: cases)
  func positions(_ testCase: Case) {
    var plain = ""
    var offsets: [Int] = []
    for scalar in testCase.marked.unicodeScalars {
      if scalar == "▶" { offsets.append(plain.utf8.count) } else { plain.unicodeScalars.append(scalar) }
    }
    let map = SourceMap(Array(plain.utf8))
    #expect(offsets.map { map.position(of: $0) } == testCase.positions)
  }

  @Test func offsetsOutsideTheText() {
    let map = SourceMap(Array("a\nbc".utf8))
    #expect(map.position(of: 99) == SourcePosition(line: 2, column: 3))
    #expect(map.position(of: -1) == SourcePosition(line: 1, column: 1))
  }

  @Test func lines() {
    let map = SourceMap(Array("one\r\ntwo \n\nvier\r".utf8))
    #expect((0...6).map { map.line($0) } == ["", "one", "two ", "", "vier", "", ""])
  }

  @Test func positionIsWrittenAsByCompilers() {
    #expect("\(SourcePosition(line: 3, column: 14))" == "3:14")
  }
}
