package import MarketData
package import Quotes

extension MarketSession {
  /// Returns the closes of rows in the newest hours.
  ///
  /// - Parameter rows: Returns the rows to draw by what is known so far: for those whose exchange turns out to have no
  ///   candles, others.
  package func trends(
    hours: Int, by client: MarketClient, of rows: ([RowKey: TrendReading]) -> [RowKey]
  ) async -> [RowKey: TrendReading] {
    let now = clock()
    var trends: [RowKey: TrendReading] = [:]
    while case let unknown = rows(trends).unique.filter({ trends[$0] == nil }), !unknown.isEmpty {
      let readings = await concurrently(unknown) { row in
        (row, await trend(of: row, hours: hours, at: now, by: client).reading)
      }
      for (row, reading) in readings { trends[row] = reading }
    }
    return trends
  }
}
