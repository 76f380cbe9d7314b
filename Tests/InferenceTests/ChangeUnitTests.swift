import Quotes
import Testing

@testable import Config
@testable import Inference

/// What a change counts, where neither its name nor an open says so.
@Suite struct ChangeUnitTests {
  /// Changes of sixteen coins in percent, half of them above 2.
  private static let changes = [
    1.4, -2.6, 2.8, -1.1, 0.4, -3.9, 2.1, -0.7, 4.4, -1.9, 3.2, -2.4, 0.9, 2.2, -5.1, 1.7,
  ]

  /// Returns a table with a change written in a unit, beside a range in which its open lies.
  private static func table(
    _ name: String, hasRange: Bool, adding: Double = 0, _ write: (Double) -> Double = { $0 }
  ) -> String {
    MisleadingColumnTests.table { row in
      let change = changes[row.index] + adding
      let open = row.price / (1 + change / 100)
      let (high, low) = (max(row.price, open) * 1.004, min(row.price, open) * 0.996)
      let range = hasRange ? #""high":\#(high),"low":\#(low),"# : ""
      return #""last":\#(row.price),\#(range)"\#(name)":\#((write(change) * 10_000).rounded() / 10_000)"#
    }
  }

  private static func change(_ sample: String) throws -> RoleProposal {
    try #require(try ExchangeInference(Array(sample.utf8)).proposal()[.change])
  }

  /// A change in per mille is as large as no market moves in percent.
  @Test(arguments: [(1.0, true), (10, false), (100, false)])
  func aLargeChangeIsNoPercentage(_ factor: Double, _ isSure: Bool) throws {
    let change = try Self.change(Self.table("changeRate24h", hasRange: false) { $0 * factor })
    #expect(change.isSure == isSure, "\(change.evidence)")
  }

  /// Half of a market moves by more than a thousandth in a day, and by less than a tenth: what would be next to nothing in
  /// percent is rather a fraction, though nothing proves it.
  @Test(arguments: [(0.01, Decimal(100), false), (0.05, nil, true), (0.1, nil, false)] as [(Double, Decimal?, Bool)])
  func theLikelierUnitIsProposed(_ factor: Double, _ scale: Decimal?, _ isOpen: Bool) throws {
    let change = try Self.change(Self.table("changeRate24h", hasRange: false) { $0 * factor })
    #expect(change.scale == scale && change.isUnitOpen == isOpen && !change.isSure, "\(change.evidence)")
  }

