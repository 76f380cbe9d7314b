import Quotes
import Testing

/// A value of the config, the row it reads, and the resulting cell.
///
/// The value is used as `volume24`, since a volume may be zero or negative; every row contains `{"s": "AAA-BBB"}`.
struct ValueCase: Sendable, CustomTestStringConvertible {
  let value: String
  let row: String
  let cell: String
  var members: String
  var lookups: [String: String]

  init(_ value: String, in row: String, is cell: String, with members: String = "", lookups: [String: String] = [:]) {
    self.value = value
    self.row = row
    self.cell = cell
    self.members = members
    self.lookups = lookups
  }

  var testDescription: String { "\(value) in {\(row)}" }

  func check() throws {
    let table = try TestTable(#""fields": {"volume24": \#(value)}"# + (members.isEmpty ? "" : ", " + members))
    var asked = Asked(pair: Pair(asset: "AAA", payment: "BBB"), lookups: lookups)
    asked.keys = "K1,K2"
    let lines = try table.lines(#"[{"s": "AAA-BBB", \#(row)}]"#, asked)
    // A negative volume is flagged.
    #expect(lines.map { $0.replacing(" !turnover", with: "") } == ["AAA/BBB \(cell)"])
  }
}
