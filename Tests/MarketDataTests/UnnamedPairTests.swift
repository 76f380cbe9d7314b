import Mapping
import MarketData
import Quotes
import Synchronization
import Testing

/// Requests that do not name their pair have the same answer for every pair. They are used only where there is no other
/// pair, or where the answer says which one it is of.
@Suite struct UnnamedPairTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var symbol = #"{ "path": "$.s", "split": "-" }"#
    var query = ""
    var aliases = "{}"
    var pairs = ["BTC-USDT", "ETH-USDT", "ETH-BTC"]
    /// What the answer has besides the trades.
    var member = #""code": 0"#
    var pair = Pair(asset: "ETH", payment: "USDT")
    let outcome: String

    init(_ description: String, _ outcome: String, _ change: (inout Case) -> Void = { _ in }) {
      (testDescription, self.outcome) = (description, outcome)
      change(&self)
    }
  }

  private static let unknown =
    "no-answer other-pair (the request does not name the pair, so the answer may be about another one; write {asset} "
    + "and {payment} in it)"

  static let cases = [
    Case("one of several pairs", unknown),
    Case("the only pair of the table", "1 trade") { $0.pairs = ["ETH-USDT"] },
    Case("a pair that the table does not list", "not-listed") { $0.pairs = ["BTC-USDT"] },
    Case("the pair of the config", "1 trade") { $0.symbol = #"{ "asset": "ETH", "payment": "USDT" }"# },
    Case("not the pair of the config", "not-listed") { $0.symbol = #"{ "asset": "BTC", "payment": "USDT" }"# },
    Case("an answer that names the pair", "1 trade") { $0.member = #""market": "eth_usdt""# },
    Case("an answer that names it as a key", "1 trade") { $0.member = #""USDTETH": {}"# },
    Case(
      "an answer about another pair",
      "no-answer other-pair (the request does not name the pair, and the answer is about BTC/USDT)"
    ) { $0.member = #""market": "BTC/USDT""# },
    Case(
      "an answer about both",
      "no-answer other-pair (the request does not name the pair, and the answer is about BTC/USDT)"
    ) { $0.member = #""markets": ["ETH-USDT", "BTC-USDT"]"# },
    Case("an asset with two currencies", unknown) { $0.query = #", "query": { "coin": "{asset}" }"# },
    Case("an asset with one currency", "1 trade") {
      ($0.query, $0.pair) = (#", "query": { "coin": "{asset}" }"#, Pair(asset: "BTC", payment: "USDT"))
    },
    Case("a request that names the pair", "1 trade") { $0.query = named },
    Case("its answer names another", "no-answer other-pair (requested ETH/USDT, but the answer is about BTC/USDT)") {
      ($0.query, $0.member) = (named, #""about": [{ "s": "BTC-USDT" }]"#)
    },
    Case("its answer names it, beside another", "1 trade") {
      ($0.query, $0.member) = (named, #""about": [{ "s": "BTC-USDT" }, { "s": "eth-usdt" }]"#)
    },
    Case(
      "it names another after a text that is no pair",
      "no-answer other-pair (requested ETH/USDT, but the answer is about BTC/USDT)"
    ) {
      ($0.query, $0.member) = (named, #""about": [{ "s": "a-1" }, { "s": "BTC-USDT" }]"#)
    },
    Case("its answer is about the coin that has the name there", "not-listed") {
      ($0.query, $0.aliases, $0.member) = (named, #"{ "ETH": "ETHERNITY" }"#, #""about": [{ "s": "ETH-USDT" }]"#)
    },
    Case("its answer has the member for something else", "1 trade") {
      ($0.query, $0.member) = (named, #""s": "full-depth", "market": "BTC-USDT""#)
    },
    Case(
      "its answer names another in a member that is short for the table's",
      "no-answer other-pair (requested ETH/USDT, but the answer is about BTC/USDT)"
    ) {
      ($0.symbol, $0.query, $0.member) = (long, named, #""s": "BTC-USDT""#)
    },
    Case("its answer names it in such a member", "1 trade") {
      ($0.symbol, $0.query, $0.member) = (long, named, #""s": "eth-usdt""#)
    },
    Case("its answer has such a member for something else", "1 trade") {
      ($0.symbol, $0.query, $0.member) = (long, named, #""s": "sell""#)
    },
  ]

  private static let long = #"{ "path": "$.symbol", "split": "-" }"#
  private static let named = #", "query": { "s": "{asset}{payment}" }"#

  @Test(arguments: cases) func isUsedOnlyIfItCanBeOfNoOther(_ example: Case) async throws {
    let exchanges = try StubExchanges(
      config: """
        { "version": 1, "exchanges": { "alpha": { "baseUrls": ["https://alpha.test"], "markets": { "spot": {
          "paymentCurrencies": { "all": ["USDT", "BTC"] }, "aliases": \(example.aliases),
          "tickers": { "request": { "path": "/all" }, "rows": "$[*]", "symbol": \(example.symbol),
            "fields": { "price": "$.p" } },
          "trades": { "request": { "path": "/trades"\(example.query) }, "rows": "$.list[*]",
            "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "ms" } } } } } } } }
        """)
    let answer = try await exchanges.trades(of: example.pair, now: StubExchanges.arrival) { url in
      let rows = example.pairs.map { "{\"s\": \"\($0)\", \"symbol\": \"\($0)\", \"p\": 1}" }.joined(separator: ",")
      let trades = "{\(example.member), \"list\": [{\"p\": 1, \"t\": 1763442726500}]}"
      return .success((200, Array((url.hasSuffix("/all") ? "[\(rows)]" : trades).utf8)))
    }
    switch answer.result {
    case .success(let list): #expect("\(list.trades.count) trade" == example.outcome)
    case .failure(let failure): #expect(failure.wordsInParentheses == example.outcome)
    }
  }
}
