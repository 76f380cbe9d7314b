import Config
import HTTP
import Mapping
import Quotes

/// One response read in one pass and through a tree.
struct EngineComparison {
  /// Everything an engine read from a response, as one value.
  struct Reading: Equatable {
    var tickers: [Ticker]
    var ranks: [ProductRank]
    var unsplit: [TickerTable.Unsplit]
    var dropped: [DropReason: Int]
    var failures: [AnswerFailure]

    init(_ table: TickerTable) {
      tickers = table.rows.map(\.ticker)
      ranks = table.rows.map(\.rank)
      unsplit = table.unsplit
      dropped = table.dropped
      failures = table.failures.map(\.failure)
    }
  }

  let scan: Reading
  private let tree: Reading
  /// The readings with one pair requested.
  private let ofPair: [Reading]

  var rowCount: Int { scan.tickers.count }
  var agree: Bool { scan == tree && ofPair[0] == ofPair[1] }

  init(
    _ engines: Engines, _ body: [UInt8], status: Int = 200, arrival: Instant? = nil,
    lookups: [String: LookupState] = [:]
  ) {
    func reading(_ plan: TablePlan, _ pair: Pair?) -> Reading {
      let context = RequestContext(pair: pair, now: arrival ?? Instant(nanoseconds: 0))
      let answer = HTTPResponse(status: status, body: body, arrival: arrival)
      return Reading(plan.interpret(answer, request: context, lookups: lookups, .shipped()))
    }
    let pair = Pair(asset: "BTC", payment: "USDT")
    ofPair = [reading(engines.scan, pair), reading(engines.tree, pair)]
    // A table that names no pair is about the requested one.
    scan = engines.spec.symbol.isRequest ? ofPair[0] : reading(engines.scan, nil)
    tree = engines.spec.symbol.isRequest ? ofPair[1] : reading(engines.tree, nil)
  }
}

/// A table's plan for each engine.
struct Engines {
  let spec: TableSpec
  fileprivate let scan: TablePlan
  fileprivate let tree: TablePlan

  init(_ spec: TableSpec, _ market: Market) {
    self.spec = spec
    scan = TablePlan(spec, market: market, usesScan: true)
    tree = TablePlan(spec, market: market, usesScan: false)
  }
}

extension ShippedMarket {
  /// Every table of the market: those of all pairs and of one pair, part by part.
  var tables: [TableSpec] { market.tickers + market.ticker }

  /// Both engines for each table.
  var engines: [Engines] { tables.map { Engines($0, market.market) } }
}
