import Config
import HTTP
import Quotes
import TestSupport
import Testing

@testable import Mapping

/// The one-pass engine and the tree must read every response alike: each shipped mapping with each body of its
/// exchange, its own and those of other tables.
@Suite("Both engines give the same result")
struct ShippedEngineTests {
  /// A tree is only for parallel arrays, names that contain the row's pair, and lookups in the response itself.
  @Test(arguments: ShippedConfig.markets)
  func everyOtherTableIsReadInOnePass(of shipped: ShippedMarket) {
    for table in shipped.tables {
      let plan = TablePlan(table, market: shipped.market.market)
      var needsTree = table.lookups.contains { $0.request == nil }
      if case .zip = table.rows { needsTree = true }
      needsTree = needsTree || table.fields.values.contains(where: \.hasTemplate)
      #expect(plan.isScanned != needsTree, "\(table.partName)")
    }
  }

  @Test(arguments: ShippedConfig.markets)
  func enginesAgreeOnCassettes(of shipped: ShippedMarket) throws {
    let folder = "\(Project.cassettes)/\(shipped.exchange.name)"
    let bodies = Project.names(in: folder).filter { $0.hasSuffix(".body") }
    #expect(!bodies.isEmpty)
    let tables = shipped.engines
    var rows = 0
    for name in bodies {
      let body = try Project.bytes("\(folder)/\(name)")
      for engines in tables {
        var states: [String: LookupState] = [:]
        for lookup in engines.spec.lookups {
          guard let file = bodies.first(where: { $0.contains("lookup-\(lookup.name).") }) else { continue }
          let answer = HTTPResponse(body: try Project.bytes("\(folder)/\(file)"))
          states[lookup.name] = (try? LookupTable(lookup, answer: answer, hooks: HookRegistry())).map { .table($0) }
        }
        let comparison = EngineComparison(engines, body, lookups: states)
        #expect(comparison.agree, "\(name)")
        rows += comparison.rowCount
      }
    }
    #expect(rows >= ShippedExchangeTests.smallMarkets[shipped.name] ?? 5)
  }

  /// Truncated and damaged responses end in the same failure.
  @Test(arguments: ShippedConfig.markets)
  func enginesAgreeOnBrokenResponses(of shipped: ShippedMarket) throws {
    let folder = "\(Project.cassettes)/\(shipped.exchange.name)"
    let name = try #require(Project.names(in: folder).first { $0.hasSuffix("tickers.body") })
    var body = try Project.bytes("\(folder)/\(name)")
    // Without its trailing line break, a body would still be complete.
    while let last = body.last, last <= 0x20 { body.removeLast() }
    let tables = shipped.engines
    for length in stride(from: 0, to: body.count, by: max(1, body.count / 11)) {
      for engines in tables {
        for status in [200, 404, 503] {
          let comparison = EngineComparison(engines, Array(body[..<length]), status: status)
          #expect(comparison.agree, "\(name) cut after \(length) bytes, status \(status)")
          #expect(comparison.rowCount == 0)
        }
      }
    }
  }

  @Test(.enabled(if: SharedCorpora.arePresent), arguments: ShippedConfig.markets)
  func enginesAgreeOnRecordings(of shipped: ShippedMarket) throws {
    let tables = shipped.engines
    var rows = 0
    for recorded in RecordedBody.all where recorded.shippedName == shipped.exchange.name {
      let words = ["ticker", "stats", "contracts", "instruments", "market"]
      guard words.contains(where: recorded.request.path.lowercased().contains) else { continue }
      let body = try recorded.bytes()
      for engines in tables {
        let comparison = EngineComparison(engines, body)
        #expect(comparison.agree, "\(recorded.file)")
        rows += comparison.rowCount
      }
    }
    print("\(shipped.testDescription): \(rows) recorded rows read alike")
  }

  /// Other exchanges' tickers: rows if they have a shipped shape (many have Binance's), otherwise one failure.
  @Test(.enabled(if: SharedCorpora.arePresent), arguments: ShippedConfig.markets)
  func enginesAgreeOnOtherRecordings(of shipped: ShippedMarket) throws {
    let tables = shipped.market.tickers.map { Engines($0, shipped.market.market) }
    var rows = 0
    for recorded in RecordedBody.all
    where recorded.shippedName == nil && recorded.request.path.lowercased().contains("ticker") {
      let body = try recorded.bytes()
      for engines in tables {
        let comparison = EngineComparison(engines, body)
        #expect(comparison.agree, "\(recorded.file)")
        rows += comparison.rowCount
      }
    }
    print("\(shipped.testDescription): \(rows) rows of other exchanges read alike")
  }
}

extension ValueSpec {
  /// Whether a path in it is filled with the row's own pair.
  fileprivate var hasTemplate: Bool {
    // Values from a lookup's row are read when that is already a tree.
    if case .path(_, .lookup) = origin { return false }
    if case .path(let path?, _) = origin, !path.templates.isEmpty { return true }
    return parts.contains(where: \.hasTemplate)
  }
}
