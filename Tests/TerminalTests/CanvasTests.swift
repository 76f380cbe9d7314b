import Terminal
import Testing

@Suite struct CanvasTests {
  private static func text(_ canvas: Canvas) -> [String] { canvas.lines.map { $0.painted(with: .plain) } }

  @Test func characters() {
    var canvas = Canvas(columns: 8, rows: 2)
    canvas.write("ab", column: 1, row: 0, .up)
    canvas.write("업비트", column: 3, row: 1)
    canvas.put("x", column: 8, row: 0)
    canvas.put("x", column: 0, row: -1)
    #expect(Self.text(canvas) == [" ab", "   업비"])
    #expect(canvas.lines.map(\.width) == [3, 7])
    #expect(canvas.lines[0].painted(with: Palette(scheme: .us, isColored: true)) == " \u{1B}[38;5;28mab\u{1B}[0m")
  }

  @Test func dots() {
    var canvas = Canvas(columns: 3, rows: 1)
    for place in [(0, 0), (1, 3), (2, 1), (3, 2), (5, 3), (6, 0), (0, 4), (-1, 0)] {
      canvas.dot(x: place.0, y: place.1)
    }
    #expect(Self.text(canvas) == ["⢁⠢⢀"])
    canvas.put("┃", column: 1, row: 0)
    canvas.dot(x: 2, y: 0)
    #expect(Self.text(canvas) == ["⢁┃⢀"])
  }

  @Test func lines() {
    var canvas = Canvas(columns: 4, rows: 1)
    canvas.line(from: (0, 3), to: (7, 0))
    #expect(Self.text(canvas) == ["⣀⠤⠒⠉"])
    var partly = Canvas(columns: 4, rows: 1)
    partly.line(from: (0, 3), to: (7, 0)) { $0 == 1 || $0 == 2 }
    #expect(Self.text(partly) == [" ⠤⠒"])
    var upright = Canvas(columns: 1, rows: 2)
    upright.line(from: (0, 0), to: (0, 7))
    #expect(Self.text(upright) == ["⡇", "⡇"])
  }
}
