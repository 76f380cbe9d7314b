/// A body like Binance's `/api/v3/ticker/24hr` in shape and size, whose numbers pass all plausibility checks.
enum SampleBody {
  static func text(rows: Int) -> String {
    var random = Generator()
    var text = "["
    for index in 0..<rows {
      if index > 0 { text += "," }
      text += row(index, &random)
    }
    return text + "]"
  }

  private static let payments = ["USDT", "USDC", "BTC", "ETH", "TRY", "EUR"]

  private static func row(_ index: Int, _ random: inout Generator) -> String {
    // In units of 10^-8. The first row is the pair requested by `market show BTC USDT`.
    let open = UInt64.random(in: 1_000_000...5_000_000_000_000, using: &random)
    let permille = Int64.random(in: -90...90, using: &random)
    let price = UInt64(Int64(open) + Int64(open) / 1000 * permille)
    let (low, high) = (min(open, price) / 100 * 99, max(open, price) / 100 * 101)
    let volume = UInt64.random(in: 100_000_000...90_000_000_000_000, using: &random)
    let turnover = UInt64(UInt128(price) * UInt128(volume) / 100_000_000)
    let symbol = index == 0 ? "BTCUSDT" : asset(index) + payments[index % payments.count]
    let change = Double(Int64(price) - Int64(open)) / Double(open) * 100
    let members: [(String, String)] = [
      ("symbol", quoted(symbol)), ("priceChange", decimal(price > open ? price - open : open - price)),
      ("priceChangePercent", quoted(thousandths(change))), ("weightedAvgPrice", decimal((price + open) / 2)),
      ("prevClosePrice", decimal(open)), ("lastPrice", decimal(price)), ("lastQty", decimal(volume / 1000)),
      ("bidPrice", decimal(price / 10000 * 9999)), ("bidQty", decimal(volume / 900)),
      ("askPrice", decimal(price / 10000 * 10001)), ("askQty", decimal(volume / 800)), ("openPrice", decimal(open)),
      ("highPrice", decimal(high)), ("lowPrice", decimal(low)), ("volume", decimal(volume)),
      ("quoteVolume", decimal(turnover)), ("openTime", "1700000000000"), ("closeTime", "1700086400000"),
      ("firstId", "0"), ("lastId", "\(index)"), ("count", "1000"),
    ]
    return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Returns four letters unique to the index.
  private static func asset(_ index: Int) -> String {
    var rest = index
    var letters = ""
    for _ in 0..<4 {
      letters.append(Character(Unicode.Scalar(UInt8(ascii: "A") + UInt8(rest % 26))))
      rest /= 26
    }
    return letters
  }

  private static func quoted(_ text: String) -> String { "\"\(text)\"" }

  private static func decimal(_ units: UInt64) -> String {
    let fraction = String(units % 100_000_000)
    return quoted("\(units / 100_000_000)." + String(repeating: "0", count: 8 - fraction.count) + fraction)
  }

  private static func thousandths(_ value: Double) -> String {
    let units = Int((value * 1000).rounded())
    let fraction = String(abs(units) % 1000)
    return (units < 0 ? "-" : "") + "\(abs(units) / 1000)." + String(repeating: "0", count: 3 - fraction.count)
      + fraction
  }

  /// Generates the same numbers on every run (SplitMix64).
  private struct Generator: RandomNumberGenerator {
    private var state: UInt64 = 42

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }
}
