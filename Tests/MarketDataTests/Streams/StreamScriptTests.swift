import Quotes
import TestSupport
import Testing

@testable import MarketData

/// The links of a run, tested with scripts of what arrives and how they react.
@Suite struct StreamScriptTests {
  static let folder = "Tests/MarketDataTests/Streams/Golden"

  static let names = Project.names(in: "\(Project.root)/\(folder)").filter { $0.hasSuffix(".txt") }

  @Test(arguments: names) func script(_ name: String) throws {
    let text = String(decoding: try Project.bytes("\(Project.root)/\(Self.folder)/\(name)"), as: UTF8.self)
    Golden.expect(try StreamScript.played(text), matches: name)
  }

  @Test func scriptsExist() { #expect(Self.names.count >= 70) }
}
