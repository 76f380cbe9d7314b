import Quotes
import Testing

/// Local prices compared with dollar prices, at two prices of the dollar.
@Suite struct LocalPremiumTests {
  private static let won = Pair(asset: "BTC", payment: "KRW")
  private static let dollars = Pair(asset: "BTC", payment: "USD")

  private func table(
    local: [Ticker], dollar: [Ticker], official: Decimal? = 1400, token: [String: [String: Decimal]] = [:]
  ) -> LocalPremiumTable {
    LocalPremiumTable(
      local: local.map { PricedRow($0, rule: .standard) }, dollar: dollar.map { PricedRow($0, rule: .standard) },
      official: official, token: token,
      identity: .standard)
  }

  private func text(_ premium: LocalPremium?, _ basis: DollarBasis) -> String? {
    premium?.percents[basis]?.signedPercentText
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let local: String
    let dollars: String
    let price: String
    let percent: String?

    var testDescription: String { "\(local) over \(dollars) at \(price)" }
  }

  @Test(arguments: [
    Case(local: "141400000", dollars: "100000", price: "1400", percent: "+1.00"),
    Case(local: "140000000", dollars: "100000", price: "1400", percent: "+0.00"),
    Case(local: "138600000", dollars: "100000", price: "1400", percent: "-1.00"),
    Case(local: "0.00708", dollars: "0.00000482", price: "1461.5", percent: "+0.50"),
    Case(local: "0", dollars: "100000", price: "1400", percent: nil),
    Case(local: "1", dollars: "0", price: "1400", percent: nil),
    Case(local: "1", dollars: "1", price: "0", percent: nil),
  ])
  func isTheShareAboveTheCost(_ test: Case) throws {
    let percent = LocalPremium.percent(
      local: try #require(Decimal(test.local)), dollars: try #require(Decimal(test.dollars)),
      dollarPrice: try #require(Decimal(test.price)))
    #expect(percent?.signedPercentText == test.percent)
  }

  @Test func eachLocalRowIsPairedWithEachDollarRow() {
    let table = table(
      local: [row("Upbit", "141400000", pair: Self.won), row("Coinone", "140700000", pair: Self.won)],
      dollar: [row("Binance", "100000"), row("Kraken", "100500", pair: Self.dollars)],
      token: ["Upbit": ["USDT": 1414, "USD": 1414], "Coinone": ["USDT": 1421]])
    #expect(table.premiums.map { [$0.local, $0.dollar] } == [[0, 0], [1, 0], [0, 1], [1, 1]])
    #expect(table.premiums.map { text($0, .official) } == ["+1.00", "+0.50", "+0.50", "+0.00"])
    // Coinone has no price for the token that replaces the dollar.
    #expect(table.premiums.map { text($0, .token) } == ["+0.00", "-0.99", "-0.50", nil])
    #expect(table.premiums.map(\.basesDisagree) == [false, true, true, nil])
    #expect(table.disagreements.count == 2)
  }

  /// Two coins with the same name have no premium, whatever the price of the dollar.
  @Test(
    arguments: [
      (1400, [:], ["Upbit identity", "Binance identity"], 0),
      (nil, ["Coinone": ["USDT": 1421]], ["Upbit identity", "Binance identity"], 0), (nil, [:], [], 1),
    ] as [(Decimal?, [String: [String: Decimal]], [String], Int)])
  func anotherCoin(_ official: Decimal?, _ token: [String: [String: Decimal]], _ excluded: [String], _ count: Int) {
    let table = table(
      local: [row("Upbit", "10", pair: Self.won)], dollar: [row("Binance", "5")], official: official, token: token)
    #expect(table.exclusions.map { "\($0.exchange) \($0.objection.code)" } == excluded)
    // Without any price of the dollar there is nothing to compare with, and no figure either.
    #expect(table.premiums.count == count && table.premiums.allSatisfy(\.percents.isEmpty))
  }

  /// A dollar price of another coin is told by the others, among them the local price.
  @Test(arguments: [["Binance", "Bybit", "Kraken"], ["Binance", "Kraken"]])
  func anotherCoinAmongDollarPrices(_ exchanges: [String]) {
    let prices = ["Binance": "100500", "Bybit": "101000", "Kraken": "1000"]
    let dollar = exchanges.map {
      row($0, prices[$0] ?? "", pair: Pair(asset: "BTC", payment: $0 == "Kraken" ? "USD" : "USDT"))
    }
    let table = table(local: [row("Upbit", "141400000", pair: Self.won)], dollar: dollar)
    #expect(table.exclusions.map { "\($0.exchange) \($0.objection.code)" } == ["Kraken identity"])
    #expect(Set(table.premiums.map { exchanges[$0.dollar] }) == Set(exchanges.dropLast()))
  }

  /// Two prices are as far apart as their premium, whichever is the larger.
  @Test(arguments: [
    ("119000000", 0), ("113000000", 0), ("112000000", 0), ("111999999", 2), ("111000000", 2), ("167000000", 0),
    ("168000000", 0), ("168000001", 2), ("169000000", 2),
  ])
  func limitOfAPremium(_ local: String, _ excluded: Int) {
    let table = table(local: [row("Upbit", local, pair: Self.won)], dollar: [row("Binance", "100000")])
    #expect(table.exclusions.count == excluded)
  }

  /// Both prices of one exchange may be wrong.
  @Test func rowsOfOneExchange() {
    let table = table(
      local: [row("Upbit", "141400000", pair: Self.won)], dollar: [row("Upbit", "100000000", pair: Self.dollars)])
    #expect(table.exclusions.map { "\($0.pair) \($0.objection.code)" } == ["BTC/KRW identity", "BTC/USD identity"])
  }

  /// The official rate, the price of a token, and what the coin's own prices imply: three tell which one is wrong.
  @Test(
    arguments: [
      (1400, 1450, 144_000_000, ""), (1400, 14_500, 144_000_000, "token"), (140_000, 1450, 144_000_000, "official"),
      // The coin is another, which is told elsewhere.
      (1400, 1450, 1_440_000, ""), (nil, 14_500, 144_000_000, ""), (1400, nil, 1_440_000, ""),
    ] as [(Decimal?, Decimal?, Decimal, String)])
  func dollarPrices(_ official: Decimal?, _ token: Decimal?, _ local: Decimal, _ expected: String) {
    let findings = IdentityCheck.standard.findings(
      official: official, tokens: [("Upbit", token)], local: [local], dollar: [100_000, 100_100])
    let wrong = (findings.official == nil ? [] : ["official"]) + findings.tokens.compactMap { $0.map { _ in "token" } }
    #expect(wrong.joined(separator: " ") == expected)
  }

  /// An official rate that coins imply is right, whatever all tokens cost; if coins cost what tokens do, the two are said
  /// to be apart. The limit is that of a premium.
  @Test(
    arguments: [
      ([1000, 1001], 1400, nil, ["1000 are 28.6", "1001 are 28.5"]), ([1000, 1001], 1000, "1000 are 28.6", []),
      ([1119, 1119], 1119, "1119 are 20.1", []), ([1120, 1120], 1120, nil, []), ([1000, 1120], 1120, nil, []),
      ([1410, 1000], 1400, nil, ["1000 are 28.6"]),
    ] as [([Decimal], Decimal, String?, [String])])
  func tokensLoseTheirDollar(_ prices: [Decimal], _ implied: Decimal, _ official: String?, _ tokens: [String]) {
    let findings = IdentityCheck.standard.findings(
      official: 1400, tokens: zip(["Upbit", "Bithumb"], prices).map { ($0, $1) }, implied: implied)
    func text(_ apart: String) -> String { "official rate 1400 and token price \(apart) % apart" }
    #expect(findings.official?.message == official.map(text))
    #expect(findings.tokens.compactMap { $0?.message } == tokens.map(text))
    let premium = implied.percent(above: 1400) ?? 0
    #expect((findings.official == nil) == (LocalPremium.objection(to: premium, limitPercent: 20) == nil))
  }

  @Test func namesBothEnds() throws {
    let table = table(
      local: [row("Upbit", "141400000", pair: Self.won), row("Coinone", "138600000", pair: Self.won)],
      dollar: [row("Binance", "100000"), row("Bybit", "100000"), row("Kraken", "100000")])
    // Among equal ones the best is the first, the worst the last.
    let best = try #require(table.best(on: .official))
    let worst = try #require(table.worst(on: .official))
    #expect([best.local, best.dollar] == [0, 0])
    #expect([worst.local, worst.dollar] == [1, 2])
    #expect(table.reverse(on: .official).map(\.local) == [1, 1, 1])
    #expect(table.best(on: .token) == nil)
    #expect(table.worst(on: .token) == nil)
    #expect(table.reverse(on: .token) == [])
  }

  @Test func singleFigureIsNotARange() {
    let table = table(local: [row("Upbit", "141400000", pair: Self.won)], dollar: [row("Binance", "100000")])
    #expect(text(table.best(on: .official), .official) == "+1.00")
    #expect(table.worst(on: .official) == nil)
  }

  @Test func unusableRowsAreNamed() {
    let table = table(
      local: [
        row("Upbit", "141400000", pair: Self.won, flags: [.bad]), row("Bithumb", "", pair: Self.won),
        row("Coinone", "200000000", pair: Self.won), row("Korbit", "140000000", pair: Self.won),
      ],
      dollar: [row("Binance", "100000"), row("Dydx", "100000", basis: .oracle)])
    #expect(table.premiums.map { [$0.local, $0.dollar] } == [[3, 0]])
    #expect(
      table.exclusions.map { "\($0.exchange) \($0.objection.code): \($0.objection)" } == [
        "Upbit range: a member of the row is repeated", "Bithumb not-a-number: its price is missing: not-a-number",
        "Coinone identity: +42.86 % from the median of the others: a different coin or a multiplier",
        "Dydx oracle: its price is not a last trade but oracle; --basis any includes it",
      ])
  }

