import Quotes
import Testing

@testable import Config
@testable import Inference

/// Numbers as large as times, and beyond those that a `Double` holds.
@Suite struct ExtremeNumberTests {
  private static func proposal(_ kind: BlockKind, _ answer: String) throws -> BlockProposal {
    try BlockInference(kind, Array(answer.utf8)).proposal()
  }

  /// Prices in rupiah look like seconds since 1970, and those of a book rise as times do.
  @Test func pricesInRupiah() throws {
    func side(_ sign: Int) -> String {
      let levels = (1...10).map { "[\(1_650_000_000 + sign * $0 * 100_000), \"0.0\($0 * 7 % 10 + 1)\"]" }
      return "[\(levels.joined(separator: ","))]"
    }
    let book = try Self.proposal(.orderbook, #"{"buy": \#(side(-1)), "sell": \#(side(1))}"#)
    #expect(book["price"]?.path == "$[0]")
    #expect(book["size"]?.path == "$[1]")
    let rows = (0..<8).map { index in
      let open = 1_600_000_000 + index * index % 7 * 1_000_000
      return """
        [\(1_785_002_400_000 + index * 3_600_000), "\(open)", "\(open + 4_000_000)", "\(open - 900_000)",
         "\(open + 3_000_000)", "\(1.5 + Double(index) / 10)"]
        """
    }
    let candles = try Self.proposal(.candles, "[\(rows.joined(separator: ","))]")
    #expect(["time", "high", "low"].map { candles[$0]?.path } == ["$[0]", "$[2]", "$[3]"])
  }

  /// A size divided by its price may be infinite, or zero: no step fits either.
  @Test(arguments: [("1e-300", "9e299"), ("1e300", "1e-299")])
  func sizesWithoutUnit(_ price: String, _ size: String) throws {
    let trades = (0..<12).map { index in
      """
      {"price": "\(price)", "size": "\(index == 3 ? size : "\(index + 1)")", "time": \(1_700_000_000_000 + index * 1234),
       "side": "\(index % 2 == 0 ? "BUY" : "SELL")", "id": \(index)}
      """
    }
    #expect(try Self.proposal(.trades, "[\(trades.joined(separator: ","))]")["price"]?.path == "$.price")
  }

  /// Swift reads hexadecimal numbers, which no exchange sends.
  @Test(arguments: [("0x411a", nil), ("0X1F", nil), ("16666", 16666.0), ("1,234.5", 1234.5)])
  func hexadecimalIsNoNumber(_ text: String, _ number: Double?) {
    #expect(SampleColumn.number(text) == number)
  }
}
