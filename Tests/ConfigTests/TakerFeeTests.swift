import Config
import Quotes
import Testing

/// The fees of an exchange, by pair.
@Suite struct TakerFeeTests {
  @Test(
    arguments: [
      ("0.1", ["BTC/JPY 0.1", "XRP/KRW 0.1"]), ("{}", ["BTC/JPY -", "XRP/KRW -"]),
      (#"{"krw": 0.05, "*": 0.25}"#, ["BTC/JPY 0.25", "XRP/KRW 0.05"]),
      (#"{"*": 0.12, "JPY": 0.2, "BTC/JPY": 0.1}"#, ["BTC/JPY 0.1", "ETH/JPY 0.2", "BTC/KRW 0.12"]),
      (#"{"btc/*": 0.1}"#, ["BTC/JPY 0.1", "BTC/KRW 0.1", "XRP/BTC -"]),
    ] as [(String, [String])])
  func mostExactCounts(_ fee: String, _ expected: [String]) throws {
    let exchange = try TestExchange.read(
      in: TestExchange.configuration(
        TestExchange.config(exchange: #"\#(TestExchange.base), "takerFee": \#(fee)"#)))
    let lines = expected.map { line in
      let names = line.prefix { $0 != " " }.split(separator: "/").map(String.init)
      let pair = Pair(asset: names[0], payment: names[1])
      return "\(pair) \(exchange.market(.spot)?.takerFees?.percent(of: pair).map { "\($0)" } ?? "-")"
    }
    #expect(lines == expected)
  }
}
