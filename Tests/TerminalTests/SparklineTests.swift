import Quotes
import Testing

@testable import Terminal

@Suite struct SparklineTests {
  @Test(
    arguments: [
      ([1, 2, 3, 4, 5, 6, 7, 8], 8, "▁▂▃▄▅▆▇█"), ([8, 1], 8, "█▁"), ([5, 5, 5], 8, "▄▄▄"), ([7], 3, "▄"),
      // With more values than cells, the last of each stretch.
      ([1, 9, 1, 5, 1, 1], 3, "█▄▁"), ([], 5, ""), ([1, 2], 0, ""),
      // A hole stays one; a stretch with some values has no hole.
      ([nil, 1, nil, 8], 4, " ▁ █"), ([5, nil, 5], 3, "▄ ▄"), ([1, nil, 8, nil, nil, nil], 3, "▁█ "),
      ([nil, nil], 2, "  "),
    ] as [([Int?], Int, String)])
  func draws(_ values: [Int?], _ cells: Int, _ text: String) {
    #expect(Sparkline.text(values.map { $0.map { Decimal($0) } }, cells: cells) == text)
  }
}
