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

  @Test(
    arguments: [
      ("0.10", .highlight), ("0.095", .highlight), ("0.0949", .dim), ("0.05", .dim), ("0.045", .dim),
      ("0.0449", .neutral), ("0", .neutral), ("12", .highlight), ("-1", .neutral),
    ] as [(String, Style)])
  func premium(_ percent: String, _ style: Style) throws {
    let strong = try #require(Decimal("0.10"))
    let weak = try #require(Decimal("0.05"))
    let percent = try #require(Decimal(percent))
    #expect(Style(ofPremium: percent, strong: strong, weak: weak) == style)
  }
}
