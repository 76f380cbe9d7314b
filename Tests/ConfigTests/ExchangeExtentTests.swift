import Config
import Quotes
import Testing

/// What is skipped when an exchange is read for a single pair.
@Suite("Exchange read for a single pair")
struct ExchangeExtentTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let what: String
    let spot: String
    /// The number of tables for all pairs and for one pair; nil if the block is broken.
    let found: [Int]?
    var testDescription: String { what }
  }

  private static let ticker = #""ticker": {"request": {"path": "/t/{asset}"}}"#

  static let cases = [
    Case(what: "without a request for one pair", spot: #""tickers": {"request": {"path": "/t"}}"#, found: [1, 0]),
    Case(what: "with one", spot: #""tickers": {"request": {"path": "/t"}}, \#(ticker)"#, found: [0, 1]),
    Case(
      what: "a fault of the other table is not looked for",
      spot: #""tickers": {"request": {"path": "/t"}, "batch": 7}, \#(ticker)"#, found: [0, 1]),
    Case(
      what: "nor one of the order book",
      spot: #""tickers": {"request": {"path": "/t"}}, \#(ticker), "orderbook": {"request": {"path": 7}}"#,
      found: [0, 1]
    ),
    Case(
      what: "a fault that both share is found",
      spot: #""tickers": {"request": {"path": "/t"}, "rows": 7}, \#(ticker)"#, found: nil),
    Case(
      what: "a request for other payment currencies than the table's does not stand for it",
      spot: #"""
        "tickers": {"request": {"path": "/t"}},
        "ticker": {"request": {"path": "/t/{asset}"}, "paymentCurrencies": {"a": ["KRW"]}}
        """#, found: [1, 1]),
    Case(
      what: "every part has its own",
      spot: #"""
        "tickers": {"request": {"path": "/t"}, "forEach": [
          {"set": {"c": "1"}, \#(ticker)}, {"set": {"c": "2"}, \#(ticker)}]}
        """#, found: [0, 2]),
    Case(
      what: "one part has none",
      spot: #"""
        "tickers": {"request": {"path": "/t"}, "forEach": [{"set": {"c": "1"}, \#(ticker)}, {"set": {"c": "2"}}]}
        """#, found: [2, 1]),
  ]

  @Test(arguments: cases)
  func onePair(_ example: Case) throws {
    let text = #"""
      {"version": 1, "exchanges": {"Exchange": {\#(TestExchange.base), "markets": {"spot": {\#(example.spot)}}}}}
      """#
    let configuration = try TestExchange.configuration(text)
    let source = try #require(configuration.exchange(named: "Exchange"))
    let market = configuration.read(source, ExchangeExtent(isSinglePair: true)).exchange?.market(.spot)
    #expect(market.map { [$0.tickers.count, $0.ticker.count] } == example.found)
    #expect(market.map { $0.isSinglePair == $0.tickers.isEmpty } != false)
    #expect(market?.orderbooks.isEmpty != false)
  }

  @Test func otherMarketsStayUnparsed() throws {
    let configuration = try TestExchange.configuration(
      #"""
      {"version": 1, "exchanges": {"Exchange": {\#(TestExchange.base), "markets": {
        "spot": {"tickers": {"request": {"path": "/t"}}}, "futures": {"tickers": {"request": 7}}}}}}
      """#)
    let source = try #require(configuration.exchange(named: "Exchange"))
    #expect(configuration.read(source, ExchangeExtent(markets: [.spot])).exchange?.markets.map(\.market) == [.spot])
    #expect(configuration.read(source).exchange == nil)
  }
}
