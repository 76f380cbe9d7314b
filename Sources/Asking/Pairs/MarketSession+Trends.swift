package import MarketData
package import Quotes

extension MarketSession {
  /// Returns the closes of pairs in the newest hours, each from the exchange whose price stands for it, or from the next
  /// one if that has no candles.
  package func trends(
    of entries: some Collection<PairListing.Entry>, hours: Int, _ rule: HeadlineRule, by client: MarketClient
  ) async -> [RowKey: TrendReading] {
    let now = clock()
    var trends: [RowKey: TrendReading] = [:]
    func unknown() -> [RowKey] {
      entries.map { trends.row(among: $0.rows, lead: $0.leadRow, rule) }.unique.filter { trends[$0] == nil }
    }
    var rows = unknown()
    while !rows.isEmpty {
      let readings = await concurrently(rows) { row in
        (row, await trend(of: row, hours: hours, at: now, by: client).reading)
      }
      for (row, reading) in readings { trends[row] = reading }
      rows = unknown()
    }
    return trends
  }
}
