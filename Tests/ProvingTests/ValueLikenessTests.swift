import Config
import JSON
import Quotes
import Testing

@testable import Mapping
@testable import Proving

/// Response times may be anything, and are compared without trapping.
@Suite struct ValueLikenessTests {
  private static let arrival = Instant(nanoseconds: 1_790_000_000_000_000_000)

  /// Returns a field that is a time.
  private static func time() throws -> MappedPath {
    let text = """
      {"version": 1, "exchanges": {"alpha": {"baseUrls": ["https://alpha.example"], "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p", "time": {"path": "$.t", "unit": "iso8601"}},
        "markets": {"spot": {"tickers": {"request": {"path": "/all"}}}}}}}
      """
    let file = try ConfigFile(name: "c.json", bytes: Array(text.utf8))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    let exchange = try #require(configuration.exchanges.first.flatMap { configuration.read($0).exchange })
    let spec = try #require(exchange.markets.first?.tickers.first)
    return try #require(MappedPath.paths(of: spec).first { $0.field == .time })
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let recorded: String
    let current: String
    let score: Double
    var testDescription: String { "\(recorded) -> \(current)" }
  }

  @Test(arguments: [
    Case(recorded: #""2026-09-21T14:13:20Z""#, current: #""2026-09-21T14:13:10Z""#, score: 1),
    Case(recorded: #""1900-01-01T00:00:00Z""#, current: #""2026-09-21T14:13:10Z""#, score: 1),
    Case(recorded: #""1900-01-01T00:00:00Z""#, current: #""1901-01-01T00:00:00Z""#, score: 1),
    Case(recorded: #""2013-01-01T00:00:00Z""#, current: #""1970-01-01T00:00:00Z""#, score: 0.6),
    Case(recorded: #""2026-09-21T14:13:20Z""#, current: #""1700-01-01T00:00:00Z""#, score: 0),
    Case(recorded: #""2026-09-21T14:13:20Z""#, current: #""2250-01-01T00:00:00Z""#, score: 0),
  ])
  func age(_ sample: Case) throws {
    func value(_ text: String) throws -> AnswerValue {
      try #require(AnswerValue(try JSONDocument(parsing: Array(text.utf8)).root))
    }
    let values = [(old: try value(sample.recorded) as AnswerValue?, new: try value(sample.current) as AnswerValue?)]
    let likeness = try ValueLikeness(values, of: Self.time(), arrivals: (Self.arrival, Self.arrival))
    #expect(likeness?.score == sample.score)
  }
}
