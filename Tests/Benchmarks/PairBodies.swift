/// Bodies in the shape of Binance's candles, trades and order book.
enum PairBody: String, CaseIterable {
  case candles, trades, book

  /// The start of the first candle, in milliseconds since 1970.
  static let firstCandle: Int64 = 1_790_000_000_000 / 60_000 * 60_000

  /// - Parameter first: minutes from ``firstCandle`` to the start of the first candle.
  func text(rows: Int, from first: Int = 0) -> String {
    switch self {
    case .candles: "[" + (first..<first + rows).map(Self.candle).joined(separator: ",") + "]"
    case .trades: "[" + (0..<rows).map(Self.trade).joined(separator: ",") + "]"
    case .book:
      #"{"lastUpdateId":1027024,"bids":[\#(Self.levels(rows, -1))],"asks":[\#(Self.levels(rows, 1))]}"#
    }
  }

  /// A fluctuating price, in hundredths.
  private static func price(_ index: Int) -> Int { 9_154_231 + (index * 7919) % 4000 - 2000 }

  private static func decimal(_ hundredths: Int) -> String {
    let fraction = hundredths % 100
    return "\"\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)000000\""
  }

  private static func candle(_ index: Int) -> String {
    let start = firstCandle + Int64(index) * 60_000
    let (open, close) = (price(index), price(index + 1))
    let (low, high) = (min(open, close) - 100, max(open, close) + 100)
    return
      "[\(start),\(decimal(open)),\(decimal(high)),\(decimal(low)),\(decimal(close)),\"12.50000000\",\(start + 59_999),"
      + "\(decimal(open * 25 / 2)),308,\"6.10000000\",\(decimal(open * 6)),\"0\"]"
  }

  private static func trade(_ index: Int) -> String {
    "{\"a\":\(28_457 + index),\"p\":\(decimal(price(index))),\"q\":\"0.0\(1 + index % 9)000000\",\"f\":\(91_231 + index * 2),"
      + "\"l\":\(91_232 + index * 2),\"T\":\(1_790_000_000_000 + index * 137),\"m\":\(index % 3 == 0),\"M\":true}"
  }

  private static func levels(_ count: Int, _ direction: Int) -> String {
    (1...count).map { "[\(decimal(9_154_231 + direction * $0 * 3)),\"\($0 % 7).\(10 + $0 % 89)000000\"]" }.joined(
      separator: ",")
  }
}
