import Quotes
import Testing

/// Order books, trades and candles whose numbers are plausible and still something else.
@Suite struct WrongBlockTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let block: String
    let answer: @Sendable (_ price: Decimal) -> String
    let problems: [String]

    init(
      _ description: String, _ block: String, _ answer: @escaping @Sendable (_ price: Decimal) -> String,
      _ problems: String...
    ) {
      (testDescription, self.block, self.answer, self.problems) = (description, block, answer, problems)
    }
  }

  /// Each block is requested for two pairs, whose prices are 9560 and 0.00009820.
  @Test(arguments: books + otherPairs + candles) func finds(_ example: Case) async throws {
    let problems = try await InventedTable(besides: ", " + example.block).problems { url in
      let row = InventedTable.rows.first { url.contains("=" + $0["s", default: ""].prefix { $0 != "-" } + "-") }
      let price = Decimal((row ?? InventedTable.rows[0])["last", default: ""]) ?? 0
      return Array(example.answer(price).utf8)
    }
    #expect(problems == example.problems)
  }

  // MARK: Sizes

  private static func book(_ size: String) -> String {
    #"""
    "orderbook": { "request": { "path": "/book", "query": { "s": "{asset}-{payment}" } },
      "bids": "$.bids[*]", "asks": "$.asks[*]", "price": "$[0]", "size": "\#(size)" }
    """#
  }

  /// Returns levels of price, size, money, and the sum of sizes so far.
  private static func levels(around price: Decimal) -> String {
    func side(_ sign: Decimal) -> String {
      var sum: Decimal = 0
      return (1...6).map { level in
        let at = price + sign * Decimal(level) * price.scaledByPowerOfTen(-4)
        let size = Decimal(1 + level * level % 7)
        sum = sum + size
        return "[\"\(at)\", \"\(size)\", \"\(at * size)\", \"\(sum)\"]"
      }.joined(separator: ",")
    }
    return "{ \"bids\": [\(side(-1))], \"asks\": [\(side(1))] }"
  }

  static let books = [
    Case("sizes", book("$[1]"), { levels(around: $0) }),
    Case(
      "money as the size", book("$[2]"), { levels(around: $0) },
      "spot: the order book of C0X/USDT: size: $[2] is the price times $[1] in every row, so it is money | use \"$[1]\"",
      "spot: the order book of C11X/USDT: size: $[2] is the price times $[1] in every row, so it is money | use "
        + "\"$[1]\""),
    Case(
      "a running sum as the size", book("$[3]"), { levels(around: $0) },
      "spot: the order book of C0X/USDT: size: $[3] is the sum of $[1] up to the row | use \"$[1]\"",
      "spot: the order book of C11X/USDT: size: $[3] is the sum of $[1] up to the row | use \"$[1]\""),
    Case(
      "money as the size of trades",
      #"""
      "trades": { "request": { "path": "/trades", "query": { "s": "{asset}-{payment}" } }, "rows": "$[*]",
        "fields": { "price": "$.p", "size": "$.cost", "time": { "path": "$.t", "unit": "s" } } }
      """#,
      { price in
        let trades = (1...6).map { index in
          "{\"p\": \"\(price)\", \"q\": \"\(index)\", \"cost\": \"\(price * Decimal(index))\", \"t\": \(1_763_442_700 + index)}"
        }
        return "[\(trades.joined(separator: ","))]"
      },
      "spot: the trades of C0X/USDT: size: $.cost is the price times $.q in every row, so it is money | use \"$.q\"",
      "spot: the trades of C11X/USDT: size: $.cost is the price times $.q in every row, so it is money | use \"$.q\""),
  ]

  // MARK: Pairs

  /// The answer for the first pair, whatever is requested, is the right one for the first pair.
  static let otherPairs = [
    Case(
      "the book of the first pair", book("$[1]"), { _ in levels(around: 9560) },
      "spot: the order book of C11X/USDT: book-far: the middle of the book is 9560, but the price is 0.0000982 | price "
        + "and size swapped, another pair, or another unit?"),
    Case(
      "a request without the pair",
      #"""
      "orderbook": { "request": { "path": "/book" }, "bids": "$.bids[*]", "asks": "$.asks[*]", "price": "$[0]", "size": "$[1]" }
      """#,
      { _ in levels(around: 9560) },
      "spot: the order book of C0X/USDT: no-answer other-pair (the request does not name the pair, so the answer may be "
        + "about another one; write {asset} and {payment} in it)",
      "spot: the order book of C11X/USDT: no-answer other-pair (the request does not name the pair, so the answer may be "
        + "about another one; write {asset} and {payment} in it)"),
  ]

  // MARK: Candles

  private static func candles(_ basis: String) -> String {
    #"""
    "candles": { "request": { "path": "/candles", "query": { "s": "{asset}-{payment}" } }, "intervals": { "1h": "1h" },
      "rows": "$[*]", "fields": { "time": { "path": "$[0]", "unit": "s"\#(basis) }, "open": "$[1]", "high": "$[2]",
      "low": "$[3]", "close": "$[4]" } }
    """#
  }

  /// Trades at the closes of the candles.
  private static let trades = #"""
    , "trades": { "request": { "path": "/candles", "query": { "s": "{asset}-{payment}" } }, "rows": "$[*]",
      "fields": { "time": { "path": "$[0]", "unit": "s" }, "price": "$[4]", "size": "$[5]",
        "side": { "path": "$[6]", "buy": "b", "sell": "s" } } }
    """#

  /// Returns thirty hours, the newest of which begins 12 minutes ago and closes at the price of now.
  ///
  /// - Parameter quiet: the number of hours without trades, which have no candles.
  private static func hours(at price: Decimal, without left: Int = 0, quietFor quiet: Int = 0) -> String {
    let closes = (0...30).map { price + Decimal(max(0, $0 - quiet) * 37 % 11) * price.scaledByPowerOfTen(-3) }
    let rows = (max(left, quiet)..<30).map { age in
      let (open, close) = (closes[age + 1], closes[age])
      let start = 1_763_442_000 - 3600 * age
      return "[\(start), \"\(open)\", \"\(max(open, close))\", \"\(min(open, close))\", \"\(close)\", \"1\", \"b\"]"
    }
    return "[\(rows.joined(separator: ","))]"
  }

  /// Of three times the price, candles are those of another pair, and prove nothing about this one.
  private static let alone: @Sendable (Decimal) -> String = { price in hours(at: price > 1 ? price : price * 3) }

  private static let far =
    "spot: the 1h candles of C11X/USDT: candle-last: the newest candle closes at 0.0002946, but the price is 0.0000982 | "
    + "another pair, or another unit?"

  static let candles = [
    Case("starts", candles(""), { hours(at: $0) }),
    Case("starts of one pair", candles(""), alone, far),
    Case(
      "starts of one pair as ends", candles(#", "basis": "end""#), alone,
      "spot: the list of candles ends with a finished one, and it closes at the current price | are the times those of "
        + "starts? then remove \"basis\": \"end\"", far),
    Case("starts, without the running candle", candles(""), { hours(at: $0, without: 1) }),
    Case(
      "starts, without the running candle, and no trade since", candles("") + trades, { hours(at: $0, quietFor: 1) }),
    Case(
      "starts as ends", candles(#", "basis": "end""#), { hours(at: $0) },
      "spot: all 2 lists of candles end with a finished one, and it closes at the current price | are the times those of "
        + "starts? then remove \"basis\": \"end\""),
  ]

  /// Hours and days whose times are their ends are shifted by their own interval each.
  @Test(arguments: [false, true])
  func findsEndsReadAsStarts(_ areEnds: Bool) async throws {
    let shifted =
      "spot: the 1d candles of C0X/USDT have the high and low of the 1h candles before their times, not of those after "
      + "them | are the times those of ends? then write \"basis\": \"end\""
    let block = #"""
      , "candles": { "request": { "path": "/candles", "query": { "s": "{asset}-{payment}", "i": "{interval}" } },
        "intervals": { "1h": "1h", "1d": "1d" }, "rows": "$[*]", "fields": { "time": { "path": "$[0]", "unit": "s" },
          "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]" } }
      """#
    let problems = try await InventedTable(besides: block).problems { url in
      let row = InventedTable.rows.first { url.contains("=" + $0["s", default: ""].prefix { $0 != "-" } + "-") }
      let price = Decimal((row ?? InventedTable.rows[0])["last", default: ""]) ?? 0
      return Array(Self.intervals(of: url.contains("i=1d") ? 86_400 : 3600, at: price, areEnds).utf8)
    }
    #expect(problems == (areEnds ? [shifted] : []))
  }

  /// Returns 99 hours or 5 days before the running candle, which is sent only if the times are starts.
  private static func intervals(of length: Int, at price: Decimal, _ areEnds: Bool) -> String {
    func level(at second: Int) -> Decimal {
      let age = max(0, 1_763_442_000 - second) / 3600
      return price + Decimal(age + age * 37 % 11 * 10) * price.scaledByPowerOfTen(-4)
    }
    let running = 1_763_442_720 / length * length
    let rows = ((areEnds ? 1 : 0)...(length == 3600 ? 99 : 5)).map { age in
      let start = running - age * length
      let prices = stride(from: start, through: start + length, by: 3600).map { level(at: $0) }
      let cells = [prices[0], prices.max() ?? 0, prices.min() ?? 0, prices[prices.count - 1]].map { "\"\($0)\"" }
      return "[\(areEnds ? start + length : start), \(cells.joined(separator: ", "))]"
    }
    return "[\(rows.joined(separator: ","))]"
  }
}
