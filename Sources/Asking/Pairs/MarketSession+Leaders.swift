import Config
import Mapping
package import MarketData
import Quotes
package import Views

extension MarketSession {
  /// The time span of a sparkline in hours.
  private static let sparklineHours = 24

  /// Returns the pairs of a listing with the largest turnover, each with a day's closes from its leading exchange.
  package func leaders(of listing: PairListing, by client: MarketClient) async -> [Leader] {
    let interpretation = interpretation()
    let entries = Leader.entries(of: listing)
    let names = Set(entries.map(\.leadRow.ticker.exchange))
    let sides = Dictionary(
      configuration.exchanges.filter { names.contains($0.name) }.compactMap { source in
        configuration.read(source, ExchangeExtent(blocks: [.candles])).exchange?.market(listing.market)
          .map { (source.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
    return await concurrently(entries) { entry in
      let exchange = entry.leadRow.ticker.exchange
      guard let market = sides[exchange] else { return Leader(entry.pair, .failure(TableFailure(.notOffered))) }
      let query = CandleQuery(PairQuery(entry.pair, interpretation), .oneHour, .newest(Self.sparklineHours))
      let answer = await client.candles(query, on: market, of: exchange)
      return Leader(entry.pair, answer.result.map { $0.series.candles.map(\.close) })
    }
  }
}
