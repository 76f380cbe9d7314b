import Config
import Testing

@testable import Inference

/// Which columns of candles are high and low, beside other prices of the same moment.
@Suite struct CandleRangeTests {
  private static let hours: [(open: Int, high: Int, low: Int, close: Int)] = [
    (100, 103, 99, 102), (102, 103, 100, 101), (101, 105, 100, 104), (104, 105, 102, 103), (103, 107, 102, 106),
    (106, 107, 103, 104), (104, 108, 103, 107), (107, 108, 104, 105),
  ]

  /// Returns the same hours as often as wanted, each with further numbers made from its close and index.
  private static func answer(
    _ names: [String], _ others: (_ close: Double, _ index: Int) -> [Double], isList: Bool
  ) -> String {
    let rows = hours.enumerated().map { index, hour in
      let numbers = [hour.open, hour.high, hour.low, hour.close].map(Double.init) + others(Double(hour.close), index)
      let texts = ["\(1_699_970_400 + index * 3600)"] + numbers.map { "\($0)" }
      if isList { return "[\(texts.joined(separator: ","))]" }
      return "{\(zip(["t"] + names, texts).map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }
    return "[\(rows.joined(separator: ","))]"
  }

  private static func found(_ answer: String) throws -> String {
    let proposal = try BlockInference(.candles, Array(answer.utf8)).proposal()
    return ["open", "high", "low", "close"].compactMap { proposal[$0] }.map { field in
      "\(field.name) \(field.path)\(field.isSure ? "" : " unsure")\(field.isContested ? " contested" : "")"
    }.joined(separator: ", ")
  }

  /// Moments within the candles, such as those of their last trades, show that the times are the ends: not those after
  /// the times, always as far from them, or further away.
  @Test(arguments: [
    ([-3000.5, -1800, -20, -4, -700, -2500, -90, -1], true), ([0.5, 1800, 20, 4, 700, 2500, 90, 1], false),
    ([-5, -5, -5, -5, -5, -5, -5, -5], false), ([-4000, -3900, -20, -4, -700, -2500, -90, -1], false),
  ])
  func momentsWithinCandles(_ distances: [Double], _ areEnds: Bool) throws {
    let answer = Self.answer(
      [], { _, index in [Double(1_699_970_400 + index * 3600) + distances[index]] }, isList: true)
    let time = try BlockInference(.candles, Array(answer.utf8)).proposal()["time"]
    let isEnd = time?.evidence.contains("the end: $[5] is within one interval before it") == true
    #expect(time?.path == "$[0]" && isEnd == areEnds, "\(time?.evidence ?? [])")
  }

  private static let right = "open $.open, high $.high, low $.low, close $.close"

  @Test(
    arguments: [
      // Best offers at the end of each hour.
      (["open", "high", "low", "close", "bid", "ask"], right),
      (["open", "high", "low", "close", "mark", "index"], right),
      // Whatever the names, nothing but a day's extremes has all others between them.
      (["q", "r", "s", "u", "w", "x"], "open $.q, high $.r unsure contested, low $.s unsure contested, close $.u"),
      (
        ["open", "ask", "low", "close", "bid", "x"],
        "open $.open, high $.ask unsure contested, low $.low unsure contested, close $.close"
      ),
    ])
  func offersAreNoRange(_ names: [String], _ expected: String) throws {
    let answer = Self.answer(names, { close, _ in [close - 0.01, close + 0.01] }, isList: false)
    #expect(try Self.found(answer) == expected)
  }

  @Test func rivalsAreNamed() throws {
    let answer = Self.answer([], { close, _ in [close - 0.01, close + 0.01] }, isList: true)
    let proposal = try BlockInference(.candles, Array(answer.utf8)).proposal()
    #expect(proposal.unproved == ["high", "low"])
    #expect(
      proposal["high"]?.evidence == [
        "low <= open, close <= high in 8 of 8", "prices also lie between $[5] and $[2]",
      ])
  }

  /// The name of another price speaks against a bound, even if no other columns fit.
  @Test func boundsMayNotBeNamedAfterOtherPrices() throws {
    let names = ["x", "ask", "bid", "y"]
    #expect(
      try Self.found(Self.answer(names, { _, _ in [] }, isList: false))
        == "open $.x, high $.ask unsure contested, low $.bid unsure contested, close $.y")
  }

  /// An amount, or the length of the candle, that is near the prices in all rows by chance is no rival.
  @Test(arguments: [(60.0, 7), (10.5, 7), (300, 7), (98, 0)])
  func amountsAreNoRange(_ least: Double, _ factor: Int) throws {
    let answer = Self.answer([], { _, index in [least + Double(index * factor % 5)] }, isList: true)
    #expect(try Self.found(answer) == "open $[1], high $[2], low $[3], close $[4]")
  }

  /// All candles may have the same high, above which an amount lies by chance.
  @Test func theHighMayNeverMove() throws {
    let rows = (0..<12).map { index in
      let (open, close) = (102 + index % 3, 102 + (index + 1) % 3)
      return "[\(1_699_970_400 + index * 3600),\(open),105,\(101 - index % 2),\(close),\(110 + index * 7 % 5)]"
    }
    #expect(
      try Self.found("[\(rows.joined(separator: ","))]")
        == "open $[1], high $[5] unsure contested, low $[3] unsure contested, close $[4]")
  }
}
