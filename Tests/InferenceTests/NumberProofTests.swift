import Inference
import Quotes
import Testing

@testable import Config

/// Rows without names: what relations prove is taken, and the rest stays a guess.
@Suite struct NumberProofTests {
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

  @Test func changeInTwoFormsProvesPrice() throws {
    let proposal = try ExchangeInference(Array(Self.rows(10).utf8)).proposal()
    #expect(proposal[.price]?.path == "$[7]" && proposal[.price]?.isSure == true)
    #expect(proposal[.high]?.path == "$[9]" && proposal[.low]?.path == "$[10]")
    #expect(proposal[.bid]?.path == "$[1]" && proposal[.ask]?.path == "$[3]")
    #expect(proposal[.change]?.path == "$[6]" && proposal[.change]?.scale == 100)
  }

  @Test func oneRowProvesNothing() throws {
    let pair = Pair(asset: "BTC", payment: "USD")
    let proposal = try ExchangeInference(Array(Self.rows(1).utf8), SampleHints(pair: pair)).proposal()
    #expect(proposal.roles.allSatisfy { !$0.isSure })
  }

  /// symbol, last, open, change in percent, high, low, volume, turnover, bid, ask: shuffled, with no absolute change.
  @Test func changeFromOpenProvesTheRest() throws {
    let names = ["BTC", "ETH", "XRP", "LTC", "ADA", "SOL", "DOT", "EOS", "NEO", "TRX", "XLM", "BCH"]
    let rows = names.enumerated().map { index, name -> String in
      let last = 1000 + 1137 * index
      let open = last + (index % 2 == 0 ? -35 : 48) - 5 * index
      let percent = Double(last - open) / Double(open) * 100
      let high = index % 5 == 0 ? max(last, open) : max(last, open) + 40
      let low = index % 4 == 0 ? min(last, open) : min(last, open) - 30
      let volume = 90_000 - 6_100 * index
      // Occasionally the last trade was at the bid, and once outside the spread.
      let bid = index == 7 ? last + 2 : index % 3 == 0 ? last : last - 3
      return """
        ["\(name)USD",\(volume),\((percent * 10_000).rounded() / 10_000),\(high),\(open),\(last),\(bid),\
        \(bid + 4),\(volume * (last + open) / 2),\(low)]
        """
    }
    let proposal = try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8)).proposal()
    let paths = Dictionary(uniqueKeysWithValues: proposal.roles.filter(\.isSure).map { ($0.role, $0.path) })
    #expect(
      paths == [
        .volume: "$[1]", .change: "$[2]", .high: "$[3]", .open: "$[4]", .price: "$[5]", .bid: "$[6]", .ask: "$[7]",
        .turnover: "$[8]", .low: "$[9]",
      ])
    #expect(proposal[.change]?.scale == nil)
  }
}
