import Quotes
import Testing

@testable import Catalog

/// Rows without names: what relations prove is taken, and the rest stays a guess.
@Suite struct PositionalRolesTests {
  /// symbol, bid, size, ask, size, change, share, last, volume, high, low
  private static func rows(_ count: Int) -> String {
    let names = ["BTC", "ETH", "XRP", "LTC", "ADA", "SOL", "DOT", "EOS", "NEO", "TRX"]
    let rows = (0..<count).map { index -> String in
      let last = 1000 + 137 * index
      let open = last - 40 + 9 * index
      let change = last - open
      let share = Double(change) / Double(open)
      let digits = String((share * 100_000).rounded() / 100_000)
      return """
        ["\(names[index])USD",\(last - 2),\(3 + index * 7),\(last + 3),\(90 - index * 5),\(change),\(digits),\(last),\
        \(70_000 + index * 911),\(max(last, open) + 55),\(min(last, open) - 31)]
        """
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  @Test func aChangeInTwoFormsProvesThePrice() throws {
    let proposal = try VenueInference(Array(Self.rows(10).utf8)).proposal()
    #expect(proposal[.price]?.path == "$[7]" && proposal[.price]?.isSure == true)
    #expect(proposal[.high]?.path == "$[9]" && proposal[.low]?.path == "$[10]")
    #expect(proposal[.bid]?.path == "$[1]" && proposal[.ask]?.path == "$[3]")
    #expect(proposal[.change]?.path == "$[6]" && proposal[.change]?.scale == 100)
  }

  @Test func oneRowProvesNothing() throws {
    let proposal = try VenueInference(Array(Self.rows(1).utf8)).proposal()
    #expect(proposal.roles.allSatisfy { !$0.isSure })
  }
}
