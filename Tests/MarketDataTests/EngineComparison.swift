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
    var failures: [TableFailure]

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
    _ spec: TableSpec, _ market: Market, _ body: [UInt8], status: Int = 200, arrival: Instant? = nil,
    lookups: [String: LookupState] = [:]
  ) {
    func reading(_ pair: Pair?, usesScan: Bool) -> Reading {
      let plan = TablePlan(spec, market: market, usesScan: usesScan)
      let context = RequestContext(pair: pair, now: arrival ?? Instant(nanoseconds: 0))
      let answer = HTTPResponse(status: status, body: body, arrival: arrival)
      return Reading(plan.interpret(answer, request: context, lookups: lookups, .shipped()))
    }
    let pair = Pair(asset: "BTC", payment: "USDT")
    ofPair = [reading(pair, usesScan: true), reading(pair, usesScan: false)]
    // A table that names no pair is about the requested one.
    scan = spec.symbol.isRequest ? ofPair[0] : reading(nil, usesScan: true)
    tree = spec.symbol.isRequest ? ofPair[1] : reading(nil, usesScan: false)
  }
}

extension ShippedMarket {
  /// Every table of the market: those of all pairs and of one pair, part by part.
  var tables: [TableSpec] { market.tickers + market.ticker }
}
