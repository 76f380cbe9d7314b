import Config
import Files
import HTTP
import Mapping
import Quotes

/// Reading the responses about one pair, on one thread.
struct PairBenchmarks {
  private let market: ExchangeMarket
  private let folder: String

  /// - Parameter folder: the folder with the bodies `candles.json`, `trades.json` and `book.json`.
  init(config path: String, bodies folder: String) throws {
    let file = try ConfigFile(name: "exchanges.json", bytes: try FileSystem.read(path))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    guard let source = configuration.exchange(named: "Binance"),
      let market = configuration.read(source).exchange?.market(.spot)
    else { throw TableBenchmarks.MissingExchange() }
    self.market = market
    self.folder = folder
  }

  func measured() throws -> [(String, Double)] {
    guard let minute = market.candles.first?[.oneMinute], let trades = market.trades.first,
      let book = market.orderbooks.first
    else { throw TableBenchmarks.MissingExchange() }
    let (candles, list, levels) = (CandlePlan(minute), TradePlan(trades), BookPlan(book))
    let context = ReadingContext(
      RequestContext(pair: Pair(asset: "BTC", payment: "USDT"), now: Instant(nanoseconds: 0)))
    return [
      ("candles", try best(.candles) { try? candles.candles(in: $0, context).candles.count }),
      ("trades", try best(.trades) { try? list.trades(in: $0, context).trades.count }),
      ("book", try best(.book) { try? levels.book(in: $0, context).bids.count }),
    ]
  }

  private func best(_ body: PairBody, _ read: (HTTPResponse) -> Int?) throws -> Double {
    let answer = HTTPResponse(body: try FileSystem.read("\(folder)/\(body.rawValue).json"))
    guard let count = read(answer), count >= 1000 else { throw TableBenchmarks.MissingExchange() }
    return TableBenchmarks.best { read(answer) }
  }
}
