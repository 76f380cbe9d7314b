import Testing

@testable import Inference

/// A clock says when an answer was sent, and so nothing about the age of what a cache has kept.
@Suite struct ServerClockTests {
  /// Returns what is taken for the time, which may be unsure (`?`).
  private static func time(_ sample: String) throws -> String? {
    try ExchangeInference(Array(sample.utf8)).proposal()[.time].map { $0.path + ($0.isSure ? "" : "?") }
  }

  @Test(
    arguments: [
      (#""current_time":1795690600"#, "$.current_time?"), (#""serverTime":1795690600000"#, "$.serverTime?"),
      (#""now":1795690600"#, nil),
      // What is older counts: surely, where its name says that it is a time of the figures.
      (#""current_time":1795690600,"cache_time":1795690000.9"#, "$.cache_time?"),
      (#""cache_time":1795690700,"current_time":1795690600"#, "$.current_time?"),
      (#""server_time":1795690600,"updated":1795690000000"#, "$.updated"),
      (#""server_time":1795690600,"timestamp":1795690600000"#, "$.timestamp"), (#""time":1795690600"#, "$.time"),
    ] as [(String, String?)])
  func clocksBesideRowsAreUnsure(_ members: String, _ path: String?) throws {
    let rows = MisleadingColumnTests.table { #""last":\#($0.price),"high":\#($0.price * 1.02)"# }
    #expect(try Self.time("{\(members),\"data\":\(rows)}") == path)
  }

  /// In the rows it is one moment for all of them, or else that of each.
  @Test(arguments: [(0, "$.server_time?"), (1, "$.server_time")])
  func clocksInRows(_ step: Int, _ path: String) throws {
    let rows = MisleadingColumnTests.table {
      #""last":\#($0.price),"server_time":\#(1_795_690_600 + $0.index * step)"#
    }
    #expect(try Self.time(rows) == path)
  }

  @Test func theRemedyNamesTheDoubt() throws {
    let sample = #"{"server_time":1795690600,"data":\#(MisleadingColumnTests.table { #""last":\#($0.price)"# })}"#
    let time = try #require(try ExchangeInference(Array(sample.utf8)).proposal()[.time])
    #expect(time.doubts == [TimeRole.clock] && time.isFromResponse)
  }
}
