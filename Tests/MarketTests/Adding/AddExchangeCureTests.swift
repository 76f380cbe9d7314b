import TestSupport
import Testing

@testable import Shell

/// Responses in the shape of a known family or of none, whose numbers contradict their names: a cure is found, or the
/// mapping is refused. Nothing contradicted by its own rows is written.
@Suite struct AddExchangeCureTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  private static let prices: [(asset: String, price: Double)] = [
    ("BTC", 91500.5), ("ETH", 3120.25), ("XRP", 2.2014), ("SOL", 139.42), ("ADA", 0.4613), ("LTC", 94.31),
  ]

  /// The numbers of a row under the family's names, without those that are missing.
  private struct Row {
    var last, bid, ask, volume, turnover, change, average: Double?
    var high, low, open: Double

    init(_ price: Double, _ index: Int) {
      let percents = [2.0, -3.5, 4.25, -1.25, 6.5, -5.0]
      last = price
      open = price / (1 + percents[index] / 100)
      (bid, ask) = (price * 0.9995, price * 1.0005)
      (high, low) = (max(open, price) * 1.01, min(open, price) * 0.99)
      volume = 1700.25 * Double(index + 1)
      turnover = price * 1700.25 * Double(index + 1) * 1.001
      change = percents[index]
    }

    func text(_ symbol: String) -> String {
      let members = [
        ("lastPrice", last), ("bidPrice", bid), ("askPrice", ask), ("highPrice", high), ("lowPrice", low),
        ("openPrice", open), ("volume", volume), ("quoteVolume", turnover), ("priceChangePercent", change),
        ("weightedAvgPrice", average),
      ]
      let texts = members.compactMap { name, number in number.map { #","\#(name)":"\#($0)""# } }
      return #"{"symbol":"\#(symbol)"\#(texts.joined()),"closeTime":1700000000000}"#
    }
  }

  private static func sample(_ edit: (inout Row) -> Void) -> String {
    let rows = prices.enumerated().map { index, pair in
      var row = Row(pair.price, index)
      edit(&row)
      return row.text(pair.asset + "USDT")
    }
    return "[\(rows.joined(separator: ","))]"
  }

  private func add(_ answer: String, _ words: [String] = ["--yes"]) async throws -> AddingWorld.Outcome {
    try await world.run(
      ["add-exchange", "Newex", "--like", "Binance", "--from-sample", "https://api.newex.example/api/v3/ticker/24hr"]
        + words, answer: answer)
  }

  struct Cure: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sample: String
    let fields: String
  }

  @Test(arguments: [
    Cure(
      testDescription: "bid and ask swapped", sample: sample { swap(&$0.bid, &$0.ask) },
      fields: #""fields": { "bid": "$.askPrice", "ask": "$.bidPrice" }"#),
    Cure(
      testDescription: "high and low swapped", sample: sample { swap(&$0.high, &$0.low) },
      fields: #""fields": { "high": "$.lowPrice", "low": "$.highPrice" }"#),
    Cure(
      testDescription: "volume and turnover swapped", sample: sample { swap(&$0.volume, &$0.turnover) },
      fields: #""fields": { "volume24": "$.quoteVolume", "turnover24": "$.volume" }"#),
    Cure(
      testDescription: "the change as a fraction", sample: sample { $0.change = $0.change.map { $0 / 100 } },
      fields: #""changePricePercent24": { "path": "$.priceChangePercent", "scale": 100, "basis": "rolling24h" }"#),
  ])
  func swappedOrScaledFieldsAreFixed(_ cure: Cure) async throws {
    let done = try await add(cure.sample)
    #expect(done.code == .answer, "\(done.everything)")
    #expect(done.output.contains("tickers    proved    6 of 6 rows pass the checks\n"), "\(done.output)")
    let config = try world.written()
    #expect(config.contains(cure.fields), "\(config)")
  }

  /// A contract size that no config key can remove.
  private static let contracts = sample { $0.volume = $0.volume.map { $0 * 1000 } }
  private static let lastless = sample {
    $0.average = $0.last.map { $0 * 1.001 }
    $0.last = nil
  }

  @Test(arguments: [
    (
      contracts, "wrong     0 of 6 rows pass the checks", "6 of 6 rows contradict the block, such as BTC/USDT: turnover"
    ),
    (lastless, "on trust  most of its rows have no price", "no price is certain; give its path with --price PATH"),
  ])
  func unfixableSamplesAreRefused(_ sample: String, _ line: String, _ reason: String) async throws {
    for words in [["--yes"], ["--no-input"], ["--dry-run"]] {
      let done = try await add(sample, words)
      #expect(done.code == .noAnswer && world.folder.names == [], "\(done.everything)")
      #expect(done.output.contains("tickers    \(line)\n"), "\(done.output)")
      #expect(done.errorOutput.contains(reason), "\(done.errorOutput)")
    }
  }

  /// An omitted field cannot be contradicted.
  @Test func omittingAFieldIsAFix() async throws {
    let done = try await add(Self.contracts, ["--yes", "--set", "fields.volume24=null"])
    #expect(done.code == .answer, "\(done.everything)")
    #expect(try world.text(of: "exchanges.json").contains(#""volume24": null"#))
  }

  /// User-provided values are checked against the response without a family too.
  @Test func givenValuesAreCheckedAgainstRows() async throws {
    let words = ["add-exchange", "Newex", "--from-sample", "https://api.newex.example/t"]
    let given = ["--set", "fields.bid=$.askPrice", "--set", "fields.ask=$.bidPrice"]
    let done = try await world.run(words + given + ["--yes"], answer: Self.sample { _ in })
    #expect(done.code == .noAnswer && world.folder.names == [], "\(done.everything)")
    #expect(done.errorOutput.contains("6 of 6 rows contradict the block, such as BTC/USDT: bid"), "\(done.errorOutput)")
    // A person who has seen the rows has the last word.
    let asked = try await world.run(words + given, typed: ["1", "n"], answer: Self.sample { _ in })
    #expect(asked.everything.contains("write \(world.config)?"), "\(asked.everything)")
  }
}
