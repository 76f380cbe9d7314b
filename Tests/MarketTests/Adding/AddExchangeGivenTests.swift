import Files
import TestSupport
import Testing

@testable import Shell

/// What is given instead of inferred: it is written as it is, with what its name says of it.
@Suite struct AddExchangeGivenTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  private static let prices = [
    ("BTC", 91500.5), ("ETH", 3016.06), ("XRP", 2.2042), ("SOL", 141.04), ("ADA", 0.4316), ("LTC", 94.31),
  ]

  /// Adds an exchange of six pairs, each with a price of this name between a high and a low.
  private func add(_ name: String, _ words: [String]) async throws -> AddingWorld.Outcome {
    let rows = Self.prices.map { coin, price in
      #"{"symbol":"\#(coin)_USDT","\#(name)":\#(price),"high":\#(price * 1.02),"low":\#(price * 0.98)}"#
    }
    return try await adding.add(rows: rows, words)
  }

  @Test(
    arguments: [
      ("oraclePrice", "oracle"), ("index_price", "oracle"), ("markPrice", "mark"), ("mid", "mid"), ("last", nil),
    ] as [(String, String?)])
  func aGivenPriceHasTheBasisOfItsName(_ name: String, _ basis: String?) async throws {
    let outcome = try await add(name, ["--price", "$.\(name)"])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let written = try adding.text(of: "exchanges.json")
    let price = basis.map { #""price": { "path": "$.\#(name)", "basis": "\#($0)" }"# } ?? #""price": "$.\#(name)""#
    #expect(written.contains(price), "\(written)")
    let said = basis.map {
      "by its name, $.\(name) is not the last price, so its basis is \($0); if it is the last price all the same, add "
        + "--set fields.price.basis=last\n"
    }
    #expect(outcome.errorOutput.contains(said ?? "wrote "), "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains("not the last price") == (said != nil), "\(outcome.errorOutput)")
  }

  /// A name that says what a price is not, but not what it is.
  @Test func aGivenPriceOfAnotherNameIsPointedOut() async throws {
    let outcome = try await add("bid", ["--price", "$.bid"])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let said =
      "by its name, $.bid is not the last price; if it is not, say what it is with --set fields.price.basis=WORD, where "
      + "WORD is mid, mark or oracle\n"
    #expect(outcome.errorOutput.contains(said), "\(outcome.errorOutput)")
    #expect(try adding.text(of: "exchanges.json").contains(#""price": "$.bid""#))
  }

  /// A key of a field joins the path that is given or found; one that says where the value is replaces it.
  @Test(arguments: [
    (["--price", "$.mid", "--set", "fields.price.basis=last"], #""price": { "path": "$.mid", "basis": "last" }"#),
    (
      ["--price", "$.mid", "--set", "fields.high.basis=utcDay"],
      #""high": { "path": "$.high", "basis": "utcDay" }"#
    ),
    (["--price", "$.mid", "--set", #"fields.high.sum=["$.high"]"#], #""high": { "sum": ["$.high"] }"#),
  ])
  func aKeyJoinsThePathOfItsField(_ words: [String], _ written: String) async throws {
    let outcome = try await add("mid", words)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let config = try adding.text(of: "exchanges.json")
    #expect(config.contains(written), "\(config)")
    #expect(!outcome.errorOutput.contains("not the last price") || !words.contains("fields.price.basis=last"))
  }

  /// A change whose scale nothing shows is settled by its scale, as a path alone would make it a percentage.
  @Test func aChangeIsSettledByItsScale() async throws {
    let rows = Self.prices.map { #"{"symbol":"\#($0)_USDT","last":\#($1),"chg":"0.0123"}"# }
    let unsure = try await adding.add(rows: rows, ["--dry-run"])
    #expect(
      unsure.errorOutput.contains(
        "give its scale and basis with --set fields.changePricePercent24.scale=SCALE --set "
          + "fields.changePricePercent24.basis=WORD, where SCALE is 1 for percent and 100 for fractions, and WORD is "
          + "rolling24h, utcDay, kstDay, utc8Day, venueDay or previousClose\n"),
      "\(unsure.everything)")
    let settled = try await adding.add(
      rows: rows,
      ["--set", "fields.changePricePercent24.scale=100", "--set", "fields.changePricePercent24.basis=rolling24h"])
    let config = try adding.text(of: "exchanges.json")
    #expect(
      config.contains(#""changePricePercent24": { "path": "$.chg", "scale": 100, "basis": "rolling24h" }"#),
      "\(settled.everything)\(config)")
  }

  /// The price by its open is read as that: a scale would make another number of it.
  @Test func thePriceByItsOpenIsReadAsThat() async throws {
    let rows = zip(Self.prices, ["1.0144", "0.974", "0.9717", "1.011", "1.002", "0.9809"]).map { price, ratio in
      #"{"symbol":"\#(price.0)_USDT","last":\#(price.1),"change24h":"\#(ratio)"}"#
    }
    let file = try adding.save("[\(rows.joined(separator: ","))]", as: "sample.json")
    let words = ["add-exchange", "Newex", "--from-sample", file, "--tickers", "https://api.newex.example/t"]
    let value = #"{ "difference": ["$.change24h", 1], "scale": 100, "basis": "rolling24h" }"#
    for scale in [[], ["--set", "fields.changePricePercent24.scale=1"]] {
      let refused = try await adding.run(words + ["--yes", "--dry-run"] + scale)
      #expect(
        refused.errorOutput.contains(
          "all values are near 1, as of a price by another; if they are, give it with --set "
            + "'fields.changePricePercent24=\(value)'\n"), "\(refused.everything)")
      #expect(!refused.output.contains(#""changePricePercent24""#), "\(refused.output)")
    }
    // The place of the change, its unit, and that it is right.
    let asked = try await adding.run(words, typed: ["1", "", "y"])
    #expect(asked.code == .answer && asked.output.contains("+1.44"), "\(asked.everything)")
    #expect(try adding.text(of: "exchanges.json").contains(value), "\(asked.everything)")
  }

  @Test func anUnknownBasisOfAPriceIsNamed() async throws {
    let outcome = try await add("mid", ["--price", "$.mid", "--set", "fields.price.basis=middle"])
    #expect(outcome.code == .usage)
    #expect(
      outcome.errorOutput.contains(
        "invalid value 'fields.price.basis=middle' for '--set'; expected last, mid, mark or oracle"))
  }

  /// A field that is left out as unsure says how to give it, and is written then.
  @Test func anUnsureFieldNamesItsSetting() async throws {
    let rows = Self.prices.map { coin, price in
      #"{"symbol":"\#(coin)_USDT","last":\#(price),"high":\#(price * 1.02),"low":\#(price * 0.98),"x":{"bid24h":\#(price * 0.99)}}"#
    }
    let outcome = try await adding.add(rows: rows)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.errorOutput.contains("bid is left out: $.x.bid24h: unsure ("), "\(outcome.errorOutput)")
    #expect(
      outcome.errorOutput.contains("; if it is right, give it with --set 'fields.bid=$.x.bid24h'\n"),
      "\(outcome.errorOutput)")
    try FileSystem.remove(adding.config)
    let again = try await adding.add(rows: rows, ["--set", "fields.bid=$.x.bid24h"])
    #expect(again.code == .answer, "\(again.everything)")
    #expect(try adding.text(of: "exchanges.json").contains(#""bid": "$.x.bid24h""#))
  }

  /// The mark is no part of the answer: it is not recorded either.
  @Test(arguments: [false, true]) func aByteOrderMarkIsIgnored(_ isSaved: Bool) async throws {
    let rows = Self.prices.map { #"{"symbol":"\#($0)_USDT","last":\#($1),"high":\#($1 * 1.02),"low":\#($1 * 0.98)}"# }
    let answer = "[\(rows.joined(separator: ","))]"
    let source =
      isSaved ? try adding.save("\u{FEFF}\(answer)", as: "sample.json") : "https://api.newex.example/t"
    let outcome = try await adding.run(
      ["add-exchange", "Newex", "--from-sample", source, "--tickers", "https://api.newex.example/t", "--yes"],
      answer: "\u{FEFF}\(answer)")
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(!outcome.errorOutput.contains("test-exchange reports"), "\(outcome.errorOutput)")
    #expect(try adding.text(of: "cassettes/Newex/01-spot-tickers.body") == answer)
  }

  /// A price that is given with how it is read is taken, though no number or name shows it.
  @Test(arguments: [
    (#""last":"PRICE USDT""#, #"fields.price={"path":"$.last","capture":"(?<value>.*) [A-Z]+"}"#),
    (
      #""bid":PRICE,"ask":HIGHER"#, #"fields.price={"quotient":[{"sum":["$.bid","$.ask"]},2],"basis":"mid"}"#
    ),
  ])
  func aPriceGivenAsAWholeIsTaken(_ members: String, _ setting: String) async throws {
    let rows = Self.prices.map { coin, price in
      let members = members.replacing("PRICE", with: "\(price)").replacing("HIGHER", with: "\(price * 1.001)")
      return #"{"symbol":"\#(coin)_USDT",\#(members)}"#
    }
    let refused = try await adding.add(rows: rows)
    #expect(refused.code == .noAnswer)
    #expect(
      refused.errorOutput.contains(", or say how it is read with --price PATH or --set fields.price=…\n"),
      "\(refused.errorOutput)")
    let outcome = try await adding.add(rows: rows, ["--set", setting])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.output.contains("6 of 6 rows pass"), "\(outcome.output)")
  }

  /// A turnover in thousands is refused with the scale that corrects it, not with another day.
  @Test func aTurnoverInAnotherUnitNamesItsScale() async throws {
    let rows = Self.prices.map { coin, price in
      #"{"symbol":"\#(coin)_USDT","last":\#(price),"high":\#(price * 1.02),"low":\#(price * 0.98),"v":1000,"q":\#(price)}"#
    }
    let words = ["--set", "fields.volume24=$.v", "--set"]
    let refused = try await adding.add(rows: rows, words + ["fields.turnover24=$.q"])
    #expect(refused.code == .noAnswer)
    let setting = #"fields.turnover24={ "path": "$.q", "scale": 1000 }"#
    #expect(
      refused.errorOutput.contains("; if it is that of the turnover, say so with --set '\(setting)'"),
      "\(refused.errorOutput)")
    #expect(!refused.errorOutput.contains("utcDay"), "\(refused.errorOutput)")
    let outcome = try await adding.add(rows: rows, words + [setting])
    #expect(outcome.code == .answer && outcome.output.contains("6 of 6 rows pass"), "\(outcome.everything)")
  }

  /// Two currencies that only numbers tell apart are a pair, whose order only a given one shows.
  @Test(arguments: ["BTC/USDC", nil] as [String?])
  func numberedCurrenciesArePairs(_ pair: String?) async throws {
    let rows = Self.prices.enumerated().map { index, row in
      let (coin, price) = row
      let tokens = #""token0":{"symbol":"\#(coin)"},"token1":{"symbol":"\#(index % 2 == 0 ? "USDC" : "USDT")"}"#
      return #"{\#(tokens),"last":\#(price),"high":\#(price * 1.02),"low":\#(price * 0.98)}"#
    }
    let outcome = try await adding.add(rows: rows, ["--dry-run"] + (pair.map { ["--symbol", $0] } ?? []))
    guard pair != nil else {
      let said =
        "the pair of a row is uncertain: asset and payment currency have their own fields; only their numbers tell them "
        + "apart; give a pair of the sample with --symbol ASSET/PAYMENT"
      #expect(outcome.errorOutput.contains(said), "\(outcome.errorOutput)")
      return
    }
    #expect(
      outcome.output.contains(#""symbol": { "asset": "$.token0.symbol", "payment": "$.token1.symbol" }"#),
      "\(outcome.everything)")
  }

  /// Words before the pairs are kinds of contracts, not what all are paid in: one of them is to be kept.
  @Test(arguments: [nil, #"where=[{ "path": "$.s", "prefix": "PF_" }]"#] as [String?])
  func oneKindOfContractIsKept(_ setting: String?) async throws {
    let symbols: KeyValuePairs = [
      "PI_XBTUSD": 91000.5, "PF_XBTUSD": 91010.5, "PI_ETHUSD": 3100.5, "PF_ETHUSD": 3101.5, "PF_SOLUSD": 140.25,
      "PF_ADAUSD": 0.55, "PI_LTCUSD": 88.5,
    ]
    let rows = symbols.map { #"{"s":"\#($0)","last":\#($1),"high":\#($1 * 1.02),"low":\#($1 * 0.98)}"# }
    let outcome = try await adding.add(
      rows: rows, ["-m", "futures", "--dry-run"] + (setting.map { ["--set", $0] } ?? []))
    guard setting != nil else {
      let said =
        "the symbols at $.s begin with 'PF_' in 4 and 'PI_' in 3 rows, before the pair; say which rows to keep "
        + #"with --set 'where=[{ "path": "$.s", "prefix": "PF_" }]'"#
      #expect(outcome.errorOutput.contains(said), "\(outcome.errorOutput)")
      return
    }
    #expect(outcome.output.contains("4 of 4 rows pass the meaning checks"), "\(outcome.everything)")
  }

  /// The table of Kraken's futures has indices and dated contracts, too.
  @Test func rareKindsOfContractsCount() async throws {
    let outcome = try await adding.run(
      ["add-exchange", "Newex", "-m", "futures", "--tickers", "https://api.newex.example/t", "--dry-run"]
        + ["--from-sample", Checkout.path("Tests/Cassettes/Kraken/08-futures-tickers.body")])
    let said =
      "the symbols at $.symbol begin with 'PF_' in 5, 'PI_' in 2, 'in_' in 1 and 'rr_' in 1 rows, before the pair; say "
      + #"which rows to keep with --set 'where=[{ "path": "$.symbol", "prefix": "PF_" }]'"#
    #expect(outcome.errorOutput.contains(said), "\(outcome.errorOutput)")
  }

  /// The answer about one pair needs its address, in a dry run too: one of a table would not name the pair.
  @Test(arguments: ["--yes", "--dry-run"])
  func anAnswerAboutOnePairNeedsItsAddress(_ word: String) async throws {
    let row = #"{"last":"91500.5","high":"93000","low":"90100.5","bid":"91500","ask":"91501"}"#
    let file = try adding.save(row, as: "sample.json")
    let words = ["add-exchange", "Newex", "--symbol", "BTC/USDT", "--from-sample", file, word]
    let refused = try await adding.run(words)
    let said = "error: missing address of the answer; add --tickers https://api.example.com/tickers\n"
    #expect(refused.code == .usage && refused.errorOutput.contains(said), "\(refused.everything)")
  }

  // MARK: Blocks

  private static let trades = """
    [{"t":1699999999000,"price":"91500.5","n":"0.2","k":"7"},{"t":1699999997000,"price":"91499.5","n":"1.5","k":"8"},\
    {"t":1699999996500,"price":"91500.5","n":"0.01","k":"7"},{"t":1699999993000,"price":"91499.0","n":"3","k":"8"}]
    """

  private static let trade = #"[{"t":1699999999000,"price":"91500.5"}]"#

  /// Its names are those of the users who trade with the orders.
  private static let book = """
    {"ts":1699999999000,"buy":[["91501.1","3"],["91501.2","0.5"],["91501.5","11"]],\
    "sell":[["91500.9","2"],["91500.8","7.5"],["91500.6","1"]]}
    """

  /// What is given of a block counts before a refusal, which names it.
  @Test(arguments: [
    (
      "trades", trades, [#"trades.fields.side={"path":"$.k","buy":"7","sell":"8"}"#],
      "is the side of a trade or its id, and too little else is certain"
    ),
    (
      "trades", trade,
      ["trades.rows=$[*]", "trades.fields.price=$.price", #"trades.fields.time={"path":"$.t","unit":"ms"}"#],
      "one row in $[*] proves nothing"
    ),
    (
      "orderbook", book, ["orderbook.bids.rows=$.sell[*]", "orderbook.asks=$.buy[*]", "orderbook.size=$[1]"],
      "against their names"
    ),
  ])
  func givenKeysOfABlockCount(_ kind: String, _ answer: String, _ settings: [String], _ reason: String) async throws {
    let table = try await add("last", [])
    #expect(table.code == .answer, "\(table.everything)")
    let refused = try await adding.addBlock(kind, at: "x/BTC_USDT", answer)
    #expect(refused.code == .noAnswer)
    let place = kind == "trades" ? "rows" : "bids"
    #expect(
      refused.errorOutput.contains("\(reason); if it has, say where with --set \(kind).\(place)=… --set "),
      "\(refused.errorOutput)")
    let outcome = try await adding.addBlock(kind, at: "x/BTC_USDT", answer, settings.flatMap { ["--set", $0] })
    #expect(outcome.code == .answer, "\(outcome.everything)")
  }

  /// What is missing of a block that is given in part is named, not what is given; of several intervals, which one the
  /// sample has.
  @Test(arguments: [
    (
      "orderbook", #"{"x":[[1,2]],"y":[[3,4]]}"#, ["orderbook.bids=$.x[*]", "orderbook.asks=$.y[*]"], "order book",
      "--set orderbook.price=… --set orderbook.size=…"
    ),
    (
      "candles", #"{"x":[["a",1,2,3,4,5]]}"#,
      [
        "candles.rows=$.x[*]", #"candles.intervals={"1m":"1","5m":"5"}"#,
        #"candles.fields={"time":{"path":"$[0]","unit":"s"},"open":"$[1]","high":"$[2]","low":"$[3]","close":"$[4]"}"#,
      ], "candles", "--set candles.intervals=…"
    ),
  ])
  func aBlockGivenInPartNamesTheRest(
    _ kind: String, _ answer: String, _ settings: [String], _ name: String, _ rest: String
  ) async throws {
    let table = try await add("last", [])
    #expect(table.code == .answer, "\(table.everything)")
    let refused = try await adding.addBlock(kind, at: "x/BTC_USDT", answer, settings.flatMap { ["--set", $0] })
    #expect(
      refused.errorOutput.contains(
        "only a part of the \(name) is given, and the sample does not show the rest; add \(rest)\n"),
      "\(refused.everything)")
  }
}
