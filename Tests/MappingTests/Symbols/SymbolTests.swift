import Mapping
import Quotes
import Testing

/// A symbol mapping, and its result for each symbol.
struct SymbolCase: Sendable, CustomTestStringConvertible {
  let members: String
  let readings: [(symbol: String, line: String)]
  var market = Market.spot
  var globalAliases: [String: String] = [:]

  init(
    _ members: String, _ readings: KeyValuePairs<String, String>, market: Market = .spot,
    globalAliases: [String: String] = [:]
  ) {
    self.members = members
    self.readings = readings.map { ($0.key, $0.value) }
    self.market = market
    self.globalAliases = globalAliases
  }

  var testDescription: String { members }

  func check() throws {
    let table = try TestTable(members + #", "fields": {"price": "$.p"}"#, market: market)
    for (symbol, line) in readings {
      let row = symbol.hasPrefix("{") ? symbol.dropFirst().dropLast() : #""s": "\#(symbol)""#[...]
      let lines = try table.lines(#"[{"p": 500, \#(row)}]"#, Asked(globalAliases: globalAliases))
      #expect(lines == [line], "\(symbol)")
    }
  }
}

@Suite struct SymbolTests {
  static let currencies = #""paymentCurrencies": {"stable": ["USDT", "USD"], "coin": ["BTC", "ETH"], "fiat": ["EUR"]}"#

  /// The longest payment currency at the end is removed once, and an asset must remain.
  static let payments = [
    SymbolCase(
      #""symbol": {"path": "$.s", "split": "payment"}, \#(currencies)"#,
      [
        "BTCUSDT": "BTC/USDT 500", "BTCUSD": "BTC/USD 500", "BTCSTBTC": "BTCST/BTC 500", "ETHWETH": "ETHW/ETH 500",
        "EURTEUR": "EURT/EUR 500", "USDTUSD": "USDT/USD 500", "USDTUSDT": "not split: USDTUSDT",
        "USDTUSDTUSDT": "USDTUSDT/USDT 500",
        "btcusdt": "BTC/USDT 500", "xbtEur": "XBT/EUR 500", "USDT": "not split: USDT", "EUR": "not split: EUR",
        "BTCKRW": "not split: BTCKRW", "": #"failed: unsplit (symbol: expected a text at $.s, found "")"#,
        " BTCUSDT": "not split:  BTCUSDT",
        "BTC USDT": "not split: BTC USDT",
      ]),
    SymbolCase(
      #""symbol": {"path": "$.s", "split": "payment"}, "paymentCurrencies": {"all": ["ZUSD", "usd"]}, "aliases": {"ZUSD": "USD"}"#,
      ["XETHZUSD": "XETH/USD 500", "DAIUSD": "DAI/USD 500"]),
    // Names that only resemble multiplied ones, among real ones.
    SymbolCase(
      #""symbol": {"path": "$.s", "split": "payment"}, \#(currencies), "multiplier": {"1000": 1000, "*1000": 1000}, "aliases": {"XBT": "BTC"}"#,
      [
        "1000PEPEUSDT": "PEPE/USDT 0.5", "SHIB1000USDT": "SHIB/USDT 0.5", "XBTUSDT": "BTC/USDT 500",
        "XRPUSDT": "XRP/USDT 500", "SHIB0USDT": "SHIB0/USDT 500", "CCUSDT": "WCC/USDT 500", "CATUSDT": "CAT/USDT 500",
        "비트USDT": "비트/USDT 500", "A b!USDT": "A B!/USDT 500",
      ], globalAliases: ["CC": "WCC"]),
  ]

  /// A separator makes exactly two parts.
  static let separators = [
    SymbolCase(
      #""symbol": {"path": "$.s", "split": "-"}"#,
      [
        "BTC-USDT": "BTC/USDT 500", "btc-usdt": "BTC/USDT 500", "BTCUSDT": "not split: BTCUSDT",
        "BTC-USDT-SWAP": "not split: BTC-USDT-SWAP", "-BTC": "not split: -BTC", "BTC-": "not split: BTC-",
        "-": "not split: -", "BTC--USDT": "not split: BTC--USDT", "BTC_USDT": "not split: BTC_USDT",
      ]),
    SymbolCase(
      #""symbol": {"path": "$.s", "split": "-", "order": "payment-asset"}"#, ["KRW-BTC": "BTC/KRW 500"]),
    SymbolCase(#""symbol": {"path": "$.s", "split": "/", "order": "asset-payment"}"#, ["BTC/KRW": "BTC/KRW 500"]),
    SymbolCase(
      #""symbol": {"path": "$.s", "split": "::"}"#, ["BTC::KRW": "BTC/KRW 500", "BTC:KRW": "not split: BTC:KRW"]),
    // Except with `split: payment`, the list of currencies does not filter.
    SymbolCase(
      #""symbol": {"path": "$.s", "split": "-"}, \#(currencies)"#,
      ["BTC-KRW": "BTC/KRW 500", "BTC-USDT ": "not split: BTC-USDT "]),
  ]

  /// Rules are tried in order; each removes the affixes that it requires, then splits.
  static let rules = [
    SymbolCase(
      #""symbol": {"path": "$.s", "suffix": "_PERP", "split": "_"}"#,
      ["BTC_USDT_PERP": "BTC/USDT 500", "BTC_USDT": "not split: BTC_USDT", "BTC_USDT_perp": "not split: BTC_USDT_perp"]),
    SymbolCase(
      #""symbol": {"path": "$.s", "prefix": "PF_", "suffix": "!", "split": "payment"}, \#(currencies)"#,
      ["PF_XBTUSD!": "XBT/USD 500", "PF_XBTUSD": "not split: PF_XBTUSD", "XBTUSD!": "not split: XBTUSD!"]),
    SymbolCase(
      #""symbol": {"path": "$.s", "rules": [{"suffix": "PERP", "payment": "USDC"}, {"split": "payment"}]}, \#(currencies)"#,
      ["BTCPERP": "BTC/USDC 500", "BTCUSDT": "BTC/USDT 500", "PERP": "not split: PERP"]),
    SymbolCase(
      #""symbol": {"path": "$.s", "match": "(?<asset>.+)[-/](?<payment>[A-Z]{3,4})(-[0-9]+)?"}"#,
      ["BTC-USDT": "BTC/USDT 500", "A-B/EUR-240628": "A-B/EUR 500", "BTC-usdt": "not split: BTC-usdt"]),
    SymbolCase(
      #""symbol": {"path": "$.s", "prefix": "t", "match": "(?<asset>[A-Z]+)", "payment": "$.q"}"#,
      [#"{"s": "tBTC", "q": "USD"}"#: "BTC/USD 500", #"{"s": "tBTC"}"#: "not split: tBTC"]),
    SymbolCase(
      #""symbol": {"path": "$.s", "rules": [{"suffix": "-240628", "skip": true}, {"match": ".*TEST.*", "asset": "X", "payment": "Y", "skip": true}, {"split": "-"}]}"#,
      ["BTC-240628": "dropped: 1 skip", "TEST-USD": "dropped: 1 skip", "BTC-USD": "BTC/USD 500"]),
    SymbolCase(
      #""symbol": {"asset": "$.base", "payment": {"path": "$.quote", "capture": "(?<value>.*)-M"}}"#,
      [#"{"base": "btc", "quote": "usdt-M"}"#: "BTC/USDT 500", #"{"base": "btc", "quote": "usdt"}"#: "not split: 0"]),
    SymbolCase(
      #""symbol": {"path": "$.s", "payment": "KRW"}"#, ["BTC": "BTC/KRW 500"]),
    SymbolCase(
      #""symbol": {"first": ["$.a", "$.b"], "split": "-"}"#,
      [#"{"b": "1E5-007"}"#: "1E5/007 500", #"{"a": "1-2"}"#: "1/2 500"]),
    SymbolCase(
      #""symbol": {"join": ["$.a", "$.b"], "with": "-", "split": "-"}"#, [#"{"a": 1, "b": "KRW"}"#: "1/KRW 500"]),
    SymbolCase(
      #""symbol": {"path": "$.s", "capture": "[a-z]:(?<value>.*)", "split": ":"}"#,
      [
        "t:BTC:USD": "BTC/USD 500",
        "BTC:USD": #"failed: unsplit (symbol: 'capture' does not match "BTC:USD")"#,
        #"{"s": null}"#: "failed: unsplit (symbol: expected a text at $.s, found null)",
        #"{"t": "BTC:USD"}"#: "failed: unsplit (symbol: $.s leads nowhere in the row)",
      ]),
  ]

  /// Names are canonicalized in a fixed order, each step once.
  static let names = [
    SymbolCase(#""aliases": {"XBT": "BTC", "BTC": "NO"}"#, ["XBT-USD": "BTC/USD 500", "xbt-usd": "BTC/USD 500"]),
    SymbolCase(#""aliases": {"ZUSD": "USD"}"#, ["BTC-ZUSD": "BTC/USD 500"]),
    SymbolCase(
      #""aliases": {"XX": "XBT"}"#, ["XX-USD": "BTC/USD 500", "XBT-XX": "not split: XBT-XX", "btc-usd": "NO/USD 500"],
      globalAliases: ["XBT": "BTC", "BTC": "NO"]),
    SymbolCase(
      #""multiplier": {"1000": 1000, "1M": "1e6", "k": 1000, "1000000": 1000000}"#,
      [
        "1000PEPE-USD": "PEPE/USD 0.5", "1000000MOG-USD": "MOG/USD 0.0005", "1MBABYDOGE-USD": "BABYDOGE/USD 0.0005",
        "kBONK-USD": "BONK/USD 0.5", "KAVA-USD": "KAVA/USD 500", "10000SATS-USD": "10000SATS/USD 500",
        "1000-USD": "1000/USD 500", "BTC-1000USD": "BTC/1000USD 500",
      ]),
    // After the name: the mark must follow a letter.
    SymbolCase(
      #""multiplier": {"1000": 1000, "*1000": 1000, "*K": 1000}"#,
      [
        "SHIB1000-USD": "SHIB/USD 0.5", "1000SHIB-USD": "SHIB/USD 0.5", "SHIB10000-USD": "SHIB10000/USD 500",
        "X1000000-USD": "X1000000/USD 500", "1000-USD": "1000/USD 500", "pepeK-USD": "PEPE/USD 0.5",
        "PEPEk-USD": "PEPEK/USD 500", "*1000X-USD": "*1000X/USD 500",
      ]),
    // Letters are a mark only where the case sets them apart: any coin may begin or end with them.
    SymbolCase(
      #""multiplier": {"k": 1000, "K": 1000, "*K": 1000, "*m": 1e6, "1M": 1e6}"#,
      [
        "kava-usd": "KAVA/USD 500", "kAVA-USD": "AVA/USD 0.5", "KAVA-USD": "KAVA/USD 500", "Kava-usd": "AVA/USD 0.5",
        "LINK-USD": "LINK/USD 500", "link-usd": "LINK/USD 500", "linK-usd": "LIN/USD 0.5", "atom-usd": "ATOM/USD 500",
        "ATOm-USD": "ATO/USD 0.0005", "1MBABYDOGE-USD": "BABYDOGE/USD 0.0005", "1mbabydoge-usd": "1MBABYDOGE/USD 500",
      ]),
    // A matching alias leaves nothing for the multiplier.
    SymbolCase(
      #""multiplier": {"1000": 1000}, "aliases": {"1000SATS": "1000SATS"}"#,
      ["1000SATS-USD": "1000SATS/USD 500", "1000RATS-USD": "RATS/USD 0.5"]),
    SymbolCase(
      #""multiplier": {"1000": 1000}"#, ["1000X-USD": "XBT/USD 0.5"], globalAliases: ["X": "XBT"]),
    // What a multiplier leaves is one of the exchange's names.
    SymbolCase(
      #""multiplier": {"1000": 1000, "*K": 1000}, "aliases": {"PUMPFUN": "PUMP", "1000CAT": "CAT", "CAT": "DOG", "xx": "X"}"#,
      [
        "PUMPFUN-USD": "PUMP/USD 500", "1000PUMPFUN-USD": "PUMP/USD 0.5", "1000pumpfun-usd": "PUMP/USD 0.5",
        "1000PUMP-USD": "PUMP/USD 0.5", "1000CAT-USD": "CAT/USD 500", "CAT-USD": "DOG/USD 500",
        "xxK-USD": "XBT/USD 0.5", "USD-1000PUMPFUN": "USD/1000PUMPFUN 500",
      ], globalAliases: ["X": "XBT"]),
    SymbolCase("\"multiplier\": {\"3\": 3}", ["3ABC-USD": "ABC/USD 166.666666667"]),
  ]

  /// The product is that of the rule, else the part, else the currency group; futures only.
  static let products = [
    SymbolCase(
      #""symbol": {"path": "$.s", "split": "-"}, "paymentCurrencies": {"stableMargin": ["USDT"], "coinMargin": ["usd"]}"#,
      ["A-USDT": "A/USDT:stableMargin 500", "A-USD": "A/USD:coinMargin 500", "A-EUR": "A/EUR 500"], market: .futures),
    SymbolCase(
      #""symbol": {"path": "$.s", "rules": [{"prefix": "x", "split": "-", "product": "linear"}, {"split": "-"}]}, "paymentCurrencies": {"stable": ["USDT"]}"#,
      ["xA-USDT": "A/USDT:linear 500", "A-USDT": "A/USDT:stable 500"], market: .futures),
    SymbolCase(
      #""forEach": [{"set": {"type": "usdt-m"}}], "paymentCurrencies": {"stable": ["USDT"]}"#,
      ["A-USDT": "A/USDT:usdt-m 500"], market: .futures),
    SymbolCase(
      #""forEach": [{"set": {"type": "usdt-m", "product": "linear"}}]"#, ["A-USDT": "A/USDT:linear 500"],
      market: .futures),
    SymbolCase(#""forEach": [{"set": {"type": "usdt-m"}}]"#, ["A-USDT": "A/USDT 500"]),
  ]

  @Test(arguments: payments) func payment(_ symbol: SymbolCase) throws { try symbol.check() }
  @Test(arguments: separators) func separator(_ symbol: SymbolCase) throws { try symbol.check() }
  @Test(arguments: rules) func rule(_ symbol: SymbolCase) throws { try symbol.check() }
  @Test(arguments: names) func name(_ symbol: SymbolCase) throws { try symbol.check() }
  @Test(arguments: products) func product(_ symbol: SymbolCase) throws { try symbol.check() }

  /// Every row of a response about one pair is of the requested pair.
  @Test func everyRowIsOfTheRequestedPair() throws {
    let table = try TestTable(
      #""request": {"path": "/{asset}{payment}"}, "symbol": "request", "rows": "$", "fields": {"price": "$.p"}"#)
    #expect(try table.lines(#"{"p": 5}"#, Asked(pair: Pair(asset: "BTC", payment: "KRW"))) == ["BTC/KRW 5"])
    #expect(try table.lines(#"{"p": 5}"#) == ["not split: (the requested pair)"])
    let future = try TestTable(
      #""request": {"path": "/{asset}{payment}"}, "symbol": "request", "rows": "$", "paymentCurrencies": {"stable": ["USDT"], "coin": ["ZUSD"]},"#
        + #""aliases": {"ZUSD": "USD"}, "fields": {"price": "$.p"}"#, market: .futures)
    #expect(try future.lines(#"{"p": 5}"#, Asked(pair: Pair(asset: "BTC", payment: "USD"))) == ["BTC/USD:coin 5"])
  }

  /// A row of a thousand coins is converted to a row of one, and says so.
  @Test func multipliedRowIsScaledToOneUnit() throws {
    let table = try TestTable(
      #"""
      "multiplier": {"1000": 1000},
      "fields": {"price": "$.p", "volume24": "$.v", "turnover24": "$.t", "open": "$.o", "high": "$.p", "low": "$.o",
        "bid": "$.o", "ask": "$.p"}
      """#)
    let body = #"[{"s": "1000PEPE-USDT", "p": "0.0120", "o": "0.0100", "v": "5", "t": "0.055"}]"#
    let row = try #require(try table.table(Array(body.utf8)).rows.first?.ticker)
    #expect(try table.lines(body) == ["PEPE/USDT 0.000012 5000 0.055 0.00001 0.000012 0.00001 0.00001 0.000012"])
    #expect(row.symbol == "1000PEPE-USDT")
    #expect(row.multiplier == 1000)
    #expect(Set(row.derived) == [.price, .volume24, .open, .high, .low, .bid, .ask])
  }

  /// A repeated pair and product: which row is meant is ambiguous.
  @Test func duplicates() throws {
    let table = try TestTable(#""aliases": {"XBT": "BTC"}, "fields": {"price": "$.p"}"#)
    let body = #"[{"s": "BTC-USD", "p": 1}, {"s": "ETH-USD", "p": 2}, {"s": "XBT-USD", "p": 3}]"#
    #expect(try table.lines(body) == ["BTC/USD 1 !duplicate", "ETH/USD 2", "BTC/USD 3 !duplicate"])
  }

  /// An exchange's symbol arrives unchanged; sanitizing is up to those who display it.
  @Test(arguments: [
    "\u{1B}[31mBTC", "\u{202E}CTB", "비트코인", "😀", "e\u{301}", "A\u{0}B", "=1+1", "<script>", "../../etc", "%00", "a b",
  ])
  func hostileSymbolsArriveUnchanged(_ name: String) throws {
    let table = try TestTable(#""fields": {"price": "$.p"}"#)
    let escaped = name.unicodeScalars.map {
      $0.value < 0x20 ? "\\u00" + ($0.value < 16 ? "0" : "") + String($0.value, radix: 16) : String($0)
    }
    let body = #"[{"s": "\#(escaped.joined())-USD", "p": 1}]"#
    let row = try #require(try table.table(Array(body.utf8)).rows.first?.ticker)
    #expect(Array(row.symbol.utf8) == Array("\(name)-USD".utf8))
    #expect(Array(row.pair.asset.utf8) == Array(name.uppercased().utf8))
  }
}
