import Quotes
import Testing

@testable import Proving

/// Mappings and answers whose every row is plausible or nearly so, and what their tables prove.
@Suite struct WrongMappingTests {
  typealias Row = InventedTable.Row

  private static let offers: [String: String?] = ["bid": #""$.bid""#, "ask": #""$.ask""#]

  private static func scaled(_ factor: String) -> String {
    #"{"path": "$.change", "scale": \#(factor), "basis": "rolling24h"}"#
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let edits: [String: String?]
    let problems: [String]

    init(_ description: String, _ edits: [String: String?], _ problems: String...) {
      (testDescription, self.edits, self.problems) = (description, edits, problems)
    }
  }

  @Test(arguments: mappings) func finds(_ example: Case) async throws {
    let problems = try await InventedTable(example.edits).problems()
    #expect(problems == example.problems)
  }

  static let mappings = [
    Case("nothing", [:]),
    Case("nothing, with offers", offers),
    Case("nothing, with an open", ["open": #""$.open""#]),
    Case(
      "an open as the price", ["price": #""$.open""#],
      "change: 7 of 12 rows fail (is the sign wrong, or is the price not the last one?), for example C0X-USDT: change "
        + "-4.4 % implies an open of 10460.3, outside low 9460 to high 10100: is the sign wrong, or is the price not "
        + "the last one?"),
    Case(
      "an open as the price, with offers, as a scale hides it",
      offers.merging(["price": #""$.open""#, "changePricePercent24": scaled("0.01")]) { $1 },
      "price: outside of bid and ask in 12 of 12 rows where these are close, 3.74 % away in the median | is it "
        + "another member, such as an open, a high or an average?"),
    Case(
      "an open as the price and the open", ["price": #""$.open""#, "open": #""$.open""#],
      "change: 12 of 12 rows fail (is it measured from another open?), for example C0X-USDT: change -4.4 % but (price "
        + "- open) / open is +0.00 %: is it measured from another open?"),
    Case(
      "offers as the range", ["high": #""$.ask""#, "low": #""$.bid""#],
      "change: 10 of 12 rows fail (is it measured from another open?), for example C0X-USDT: change -4.4 % implies an "
        + "open of 10000, outside low 9559 to high 9561: is it measured from another open?"),
    // Two of the rows would fit with a scale, but the others confirm theirs.
    Case(
      "a difference as the change", ["changePricePercent24": #"{"path": "$.delta", "basis": "rolling24h"}"#],
      "change: 2 of 12 rows fail, for example C0X-USDT: change -440 %: no price falls by 100 % or more"),
    Case(
      "a change 100 times too large", ["changePricePercent24": scaled("100")],
      "changePricePercent24: 12 of 12 rows look 100 times too large: remove its \"scale\""),
    Case(
      "a change 100 times too large, with an open",
      ["open": #""$.open""#, "changePricePercent24": scaled("100")],
      "changePricePercent24: 12 of 12 rows look 100 times too large: remove its \"scale\""),
    Case(
      "a change 100 times too small", ["changePricePercent24": scaled("0.01")],
      "changePricePercent24: 12 of 12 rows look 100 times too small: remove its \"scale\""),
    Case(
      "a high as the price", offers.merging(["price": #""$.high""#, "high": nil]) { $1 },
      "price: outside of bid and ask in 12 of 12 rows where these are close, 2.84 % away in the median | is it "
        + "another member, such as an open, a high or an average?"),
    // A mark price is near the offers, but need not be between them.
    Case(
      "a price beside its offers", offers.merging(["price": #"{"path": "$.ask", "scale": "1.0008"}"#]) { $1 }),
  ]
}
