import HTTP
import Mapping
import MarketData
import Quotes
import Testing
import Transport

/// A premium uses only usable rows, and names each unusable one; an excluded row is never the best.
@Suite struct MarketClientPremiumTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var changes: [String: SeoulMarket.Reply] = [:]
    var size: Decimal?
    var countsFees = false
    /// The best premium at the official rate.
    var best: String
    var excluded: [String] = []
  }

  static let cases = [
    Case(testDescription: "all rows are usable", best: "+2.00 seoul over alpha"),
    Case(
      testDescription: "the dearest is stale",
      changes: ["seoul": SeoulMarket.rows([("BTC-KRW", "153000000")], age: 120)],
      best: "+1.00 busan over alpha", excluded: ["seoul stale"]),
    Case(
      testDescription: "the dearest is flagged",
      changes: ["seoul": SeoulMarket.rows([("BTC-KRW", "153000000")], more: #", "l": "160000000""#)],
      best: "+1.00 busan over alpha", excluded: ["seoul range"]),
    Case(
      testDescription: "the dearest is another coin", changes: ["seoul": SeoulMarket.rows([("BTC-KRW", "306000000")])],
      best: "+1.00 busan over alpha", excluded: ["seoul identity"]),
    Case(
      testDescription: "the dearest has no price", changes: ["seoul": SeoulMarket.rows([("BTC-KRW", "0")])],
      best: "+1.00 busan over alpha", excluded: ["seoul zero"]),
    Case(
      testDescription: "the dearest is not traded",
      changes: ["seoul": SeoulMarket.rows([("BTC-KRW", "153000000")], more: #", "v": "0", "b": "0", "a": "0""#)],
      best: "+1.00 busan over alpha", excluded: ["seoul dead"]),
    Case(
      testDescription: "the dearest is quiet",
      changes: [
        "seoul": SeoulMarket.rows([("BTC-KRW", "153000000")], more: #", "v": "0", "b": "152000000", "a": "0""#)
      ],
      best: "+1.00 busan over alpha", excluded: ["seoul old-trade"]),
    Case(
      testDescription: "the dearest's time is invalid",
      changes: ["seoul": SeoulMarket.rows([("BTC-KRW", "153000000")], time: #""Wed, 18 Nov 2026 05:12:07 GMT""#)],
      best: "+1.00 busan over alpha", excluded: ["seoul time"]),
    Case(
      testDescription: "the dearest's time is a thousand times too large",
      changes: ["seoul": SeoulMarket.rows([("BTC-KRW", "153000000")], time: "1794978727300123")],
      best: "+1.00 busan over alpha", excluded: ["seoul time"]),
    Case(
      testDescription: "the dearest has no time",
      changes: ["seoul": SeoulMarket.rows([("BTC-KRW", "153000000")], time: "null")], best: "+2.00 seoul over alpha"),
    Case(
      testDescription: "the dearest does not respond", changes: ["seoul": .failure(.timeout)],
      best: "+1.00 busan over alpha"),
    Case(
      testDescription: "the cheapest is stale",
      changes: ["alpha": SeoulMarket.rows([("BTC-USDT", "100000")], age: 120)],
      best: "+1.49 seoul over beta", excluded: ["alpha stale"]),
    Case(
      testDescription: "the dearest has no fee", countsFees: true, best: "+0.80 busan over alpha",
      excluded: ["seoul fee-unknown"]),
    Case(testDescription: "by order books", size: 10_000_000, best: "+2.00 seoul over alpha"),
    Case(
      testDescription: "the dearest buys too little",
      changes: ["seoul/book": SeoulMarket.book(bid: "153000000", ask: "153010000", size: "0.06")], size: 10_000_000,
      best: "+1.00 busan over alpha", excluded: ["seoul book-thin"]),
    Case(
      testDescription: "the dearest's book is crossed",
      changes: ["seoul/book": SeoulMarket.book(bid: "153000000", ask: "152000000")], size: 10_000_000,
      best: "+1.00 busan over alpha", excluded: ["seoul book no-answer book-crossed"]),
    Case(
      testDescription: "the dearest's book is a day old",
      changes: ["seoul/book": SeoulMarket.book(bid: "153000000", ask: "153010000", time: Self.time(age: 86_400))],
      size: 10_000_000, best: "+1.00 busan over alpha", excluded: ["seoul book stale"]),
    Case(
      testDescription: "the dearest's book is fresh",
      changes: ["seoul/book": SeoulMarket.book(bid: "153000000", ask: "153010000", time: Self.time(age: 60))],
      size: 10_000_000, best: "+2.00 seoul over alpha"),
    Case(
      testDescription: "the cheapest's book is in another unit",
      changes: ["alpha/book": SeoulMarket.book(bid: "9999", ask: "10000", size: "50")], size: 10_000_000,
      best: "+1.49 seoul over beta", excluded: ["alpha book identity"]),
    Case(
      testDescription: "the dearest's book has an invalid time",
      changes: ["seoul/book": SeoulMarket.book(bid: "153000000", ask: "153010000", time: #""05:12""#)],
      size: 10_000_000, best: "+1.00 busan over alpha", excluded: ["seoul book time"]),
    Case(
      testDescription: "the dearest's book fails", changes: ["seoul/book": SeoulMarket.failing(502)], size: 10_000_000,
      best: "+1.00 busan over alpha", excluded: ["seoul book http-502"]),
  ]

  private static func time(age seconds: Int64) -> String {
    "\(StubExchanges.arrival.nanoseconds / 1_000_000 - seconds * 1000)"
  }

  @Test(arguments: cases) func excludedRowsAreNotTheBest(_ example: Case) async throws {
    var market = SeoulMarket()
    market.replies.merge(example.changes) { $1 }
    var query = Self.query
    query.size = example.size
    query.countsFees = example.countsFees
    let snapshot = try await market.premium(query)
    #expect(Self.text(snapshot.table.best(on: .official), .official, snapshot.table) == example.best)
    #expect(snapshot.table.exclusions.map { "\($0.exchange) \($0.objection.code)" } == example.excluded)
  }

  @Test func haltedPairsAreNamed() async throws {
    var market = SeoulMarket()
    market.replies["seoul"] = SeoulMarket.halted("BTC-KRW")
    let snapshot = try await market.premium(Self.query)
    #expect(snapshot.halted.map { "\($0.exchange) \($0.pair.map { "\($0)" } ?? "")" } == ["seoul BTC/KRW"])
    #expect(Self.text(snapshot.table.best(on: .official), .official, snapshot.table) == "+1.00 busan over alpha")
    // A pair that is simply not listed is not halted.
    market.replies["seoul"] = SeoulMarket.rows([("ETH-KRW", "5000000")])
    #expect(try await market.premium(Self.query).halted.isEmpty)
  }

  @Test func bothBases() async throws {
    let table = try await SeoulMarket().premium(Self.query).table
    #expect(Self.text(table.worst(on: .official), .official, table) == "+0.17 jeju over beta")
    #expect(Self.text(table.best(on: .token), .token, table) == "+1.32 seoul over alpha")
    #expect(Self.text(table.worst(on: .token), .token, table) == "-0.83 jeju over beta")
    #expect(table.disagreements.count == 4)
    #expect(table.reverse(on: .official) == [])
    #expect(table.reverse(on: .token).count == 4)
  }

  /// Buying with won adds the buyer's fee, and selling for dollars subtracts the seller's.
  @Test func oppositeDirection() async throws {
    var query = Self.query
    query.countsFees = true
    let table = try await SeoulMarket().premium(query).reverse
    #expect(Self.text(table.lowest(on: .token), .token, table) == "-0.63 jeju over beta")
  }

  @Test func withoutOfficialRate() async throws {
    var market = SeoulMarket()
    market.replies["bank"] = SeoulMarket.failing(500)
    let snapshot = try await market.premium(Self.query)
    #expect(snapshot.rate.reason == "Bank: http-500")
    #expect(snapshot.table.best(on: .official) == nil)
    #expect(snapshot.table.disagreements == [])
    #expect(Self.text(snapshot.table.best(on: .token), .token, snapshot.table) == "+1.32 seoul over alpha")
  }

  /// An exchange whose token has no usable price has no premium at that token's rate; the others keep theirs.
  @Test(arguments: [
    [("BTC-KRW", "153000000")], [("BTC-KRW", "153000000"), ("USDT-KRW", "0")],
  ])
  func withoutTokenPrice(rows: [(pair: String, price: String)]) async throws {
    var market = SeoulMarket()
    market.replies["seoul"] = SeoulMarket.rows(rows)
    let table = try await market.premium(Self.query).table
    #expect(Self.text(table.best(on: .official), .official, table) == "+2.00 seoul over alpha")
    #expect(Self.text(table.best(on: .token), .token, table) == "-0.33 busan over alpha")
  }

  /// The rule of the query holds for the price of a dollar, too: here nothing was traded in 24 hours.
  @Test(arguments: [
    (HeadlineRule.standard, "+1.00 busan over alpha", "-0.33 busan over alpha"),
    (.anyPrice, "+2.00 seoul over alpha", "+1.32 seoul over alpha"),
  ])
  func quietTokenFollowsTheRule(_ rule: HeadlineRule, _ official: String, _ token: String) async throws {
    var market = SeoulMarket()
    market.replies["seoul"] = SeoulMarket.rows([("BTC-KRW", "153000000"), ("USDT-KRW", "1510")], more: #", "v": "0""#)
    var query = Self.query
    query.rule = rule
    let table = try await market.premium(query).table
    #expect(Self.text(table.best(on: .official), .official, table) == official)
    #expect(Self.text(table.best(on: .token), .token, table) == token)
  }

  // MARK: Wallets

  private static func wallets(_ exchange: String, _ deposit: WalletStatus.State, _ withdraw: WalletStatus.State)
    -> WalletReport
  {
    var report = WalletReport(exchange: exchange)
    report.rows = [
      WalletStatus(asset: "BTC", network: "BTC", deposit: deposit, withdraw: withdraw, message: nil),
      WalletStatus(asset: "ETH", network: "ETH", deposit: .open, withdraw: .open, message: nil),
    ]
    return report
  }

  /// Transfers not known to be open are excluded before the maximum is found, separately for each direction.
  @Test func onlyOpenTransferRoutes() async throws {
    let snapshot = try await SeoulMarket().premium(Self.query)
    #expect(snapshot.compared == ["seoul", "busan", "jeju", "alpha", "beta"])
    var locked = WalletReport(exchange: "beta")
    locked.failures = [AnswerFailure(.noSecret, "missing secret 'apiKey'")]
    let reports = [
      Self.wallets("seoul", .closed, .open), Self.wallets("busan", .open, .open), Self.wallets("jeju", .unknown, .open),
      Self.wallets("alpha", .open, .open), locked,
    ]
    let shown = snapshot.joined(with: reports, NetworkNames(), keepsOpen: false)
    #expect(shown.table.premiums == snapshot.table.premiums && shown.wallets?.leftOut == nil)
    #expect(Self.text(shown.table.best(on: .official), .official, shown.table) == "+2.00 seoul over alpha")

    let open = snapshot.joined(with: reports, NetworkNames(), keepsOpen: true)
    #expect(Self.text(open.table.best(on: .official), .official, open.table) == "+1.00 busan over alpha")
    #expect(open.table.premiums.map { Self.text($0, .official, open.table) } == ["+1.00 busan over alpha"])
    let leftOut = try #require(open.wallets?.leftOut)
    #expect(
      leftOut.map { "\(Self.text($0.premium, .official, open.table)) \($0.route.code)" } == [
        "+2.00 seoul over alpha closed", "+0.67 jeju over alpha unknown", "+1.49 seoul over beta closed",
        "+0.50 busan over beta unknown", "+0.17 jeju over beta unknown",
      ])
    // From won to dollars: out of seoul, busan and jeju, into alpha only.
    #expect(
      open.reverse.premiums.map { Self.text($0, .official, open.reverse) } == [
        "+2.00 seoul over alpha", "+1.00 busan over alpha", "+0.67 jeju over alpha",
      ])
    #expect(open.wallets?.side(of: "beta") == .unknown(.noKey))
    #expect(open.wallets?.side(of: "elsewhere") == .unknown(.notTold))
  }

  private static let query = PremiumQuery(asset: "BTC", local: "KRW", dollars: ["USDT", "USD"], rule: .standard)

  private static func text(_ premium: LocalPremium?, _ basis: DollarBasis, _ table: LocalPremiumTable) -> String {
    guard let premium, let percent = premium.percents[basis] else { return "-" }
    let local = table.local[premium.local].ticker.exchange
    return "\(percent.signedPercentText) \(local) over \(table.dollar[premium.dollar].ticker.exchange)"
  }
}
