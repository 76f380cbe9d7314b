import Quotes
import Terminal
import Testing

@Suite struct StyleTests {
  @Test(
    arguments: [
      ("1.23", .up), ("-0.40", .down), ("0", .neutral), ("0.004", .neutral), ("-0.004", .neutral), ("0.005", .up),
      ("-0.005", .down),
    ] as [(String, Style)])
  func change(_ percent: String, _ style: Style) throws {
    let percent = try #require(Decimal(percent))
    #expect(Style(ofChange: percent) == style)
  }
}