  /// No price falls by all that it was: what would is no fraction, or no percentage. One row in many may be wrong.
  @Test(
    arguments: [
      ("changePercent", [-3.9], true), ("changePercent", [3.9], false), ("changePercent", [-0.9], false),
      ("changeRate", [-3.9], false), ("changeRate", [-3.9, 0.1, 0.02, -0.05, 0.01, 0.06], true),
      ("changeRate", [-0.39, 0.1, 0.02, -0.05, 0.01, 0.06], false), ("changePercent", [-390, 20, -5], false),
      ("changePercent", [-390, 3, -5, 0.5, 1.5, 2.5], false),
    ] as [(String, [Double], Bool)])
  func aFallByEverythingRulesAUnitOut(_ name: String, _ changes: [Double], _ isSure: Bool) throws {
    let prices = [("BTC", 73369.0), ("ETH", 3950), ("XRP", 0.6), ("SOL", 145), ("ADA", 0.4), ("LTC", 84)]
    let rows = zip(prices, changes).map { #"{"symbol":"\#($0.0)_USDT","last":\#($0.1),"\#(name)":\#($1)}"# }
    let hints = SampleHints(pair: Pair("BTC/USDT"))
    let change = try #require(
      try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8), hints).proposal()[.change])
    #expect(change.isSure == isSure && (!isSure || change.scale == nil && !change.isUnitOpen), "\(change)")
  }

  /// In one row or two, the range of the day tells a percentage that is called one.
  @Test(arguments: [
    ("changePercent", -3.95, true), ("change", -3.95, false), ("changePercent", -0.0395, false),
    ("changePercent", 7.95, false),
  ])
  func aRangeOfOneRowTellsAPercentage(_ name: String, _ change: Double, _ isSure: Bool) throws {
    let sample = #"{"symbol":"BTC_USDT","last":86000.2,"high":89800,"low":85700,"\#(name)":\#(change)}"#
    let hints = SampleHints(pair: Pair("BTC/USDT"))
    let found = try #require(try ExchangeInference(Array(sample.utf8), hints).proposal()[.change])
    #expect(found.isSure == isSure && (!isSure || found.scale == nil), "\(found)")
  }

  /// The price by its open is no change in any scale.
  @Test(
    arguments: [
      (1.0, Decimal(1), #"{ "difference": ["$.change24h", 1], "scale": 100, "basis": "rolling24h" }"#),
      (100, 100, #"{ "difference": ["$.change24h", 100], "basis": "rolling24h" }"#),
    ], [false, true])
  func thePriceByItsOpenIsNoChange(_ unit: (factor: Double, ratio: Decimal, text: String), _ hasRange: Bool) throws {
    let change = try Self.change(
      Self.table("change24h", hasRange: hasRange) { (1 + $0 / 100) * unit.factor })
    #expect(change.priceRatio == unit.ratio && !change.isSure, "\(change.evidence)")
    #expect(ExchangeBlock.value(of: change).text(lead: 0) == unit.text)
  }

  /// If the range of the day says that all pairs have risen by as much, they have.
  @Test func aRangeSpeaksForEqualChanges() throws {
    let sample = MisleadingColumnTests.table { row in
      let change = 100 + Double(row.index % 5)
      let open = row.price / (1 + change / 100)
      return
        #""last":\#(row.price),"high":\#(row.price * 1.004),"low":\#(open * 0.996),"change24h":\#(change)"#
    }
    #expect(try Self.change(sample).priceRatio == nil)
  }

  /// A name that may be of anything needs numbers that fall as well as rise to be worth a question.
  @Test(arguments: [("long_short_ratio", 0.0, false), ("some_ratio", 0, false), ("some_ratio", -1.6, true)])
  func aRatioOfSomethingElseIsNoChange(_ name: String, _ least: Double, _ isProposed: Bool) throws {
    let sample = MisleadingColumnTests.table {
      #""last":\#($0.price),"\#(name)":\#(least + 0.4 + Double($0.index % 7) / 2)"#
    }
    let change = try ExchangeInference(Array(sample.utf8)).proposal()[.change]
    #expect(change?.path == (isProposed ? "$.\(name)" : nil) && change?.isSure != true)
  }

  /// A change is of the span of the open that it is measured from.
  @Test(arguments: [("prevPrice24h", ChangeBasis.rolling24h), ("openUtc", .utcDay), ("open", nil)])
  func theOpenSaysTheSpan(_ open: String, _ basis: ChangeBasis?) throws {
    let sample = MisleadingColumnTests.table { row in
      #""last":\#(row.price),"\#(open)":\#(row.open),"changePercent":\#((row.price / row.open - 1) * 100)"#
    }
    let change = try Self.change(sample)
    #expect(change.isSure && change.basis == basis, "\(change.evidence)")
  }

  /// One row or two tell money from a share if the range of the day excludes any share.
  @Test(
    arguments: [
      ("change", [1219.7], true), ("change", [1219.7, -31.5], true), ("priceChange", [-1219.7], true),
      ("change", [1.69], false), ("change", [0.0169], false), ("changePercent", [1219.7], false),
    ] as [(String, [Double], Bool)])
  func fewRowsTellMoney(_ name: String, _ changes: [Double], _ isMoney: Bool) throws {
    let prices = [("BTC", 73369.0, 69089.0, 75000.0), ("ETH", 3950.0, 3800.0, 4010.0)]
    let rows = zip(prices, changes).map { price, change in
      #"{"symbol":"\#(price.0)_USDT","last":\#(price.1),"low":\#(price.2),"high":\#(price.3),"\#(name)":\#(change)}"#
    }
    let hints = SampleHints(pair: Pair("BTC/USDT"))
    let proposal = try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8), hints).proposal()
    #expect(proposal.changeInMoney?.path == (isMoney ? "$.\(name)" : nil))
    #expect((proposal[.change] == nil) == isMoney && proposal[.change]?.isSure != true)
  }

  /// A price is no change, in few rows either.
  @Test(arguments: [1, 2, 16]) func aPriceIsNoChange(_ count: Int) throws {
    let sample = MisleadingColumnTests.table {
      #""last":\#($0.price),"bid":\#($0.bid),"ask":\#($0.ask),"previousRate":\#($0.open)"#
    }
    let rows = sample.dropFirst().split(separator: "}").prefix(count).joined(separator: "}")
    let hints = SampleHints(pair: Pair("BTC/USDT"))
    let proposal = try ExchangeInference(Array("[\(rows)}]".utf8), hints).proposal()
    #expect(proposal[.change] == nil, "\(count)")
  }
}
