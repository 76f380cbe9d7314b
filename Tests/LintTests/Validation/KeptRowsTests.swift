import Files
import JSON
import Mapping
import MarketData
import Proving
import TestSupport
import Testing

@testable import Config

/// The kept rows beside the recordings of the shipped exchanges.
@Suite struct KeptRowsTests {
  private static let exchanges: [String] = {
    let bytes = try? FileSystem.read(Checkout.path("exchanges.json"))
    let document = bytes.flatMap { try? JSONDocument(parsing: $0) }
    return document?.root["exchanges"]?.members.map(\.name) ?? []
  }()

  @Test func recordedExchangesExist() { #expect(!Self.exchanges.isEmpty) }

  /// An exchange's recordings pass every check and yield the rows kept beside them.
  @Test(arguments: exchanges)
  func recordingsMatchKeptRows(of name: String) async throws {
    let document = try JSONDocument(parsing: try FileSystem.read(Checkout.path("exchanges.json")))
    let members = document.root["exchanges"].map { Array($0.members) } ?? []
    let member = try #require(members.first { $0.name == name })
    guard let recorded = try await RecordedExchange(member, in: document) else { return }
    #expect(recorded.problems.map(\.message) == [])
    try GeneratedFile.expect(Array(recorded.rows.text.utf8), at: "Tests/Cassettes/\(name)/rows.tsv")
  }
}
