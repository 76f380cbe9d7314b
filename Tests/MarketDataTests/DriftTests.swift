import Config
import Mapping
import MarketData
import Proving
import Quotes
import Testing
import Transport

/// What a live test reports about members that disappeared or appeared since the recording.
@Suite struct DriftTests {
  private static let config = """
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.example"], "rows": "$.list[*]", "symbol": { "path": "$.s", "split": "-" },
      "fields": { "price": "$.last", "high": "$.high", "low": "$.low", "bid": "$.bid" },
      "markets": { "spot": { "tickers": { "request": { "path": "/all" } } } } } } }
    """

  private static func body(price: String, bid: String = "bid", more: String = "") -> StubExchanges.Reply {
    let rows = (0..<20).map { index in
      """
      {"s": "C\(index)-USDT", "\(price)": "\(100 + index)", "high": "\(110 + index)", "low": "\(90 + index)",
       "\(bid)": "\(99 + index)", "ask": "\(101 + index)"\(more)}
      """
    }
    return .success((200, Array("{\"list\": [\(rows.joined(separator: ","))]}".utf8)))
  }

  private func findings(_ now: StubExchanges.Reply) async throws -> [Finding] {
    let stub = try StubExchanges(config: Self.config)
    let options = Interpretation(check: MeaningCheck())
    let exchange = try #require(stub.exchanges.first)
    let base = await ExchangeTester(live: stub.client { _, _ in Self.body(price: "last") }, options).test(exchange)
    #expect(base.problems == [])
    let result = await ExchangeTester(live: stub.client { _, _ in now }, options).test(exchange, comparedWith: base)
    return result.tableFindings.flatMap(\.self)
  }

  @Test func unchangedResponseHasNoFindings() async throws {
    #expect(try await findings(Self.body(price: "last")) == [])
  }

  @Test func newMemberIsANote() async throws {
    #expect(
      try await findings(Self.body(price: "last", more: #", "halted": false"#)).map { "\($0.severity): \($0.message)" }
        == [
          "note: new since the recording: $.halted false"
        ])
  }

  /// A table whose members all have new names is no page of names.
  @Test func manyNewMembersAreCounted() async throws {
    let more = (0..<40).map { #", "n\#($0)": \#($0)"# }.joined()
    let found = try await findings(Self.body(price: "last", more: more)).map(\.message)
    #expect(found == ["new since the recording: $.n0 0, $.n1 1, $.n2 2, $.n3 3, $.n4 4 and 35 more"])
  }

  /// A similar new name with fitting numbers.
  @Test func renamedMemberIsAProblemWithProposal() async throws {
    let found = try await findings(Self.body(price: "lastPrice"))
    let problems = found.filter { $0.severity == .error }
    #expect(
      problems.map(\.message) == [
        "price: $.last leads nowhere in any of 20 rows, but was in every row of the recording"
      ])
    #expect(problems.allSatisfy { $0.help?.hasPrefix("use \"$.lastPrice\" (100)") == true })
    #expect(found.contains { $0.severity == .note && $0.message == "new since the recording: $.lastPrice 100" })
  }

  /// A completely different name, found only by its numbers.
  @Test func memberWithNewNameIsFoundByItsNumbers() async throws {
    let found = try await findings(Self.body(price: "last", bid: "buyPx"))
    let help = found.compactMap(\.help)
    #expect(help.allSatisfy { $0.hasPrefix("use \"$.buyPx\" (99)") })
    #expect(!help.isEmpty)
  }

  /// The rows themselves have moved.
  @Test func movedRowsAreFound() async throws {
    guard case .success(let reply) = Self.body(price: "last") else { return }
    let moved = Array(String(decoding: reply.body, as: UTF8.self).replacing("\"list\"", with: "\"tickers\"").utf8)
    let found = try await findings(.success((200, moved)))
    #expect(found.map(\.message) == ["path-miss: the path of the rows leads to nothing"])
    #expect(
      found.map(\.help) == [
        "the rows seem to be at \"$.tickers[*]\" (20 rows): 5 of 5 paths of the mapping lead somewhere there, 20 of 20 "
          + "recorded names are there"
      ])
  }
}
