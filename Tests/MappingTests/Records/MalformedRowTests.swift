import Mapping
import Quotes
import Testing

/// Rows shaped unlike the others, read in one pass and through a tree.
struct MalformedRowTests {
  static func flags(_ definition: String, _ answer: String) throws -> [String] {
    let table = try TestTable(definition)
    return try table.table(Array(answer.utf8)).rows.map { row in
      ([row.ticker.symbol] + row.ticker.flags.filter { $0.kind == .malformed }.map { "\($0.code): \($0.message)" })
        .joined(separator: " ")
    }
  }

  private static let twice = "malformed: a member of the row is repeated"

  @Test(arguments: [
    (#"{"s": "A-B", "p": 1, "p": 2}"#, "A-B \(twice)"),
    (#"{"s": "A-B", "s": "C-D", "p": 1}"#, "C-D \(twice)"),
    // Members that no path leads to do not matter.
    (#"{"s": "A-B", "x": 1, "p": 1, "x": 2}"#, "A-B"),
    (#"{"x": 0, "p": 1, "y": 0, "s": "A-B", "z": 0, "p": 1}"#, "A-B \(twice)"),
  ])
  func duplicateMember(row: String, line: String) throws {
    let fields = #""fields": {"price": "$.p"}"#
    let plain = #"{"s": "E-F", "p": 3}"#
    for usesTree in ["", #", "where": [{"path": "$[?@ == 'x']", "is": "absent"}]"#] {
      // After a row with the same names, and after one with others: a row's names are predicted from the previous row.
      let lines = try Self.flags(fields + usesTree, "[\(row), \(plain), \(row), \(row)]")
      #expect(lines == [line, "E-F", line, line], "\(usesTree)")
    }
  }

  @Test func shortArray() throws {
    let definition = #""symbol": {"path": "$[0]", "split": "-"}, "fields": {"price": "$[1]"}"#
    let lines = try Self.flags(definition, #"[["A-B", 1, 2], ["C-D", 2], ["E-F", 1, 2], ["G-H", 1, 2, 3]]"#)
    #expect(lines == ["A-B", "C-D malformed: the row has 2 elements, but the others have 3", "E-F", "G-H"])
  }
}
