import Quotes
import Testing

@testable import Config
@testable import Inference

/// Relations that hold for numbers of another meaning as well, and so prove nothing.
@Suite struct SilentProofTests {
  private typealias Row = MisleadingColumnTests.Row

  private static func sure(_ payments: [String] = ["USDT"], _ members: (Row) -> String) throws -> [Role: String] {
    try MisleadingColumnTests.sure(MisleadingColumnTests.table(payments, members))
  }

  /// Returns the change of a row's last 24 hours as a fraction.
  private static func ratio(_ row: Row) -> Double { Double((row.index * 5 % 7 - 3) * 97 + 13) / 10_000 }

  // MARK: Changes

  /// Just after midnight the open of the day is the price, so that any small number is nearly the change in percent.
  @Test(arguments: [(0.0, nil), (0.0001, nil), (1, "$.change24h")] as [(Double, String?)])
  func openNearThePriceProvesNoUnit(_ share: Double, _ change: String?) throws {
    let sure = try Self.sure { row in
      let rise = share == 1 ? Self.ratio(row) : share * Double(row.index % 5 - 2) + 0.00002
      return #""last":\#(row.price),"open":\#(row.price / (1 + rise)),"change24h":\#(Self.ratio(row))"#
    }
    #expect(sure[.change] == change && sure[.price] == "$.last", "\(sure)")
  }

  /// A fraction taken for the change in money leaves an open next to the price.
  @Test(arguments: [(false, nil), (true, "$.change24hPercent")] as [(Bool, String?)])
  func smallDifferenceProvesNoUnit(_ isMoney: Bool, _ change: String?) throws {
    let sure = try Self.sure(["KRW"]) { row in
      let price = row.price * 1400
      let difference = isMoney ? price - price / (1 + Self.ratio(row)) : Self.ratio(row) * 0.6
      return
        #""last":\#(price),"change":\#(difference),"change24hPercent":\#(Self.ratio(row) * (isMoney ? 100 : 1))"#
    }
    #expect(sure[.change] == change, "\(sure)")
  }

  /// The range of 24 hours says nothing of an open at midnight.
  @Test(arguments: [
    ("change_percent_24h", "high24h", true), ("todayChangePercent", "high24h", false),
    ("change_percent_utc0", "high24h", false), ("changePercent24h", "todayHigh", false),
  ])
  func rangeOfAnotherDayProvesNoUnit(_ change: String, _ high: String, _ isTaken: Bool) throws {
    let low = high.replacing("high", with: "low").replacing("High", with: "Low")
    let sure = try Self.sure { row in
      let open = row.price / (1 + Self.ratio(row))
      return #""last":\#(row.price),"\#(high)":\#(max(row.price, open) * 1.004),"#
        + #""\#(low)":\#(min(row.price, open) * 0.996),"\#(change)":\#(Self.ratio(row))"#
    }
    #expect(sure[.change] == (isTaken ? "$.\(change)" : nil), "\(sure)")
  }

  // MARK: Amounts

  /// Full names that the quotient contradicts: the amounts are turned, or the price is.
  @Test(arguments: [false, true]) func turnedAmountsMayBeATurnedPrice(_ isPrice: Bool) throws {
    let sure = try Self.sure { row in
      let price = row.index == 0 ? 2.5 : row.price
      let (coins, money) = (row.dollars / price, row.dollars * (1 + Double(row.index % 5 - 2) / 500))
      return isPrice
        ? #""last":\#(1 / price),"baseVolume":\#(coins),"quoteVolume":\#(money)"#
        : #""last":\#(price),"baseVolume":\#(money),"quoteVolume":\#(coins)"#
    }
    #expect(sure[.price] == (isPrice ? nil : "$.last"), "\(sure)")
    if !isPrice { #expect(sure[.volume] == "$.quoteVolume" && sure[.turnover] == "$.baseVolume") }
  }

  /// Volume x price is a thousandth or a hundred times the turnover: the price is in another unit, not the amounts,
  /// which are sent in thousands themselves.
  @Test(
    arguments: [
      ("volume", "turnover24h", 1, 1, true), ("volume", "turnover24h", 0.001, 1, false),
      ("volume", "value", 0.001, 1, false), ("vol", "amount", 0.001, 1, false),
      ("units_traded", "acc_trade_value", 0.001, 1, false), ("baseVolume", "quoteVolume", 1e-6, 1, false),
      ("baseVolume", "quoteVolume", 100, 1, false), ("baseVolume", "quoteVolume", 1, 0.001, true),
    ] as [(String, String, Double, Double, Bool)])
  func amountsShowTheUnitOfPrices(
    _ volume: String, _ turnover: String, _ price: Double, _ money: Double, _ isTaken: Bool
  ) throws {
    let sure = try Self.sure(["KRW"]) { row in
      let last = row.price * 1400 * price
      return #""last":\#(last),"high":\#(last * 1.02),"low":\#(last * 0.98),"#
        + #""\#(volume)":\#(row.coins),"\#(turnover)":\#(row.dollars * 1400 * money)"#
    }
    #expect(sure[.price] == (isTaken ? "$.last" : nil), "\(sure)")
  }
}
