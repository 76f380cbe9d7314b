import Quotes
import Testing

/// A change that is a fraction is small for its range, as one in ten correct changes is: the other rows of the answer
/// decide, even if only one is wanted.
@Suite struct FractionTests {
  /// Returns twelve rows with ranges of 4 %.
  private static func answer(_ changes: [String]) -> String {
    let rows = changes.enumerated().map { index, change in
      "{\"s\": \"C\(index)-USDT\", \"p\": 100, \"h\": 102, \"l\": 98, \"c\": \"\(change)\"}"
    }
    return "[\(rows.joined(separator: ","))]"
  }

  private static let fields = #"""
    "fields": { "price": "$.p", "high": "$.h", "low": "$.l",
      "changePricePercent24": { "path": "$.c", "basis": "rolling24h" } }
    """#
  private static let fractions = [
    "0.0123", "-0.0050", "0.0017", "-0.0120", "0.0100", "0.0090", "-0.0110", "0.0060", "0.0070", "-0.0080",
  ]

  @Test(arguments: [
    (fractions, "C0", "C0/USDT 100 +0.01 102 98 !change"),
    (["1.23", "-0.50", "0.17", "-1.20", "1.00", "0.90", "-1.10", "0.60"], "C2", "C2/USDT 100 +0.17 102 98"),
    (["0.0123", "1.5", "-1.2", "0.9", "-0.8", "1.1", "0.7", "-0.9", "1.3", "0.6"], "C0", "C0/USDT 100 +0.01 102 98"),
    (Array(fractions.prefix(7)), "C0", "C0/USDT 100 +0.01 102 98"),
  ])
  func otherRowsDecide(_ changes: [String], asset: String, line: String) throws {
    let lines = try TestTable(Self.fields).lines(
      Self.answer(changes), Asked(pair: Pair(asset: asset, payment: "USDT")))
    #expect(lines.first == line)
  }
}
