import JSON
import Testing

@testable import Config
@testable import Inference

/// Samples can be anything: the search terminates and reports that they prove nothing.
@Suite struct ChangeSearchTests {
  /// Half of the columns are close to each other; the others have both signs and decimals, as changes do.
  private static func table(columns: Int, rows: Int) -> String {
    var state: UInt64 = 88_172_645_463_325_252
    func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 40)
    }
    let lines = (0..<rows).map { row -> String in
      let members = (0..<columns).map { column -> String in
        column % 2 == 0
          ? "\"c\(column)\":\(1000 + next() % 200)" : "\"c\(column)\":\((next() % 2000) - 1000).\(1 + next() % 9)"
      }
      return "{\"s\":\"A\(row)-USD\"," + members.joined(separator: ",") + "}"
    }
    return "[" + lines.joined(separator: ",") + "]"
  }

  private static func columns(_ columns: Int, rows: Int) throws -> [SampleColumn] {
    let document = try JSONDocument(parsing: Array(table(columns: columns, rows: rows).utf8))
    return try #require(SampleRows(at: "$[*]", in: document.root)).columns.filter(\.hasNumbers)
  }

  @Test func workOnWideTablesIsBounded() throws {
    let columns = try Self.columns(159, rows: 1500)
    let (prices, changes) = (columns.indices.filter { $0 % 2 == 0 }, columns.indices.filter { $0 % 2 == 1 })
    #expect(columns.count == 159 && columns[0].numbers.count == 1500)
    let search = ChangeSearch(columns, prices: prices, changes: changes, needsBothSigns: true)
    #expect(!search.isComplete)
    #expect(search.comparisons < ChangeSearch.comparisonLimit + 2 * ChangeSearch.rowLimit)
    #expect(ChangeEquation(columns, prices: prices, changes: changes, needsBothSigns: true) == nil)
  }

  @Test func tableOfFiftyColumnsIsSearchedCompletely() throws {
    let columns = try Self.columns(50, rows: 300)
    let (prices, changes) = (columns.indices.filter { $0 % 2 == 0 }, columns.indices.filter { $0 % 2 == 1 })
    let search = ChangeSearch(columns, prices: prices, changes: changes, needsBothSigns: true)
    #expect(search.isComplete && search.comparisons < ChangeSearch.comparisonLimit / 3, "\(search.comparisons)")
  }
}
