import Terminal
import Testing

@Suite struct ProgressTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let progress: Progress
    let cells: Int
    let text: String

    init(_ done: String, _ waitingFor: [String], _ milliseconds: Int64, cells: Int = 80, _ text: String) {
      progress = Progress(done: done, waitingFor: waitingFor, waitNanoseconds: milliseconds * 1_000_000)
      (self.cells, self.text) = (cells, text)
    }

    var testDescription: String { "\(text) in \(cells)" }
  }

  @Test(arguments: [
    Case("0 of 1 answers", ["Slow"], 0, "0 of 1 answers, waiting for Slow: 0.0 s"),
    Case("24 of 60 answers", ["Slow", "Coinone"], 2199, "24 of 60 answers, waiting for Slow, Coinone: 2.1 s"),
    Case("page 3 of 12", ["Slow"], 61_000, "page 3 of 12, waiting for Slow: 61.0 s"),
    Case("60 of 60 answers", [], 0, "60 of 60 answers"),
    Case(
      "1 of 9", ["A", "B", "C", "D", "E", "F", "G", "H"], 400, "1 of 9, waiting for A, B, C, D, E and 3 more: 0.4 s"),
    // As many names as there is room for.
    Case("1 of 4", ["Slow", "Coinone", "하나"], 400, cells: 46, "1 of 4, waiting for Slow, Coinone, 하나: 0.4 s"),
    Case("1 of 4", ["Slow", "Coinone", "하나"], 400, cells: 45, "1 of 4, waiting for Slow and 2 more: 0.4 s"),
    Case("1 of 4", ["Slow", "Coinone", "하나"], 400, cells: 30, "1 of 4, waiting for 3: 0.4 s"),
    Case("1 of 4", ["Slow", "Coinone", "하나"], 400, cells: 12, "1 of 4, wai…"),
    Case("60 of 60 answers", [], 0, cells: 5, "60 o…"),
    Case("1 of 2", ["Bad\u{1B}[31m\u{202E}"], 400, "1 of 2, waiting for Bad\\u{1B}[31m\\u{202E}: 0.4 s"),
  ])
  func line(_ sample: Case) {
    #expect(sample.progress.text(cells: sample.cells) == sample.text)
  }
}
