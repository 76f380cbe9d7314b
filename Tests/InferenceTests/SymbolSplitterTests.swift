import Testing

@testable import Config
@testable import Inference

/// Splitting symbols of all the usual forms.
@Suite struct SymbolSplitterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let symbols: [String]
    /// The expected pairs; `-` where the symbol is skipped.
    let pairs: [String]
    /// The coins, where no symbol names a payment currency.
    var names: [String] = []
    var isSure = true
  }

  @Test(arguments: [
    Case(
      testDescription: "a separator", symbols: ["btc_krw", "eth_krw", "eth_btc"],
      pairs: ["BTC/KRW", "ETH/KRW", "ETH/BTC"]),
    Case(
      testDescription: "no separator", symbols: ["BTCUSDT", "ETHUSDT", "ETHBTC"],
      pairs: ["BTC/USDT", "ETH/USDT", "ETH/BTC"]),
    Case(
      testDescription: "a coin whose end turns a shorter currency into a longer one",
      symbols: ["BTCUSD", "ETHUSD", "LTCUSD", "USDTUSD"], pairs: ["BTC/USD", "ETH/USD", "LTC/USD", "USDT/USD"]),
    Case(
      testDescription: "the longer currency if other symbols have it too",
      symbols: ["BTCUSD", "ETHUSD", "BTCTUSD", "ETHTUSD"], pairs: ["BTC/USD", "ETH/USD", "BTC/TUSD", "ETH/TUSD"]),
    Case(
      testDescription: "several of a coin whose end turns a shorter currency into a longer one",
      symbols: ["BTCUSD", "ETHUSD", "1000SHIBUSD"], pairs: ["BTC/USD", "ETH/USD", "1000SHIB/USD"]),
    Case(
      testDescription: "the shorter currency if nothing speaks for the longer one",
      symbols: ["BTCUSD", "ETHUSD", "LTCUSD", "QXYZBUSD"],
      pairs: ["BTC/USD", "ETH/USD", "LTC/USD", "QXYZB/USD"]),
    Case(
      testDescription: "the longer currency if a known coin is paid in it",
      symbols: ["BTCUSD", "ETHUSD", "BTCBUSD", "1000SHIBBUSD"],
      pairs: ["BTC/USD", "ETH/USD", "BTC/BUSD", "1000SHIB/BUSD"]),
    Case(
      testDescription: "a coin that some pay for in a shorter currency than its end spells",
      symbols: ["BTCUSD", "ETHUSD", "BTCBUSD", "ETHBUSD", "BNBUSDT", "BNBUSD", "BNBBUSD", "ARBUSDT", "ARBUSD"],
      pairs: [
        "BTC/USD", "ETH/USD", "BTC/BUSD", "ETH/BUSD", "BNB/USDT", "BNB/USD", "BNB/BUSD", "ARB/USDT", "ARB/USD",
      ]),
    Case(
      testDescription: "the same in small letters, and euros",
      symbols: ["btceur", "etheur", "btcaeur", "ethaeur", "adausdt", "adaeur", "solusdt"],
      pairs: ["BTC/EUR", "ETH/EUR", "BTC/AEUR", "ETH/AEUR", "ADA/USDT", "ADA/EUR", "SOL/USDT"]),
    Case(
      testDescription: "two coins of the sample that the symbol may be of",
      symbols: ["BTCUSD", "ETHUSD", "BTCBUSD", "ETHBUSD", "ARUSDT", "ARBUSDT", "ARBUSD"],
      pairs: ["BTC/USD", "ETH/USD", "BTC/BUSD", "ETH/BUSD", "AR/USDT", "ARB/USDT", "AR/BUSD"], isSure: false),
    Case(
      testDescription: "payment currency first, no separator", symbols: ["KRWBTC", "KRWETH", "KRWXRP", "BTCETH"],
      pairs: ["BTC/KRW", "ETH/KRW", "XRP/KRW", "ETH/BTC"]),
    Case(
      testDescription: "coins that turn a shorter currency in front into a longer one",
      symbols: ["USDBTC", "USDTBTC", "USDETH", "USDTETH", "USDTRX", "USDTTRX", "EURBTC", "EURTBTC", "EURTUSD"],
      pairs: [
        "BTC/USD", "BTC/USDT", "ETH/USD", "ETH/USDT", "TRX/USD", "TRX/USDT", "BTC/EUR", "BTC/EURT", "TUSD/EUR",
      ]),
    Case(
      testDescription: "the same in small letters", symbols: ["usdbtc", "usdtbtc", "usdeth", "usdtrx", "usdtsol"],
      pairs: ["BTC/USD", "BTC/USDT", "ETH/USD", "TRX/USD", "SOL/USDT"]),
    Case(
      testDescription: "a coin in front of which two currencies may stand",
      symbols: ["USDBTC", "USDTBTC", "USDETH", "USDTETH", "USDTHE"],
      pairs: ["BTC/USD", "BTC/USDT", "ETH/USD", "ETH/USDT", "-"], isSure: false),
    Case(
      testDescription: "a letter for the asset class",
      symbols: ["XXBTZUSD", "XETHZEUR", "XETHXXBT", "XTZUSD", "ADAEUR"],
      pairs: ["XBT/USD", "ETH/EUR", "ETH/XBT", "XTZ/USD", "ADA/EUR"]),
    Case(testDescription: "a letter for the class of one pair", symbols: ["XETHZUSD"], pairs: ["ETH/USD"]),
    Case(
      testDescription: "a letter that is part of the code", symbols: ["XAUTZUSD"], pairs: ["XAUT/ZUSD"], isSure: false),
    Case(
      testDescription: "some perpetuals", symbols: ["BTC-USDT", "ETH-USDT", "BTC-USDT-SWAP", "ETH-USDT-SWAP"],
      pairs: ["BTC/USDT", "ETH/USDT", "BTC/USDT", "ETH/USDT"]),
    Case(
      testDescription: "some with a date",
      symbols: ["BTC-USD-230630", "BTC-USD", "ETH-USD", "SOL-USD", "BTC-USD-29DEC23"],
      pairs: ["-", "BTC/USD", "ETH/USD", "SOL/USD", "-"]),
    Case(
      testDescription: "a letter after every symbol", symbols: ["XBTUSDTM", "ETHUSDTM", "SOLUSDTM", "XBTUSDM"],
      pairs: ["XBT/USDT", "ETH/USDT", "SOL/USDT", "XBT/USD"]),
    Case(
      testDescription: "all perpetuals", symbols: ["BTC_USDT_PERP", "ETH_USDT_PERP"], pairs: ["BTC/USDT", "ETH/USDT"]),
    Case(
      testDescription: "a word in front", symbols: ["PERP_BTC_USDT", "PERP_ETH_USDT", "PERP_XYZ_USDC"],
      pairs: ["BTC/USDT", "ETH/USDT", "XYZ/USDC"]),
    Case(
      testDescription: "the exchange's own word in front", symbols: ["ndx:BTC-USDT", "ndx:ETH-USDT", "ndx:ETH-BTC"],
      pairs: ["BTC/USDT", "ETH/USDT", "ETH/BTC"]),
    Case(
      testDescription: "the settlement currency at the end",
      symbols: ["BTC/USDT:USDT", "ETH/USDT:USDT", "XRP/USD:XRP"],
      pairs: ["BTC/USDT", "ETH/USDT", "XRP/USD"]),
    Case(
      testDescription: "the settlement currency at the end of some",
      symbols: ["BTC/USDT:USDT", "ETH/USDT", "ETH/USDT:USDT", "XRP/BTC"],
      pairs: ["BTC/USDT", "ETH/USDT", "ETH/USDT", "XRP/BTC"]),
    Case(
      testDescription: "one vote of many", symbols: ["QQA_BTC", "QQB_QQA", "QQC_QQB"], pairs: ["-", "-", "-"],
      isSure: false),
    Case(
      testDescription: "a coin's name in front of every pair",
      symbols: ["cmt_btcusdt", "cmt_ethusdt", "cmt_flokiusdt"],
      pairs: ["BTC/USDT", "ETH/USDT", "FLOKI/USDT"]),
    Case(
      testDescription: "a payment currency in front of every coin",
      symbols: ["KRW-BTC", "KRW-ETH", "KRW-TUSD", "KRW-FDUSD"], pairs: ["BTC/KRW", "ETH/KRW", "TUSD/KRW", "FDUSD/KRW"]),
    Case(
      testDescription: "coins before a product and a word",
      symbols: ["BTC-PERP-INTX", "ETH-PERP-INTX", "XRP-PERP-INTX"],
      pairs: ["-", "-", "-"], names: ["BTC", "ETH", "XRP"]),
    Case(
      testDescription: "a product between the codes", symbols: ["BTC-SWAP-USDT", "ETH-SWAP-USDT", "ETH-SWAP-USDC"],
      pairs: ["BTC/USDT", "ETH/USDT", "ETH/USDC"]),
    Case(
      testDescription: "a product between two separators", symbols: ["BTC-PERP_USDC", "ETH-PERP_USDC"],
      pairs: ["BTC/USDC", "ETH/USDC"]),
    Case(
      testDescription: "an encoded separator", symbols: ["BTC%2FKRW", "ETH%2FKRW", "XRP%2FKRW"],
      pairs: ["BTC/KRW", "ETH/KRW", "XRP/KRW"]),
    Case(
      testDescription: "letters after both codes", symbols: ["tBTCF0:USTF0", "tETHF0:USTF0", "tXRPF0:USTF0"],
      pairs: ["-", "-", "-"], isSure: false),
    Case(
      testDescription: "some with the letter of a month",
      symbols: ["BTCUSD", "ETHUSD", "BTCUSDZ26", "XBTH27", "XBTUSD"],
      pairs: ["BTC/USD", "ETH/USD", "-", "-", "XBT/USD"]),
    Case(
      testDescription: "some with a week or quarter", symbols: ["BTC-USD", "ETH-USD", "BTC-CW", "ETH-NQ"],
      pairs: ["BTC/USD", "ETH/USD", "-", "-"]),
    Case(
      testDescription: "a coin named like a quarter", symbols: ["KRW-BTC", "KRW-ETH", "KRW-CQ"],
      pairs: ["BTC/KRW", "ETH/KRW", "CQ/KRW"]),
    Case(
      testDescription: "a prefix", symbols: ["tBTCUSD", "tETHUSD", "tLTCBTC"], pairs: ["BTC/USD", "ETH/USD", "LTC/BTC"]),
  ])
  func forms(_ example: Case) throws {
    let result = try #require(SymbolSplitter(example.symbols).result())
    if !example.names.isEmpty {
      guard case .asset(nil)? = result.rules.first?.rule else {
        Issue.record("\(result.rules)")
        return
      }
      let affixes = (result.rules[0].prefix.count, result.rules[0].suffix.count)
      #expect(example.symbols.map { String($0.dropFirst(affixes.0).dropLast(affixes.1)) } == example.names)
      return
    }
    let pairs = example.symbols.map { symbol in result.pair(of: symbol).map { "\($0.asset)/\($0.payment)" } }
    for (pair, wanted) in zip(pairs, example.pairs) where wanted != "-" { #expect(pair == wanted) }
    #expect((result.confidence >= RoleProposal.threshold) == example.isSure, "\(result.confidence)")
    #expect(result.skips.isEmpty == (!example.isSure || !example.pairs.contains("-")))
  }

  /// A member that names the asset shows where a symbol ends in the shorter of two currencies.
  @Test(arguments: [("QXYZB", false), ("QXYZ", true)]) func assetOfTheRowDecides(_ coin: String, _ isSure: Bool) throws
  {
    let symbols = [
      ("BTCUSD", "BTC"), ("ETHUSD", "ETH"), ("BTCBUSD", "BTC"), ("ETHBUSD", "ETH"), ("1000QXYZBUSD", coin),
    ]
    let rows = symbols.enumerated().map { index, symbol in
      let price = 100 + index * 7
      return
        #"{"symbol":"\#(symbol.0)","underlying":"\#(symbol.1)","last":\#(price),"high":\#(price + 5),"low":\#(price - 5)}"#
    }
    let symbol = try #require(
      try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8)).proposal().symbol)
    #expect((symbol.assetConfidence >= RoleProposal.threshold) == isSure, "\(symbol.evidence)")
    #expect(symbol.evidence.contains("'$.underlying' names another asset in 1 of 5 rows") != isSure)
  }

  /// A name that consists of another coin's and a payment currency is a pair, where enough are.
  @Test(arguments: [
    (["BTC", "ETH", "LTC", "BTCUSDT", "ETHUSDT", "WBTC"], ["-", "-", "-", "BTC/USDT", "ETH/USDT", "-"]),
    (["BTC", "ETH", "LTC", "XRP", "ADA", "STETH"], ["-", "-", "-", "-", "-", "-"]),
  ])
  func pairsAmongCoins(_ symbols: [String], _ pairs: [String]) throws {
    let result = try #require(SymbolSplitter(symbols).result())
    #expect(symbols.map { symbol in result.pair(of: symbol).map { "\($0.asset)/\($0.payment)" } ?? "-" } == pairs)
  }
}
