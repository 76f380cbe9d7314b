import Foundation
import Quotes
import Testing

@testable import Config
@testable import Inference

/// Tables in which a name or a size points to the wrong column: what nothing proves is unsure.
@Suite struct MisleadingColumnTests {
  /// A coin in dollars, in one payment currency.
  struct Row {
    let index: Int
    /// In the payment currency.
    let price: Double
    let coins: Double
    let dollars: Double
    let bid: Double
    let ask: Double
    let open: Double
  }

  static let coins = [
    ("BTC", 91500.5), ("ETH", 3016.06), ("XRP", 2.2042), ("SOL", 141.04), ("ADA", 0.4316), ("DOGE", 0.1523),
    ("LTC", 84.05), ("LINK", 13.06), ("TRX", 0.2751), ("BCH", 512.3), ("DOT", 2.87), ("SHIB", 0.0000091),
    ("AAVE", 178.4), ("UNI", 6.21), ("XLM", 0.2467), ("ETC", 14.1),
  ]

  /// Returns one row for each coin in each of the payment currencies, which are dollars and bitcoin.
  static func table(_ payments: [String] = ["USDT"], _ members: (Row) -> String) -> String {
    var rows: [String] = []
    for (place, payment) in payments.enumerated() {
      for (index, (name, dollars)) in coins.enumerated() where name != payment {
        let price = payment == "BTC" ? dollars / 91500.5 : dollars
        let turnover = 41_000.5 * Double(1 + (index * 37 + place * 11) % 29)
        let spread = price * 0.0002 * Double(1 + index % 3)
        let row = Row(
          index: index, price: price, coins: turnover / dollars * (1 + Double(index % 5 - 2) / 500), dollars: turnover,
          bid: price - spread, ask: price + spread, open: price * (1 + Double(index % 7 - 3) / 90 + 0.001))
        rows.append(#"{"symbol":"\#(name)_\#(payment)",\#(members(row))}"#)
      }
    }
    return "[\(rows.joined(separator: ","))]"
  }

  static func sure(_ sample: String) throws -> [Role: String] {
    let roles = try ExchangeInference(Array(sample.utf8)).proposal().roles.filter(\.isSure)
    return Dictionary(uniqueKeysWithValues: roles.map { ($0.role, $0.path) })
  }

  // MARK: Amounts in one currency

  @Test func turnoverInDollarsForAllPairsIsUnsure() throws {
    let sample = Self.table(["USDT", "BTC"]) { #""last":\#($0.price),"volume":\#($0.coins),"turnover":\#($0.dollars)"# }
    #expect(try Self.sure(sample) == [.price: "$.last", .volume: "$.volume"])
    let own = Self.table(["USDT", "BTC"]) {
      #""last":\#($0.price),"volume":\#($0.coins),"turnover":\#($0.coins * $0.price)"#
    }
    #expect(try Self.sure(own) == [.price: "$.last", .volume: "$.volume", .turnover: "$.turnover"])
  }

  /// A lone volume that falls with the price as coins do, as money does, or in between.
  @Test(arguments: [(1.0, true), (0.85, true), (0.45, false), (0.3, false), (0, false)], ["volume", "baseVolume"])
  func loneVolumeNeedsTheSlopeOfCoins(_ example: (power: Double, isTaken: Bool), _ name: String) throws {
    for payments in [["USDT"], ["USDT", "BTC"]] {
      let sample = Self.table(payments) { row in
        let volume = row.dollars / pow(row.dollars / row.coins, example.power)
        return #""last":\#(row.price),"\#(name)":\#(volume)"#
      }
      let sure = try Self.sure(sample)
      #expect(sure == (example.isTaken ? [.price: "$.last", .volume: "$.\(name)"] : [.price: "$.last"]), "\(payments)")
    }
  }

  /// Turnovers that fall with the price by chance.
  private static let turnovers: [(name: String, rows: [(Double, Double)])] = [
    ("volume_24h", [(1.92, 29300), (123, 9430), (0.219, 6_970_000), (460, 174000), (0.13, 575000), (11.3, 32200)]),
    (
      "vol",
      [
        (533, 79600), (83.9, 457000), (2.21, 2_970_000), (142, 1_300_000), (2.31, 47_600_000), (2.51, 1_790_000),
        (6.32, 598000), (0.429, 1_830_000),
      ]
    ),
  ]

  /// Few rows need a slope that is clearly that of coins.
  @Test(arguments: turnovers, [false, true])
  func fewRowsNeedAClearSlope(_ example: (name: String, rows: [(Double, Double)]), _ areCoins: Bool) throws {
    let rows = zip(Self.coins, example.rows).map { coin, row in
      let volume = areCoins ? 50_000 * (1 + row.1.truncatingRemainder(dividingBy: 7)) / row.0 : row.1
      return
        #"{"s":"\#(coin.0)-EUR","last":\#(row.0),"high":\#(row.0 * 1.02),"low":\#(row.0 * 0.99),"\#(example.name)":\#(volume)}"#
    }
    let sure = try Self.sure("[\(rows.joined(separator: ","))]")
    #expect(sure[.price] == "$.last" && sure[.volume] == (areCoins ? "$.\(example.name)" : nil), "\(sure)")
  }

  /// One of few rows in which the open would be far outside of the day's range says that it is no percentage.
  @Test(arguments: [(8, 1.1, true), (8, -21.1, false), (16, -21.1, true)])
  func everyOneOfFewRowsCounts(_ count: Int, _ odd: Double, _ isTaken: Bool) throws {
    let sample = Self.table { row in
      let change = row.index == 2 ? odd : Double(row.index % 5 - 2) + 0.3
      return
        #""last":\#(row.price),"high":\#(row.price * 1.04),"low":\#(row.price * 0.96),"priceChange24h":\#(change)"#
    }
    let rows = sample.dropFirst().split(separator: "}").prefix(count).joined(separator: "}")
    #expect(try Self.sure("[\(rows)}]")[.change] == (isTaken ? "$.priceChange24h" : nil))
  }

  // MARK: Offers

  @Test(arguments: ["bids", "totalBid", "sumBid"])
  func amountsOfBidsAreNoBid(_ name: String) throws {
    let sample = Self.table {
      #""last":\#($0.price),"\#(name)":\#(3935 + $0.index * 71),"bid":\#($0.bid),"ask":\#($0.ask)"#
    }
    #expect(try Self.sure(sample) == [.price: "$.last", .bid: "$.bid", .ask: "$.ask"])
  }

  /// The highest bid of the day is above the ask.
  @Test func highestBidOfTheDayIsNoAsk() throws {
    let sample = Self.table {
      #""last":\#($0.price),"buyPrice":\#($0.bid),"sellPrice":\#($0.ask),"high_bid":\#($0.bid * 1.01)"#
    }
    let sure = try Self.sure(sample)
    #expect([nil, "$.buyPrice"].contains(sure[.bid]) && [nil, "$.sellPrice"].contains(sure[.ask]), "\(sure)")
  }

  // MARK: The last price

  @Test(arguments: [
    ("rate", "basePrice"), ("rate", "close"), ("value", "close"), ("c", "basePrice"), ("c", "close24h"),
    ("price", "closingPrice"), ("rate", "currentPrice"),
  ])
  func anOpenIsNoLastPrice(_ last: String, _ open: String) throws {
    let sample = Self.table {
      #""\#(last)":\#($0.price),"\#(open)":\#($0.open),"bid":\#($0.bid),"ask":\#($0.ask)"#
    }
    #expect(try Self.sure(sample)[.price] != "$.\(open)")
  }

  @Test func priceThatEqualsTheOpenIsUnsure() throws {
    let sample = Self.table { #""c":\#($0.price),"open":\#($0.open),"currentPrice":\#($0.open)"# }
    #expect(try Self.sure(sample)[.price] == nil)
  }

  /// A close of yesterday, or an average, lies away from offers that are close to each other; the last trade of a market
  /// without volume may lie anywhere.
  @Test(
    arguments: [
      ("close", 0.01, 1.0, nil), ("price", -0.02, 1, nil), ("close", 0.01, 0, "$.close"),
      ("close", 0.002, 1, "$.close"),
      ("last", 0.0001, 1, "$.last"),
    ] as [(String, Double, Double, String?)])
  func aPriceBesideItsOffersIsUnsure(_ name: String, _ distance: Double, _ traded: Double, _ price: String?) throws {
    let sample = Self.table { row in
      let sign = row.index % 3 == 0 ? 1.0 : -1
      return
        #""\#(name)":\#(row.price * (1 + sign * distance)),"bid":\#(row.price * 0.9999),"ask":\#(row.price * 1.0001),"volume":\#(row.coins * traded)"#
    }
    #expect(try Self.sure(sample)[.price] == price)
  }

  /// What is not chosen is not shown as surer than what is.
  @Test func theAlternativeIsNoSurer() throws {
    let sample = Self.table { row in
      let isOff = row.index % 5 == 0
      return
        #""last":\#(row.price * (isOff ? 1.2 : 1)),"lastTradePrice":\#(row.price),"high":\#(row.price * 1.02),"low":\#(row.price * 0.98),"bid":\#(row.bid),"ask":\#(row.ask)"#
    }
    let proposal = try ExchangeInference(Array(sample.utf8)).proposal()
    for role in proposal.roles { #expect((role.runnerUp?.confidence ?? 0) <= role.confidence) }
    #expect(proposal[.price]?.runnerUp != nil)
  }

  /// What numbers prove to be the price is likelier than what names say.
  @Test func theMeasuredPriceIsLikelier() throws {
    let sample = Self.table { row in
      let percent = ((row.price / row.open - 1) * 1_000_000).rounded() / 10_000
      return #""last":\#(row.open * 0.997),"rate":\#(row.price),"open":\#(row.open),"changePercent24h":\#(percent)"#
    }
    let price = try #require(try ExchangeInference(Array(sample.utf8)).proposal()[.price])
    #expect(price.path == "$.last" && !price.isSure)
    #expect(price.runnerUp == .init(path: "$.rate", confidence: 0.5, isLikelier: true))
  }

  /// A time under any name, or that of something else, is that of the quotes if all are of the moment of the answer.
  @Test(arguments: [
    ("created_at", 20, true), ("x", 20, true), ("x", 90, false), ("x", -30, false), ("onboardDate", 20, true),
  ])
  func timesOfTheAnswerAreTaken(_ name: String, _ age: Int, _ isTaken: Bool) throws {
    let sample = Self.table { #""last":\#($0.price),"\#(name)":\#(1_795_690_000 - age - $0.index % 4)"# }
    var hints = SampleHints()
    #expect(try ExchangeInference(Array(sample.utf8), hints).proposal()[.time]?.isSure != true)
    hints.arrival = Instant(nanoseconds: 1_795_690_000_000_000_000)
    let time = try ExchangeInference(Array(sample.utf8), hints).proposal()[.time]
    #expect((time?.isSure == true) == isTaken && (time == nil) == !isTaken)
  }

  // MARK: Windows

  @Test(arguments: [
    ("hourHigh", "hourLow", "hour_volume"), ("hour_high", "hour_low", "todayVolume"),
    ("high_hr", "low_hr", "volume_today"), ("highLastHour", "lowLastHour", "intradayVolume"),
    ("highLastHour", "lowLastHour", "utcVolume"), ("high_hr", "low_hr", "volume_kst"),
    ("hourHigh", "hourLow", "SessionVolume"), ("hourHigh", "hourLow", "volCcyUtc8"),
  ])
  func otherWindowsAreNotThatOfADay(_ high: String, _ low: String, _ volume: String) throws {
    let sample = Self.table {
      #""last":\#($0.price),"\#(high)":\#($0.price * 1.002),"\#(low)":\#($0.price * 0.998),"\#(volume)":\#($0.coins)"#
    }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  @Test(arguments: [
    ("high24hour", "low24hour", "volume24hour"), ("24HourHigh", "24HourLow", "24HourVolume"),
    ("high_24_hours", "low_24_hours", "volume_24_hours"), ("dayHigh", "dayLow", "dayVolume"),
  ])
  func hoursOfADayAreItsWindow(_ high: String, _ low: String, _ volume: String) throws {
    let sample = Self.table {
      #""last":\#($0.price),"\#(high)":\#($0.price * 1.02),"\#(low)":\#($0.price * 0.98),"\#(volume)":\#($0.coins)"#
    }
    func path(_ name: String) -> String { name.first?.isNumber == true ? "$['\(name)']" : "$.\(name)" }
    let wanted: [Role: String] = [.price: "$.last", .high: path(high), .low: path(low), .volume: path(volume)]
    #expect(try Self.sure(sample) == wanted)
  }

  /// A span that names the object around the figures says what they are of; nothing in it is of 24 hours.
  @Test(arguments: [
    ("30d", false), ("1h", false), ("7d", false), ("52w", false), ("1w", false), ("1m", false), ("week", false),
    ("month", false), ("all_time", false), ("hour", false), ("hourly", false), ("last_hour", false),
    ("stats_1h", false),
    ("h1", false), ("m5", false), ("24h", true), ("day", true), ("rolling_24_hours", true), ("h24", true),
    ("stats", true),
  ])
  func aSpanMayNameTheObject(_ span: String, _ isTaken: Bool) throws {
    let sample = Self.table {
      #""last":\#($0.price),"\#(span)":{"high":\#($0.price * 1.02),"low":\#($0.price * 0.98),"volume":\#($0.coins)}"#
    }
    let place = span.first?.isNumber == true ? "$['\(span)']" : "$.\(span)"
    let figures: [Role: String] = [.high: "\(place).high", .low: "\(place).low", .volume: "\(place).volume"]
    #expect(try Self.sure(sample) == (isTaken ? figures : [:]).merging([.price: "$.last"]) { $1 })
  }

  /// The object of 24 hours is found beside others.
  @Test(arguments: [("1h", "24h"), ("24h", "7d"), ("month", "day")])
  func theSpanOfADayIsTaken(_ first: String, _ second: String) throws {
    let day = ["24h", "day"].contains(first) ? first : second
    let sample = Self.table { row in
      func figures(_ span: String) -> String {
        let share = span == day ? 1 : 0.04
        return
          #""\#(span)":{"high":\#(row.price * (1 + share / 50)),"low":\#(row.price * (1 - share / 50)),"volume":\#(row.coins * share)}"#
      }
      return #""last":\#(row.price),\#(figures(first)),\#(figures(second))"#
    }
    let place = day == "24h" ? "$['24h']" : "$.day"
    let wanted: [Role: String] = [
      .price: "$.last", .high: "\(place).high", .low: "\(place).low", .volume: "\(place).volume",
    ]
    #expect(try Self.sure(sample) == wanted)
  }

  @Test(arguments: [
    (#""high_today":HIGH,"low_today":LOW"#, ChangeBasis.venueDay), (#""today":{"high":HIGH,"low":LOW}"#, .venueDay),
    (#""sessionHigh":HIGH,"sessionLow":LOW"#, .venueDay), (#""utcHigh":HIGH,"utcLow":LOW"#, .utcDay),
    (#""highUtc0":HIGH,"lowUtc0":LOW"#, .utcDay), (#""high_utc_8":HIGH,"low_utc_8":LOW"#, .utc8Day),
    (#""high_kst":HIGH,"low_kst":LOW"#, .kstDay), (#""kst":{"high":HIGH,"low":LOW}"#, .kstDay),
    (#""dayHigh":HIGH,"dayLow":LOW"#, nil), (#""dailyHigh":HIGH,"dailyLow":LOW"#, nil),
    (#""high24h":HIGH,"low24h":LOW"#, .rolling24h), (#""high":HIGH,"low":LOW"#, nil),
  ])
  func aRangeSinceMidnightIsOfItsDay(_ members: String, _ basis: ChangeBasis?) throws {
    let sample = Self.table { row in
      #""last":\#(row.price),"#
        + members.replacing("HIGH", with: "\(row.price * 1.02)").replacing("LOW", with: "\(row.price * 0.98)")
    }
    let proposal = try ExchangeInference(Array(sample.utf8)).proposal()
    #expect([Role.high, .low].map { proposal[$0]?.isSure } == [true, true])
    #expect([Role.high, .low].map { proposal[$0]?.basis } == [basis, basis])
  }

  /// The name of a change may say whose day it is of.
  @Test(arguments: [
    ("change_percent_utc", ChangeBasis.utcDay), ("changePercentKst", .kstDay), ("todayChangePercent", .venueDay),
    ("changePercent24h", .rolling24h), ("dailyChangePercent", nil), ("changePercent", nil),
  ])
  func aChangeSinceMidnightIsOfItsDay(_ name: String, _ basis: ChangeBasis?) throws {
    let sample = Self.table { row in
      #""last":\#(row.price),"open":\#(row.open),"\#(name)":\#((row.price / row.open - 1) * 100)"#
    }
    let proposal = try ExchangeInference(Array(sample.utf8)).proposal()
    #expect(proposal[.change]?.isSure == true && proposal[.change]?.basis == basis)
  }

  /// Two changes, one from the open beside it and one from the open of 24 hours ago, which is not sent.
  @Test(arguments: [
    ("change", "change24", "$.change24", false), ("changePercent", "changePercent24h", "$.changePercent24h", false),
    ("change_24h", "change_today", "$.change_24h", true),
  ])
  func theChangeOf24HoursIsTaken(_ fromOpen: String, _ other: String, _ taken: String, _ takesOpen: Bool) throws {
    let sample = Self.table { row in
      let change = (row.price / row.open - 1) * 100
      let other = change + Double(row.index % 5 - 2) + 0.5
      return
        #""last":\#(row.price),"high":\#(row.price * 1.08),"low":\#(row.price * 0.92),"open":\#(row.open),"\#(fromOpen)":\#(change),"OTHER":\#(other)"#
    }.replacing("OTHER", with: other)
    let sure = try Self.sure(sample)
    #expect(sure[.change] == taken && sure[.open] == (takesOpen ? "$.open" : nil), "\(sure)")
  }

  // MARK: Currencies

  /// A price that is the quotient of an amount in dollars and the volume, of pairs paid in won, euros or dollar tokens.
  @Test(arguments: [
    ("KRW", 1470.0, true, nil), ("KRW", 1470, false, "$.price"), ("EUR", 0.86, true, nil),
    ("EUR", 0.86, false, "$.price"),
    ("USDT", 1, true, "$.price"), ("USDC", 0.9997, false, "$.price"), ("USD", 1, true, "$.price"),
  ])
  func aPriceInAnotherCurrencyIsUnsure(
    _ payment: String, _ rate: Double, _ isInDollars: Bool, _ price: String?
  ) throws {
    let sample = Self.table([payment]) { row in
      #""price":\#(row.price * (isInDollars ? 1 : rate)),"volume_24h":\#(row.coins),"volume_24h_usd":\#(row.dollars)"#
    }
    #expect(try Self.sure(sample)[.price] == price)
  }

  /// A price outside of the offers, in a table whose first pairs were never traded and say nothing.
  @Test(arguments: [(0, "$.price"), (3, nil)] as [(Double, String?)])
  func aPriceBesideOffersIsUnsure(_ percent: Double, _ path: String?) throws {
    let sample = Self.table { row in
      let (price, isDead) = (row.price * (1 - percent / 100), row.index < 8)
      let amounts =
        isDead
        ? #""volume":0,"high":0,"low":100000000"#
        : #""volume":\#(row.coins),"high":\#(row.price * 1.05),"low":\#(row.price * 0.93)"#
      return #""price":\#(price),\#(amounts),"bid":\#(row.bid),"ask":\#(row.ask)"#
    }
    #expect(try Self.sure(sample)[.price] == path)
  }

  /// Whole prices beside a member that may say how many of their digits are decimals.
  @Test(arguments: [("scale", nil), ("priceDecimals", nil), ("rank", "$.last")] as [(String, String?)])
  func pricesWithDecimalsOfTheirOwnAreUnsure(_ name: String, _ path: String?) throws {
    let sample = Self.table(["KRW"]) { row in
      // Bitcoin has none, so that no number is too large for a price.
      let places = row.index == 0 ? 0 : row.index % 3 + 1
      func whole(_ price: Double) -> Int { Int(price * pow(10, Double(places))) + 7 }
      return
        #""last":\#(whole(row.price)),"bid":\#(whole(row.bid)),"ask":\#(whole(row.ask) + 9),"\#(name)":\#(places)"#
    }
    #expect(try Self.sure(sample)[.price] == path)
  }

  /// A few rows with -1 in place of numbers.
  @Test func negativesOfDeadPairsAreNoNumbers() throws {
    let sample = Self.table { row in
      let isDead = row.index == 5
      let (last, bid, ask) = isDead ? (-1, -1, -1) : (row.price * 1.0001, row.bid, row.ask)
      return
        #""last":\#(last),"high":\#(row.price * 1.05),"low":\#(row.price * 0.93),"bid":\#(bid),"ask":\#(ask)"#
    }
    #expect(
      try Self.sure(sample) == [.price: "$.last", .high: "$.high", .low: "$.low", .bid: "$.bid", .ask: "$.ask"])
  }

  /// A price that is made of the offers is named as such, and one that is not is not.
  @Test(
    arguments: [
      (0.5, "it is the middle of bid and ask in 16 of 16 rows: is it a last price?"),
      (1, "it is the ask in 16 of 16 rows: is it a last price?"), (0.3, nil),
    ] as [(Double, String?)])
  func priceOfOffersIsNamed(_ place: Double, _ remark: String?) throws {
    let sample = Self.table { row in
      // Multiples of a power of two, whose middle is exact.
      let (bid, ask) = (Double(row.index + 100), Double(row.index + 101) + 0.5)
      return #""last":\#(bid + (ask - bid) * place),"bid":\#(bid),"ask":\#(ask)"#
    }
    let evidence = try ExchangeInference(Array(sample.utf8)).proposal()[.price]?.evidence ?? []
    #expect(evidence.first { $0.hasSuffix("is it a last price?") } == remark)
  }

  /// An open that is called one of 24 hours ago gives the change; one of an unknown moment does not.
  @Test(arguments: [("open24h", "$.open24h"), ("open", nil)] as [(String, String?)])
  func openOf24HoursGivesTheChange(_ name: String, _ path: String?) throws {
    let sample = Self.table { row in
      #""last":\#(row.price),"high":\#(row.price * 1.05),"low":\#(row.price * 0.93),"\#(name)":\#(row.open)"#
    }
    let proposal = try ExchangeInference(Array(sample.utf8)).proposal()
    let change = proposal[.change]
    #expect(change?.path == path)
    #expect(
      change.map { "\(ExchangeBlock.value(of: $0))" }
        == path.map { path in
          "\(ConfigValue.object([("fromOpen", .text(path)), ("basis", .text("rolling24h"))]))"
        })
  }

  // MARK: Times

  /// A column that is called a time, with one moment for each pair: quotes, last trades of a lively or a quiet market,
  /// or listings days apart.
  @Test(arguments: [(0, true), (90, true), (5400, true), (90_000, false), (864_000, false)])
  func datesOfListingAreNoTimes(_ step: Int, _ isTaken: Bool) throws {
    let sample = Self.table { #""last":\#($0.price),"time":\#(1_500_000_000 + $0.index * step)"# }
    #expect(try Self.sure(sample)[.time] == (isTaken ? "$.time" : nil))
  }

  @Test(arguments: [
    "updateId", "lastUpdateId", "updateSeq", "createTime", "creationDate", "onlineTime", "publishTime", "enableTime",
    "haltTime", "settleTime", "statusUpdatedAt", "depositUpdatedAt", "feeUpdateTime", "kycDate", "timeToLive",
  ])
  func timesOfOtherThingsAreUnsure(_ name: String) throws {
    let sample = Self.table { #""last":\#($0.price),"\#(name)":\#(1_617_000_000 + $0.index * 7_654_321)"# }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  @Test(arguments: [
    "time", "timestamp", "updateTime", "lastUpdated", "updated_at", "eventTime", "timestamp_ms", "quoteTime",
    "serverTime", "tickerTime", "lastTradeTime", "TimeStamp", "time_stamp",
  ])
  func timesOfQuotesAreTaken(_ name: String) throws {
    let sample = Self.table { #""last":\#($0.price),"\#(name)":\#(1_795_690_000 + $0.index)"# }
    #expect(try Self.sure(sample)[.time] == "$.\(name)")
  }

  // MARK: Small units

  @Test(arguments: ["LastSatoshi", "last_price_cents", "lastCents", "last_sats"])
  func unitsInNamesLeavePricesUnsure(_ name: String) throws {
    let sample = Self.table { #""\#(name)":\#($0.price * 100 + 0.25),"high":\#($0.price * 102)"# }
    #expect(try Self.sure(sample)[.price] == nil)
  }

  /// Whole numbers for dear coins and cheap ones, of few pairs with several prices each.
  @Test(arguments: [("USD", 3, nil), ("USD", 7, nil), ("JPY", 7, "$.last")] as [(String, Int, String?)])
  func fewPricesInCentsAreUnsure(_ payment: String, _ count: Int, _ path: String?) throws {
    let sample = Self.table([payment]) { row in
      let cents = Int(row.price * 100)
      return
        #""last":\#(cents),"high":\#(cents * 51 / 50 + 1),"low":\#(cents * 49 / 50),"bid":\#(cents - 1),"ask":\#(cents + 1)"#
    }
    let rows = sample.dropFirst().split(separator: "}").prefix(count).joined(separator: "}")
    #expect(try Self.sure("[\(rows)}]")[.price] == path)
  }

  /// Nothing else is sent in hundredths; amounts in thousands are.
  @Test(arguments: [(100.0, false), (1e8, false), (1000, true), (1e6, true)])
  func pricesThatAreTooLargeForTheTurnoverAreUnsure(_ unit: Double, _ isTaken: Bool) throws {
    let sample = Self.table {
      #""last":\#($0.price * unit),"baseVolume":\#($0.coins),"quoteVolume":\#($0.dollars)"#
    }
    #expect(try Self.sure(sample) == (isTaken ? [.price: "$.last"] : [:]))
  }

  /// Amounts in one wrong unit fit each other; only a name, or more bitcoin than there are, tells.
  @Test(arguments: [
    ("volume", "turnover", 1.0, true), ("volume_k", "turnover_k", 1e-3, false), ("volume", "turnover", 1e8, false),
  ])
  func amountsInOneWrongUnitAreUnsure(_ volume: String, _ turnover: String, _ unit: Double, _ isTaken: Bool) throws {
    let sample = Self.table {
      #""last":\#($0.price),"\#(volume)":\#($0.coins * unit),"\#(turnover)":\#($0.dollars * unit)"#
    }
    let sure = try Self.sure(sample)
    #expect(sure[.volume] == (isTaken ? "$.\(volume)" : nil) && sure[.turnover] == (isTaken ? "$.\(turnover)" : nil))
  }

  /// Changes of which those of falling coins are written in another way would be known of rising ones alone.
  @Test(arguments: ["(%)", "\u{2212}%"])
  func changesThatAreReadInPartAreNoField(_ fall: String) throws {
    let sample = Self.table { row in
      let change = Double(row.index % 3 + 1) + 0.25
      let text = row.index % 4 == 3 ? fall.replacing("%", with: "\(change)%") : "\(change)%"
      return #""last":\#(row.price),"change24h":"\#(text)""#
    }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  /// A hundredth of a coin is a size of contracts, which open interest shows.
  @Test func sizesOfContractsLeaveThePriceSure() throws {
    let sample = Self.table {
      #""last":\#($0.price),"volume":\#($0.coins * 100),"turnover":\#($0.dollars),"openInterest":\#($0.index * 7 + 3)"#
    }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  // MARK: Limits

  @Test func maximumOfSomethingElseIsNoHigh() throws {
    let sample = Self.table { #""last":\#($0.price),"maxLeverage":\#([20, 50, 100][$0.index % 3])"# }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }
}
