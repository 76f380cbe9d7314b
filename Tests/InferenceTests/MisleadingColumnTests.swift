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

  private static let coins = [
    ("BTC", 91500.5), ("ETH", 3016.06), ("XRP", 2.2042), ("SOL", 141.04), ("ADA", 0.4316), ("DOGE", 0.1523),
    ("LTC", 84.05), ("LINK", 13.06), ("TRX", 0.2751), ("BCH", 512.3), ("DOT", 2.87), ("SHIB", 0.0000091),
    ("AAVE", 178.4), ("UNI", 6.21), ("XLM", 0.2467), ("ETC", 14.1),
  ]

  /// Returns one row for each coin in each of the payment currencies, which are dollars and bitcoin.
  private static func table(_ payments: [String] = ["USDT"], _ members: (Row) -> String) -> String {
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

  private static func sure(_ sample: String) throws -> [Role: String] {
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
    ("rate", "basePrice"), ("c", "basePrice"), ("c", "close24h"), ("price", "closingPrice"), ("rate", "currentPrice"),
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

  // MARK: Windows

  @Test(arguments: [
    ("hourHigh", "hourLow", "hour_volume"), ("hour_high", "hour_low", "todayVolume"),
    ("high_hr", "low_hr", "volume_today"), ("highLastHour", "lowLastHour", "intradayVolume"),
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

  // MARK: Times

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
    "serverTime", "tickerTime", "lastTradeTime",
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

  /// Nothing else is sent in hundredths; amounts in thousands are.
  @Test(arguments: [(100.0, false), (1e8, false), (1000, true), (1e6, true)])
  func pricesThatAreTooLargeForTheTurnoverAreUnsure(_ unit: Double, _ isTaken: Bool) throws {
    let sample = Self.table {
      #""last":\#($0.price * unit),"baseVolume":\#($0.coins),"quoteVolume":\#($0.dollars)"#
    }
    #expect(try Self.sure(sample) == (isTaken ? [.price: "$.last"] : [:]))
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
