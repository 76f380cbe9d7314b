import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import Testing
import Transport

/// Bithumb accepts at most 200 markets per request, so several requests are made.
@Suite("Bithumb batches")
struct ShippedBatchTests {
  private static let codes = (1...450).map { "KRW-C\($0)" }

  /// Returns the markets of each request, in list order.
  private func batches(failing wanted: String? = nil) async throws -> (sizes: [[String]], report: ExchangeReport) {
    let asked = Mutex<[[String]]>([])
    let handler: HTTPHandler = { request throws(TransportError) in
      let parts = (request.urls.first ?? "").split(separator: "?markets=").map(String.init)
      var body = "[" + Self.codes.map { "{\"market\":\"\($0)\"}" }.joined(separator: ",") + "]"
      if parts.count == 2 {
        let codes = parts[1].split(separator: ",").map(String.init)
        asked.withLock { $0.append(codes) }
        if let wanted, codes.contains(wanted) { throw .timeout }
        body = "[" + codes.map { "{\"market\":\"\($0)\",\"trade_price\":5}" }.joined(separator: ",") + "]"
      }
      return HTTPResponse(
        status: 200, headers: [], body: Array(body.utf8), arrival: Instant(nanoseconds: 0),
        url: request.urls.first ?? "")
    }
    let client = MarketClient(
      handler: handler, credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(),
      now: { Instant(nanoseconds: 0) })
    let shipped = try #require(ShippedConfig.markets.first { $0.name == "Bithumb-spot" })
    let query = TableQuery(fields: [.price], options: .shipped())
    let report = await client.report(on: shipped.market, of: shipped.exchange, query)
    return (asked.withLock { $0 }, report)
  }

  @Test func requestsHaveAtMostTwoHundredPairs() async throws {
    let (batches, report) = try await batches()
    #expect(batches.map(\.count).sorted() == [50, 200, 200])
    #expect(Set(batches.joined()) == Set(Self.codes))
    #expect(report.table.rows.map(\.ticker.symbol) == Self.codes)
    #expect(report.status == .ok)
  }

  @Test func failingBatchLosesOnlyItsRows() async throws {
    let report = try await batches(failing: "KRW-C201").report
    #expect(report.table.rows.map(\.ticker.symbol) == Array(Self.codes[..<200] + Self.codes[400...]))
    #expect(report.status == .partial)
  }
}
