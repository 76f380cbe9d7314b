import Testing

@testable import Shell

/// Tables whose symbols name a product, or whose rows belong to several markets.
@Suite struct AddExchangeMixedTableTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  private static let prices = [
    ("BTC", 91_540), ("ETH", 3020), ("SOL", 140), ("XRP", 220), ("LINK", 130), ("AVAX", 150),
  ]

  /// Returns a row for each price, with high and low around it.
  private static func rows(
    first count: Int = prices.count, _ symbol: (String) -> String, _ members: String = ""
  ) -> [String] {
    prices.prefix(count).map { name, price in
      #"{"symbol":"\#(symbol(name))","last":\#(price).5,"high":\#(price + 7),"low":\#(price - 9)\#(members)}"#
    }
  }

  private static func table(_ rows: [String]) -> String { "[\(rows.joined(separator: ","))]" }

  // MARK: Products in symbols

  struct Product: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rows: [String]
    var words: [String] = []
    /// Parts of the block.
    let written: [String]
  }

  static let products = [
    Product(
      testDescription: "directly after the pair", rows: rows { $0 + "USDTPERP" },
      written: [
        #""symbol": { "path": "$.symbol", "suffix": "PERP", "split": "payment" }"#,
        #""paymentCurrencies": { "stableMargin": ["USDT"] }"#,
      ]),
    Product(
      testDescription: "two payment currencies",
      rows: rows(first: 4) { $0 + "USDTPERP" } + rows(first: 2) { $0 + "USDCPERP" },
      written: [
        #""symbol": { "path": "$.symbol", "suffix": "PERP", "split": "payment" }"#,
        #""paymentCurrencies": { "stableMargin": ["USDT", "USDC"] }"#,
      ]),
    Product(
      testDescription: "a payment currency of its own", rows: rows { $0 + "KQZSWAP" },
      written: [
        #""symbol": { "path": "$.symbol", "suffix": "SWAP", "split": "payment" }"#,
        #""paymentCurrencies": { "alt": ["KQZ"] }"#,
      ]),
    // Nothing shows whether the margin is in dollars, in a token of them, or in coins.
    Product(
      testDescription: "dollars", rows: rows { $0 + "USDPERP" },
      written: [
        #""symbol": { "path": "$.symbol", "suffix": "PERP", "split": "payment" }"#,
        #""paymentCurrencies": { "fiat": ["USD"] }"#,
      ]),
    Product(
      testDescription: "after a pair with a separator", rows: rows { $0 + "-USDTPERP" },
      written: [#""symbol": { "path": "$.symbol", "suffix": "PERP", "split": "-" }"#]),
    Product(
      testDescription: "between the codes", rows: rows { $0 + "-SWAP-USDT" },
      written: [#""symbol": { "path": "$.symbol", "match": "(?<asset>.+)-SWAP-(?<payment>.+)" }"#]),
    Product(
      testDescription: "no payment currency, but a pair is given", rows: rows { $0 + "PERP" },
      words: ["--symbol", "BTC/USDC"],
      written: [
        #""symbol": { "path": "$.symbol", "suffix": "PERP", "payment": "USDC" }"#,
        #""paymentCurrencies": { "stableMargin": ["USDC"] }"#,
      ]),
    // The rule is given, and the currencies that it needs are learned.
    Product(
      testDescription: "a given rule", rows: rows { "P:" + $0 + "USDT+X" },
      words: ["--set", #"symbol={"path":"$.symbol","prefix":"P:","suffix":"+X","split":"payment"}"#],
      written: [#""paymentCurrencies": { "stableMargin": ["USDT"] }"#]),
    Product(
      testDescription: "given rules and currencies", rows: rows { $0 + "USDT+X" },
      words: [
        "--set", #"symbol={"path":"$.symbol","rules":[{"suffix":"+X","split":"payment"}]}"#,
        "--set", #"paymentCurrencies={"mine":["USDT"]}"#,
      ],
      written: [#""paymentCurrencies": { "mine": ["USDT"] }"#, #""futures": { "tickers""#]),
  ]

  @Test(arguments: products) func productsAreRemovedFromSymbols(_ product: Product) async throws {
    let outcome = try await adding.add(Self.table(product.rows), ["-m", "futures"] + product.words)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let text = try adding.written()
    for part in product.written { #expect(text.contains(part), "\(text)") }
  }

  /// What is a symbol by its name only is named, with the key that takes it apart.
  @Test func theMemberThatIsNotSplitIsNamed() async throws {
    let sample = Self.table(Self.rows { "\($0)+USDT" })
    let outcome = try await adding.add(sample)
    #expect(outcome.code == .noAnswer)
    let said = outcome.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      said.contains(
        "cannot split '$.symbol' ('BTC+USDT'); if it names the pair, write --set "
          + #"'symbol={ "path": "$.symbol", "match": "PATTERN" }', where PATTERN is such as (?<asset>.+)-(?<payment>.+)"#
      ),
      "\(said)")
    let given = try await adding.add(
      sample, ["--set", #"symbol={ "path": "$.symbol", "match": "(?<asset>.+)[+](?<payment>.+)" }"#])
    #expect(given.code == .answer, "\(given.everything)")
  }

  @Test func missingPaymentCurrenciesAreNamed() async throws {
    let outcome = try await adding.add(
      Self.table(Self.rows { "\($0)~X" }), ["--set", #"symbol={"path":"$.symbol","split":"payment"}"#])
    #expect(outcome.code == .noAnswer)
    #expect(
      outcome.errorOutput.contains(
        "no known payment currency ends the symbols, such as 'BTC~X'; give those that do with "
          + #"--set 'paymentCurrencies={ "stable": ["USDT"] }'"#), "\(outcome.errorOutput)")
  }

  // MARK: Several markets

  struct Mixed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rows: [String]
    var words: [String] = []
    /// The condition, and the note about it.
    let condition: String
    let note: String
  }

  private static func mixed(_ member: String, _ spot: String, _ futures: String) -> [String] {
    rows({ $0 + "USDT" }, #","\#(member)":"\#(spot)""#)
      + rows(first: 4, { $0 + "USDT" }, #","\#(member)":"\#(futures)""#)
  }

  static let tables = [
    Mixed(
      testDescription: "spot by default", rows: mixed("type", "spot", "perpetual"),
      condition: #""where": [{ "path": "$.type", "equals": "spot" }]"#,
      note: "the table has rows of several markets: $.type is 'spot' in 6, 'perpetual' in 4; the block keeps 'spot'; "
        + "for the others add --market futures"),
    Mixed(
      testDescription: "futures", rows: mixed("instType", "SPOT", "SWAP"), words: ["-m", "futures"],
      condition: #""where": [{ "path": "$.instType", "equals": "SWAP" }]"#,
      note: "the table has rows of several markets: $.instType is 'SWAP' in 4, 'SPOT' in 6; the block keeps 'SWAP'\n"),
    Mixed(
      testDescription: "perpetual contracts of two kinds and dated ones",
      rows: mixed("kind", "spot", "linear_perpetual")
        + rows(first: 2, { $0 + "USD" }, #","kind":"inverse_perpetual""#)
        + rows(first: 2, { $0 + "EUR" }, #","kind":"future""#),
      words: ["-m", "futures"],
      condition: #""where": [{ "path": "$.kind", "in": ["linear_perpetual", "inverse_perpetual"] }]"#,
      note: "the block keeps 'linear_perpetual' and 'inverse_perpetual'\n"),
    Mixed(
      testDescription: "perpetual contracts, dated ones and options",
      rows: rows({ $0 + "-USDT-PERP" }, #","type":"perpetual""#)
        + rows(first: 4, { $0 + "-USDT-25DEC26" }, #","type":"future""#)
        + rows(first: 3, { $0 + "-USDT-25DEC26-2-C" }, #","type":"option""#),
      words: ["-m", "futures"],
      condition: #""where": [{ "path": "$.type", "equals": "perpetual" }]"#,
      note: "$.type is 'perpetual' in 6, 'future' in 4, 'option' in 3; the block keeps 'perpetual'\n"),
    Mixed(
      testDescription: "a funding rate in some rows",
      rows: rows({ $0 + "USDT" }, #","type":"spot""#)
        + rows({ $0 + "USDT" }, #","type":"perp","fundingRate":"0.0001""#),
      condition: #""where": [{ "path": "$.type", "equals": "spot" }]"#, note: "the block keeps 'spot'"),
    Mixed(
      testDescription: "with a state",
      rows: mixed("type", "spot", "perpetual").enumerated().map { index, row in
        row.dropLast() + #","status":"\#(index == 2 ? "halted" : "open")"}"#
      },
      condition: #""where": [{ "path": "$.type", "equals": "spot" }]"#,
      note: #"--set 'where=[{ "path": "$.type", "equals": "spot" }, { "path": "$.status", "equals": "open" }]'"#),
  ]

  @Test(arguments: tables) func rowsOfOneMarketAreKept(_ table: Mixed) async throws {
    let outcome = try await adding.add(Self.table(table.rows), table.words)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let text = try adding.written()
    #expect(text.contains(table.condition), "\(text)")
    #expect(outcome.errorOutput.contains(table.note), "\(outcome.errorOutput)")
  }

  /// Conditions of something else than ticker rows select none.
  @Test(arguments: [
    #"markets.spot.success.where=[{ "path": "$[0].p", "exists": true }]"#,
    #"lookups.names.where=[{ "path": "$.type", "equals": "perpetual" }]"#,
  ])
  func otherConditionsSelectNoRows(_ words: String) async throws {
    let outcome = try await adding.add(Self.table(Self.mixed("type", "spot", "perpetual")), ["--set", words])
    #expect(!outcome.errorOutput.contains("only one row"), "\(outcome.errorOutput)")
    #expect(outcome.everything.contains("the block keeps 'spot'"), "\(outcome.everything)")
  }

  /// Words are not guessed at, though one that names the market is proposed; a given condition selects the rows that the
  /// block is inferred from.
  @Test(arguments: [("A", "B", "A"), ("MARGIN", "SPOT", "SPOT")])
  func repeatedPairsNeedACondition(_ first: String, _ second: String, _ likely: String) async throws {
    let sample = Self.table(Self.mixed("group", first, second))
    let refused = try await adding.add(sample)
    #expect(refused.code == .noAnswer)
    #expect(
      refused.errorOutput.contains(
        "several rows have the same pair, told apart by $.group, which is '\(first)' in 6 and '\(second)' in 4 rows; say "
          + #"which rows to keep with --set 'where=[{ "path": "$.group", "equals": "\#(likely)" }]'"#),
      "\(refused.errorOutput)")
    let condition = #"[{ "path": "$.group", "equals": "\#(second)" }]"#
    let outcome = try await adding.add(sample, ["--set", "where=\(condition)"])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(try adding.written().contains(#""where": \#(condition)"#))
    #expect(outcome.output.contains("4 of 4 rows pass the meaning checks"), "\(outcome.output)")
  }

  // MARK: Times in the address

  @Test(arguments: [
    ("t?since=2026-11-24T00:00:00Z", "'since' of the address keeps the time '2026-11-24T00:00:00Z'"),
    ("t/2026-11-24", "the address keeps the time '2026-11-24'"),
    ("t?_=1700000000000", "'_' of the address keeps the time '1700000000000'"),
  ])
  func keptTimeIsReported(_ path: String, _ note: String) async throws {
    let outcome = try await adding.add(Self.table(Self.rows { $0 + "-USDT" }), at: path)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.errorOutput.contains(note), "\(outcome.errorOutput)")
  }
}
