import Quotes
import Testing

@testable import Config
@testable import Inference

/// Numbers and names that only look like a slot: being sure of a wrong slot is worse than asking.
@Suite struct SureSlotTests {
  private static let prices: [(asset: String, price: Double)] = [
    ("BTC", 91500.5), ("ETH", 3120.25), ("XRP", 2.2014), ("SOL", 139.42), ("ADA", 0.4613), ("LTC", 94.31),
  ]

  private static func proposal(_ sample: String, isFutures: Bool = false) throws -> ExchangeProposal {
    var hints = SampleHints()
    hints.isFutures = isFutures
    return try ExchangeInference(Array(sample.utf8), hints).proposal()
  }

  private static func problem(_ sample: String) -> SampleProblem? {
    do {
      _ = try proposal(sample)
      return nil
    } catch { return error as? SampleProblem }
  }

  private static func table(_ payment: String = "USDT", _ members: (Double, Int) -> String) -> String {
    let rows = prices.enumerated().map { index, row in
      #"{"symbol":"\#(row.asset)_\#(payment)",\#(members(row.price, index))}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  private static func sure(_ sample: String, isFutures: Bool = false) throws -> [Role: String] {
    let roles = try proposal(sample, isFutures: isFutures).roles.filter(\.isSure)
    return Dictionary(uniqueKeysWithValues: roles.map { ($0.role, $0.path) })
  }

  // MARK: Commas

  @Test(arguments: [
    (["1,234", "1,234.5", "12,345,678"], false), (["1,234", "12"], false), (["91,50,000.5"], false),
    (["2,20140000"], true), (["91500,50"], true), (["0,123"], true), (["1.234,50"], true), (["1,234", "5,678"], true),
    (["1,234", "5,67"], true), (["12", "1.5"], false), (["a,b"], false), (["-1,5%"], true),
  ])
  func doubtfulThousandsSeparatorsAreDetected(_ texts: [String], _ areDoubtful: Bool) {
    #expect(DigitGroups.haveDoubtfulCommas(texts) == areDoubtful)
  }

  @Test func decimalCommasAreRefused() {
    let sample = Self.table { price, _ in
      let text = String(price).replacing(".", with: ",")
      return #""last":"\#(text)","high":"\#(text)","low":"\#(text)""#
    }
    #expect(Self.problem(sample) == .decimalCommas(path: "$.last", example: "91500,5"))
  }

  @Test func columnsWithDecimalCommasAreLeftOut() throws {
    let sample = Self.table { price, index in #""last":\#(price),"volume":"1\#(index),5""# }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  // MARK: Offers

  @Test(arguments: [
    ("maxBidPrice", "minAskPrice", 1.1, 0.9), ("max_bid", "min_ask", 1.001, 0.999),
    ("minAskPrice", "maxBidPrice", 0.9, 1.1), ("bidLimit", "askLimit", 0.999, 1.001),
    ("upperBid", "lowerAsk", 1.001, 0.999), ("bidPrice", "askPrice", 0.9, 1.1), ("bid", "ask", 0.99, 1.01),
  ])
  func priceBoundsAreNotOffers(_ bid: String, _ ask: String, _ low: Double, _ high: Double) throws {
    let sample = Self.table { price, _ in #""last":\#(price),"\#(bid)":\#(price * low),"\#(ask)":\#(price * high)"# }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  @Test func offersNearThePriceAreSure() throws {
    let sample = Self.table { price, index in
      let spread = price * 0.0001 * Double(index + 1)
      return #""last":\#(price),"highestBid":\#(price - spread),"lowestAsk":\#(price + 2 * spread)"#
    }
    #expect(try Self.sure(sample) == [.price: "$.last", .bid: "$.highestBid", .ask: "$.lowestAsk"])
  }

  /// Pairs without any trades do not count against the others.
  @Test func rowsWithoutTradesAreIgnored() throws {
    let sample = Self.table { price, index in
      index % 2 == 0
        ? #""last":\#(price),"high":\#(price * 1.02),"low":\#(price * 0.98),"volume":\#(index + 3)"#
        : #""last":\#(price),"high":0,"low":100000000,"volume":0"#
    }
    #expect(try Self.sure(sample)[.price] == "$.last")
  }

  /// `b` and `a` that never cross are proposed as offers but not taken.
  @Test func lettersThatBehaveLikeOffersAreProposed() throws {
    let sample = Self.table { price, index in
      #""last":\#(price),"b":\#(price * 0.999),"a":\#(price * (1.001 + Double(index) / 10_000))"#
    }
    let proposal = try Self.proposal(sample)
    #expect(proposal[.bid]?.path == "$.b" && proposal[.ask]?.path == "$.a")
    #expect(proposal[.bid]?.isSure == false && proposal[.ask]?.isSure == false)
  }

  // MARK: One value

  @Test func constantColumnsProveNothing() throws {
    let sample = Self.table { price, _ in #""last":\#(price),"baseVolume":5,"quoteVolume":5"# }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  @Test func deadPricesAreRefused() {
    let zeros = Self.table { _, _ in #""last":"0","high":"0","low":"0","volume":"0""# }
    #expect(Self.problem(zeros) == .noTicker("$.last is 0 in every row"))
    let same = Self.table { _, index in #""last":"7.5","volume":"\#(index + 3)""# }
    #expect(Self.problem(same) == .noTicker("$.last is 7.5 in every row"))
  }

  @Test(arguments: [
    (#"{"success":false,"message":"maintenance","data":"#, "maintenance"),
    (#"{"error":"too many requests","data":"#, "too many requests"),
    (#"{"status":"error","msg":"down","data":"#, "down"),
  ])
  func errorBesideRowsIsAnError(_ envelope: String, _ text: String) {
    #expect(Self.problem(envelope + Self.table { price, _ in #""last":\#(price)"# } + "}") == .errorAnswer(text))
  }

  // MARK: Currencies in names

  @Test func pricesInOtherCurrenciesAreExcluded() throws {
    let sample = Self.table("KRW") { price, _ in
      #""lastUsd":\#(price),"highUsd":\#(price * 1.02),"lowUsd":\#(price * 0.98)"#
    }
    #expect(try Self.sure(sample) == [:])
  }

  @Test func priceInPaymentCurrencyWins() throws {
    let sample = Self.table("KRW") { price, _ in #""lastUsd":\#(price),"lastKrw":\#(price * 1400)"# }
    #expect(try Self.sure(sample)[.price] == "$.lastKrw")
  }

  /// A turnover in dollars is none of a pair in euros, in whatever words its name says so.
  @Test(arguments: [
    ("volumeUsd", "USD", true), ("dollarVolume", "USD", true), ("volumeUsd", "EUR", false),
    ("dollarVolume", "EUR", false), ("volume_in_dollars", "EUR", false), ("volumeUsd", "", false),
  ])
  func turnoverInOneCurrencyIsUnsure(_ name: String, _ lastPayment: String, _ isTaken: Bool) throws {
    let rows = Self.prices.enumerated().map { index, row in
      let coins = 3.100525 / Double(index + 1)
      let symbol = lastPayment.isEmpty ? "\(70 + index)" : "\(row.asset)_\(index < 5 ? "USD" : lastPayment)"
      let price = row.price * (index < 5 || lastPayment != "EUR" ? 1 : 0.7)
      return #"{"symbol":"\#(symbol)","last":\#(price),"volume":\#(coins),"\#(name)":\#(coins * row.price * 1.01)}"#
    }
    #expect(try Self.sure("[\(rows.joined(separator: ","))]")[.turnover] == (isTaken ? "$.\(name)" : nil))
  }

  // MARK: Contracts

  @Test func contractCountIsNotVolume() throws {
    let sizes = [0.0001, 0.01, 10, 1, 100, 0.1]
    let sample = Self.table { price, index in
      let count = 31_005_000 / (index + 1)
      let high = price * 1.03
      let amount = Double(count) * price * 1.01 * sizes[index]
      return #""last":\#(price),"high24":\#(high),"low24":\#(price * 0.97),"volume24":\#(count),"amount24":\#(amount)"#
    }
    // A size that differs in each row does not prove the amount to be money either; its name has to say so.
    let prices: [Role: String] = [.price: "$.last", .high: "$.high24", .low: "$.low24"]
    #expect(try Self.sure(sample, isFutures: true) == prices)
    let named = try Self.sure(sample.replacing("amount24", with: "turnover24"), isFutures: true)
    #expect(named == prices.merging([.turnover: "$.turnover24"]) { $1 })
  }

  /// Contracts of 100 dollars for one coin and 10 for the others: being near a power of ten does not prove a turnover.
  @Test func inverseContractsAreNotTurnover() throws {
    let coins = [
      127793.43436348, 1451992.71422811, 183607450.54690018, 590038.12001920, 467424.74594614, 279362.47993994,
    ]
    let sample = Self.table("USD") { price, index in
      let count = Int(coins[index] * price * (0.98 + Double(index) / 100) / (index == 0 ? 100 : 10))
      return #""last":\#(price),"volume":\#(count),"baseVolume":\#(coins[index])"#
    }
    #expect(try Self.sure(sample, isFutures: true) == [.price: "$.last"])
  }

  // MARK: Turnover

  /// Two columns with matching names fit most rows but are a million times too large; two others fit all rows.
  @Test(arguments: [1, 0])
  func fitInMoreRowsBeatsMatchingName(_ misfits: Int) throws {
    let sample = Self.table { price, index in
      let coins = 3.100525 / Double(index + 1)
      let money = coins * price * 1.01
      let isMisfit = index < misfits
      return #""last":\#(price),"homeNotional24h":\#(coins),"foreignNotional24h":\#(money),"#
        + #""volume24h":\#(coins * 1e6),"turnover24h":\#(isMisfit ? money * 1e5 : money * 1e6)"#
    }
    let sure = try Self.sure(sample)
    #expect(sure[.volume] == (misfits == 0 ? "$.volume24h" : "$.homeNotional24h"))
    #expect(sure[.turnover] == (misfits == 0 ? "$.turnover24h" : "$.foreignNotional24h"))
  }

  /// Amounts in the payment currency, in dollars and in bitcoin: on its own, each looks the same.
  @Test(arguments: ["volume", "turnover", "quoteVolume"], [1, 1.0 / 1400, 1.0 / 91500])
  func loneTurnoverMayBeInAnotherCurrency(_ name: String, _ rate: Double) throws {
    let sample = Self.table { price, index in #""last":\#(price),"\#(name)":\#(Double(7 - index) * 50_000 * rate)"# }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  // MARK: Changes

  private static let percents = [2.0, -3.5, 4.25, -1.25, 6.5, -5.0]

  /// A change that does not match the open in its row, though the range would allow it.
  @Test(arguments: [(1.0, true), (0.2, false), (-1, false)])
  func changeFromAnotherOpenIsUnsure(_ factor: Double, _ isTaken: Bool) throws {
    let sample = Self.table { price, index in
      let open = price / (1 + Self.percents[index] / 100)
      return #""last":\#(price),"open24h":\#(open),"high24h":\#(price * 1.2),"low24h":\#(price * 0.8),"#
        + #""percentChange24h":\#(Self.percents[index] * factor)"#
    }
    let sure = try Self.sure(sample)
    #expect(sure[.open] == "$.open24h" && sure[.change] == (isTaken ? "$.percentChange24h" : nil), "\(sure)")
  }

  /// Without an open the range decides, if it covers the same hours.
  @Test(arguments: [("24h", 1.0, true), ("24h", 2, false), ("", 2, true), ("", 7, false)])
  func changeOutsideRangeIsUnsure(_ window: String, _ factor: Double, _ isTaken: Bool) throws {
    let sample = Self.table { price, index in
      let open = price / (1 + Self.percents[index] / 100)
      return #""last":\#(price),"high\#(window)":\#(max(price, open) * 1.001),"#
        + #""low\#(window)":\#(min(price, open) * 0.999),"percentChange24h":\#(Self.percents[index] * factor)"#
    }
    #expect(try Self.sure(sample)[.change] == (isTaken ? "$.percentChange24h" : nil))
  }

  @Test func contractCountsAndCoinsAreIndistinguishable() throws {
    let sizes = [0.0001, 0.01, 10, 1, 100, 0.1]
    let sample = Self.table { price, index in
      let count = Double(31_005_000 / (index + 1))
      return #""last":\#(price),"vol24h":\#(count),"volCcy24h":\#(count * sizes[index])"#
    }
    #expect(try Self.sure(sample, isFutures: true) == [.price: "$.last"])
  }

  // MARK: Pairs

  private static func own(_ asset: String, _ payment: String, _ swap: Bool = false) -> String {
    let payments = ["USD", "EUR", "USD", "USD", "USDT", "EUR"]
    let rows = prices.enumerated().map { index, row in
      let codes = swap ? [payments[index], row.asset] : [row.asset, payments[index]]
      return #"{"\#(asset)":"\#(codes[0])","\#(payment)":"\#(codes[1])","last":\#(row.price)}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  @Test(arguments: [
    ("base_asset", "quote_asset"), ("baseAsset", "quoteAsset"), ("baseCoin", "quoteCoin"),
    ("base_token", "quote_token"), ("order_currency", "payment_currency"), ("target_currency", "payment_currency"),
    ("coin", "fiat"), ("stock", "money"), ("currency", "market"), ("major", "minor"),
    ("PrimaryCurrencyCode", "SecondaryCurrencyCode"), ("baseCode", "quoteCode"),
  ])
  func separateAssetAndPaymentMembersFormPairs(_ asset: String, _ payment: String) throws {
    let symbol = try Self.proposal(Self.own(asset, payment)).symbol
    #expect(symbol?.source == .own(asset: "$.\(asset)", payment: "$.\(payment)", symbol: nil))
    #expect(symbol?.pairs.prefix(2) == [Pair(asset: "BTC", payment: "USD"), Pair(asset: "ETH", payment: "EUR")])
    let swapped = try Self.proposal(Self.own(asset, payment, true)).symbol
    #expect(swapped?.isSure != true || swapped?.pairs.first == Pair(asset: "BTC", payment: "USD"))
  }

  @Test func timeIsNotAPair() throws {
    let rows = Self.prices.enumerated().map { index, row in
      #"{"time":"2026-11-21T05:13:1\#(index).443Z","rate":\#(row.price),"last":\#(row.price)}"#
    }
    let symbol = try? Self.proposal("[\(rows.joined(separator: ","))]").symbol
    #expect(symbol == nil)
  }

  // MARK: Small units

  @Test(arguments: ["last", "lastEp", "lastE8"])
  func pricesInSmallUnitsAreUnsure(_ name: String) throws {
    let sample = Self.table { price, _ in
      let units = Int(price * 100_000_000)
      return #""\#(name)":\#(units),"high":\#(units + units / 50),"low":\#(units - units / 50)"#
    }
    // An unknown name may be refused as well.
    let sure = try? Self.sure(sample)
    #expect(sure ?? [:] == [:])
  }

  private static func rows(_ members: [String]) -> String { "[\(members.map { "{\($0)}" }.joined(separator: ","))]" }

  /// Whole numbers for cheap coins as well as dear ones count a small unit, except in currencies of little value; so do
  /// numbers that no price reaches.
  @Test(arguments: [
    ("USD", 100.0, false), ("EUR", 86, false), ("INR", 8900, false), ("TRY", 42e8, false), ("KRW", 1470, true),
    ("KRW", 1470e8, false), ("IDR", 16_600, true), ("JPY", 156, true), ("BTC", 1e8 / 91500.5, false),
  ])
  func wholePricesMayCountASmallUnit(_ payment: String, _ factor: Double, _ isTaken: Bool) throws {
    let sample = Self.rows(
      MisleadingColumnTests.coins.compactMap { coin, dollars in
        let price = Int((dollars * factor).rounded())
        guard price > 10, coin != payment else { return nil }
        return
          #""symbol":"\#(coin)_\#(payment)","last":\#(price),"high":\#(price + price / 40),"low":\#(price - price / 50)"#
      })
    let price = try Self.proposal(sample)[.price]
    #expect(price?.isSure == isTaken && (price?.unitDoubt == nil) == isTaken, "\(price?.evidence ?? [])")
  }

  /// A dollar token is worth about a dollar.
  @Test(arguments: [(1.0, true), (10_000, false)]) func dollarTokensAreNearOne(_ factor: Double, _ isTaken: Bool) throws
  {
    let sample = Self.rows(
      [("BTC", 91500.0), ("ETH", 3016), ("USDC", 1)].map { coin, dollars in
        #""symbol":"\#(coin)_USDT","last":\#(Int(dollars * factor)),"volume":3.5"#
      })
    #expect(try Self.sure(sample)[.price] == (isTaken ? "$.last" : nil))
  }

  // MARK: One currency for all pairs

  @Test(arguments: [
    ("BTC", 1.0, false), ("BTC", 91500.5, true), ("TRY", 1, false), ("TRY", 0.0236, true), ("EUR", 1, false),
    ("EUR", 1.16, true), ("EUR", 1.02, true), ("USDC", 1, true),
  ])
  func pricesInOneCurrencyAreUnsure(_ payment: String, _ divisor: Double, _ isTaken: Bool) throws {
    let sample = Self.rows(
      [("USDT", 1.0), (payment, divisor)].flatMap { payment, divisor in
        MisleadingColumnTests.coins.dropFirst().map { coin, dollars in
          #""symbol":"\#(coin)_\#(payment)","last":\#(dollars / divisor),"high":\#(dollars / divisor * 1.02),"low":\#(dollars / divisor * 0.98)"#
        }
      })
    let proposal = try Self.proposal(sample)
    #expect(proposal[.price]?.isSure == isTaken)
    let reason = "prices in \(payment) are those in USDT in 15 of 15 rows: all may be in one currency"
    #expect(proposal[.price]?.doubts == (isTaken ? [] : [reason]))
  }

  /// A bitcoin costs more than a dollar, or any other money: less is what that costs in coins.
  @Test(arguments: [false, true], ["USDT", "EUR", "KRW"])
  func inversePricesAreUnsure(_ areInverse: Bool, _ payment: String) throws {
    let sample = Self.table(payment) { price, _ in
      let price = areInverse ? 1 / price : price
      return #""last":\#(price),"high":\#(price * 1.02),"low":\#(price * 0.98)"#
    }
    #expect(try Self.sure(sample)[.price] == (areInverse ? nil : "$.last"))
  }

  /// Two pairs in euros show that turnovers are in dollars, if both are off by one rate.
  @Test(arguments: [(1.0, 1.002, true), (0.86, 0.861, false), (0.7, 0.86, true)])
  func fewPairsShowTheCurrencyOfTurnovers(_ first: Double, _ second: Double, _ isTaken: Bool) throws {
    let dollars = MisleadingColumnTests.coins.enumerated().map { index, coin in
      #""symbol":"\#(coin.0)_USD","last":\#(coin.1),"volume":\#(index + 2),"quoteVolume":\#(coin.1 * Double(index + 2) * 1.001)"#
    }
    let euros = zip(MisleadingColumnTests.coins, [first, second]).map { coin, rate in
      #""symbol":"\#(coin.0)_EUR","last":\#(coin.1 * 0.86),"volume":3,"quoteVolume":\#(coin.1 * 0.86 * 3 / rate)"#
    }
    #expect(try Self.sure(Self.rows(dollars + euros))[.turnover] == (isTaken ? "$.quoteVolume" : nil))
  }

  // MARK: Contracts

  /// Whole numbers in all rows of futures may count contracts, whatever the name says.
  @Test(arguments: [(1.0, true), (1000, false)]) func wholeVolumesOfFuturesAreUnsure(_ factor: Double, _ isTaken: Bool)
    throws
  {
    let sample = MisleadingColumnTests.table { row in
      let volume = factor == 1 ? "\(row.coins)" : "\(Int((row.coins * factor).rounded()))"
      return #""last":\#(row.price),"baseVolume24h":"\#(volume)""#
    }
    #expect(try Self.sure(sample, isFutures: true)[.volume] == (isTaken ? "$.baseVolume24h" : nil))
  }

  /// Some pairs of a table of futures count contracts if all rows that do not fit are off by a power of ten.
  @Test(arguments: [
    ([1.0, 1], true, true), ([1000, 100], true, false), ([1, 1000], true, false), ([0.01, 1], true, false),
    ([1000, 37], true, true), ([1000, 100], false, true),
  ])
  func contractsOfSomePairsAreUnsure(_ factors: [Double], _ isFutures: Bool, _ isTaken: Bool) throws {
    let sample = MisleadingColumnTests.table { row in
      let volume = row.coins * (row.index < factors.count ? factors[row.index] : 1)
      return #""last":\#(row.price),"volume24h":\#(volume),"turnover24h":\#(row.dollars)"#
    }
    let volume: [Role: String] = isTaken ? [.volume: "$.volume24h"] : [:]
    #expect(
      try Self.sure(sample, isFutures: isFutures)
        == volume.merging([.price: "$.last", .turnover: "$.turnover24h"]) { $1 })
  }

  /// A second amount that is a power of ten of the first counts contracts only where there are any.
  @Test(arguments: [(true, "counts contracts"), (false, "is in another unit")])
  func onlyFuturesCountContracts(_ isFutures: Bool, _ what: String) throws {
    let sample = MisleadingColumnTests.table {
      #""last":\#($0.price),"volume":\#($0.coins),"vol":\#($0.coins * 100)"#
    }
    let volume = try #require(try Self.proposal(sample, isFutures: isFutures)[.volume])
    let other = volume.path == "$.volume" ? "$.vol" : "$.volume"
    #expect(!volume.isSure && volume.doubts.contains("it or '\(other)' \(what)"), "\(volume.doubts)")
  }

  // MARK: Signs

  /// Changes without their signs, which the range of the day contradicts, or a flag gives.
  @Test(arguments: [
    (true, "", true), (false, "", false), (true, #","isUp":UP"#, true), (false, #","isUp":UP"#, false),
  ])
  func changesWithoutSignsAreUnsure(_ isSigned: Bool, _ flag: String, _ isTaken: Bool) throws {
    let sample = Self.rows(
      MisleadingColumnTests.coins.prefix(12).enumerated().map { index, coin in
        let change = [7.43, 3.01, -6.03, 0.06, -5.13, 1.2, 2.4, 0.4, -0.8, 1.1, 0.9, 3.3][index]
        let open = coin.1 / (1 + change / 100)
        let (high, low) = (max(coin.1, open) * 1.003, min(coin.1, open) * 0.997)
        return
          #""symbol":"\#(coin.0)_USDT","last":\#(coin.1),"high":\#(high),"low":\#(low),"changePercent24h":"\#(isSigned ? change : abs(change))"\#(flag.replacing("UP", with: "\(change > 0)"))"#
      })
    #expect(try Self.sure(sample)[.change] == (isTaken ? "$.changePercent24h" : nil))
  }

  /// Where all coins rise, the range of the day may confirm it.
  @Test(arguments: [(5, false, true), (12, false, false), (12, true, true)])
  func allMayRise(_ count: Int, _ hasRange: Bool, _ isTaken: Bool) throws {
    let sample = Self.rows(
      MisleadingColumnTests.coins.prefix(count).enumerated().map { index, coin in
        let change = 1.5 + Double(index * 7 % 5)
        let low = coin.1 / (1 + change / 100) * 0.999
        let range = hasRange ? #","high":\#(coin.1 * 1.003),"low":\#(low)"# : ""
        return #""symbol":"\#(coin.0)_USDT","last":\#(coin.1),"changePercent24h":"\#(change)"\#(range)"#
      })
    #expect(try Self.sure(sample)[.change] == (isTaken ? "$.changePercent24h" : nil))
  }

  // MARK: Given columns

  /// In rows without names, the given price leaves the other columns to be asked about.
  @Test func aGivenPriceLeavesTheOthers() throws {
    let rows = MisleadingColumnTests.coins.enumerated().map { index, coin in
      let price = coin.1
      return
        #"["\#(coin.0)-UAH",\#(price * 0.999),2.376,\#(price * 1.001),1.233,\#(price),\#(index * 37 + 5),\#(price * 1.05),\#(price * 0.94)]"#
    }
    var hints = SampleHints()
    hints.paths[.price] = "$[5]"
    let proposal = try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8), hints).proposal()
    #expect(proposal[.price]?.path == "$[5]")
    #expect(proposal[.high]?.path == "$[7]" && proposal[.low]?.path == "$[8]")
  }

  // MARK: Currencies

  /// Bitcoin is what coins are paid in: with the two turned, most assets would be money or bitcoin.
  @Test(arguments: [("base", "quote"), ("base_currency", "target_currency")])
  func turnedPairsAreUnsure(_ asset: String, _ payment: String) throws {
    func sample(_ isTurned: Bool) -> String {
      Self.rows(
        MisleadingColumnTests.coins.dropFirst().map { coin, dollars in
          let (first, second) = isTurned ? ("BTC", coin) : (coin, "BTC")
          return #""\#(asset)":"\#(first)","\#(payment)":"\#(second)","last":\#(dollars / 91500.5)"#
        })
    }
    #expect(try Self.proposal(sample(false)).symbol?.isSure == true)
    let symbol = try Self.proposal(sample(true)).symbol
    #expect(symbol?.isSure == false && symbol?.evidence.last == "money or bitcoin would be the asset in 15 of 15 rows")
    let hints = SampleHints(pair: Pair(asset: "ETH", payment: "BTC"))
    let given = try ExchangeInference(Array(sample(true).utf8), hints).proposal().symbol
    #expect(given?.isSure == true && given?.pairs.first == hints.pair)
  }

  /// The asset of a future may have a word for futures behind it, in its own field.
  @Test func assetsOfFuturesMayHaveAnEnding() throws {
    let sample = Self.rows(
      MisleadingColumnTests.coins.map { coin, dollars in
        #""base_currency":"\#(coin)-PERP","quote_currency":"USDC","last_price":\#(dollars),"high":\#(dollars * 1.02),"low":\#(dollars * 0.98)"#
      })
    let proposal = try Self.proposal(sample, isFutures: true)
    let symbol = try #require(proposal.symbol)
    #expect(symbol.isSure && symbol.pairs.first == Pair(asset: "BTC", payment: "USDC"))
    #expect(proposal.futuresSign?.text == "every asset has '-PERP'" && proposal.futuresSign?.isProof == true)
    let block = ExchangeBlock(
      proposal, symbol: symbol, roles: [], market: .futures, request: .init(baseURLs: [], path: "/"))
    #expect(
      block.symbol.text(lead: 0)
        == #"{ "asset": { "path": "$.base_currency", "capture": "(?<value>.+)-PERP" }, "payment": "$.quote_currency" }"#
    )
  }
}
