package import Config
import HTTP
import Mapping
package import Quotes

extension Gatherer {
  /// The order book of a pair on one market, or why there is none.
  package func book(of pair: Pair, on market: ExchangeMarket) async -> Result<OrderBook, PriceObjection> {
    guard let spec = market.orderbook, let table = market.tickers.first ?? market.ticker.first else {
      return .failure(.book(.notOffered))
    }
    let context = context(for: table.owner, pair: pair)
    var writer = RequestWriter(table, context)
    do {
      let (answer, _) = try await ask(try writer.request(for: spec))
      return .success(try BookPlan(spec).book(in: answer, request: context, hooks: hooks))
    } catch let error as TableFailure {
      return .failure(.book(error.reason))
    } catch let error as RequestError {
      return .failure(.book(TableFailure(error).reason))
    } catch {
      return .failure(.book(.noAnswer("transport")))
    }
  }
}
