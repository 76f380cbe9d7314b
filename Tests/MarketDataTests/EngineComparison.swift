import Config
import HTTP
import Mapping
import Quotes

/// One answer read in one pass and through a tree.
struct EngineComparison {
  /// What an engine made of an answer, as one value.
  struct Reading: Equatable {
    var tickers: [Ticker]
    var ranks: [Int]
    var unsplit: [TickerTable.Unsplit]
    var dropped: [String: Int]
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
  let tree: Reading

  var rowCount: Int { scan.tickers.count }
  var agree: Bool { scan == tree }

  init(
    _ spec: TableSpec, _ market: Market, _ body: [UInt8], status: Int = 200, arrival: Instant? = nil,
    pair: Pair? = Pair(asset: "BTC", payment: "USDT"), lookups: [String: LookupState] = [:]
  ) {
    func reading(usesScan: Bool) -> Reading {
      let plan = TablePlan(spec, market: market, fields: TickerField.allCases.map(\.rawValue), usesScan: usesScan)
      let context = RequestContext(pair: pair, now: arrival ?? Instant(nanoseconds: 0))
      let answer = HTTPResponse(status: status, body: body, arrival: arrival)
      return Reading(plan.interpret(answer, request: context, lookups: lookups, .shipped()))
    }
    scan = reading(usesScan: true)
    tree = reading(usesScan: false)
  }
}

extension ShippedMarket {
  /// Every table of the market: that of all pairs and that of one, part by part.
  var tables: [TableSpec] { market.tickers + market.ticker }
}
