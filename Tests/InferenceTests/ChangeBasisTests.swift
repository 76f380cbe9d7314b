import Quotes
import Testing

@testable import Config
@testable import Inference

/// What says, beside its own name, that a change is of 24 hours.
@Suite struct ChangeBasisTests {
  /// Returns the members of a row with a change in percent whose open is in the range.
  private static func members(_ row: MisleadingColumnTests.Row, _ others: String) -> String {
    let (high, low) = (max(row.price, row.open) * 1.004, min(row.price, row.open) * 0.996)
    return #""last":\#(row.price),"high":\#(high),"low":\#(low),\#(others)"#
  }

  private static func change(_ row: MisleadingColumnTests.Row) -> String {
    members(row, #""changePercent":\#((row.price / row.open - 1) * 100)"#)
  }

  /// Two moments that are 24 hours apart and move with the clock; those of a day begin on a quarter of an hour.
  @Test(
    arguments: [
      (1_795_420_123_040, 86_400_000, ChangeBasis.rolling24h), (1_795_420_123_040, 86_399_999, .rolling24h),
      (1_795_392_000_000, 86_400_000, nil), (1_795_392_000_000, 86_399_999, nil), (1_795_420_123_040, 3000, nil),
    ] as [(Int, Int, ChangeBasis?)])
  func momentsSayTheSpan(_ open: Int, _ length: Int, _ basis: ChangeBasis?) throws {
    let sample = MisleadingColumnTests.table { row in
      Self.change(row) + #","openTime":\#(open),"closeTime":\#(open + length)"#
    }
    let change = try #require(try ExchangeInference(Array(sample.utf8)).proposal()[.change])
    #expect(change.isSure && change.basis == basis, "\(change.evidence)")
  }

  /// A name above the rows, or the address.
  @Test(arguments: [("stats24h", false, true), ("stats", false, false), ("stats", true, true), ("v24", false, false)])
  func aNameAroundTheRowsSaysTheSpan(_ name: String, _ isInAddress: Bool, _ saysWindow: Bool) throws {
    let sample = #"{"\#(name)":\#(MisleadingColumnTests.table { Self.change($0) })}"#
    var hints = SampleHints()
    hints.addressSaysWindow = isInAddress
    let change = try #require(try ExchangeInference(Array(sample.utf8), hints).proposal()[.change])
    #expect(change.isSure && change.basis == (saysWindow ? .rolling24h : nil), "\(change.evidence)")
  }

  /// What its own name says comes first.
  @Test func theNameOfAChangeComesFirst() throws {
    var hints = SampleHints()
    hints.addressSaysWindow = true
    let sample = MisleadingColumnTests.table { Self.change($0) }.replacing("changePercent", with: "changePercentUtc")
    #expect(try ExchangeInference(Array(sample.utf8), hints).proposal()[.change]?.basis == .utcDay)
  }

  /// An open of 24 hours ago gives the change that rows lack, but not the close of the day before.
  @Test(
    arguments: [
      ("open", true, "$.open"), ("open", false, nil), ("openUtc", true, nil), ("prevClose", true, nil),
    ] as [(String, Bool, String?)])
  func anOpenOf24HoursGivesTheChange(_ name: String, _ isInAddress: Bool, _ path: String?) throws {
    var hints = SampleHints()
    hints.addressSaysWindow = isInAddress
    let sample = MisleadingColumnTests.table { Self.members($0, #""\#(name)":\#($0.open)"#) }
    let change = try ExchangeInference(Array(sample.utf8), hints).proposal()[.change]
    #expect(change?.path == path && change?.isFromOpen ?? true && change?.basis == path.map { _ in .rolling24h })
  }

  @Test(arguments: [
    ("24hr", true), ("24h", true), ("ticker24h", true), ("24-hour", true), ("rolling", true), ("24", false),
    ("BTC24", false), ("1h", false), ("1d", false), ("BTC_USDT", false),
  ])
  func partsOfAddresses(_ part: String, _ saysWindow: Bool) {
    #expect(SampleHints.saysWindow(part) == saysWindow)
  }
}
