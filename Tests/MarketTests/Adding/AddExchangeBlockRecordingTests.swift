import Files
import TestSupport
import Testing

@testable import Shell

/// Answers with order books, trades and candles are kept beside that of the table, and tested with it from then on.
@Suite(.waitsForPrograms) struct AddExchangeBlockRecordingTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  private static let table = """
    [{"s":"BTC_USDT","last":"105.0","high":"108","low":"99","volume":"330.5","quoteVolume":"34200"},\
    {"s":"ETH_USDT","last":"10.4","high":"10.9","low":"9.8","volume":"520.25","quoteVolume":"5400"},\
    {"s":"XRP_USDT","last":"2.2","high":"2.3","low":"2.1","volume":"8100","quoteVolume":"17900"}]
    """

  /// Hours up to 22:00, newest first, with a volume that nothing in them decides.
  private static let candles =
    "["
    + (0..<24).map { hour -> String in
      let open = 100 + hour % 4
      let close = hour == 0 ? 105 : 100 + (hour - 1) % 4
      let start = 1_699_999_200_000 - hour * 3_600_000
      return
        #"["\#(start)","\#(open)","\#(max(open, close) + 1)","\#(min(open, close) - 1)","\#(close)","\#(13 + hour % 3).5"]"#
    }.joined(separator: ",") + "]"

  private static let trades = """
    [{"no":14,"at":1699999999000,"px":"105","qty":"2","worth":"210","maker_is_buyer":false},\
    {"no":13,"at":1699999998000,"px":"104.9","qty":"1.5","worth":"157.35","maker_is_buyer":true},\
    {"no":12,"at":1699999997000,"px":"105","qty":"0.2","worth":"21","maker_is_buyer":false},\
    {"no":11,"at":1699999996000,"px":"104.9","qty":"3","worth":"314.7","maker_is_buyer":true}]
    """

  private static let book = """
    {"seq":71,"ts":1699999999000,"buy":[["104.9","2"],["104.8","7.5"],["104.6","1"]],\
    "sell":[["105.1","3"],["105.2","0.5"],["105.5","11"]]}
    """

  private static let blocks = [
    ("candles", "chart?market=BTC_USDT&unit=60m&limit=24", candles), ("trades", "fills?market=BTC_USDT", trades),
    ("orderbook", "depth?market=BTC_USDT", book),
  ]

  private func addAll() async throws {
    let table = try await adding.add(from: "https://api.newex.example/all", answer: Self.table)
    #expect(table.code == .answer, "\(table.everything)")
    for (kind, path, answer) in Self.blocks {
      let outcome = try await adding.addBlock(kind, at: path, answer)
      #expect(outcome.code == .answer, "\(outcome.everything)")
      #expect(outcome.errorOutput.contains("recorded the sample in \(adding.folder.path)/cassettes/Newex"))
      #expect(!outcome.errorOutput.contains("test-exchange reports"), "\(outcome.everything)")
    }
  }

  @Test func answersAreKeptAndTested() async throws {
    try await addAll()
    let folder = "\(adding.folder.path)/cassettes/Newex"
    let names = [
      "01-spot-tickers.body", "01-spot-tickers.json", "02-candles-1h-BTC-USDT.body", "02-candles-1h-BTC-USDT.json",
      "03-trades-BTC-USDT.body", "03-trades-BTC-USDT.json", "04-orderbook-BTC-USDT.body",
      "04-orderbook-BTC-USDT.json", "add-exchange.txt", "rows.tsv",
    ]
    #expect(try FileSystem.names(in: folder).sorted() == names)
    #expect(try adding.text(of: "cassettes/Newex/02-candles-1h-BTC-USDT.body") == Self.candles)
    #expect(
      try adding.text(of: "cassettes/Newex/add-exchange.txt").split(separator: "\n").dropFirst().map(String.init)
        == names.filter { $0 != "add-exchange.txt" })
    let run = try Subprocess(market: ["test-exchange", "Newex", "--config", adding.config], environment: [:])
    #expect(run.code == 0, "\(run.output)\(run.errorOutput)")
    for text in ["candles, good: spot BTC/USDT 1h", "trades, good", "order books, good"] {
      #expect(run.output.contains(text), "\(run.output)")
    }
  }

  /// The ticker of the pair shows what the volume of candles counts.
  @Test func theTickerDecidesTheVolumeOfCandles() async throws {
    try await addAll()
    let config = try adding.text(of: "exchanges.json").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(config.contains(#""volume": "$[5]""#), "\(config)")
  }

  /// A saved answer is of the moment of its newest candle, and tested as of then, whenever the table was recorded.
  @Test(arguments: [3, 40]) func anOlderAnswerIsTestedAtItsMoment(_ days: Int) async throws {
    let table = try await adding.add(from: "https://api.newex.example/all", answer: Self.table)
    #expect(table.code == .answer, "\(table.everything)")
    let older = (0..<24).reduce(Self.candles) { text, hour in
      let start = 1_699_999_200_000 - hour * 3_600_000
      return text.replacing("\"\(start)\"", with: "\"\(start - days * 86_400_000)\"")
    }
    let file = try adding.save(older, as: "candles.json")
    let outcome = try await adding.run([
      "add-exchange", "Newex", "--symbol", "BTC/USDT", "--from-sample", "candles=\(file)", "--url",
      "https://api.newex.example/chart?market=BTC_USDT&unit=60m&limit=24", "--yes",
    ])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(!outcome.errorOutput.contains("test-exchange reports"), "\(outcome.everything)")
    let run = try Subprocess(market: ["test-exchange", "Newex", "--config", adding.config], environment: [:])
    #expect(run.code == 0 && run.output.contains("candles, good: spot BTC/USDT 1h"), "\(run.output)\(run.errorOutput)")
  }

  /// The table of an exchange with names of its own, and what its requests call the first pair.
  struct Naming: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let table: String
    let name: String
    var pair = "BTC/USDT"
    let template: String
  }

  private static let ofOtherName = table.replacing("BTC_", with: "XBT_")

  static let namings = [
    Naming(
      testDescription: "a currency", table: ofOtherName, name: "XBT_USDT", template: "{asset}_{payment}"),
    Naming(
      testDescription: "a currency, given by that name", table: ofOtherName, name: "XBT_USDT", pair: "XBT/USDT",
      template: "{asset}_{payment}"),
    Naming(
      testDescription: "a market",
      table: ["BTC", "ETH", "XRP"].reduce(table) { text, asset in
        text.replacing(
          #""s":"\#(asset)_USDT""#, with: #""symbol":"MKT\#(asset.first ?? "-")","base":"\#(asset)","quote":"USDT""#)
      }, name: "MKTB", template: "{symbol}"),
  ]

  /// A currency's own name is an alias; that of a market is `{symbol}`, which a request for the table precedes.
  @Test(arguments: namings) func ownNamesAreRequested(_ naming: Naming) async throws {
    let added = try await adding.add(from: "https://api.newex.example/all", answer: naming.table)
    #expect(added.code == .answer, "\(added.everything)")
    #expect(
      try adding.text(of: "exchanges.json").contains(#""aliases": { "XBT": "BTC" }"#) == (naming.template != "{symbol}")
    )
    let outcome = try await adding.run(
      [
        "add-exchange", "Newex", "--symbol", naming.pair, "--from-sample",
        "trades=https://api.newex.example/fills?market=\(naming.name)", "--yes",
      ], answer: Self.trades)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(!outcome.errorOutput.contains("test-exchange reports"), "\(outcome.everything)")
    #expect(outcome.errorOutput.contains("prices are compared with the ticker of BTC/USDT"), "\(outcome.everything)")
    #expect(try adding.text(of: "exchanges.json").contains(#""market": "\#(naming.template)""#))
    #expect(try adding.text(of: "cassettes/Newex/01-spot-tickers.body") == naming.table)
    #expect(try adding.text(of: "cassettes/Newex/02-trades-BTC-USDT.body") == Self.trades)
    let run = try Subprocess(market: ["test-exchange", "Newex", "--config", adding.config], environment: [:])
    #expect(run.code == 0 && run.output.contains("trades, good: spot BTC/USDT"), "\(run.output)\(run.errorOutput)")
  }

  /// Pairs with numbers are requested by these; an address given with `--url` is that of the block.
  @Test(
    arguments: [
      ("fills/1000", nil, #""path": "/fills/{symbol}""#),
      ("fills/first", "fills/{symbol}", #""path": "/fills/{symbol}""#), ("fills/first", nil, nil),
    ] as [(String, String?, String?)])
  func numbersOfPairsAreRequested(_ path: String, _ given: String?, _ request: String?) async throws {
    let table = ["BTC", "ETH", "XRP"].enumerated().reduce(Self.table) { text, asset in
      text.replacing(
        #""s":"\#(asset.element)_USDT""#,
        with: #""pair":\#(1000 + asset.offset),"base":"\#(asset.element)","quote":"USDT""#)
    }
    let symbol = #"symbol={"path":"$.pair","asset":"$.base","payment":"$.quote"}"#
    let added = try await adding.add(from: "https://api.newex.example/all", ["--set", symbol], answer: table)
    #expect(added.code == .answer, "\(added.everything)")
    let outcome = try await adding.addBlock(
      "trades", at: path, Self.trades, given.map { ["--url", "https://api.newex.example/\($0)"] } ?? [])
    #expect((outcome.code == .answer) == (request != nil), "\(outcome.everything)")
    guard let request else {
      #expect(
        outcome.errorOutput.contains("or the same with {symbol} where it names the pair, with --url or as a curl line"),
        "\(outcome.everything)")
      return
    }
    let config = try adding.text(of: "exchanges.json")
    #expect(config.contains(request), "\(config)")
    #expect(!outcome.errorOutput.contains("test-exchange reports"), "\(outcome.everything)")
    #expect(try adding.text(of: "cassettes/Newex/02-trades-BTC-USDT.body") == Self.trades)
  }

  /// A block that is given again has one recording.
  @Test func anAnswerReplacesTheOneBefore() async throws {
    try await addAll()
    let later = Self.candles.replacing("13.5", with: "12.5")
    let outcome = try await adding.addBlock("candles", at: "chart?market=BTC_USDT&unit=60m&limit=24", later)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let names = try FileSystem.names(in: "\(adding.folder.path)/cassettes/Newex").filter { $0.contains("candles") }
    #expect(names.sorted() == ["05-candles-1h-BTC-USDT.body", "05-candles-1h-BTC-USDT.json"])
    #expect(try adding.text(of: "cassettes/Newex/05-candles-1h-BTC-USDT.body") == later)
  }

  /// Rows that were not kept while another block had a problem are kept with the next block; a difference in the table
  /// is not, and names what keeps it.
  @Test(arguments: [false, true]) func rowsOfBlocksCatchUp(_ isTableOther: Bool) async throws {
    try await addAll()
    let kept = try adding.text(of: "cassettes/Newex/rows.tsv")
    let ofTable = kept.split(separator: "\n").filter { !$0.contains(/\((order book|trades|candles 1h)\)/) }
    let lines = ofTable.joined(separator: "\n") + "\n"
    #expect(lines.count < kept.count)
    _ = try adding.save(
      isTableOther ? lines.replacing("34200", with: "34201") : lines, as: "cassettes/Newex/rows.tsv")
    let outcome = try await adding.addBlock("orderbook", at: "depth?market=BTC_USDT", Self.book)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.errorOutput.contains("test-exchange reports") == isTableOther, "\(outcome.errorOutput)")
    guard isTableOther else {
      #expect(try adding.text(of: "cassettes/Newex/rows.tsv") == kept)
      return
    }
    #expect(
      outcome.errorOutput.contains(
        "3 rows not in the kept table: spot BTC/USDT (candles 1h), spot BTC/USDT (order book), spot BTC/USDT (trades); if "
          + "right, keep what is new with: market test-exchange Newex --accept -c \(adding.config)\n"),
      "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains("turnover24 differs from the kept table in 1 row: spot * BTC_USDT was 34201"))
  }
}
