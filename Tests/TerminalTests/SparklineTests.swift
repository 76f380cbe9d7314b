import Quotes
import Testing

@testable import Terminal

@Suite struct SparklineTests {
  @Test(
    arguments: [
      ([1, 2, 3, 4, 5, 6, 7, 8], 8, "▁▂▃▄▅▆▇█"), ([8, 1], 8, "█▁"), ([5, 5, 5], 8, "▄▄▄"), ([7], 3, "▄"),
      // With more values than cells, the last of each stretch.
      ([1, 9, 1, 5, 1, 1], 3, "█▄▁"), ([], 5, ""), ([1, 2], 0, ""),
    ] as [([Int], Int, String)])
  func draws(_ values: [Int], _ cells: Int, _ text: String) {
    #expect(Sparkline.text(values.map { Decimal($0) }, cells: cells) == text)
  }
}