  @Test func tokenRatesDecideWithoutOfficialRate() {
    let table = table(
      local: [row("Upbit", "141400000", pair: Self.won)], dollar: [row("Binance", "100000")], official: nil,
      token: ["Upbit": ["USDT": 1400]])
    #expect(table.premiums.map { text($0, .official) } == [nil])
    #expect(table.premiums.map { text($0, .token) } == ["+1.00"])
    #expect(table.premiums[0].basesDisagree == nil)
  }

  @Test(arguments: ["140000001", "140004200"]) func unprintedSignIsIgnored(_ local: String) {
    let table = table(
      local: [row("Upbit", local, pair: Self.won)], dollar: [row("Binance", "100000")],
      token: ["Upbit": ["USDT": 1414]])
    #expect(text(table.premiums.first, .official) == "+0.00")
    #expect(table.disagreements == [])
  }

  @Test(arguments: [("139995800", "+0.00", 0), ("139993000", "-0.01", 1)])
  func unprintedDiscountIsNoReversePremium(_ local: String, _ percent: String, _ count: Int) {
    let table = table(local: [row("Upbit", local, pair: Self.won)], dollar: [row("Binance", "100000")])
    #expect(text(table.premiums.first, .official) == percent)
    #expect(table.reverse(on: .official).count == count)
  }

  @Test(arguments: [("20", false), ("-20", false), ("20.01", true), ("-20.01", true)])
  func objectsBeyondTheLimit(_ percent: String, _ isObjection: Bool) throws {
    let percent = try #require(Decimal(percent))
    let objection = LocalPremium.objection(to: percent, limitPercent: 20)
    #expect(objection == (isObjection ? .identity(percent: percent) : nil))
  }
}
