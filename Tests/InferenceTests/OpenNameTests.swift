import Testing

@testable import Inference

/// Names with the word open: of a price, or of positions.
@Suite struct OpenNameTests {
  /// Open interest is no open, and the price beside it no worse for that; a price with any other word may be one.
  @Test(arguments: [("openInt", false), ("openPositions", false), ("openRp", true), ("open", true)])
  func openInterestIsNoOpen(_ name: String, _ isOpen: Bool) throws {
    let sample = MisleadingColumnTests.table { row in
      // Some are near the price by chance.
      let open = isOpen ? row.open : row.index % 3 == 0 ? row.price * 1.1 : Double(4000 + row.index * 977)
      return
        #""last":\#(row.price),"high":\#(row.price * 1.06),"low":\#(row.price * 0.94),"\#(name)":\#(open)"#
    }
    let sure: [Role: String] = [.price: "$.last", .high: "$.high", .low: "$.low"]
    #expect(try MisleadingColumnTests.sure(sample) == sure.merging(isOpen ? [.open: "$.\(name)"] : [:]) { $1 })
  }
}
