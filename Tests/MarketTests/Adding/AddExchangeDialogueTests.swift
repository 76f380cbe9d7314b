import HTTP
import TestSupport
import Testing
import Transport

@testable import Onboarding
@testable import Shell

/// `market add-exchange` on a terminal, without flags: every question, and every way out.
@Suite struct AddExchangeDialogueTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  private static let answer = """
    {"time": 1700000000, "all": [
    {"m": "BTC-KRW", "last": "100500000", "chg": "0.5", "volume": "12.5"},
    {"m": "ETH-KRW", "last": "4950000", "chg": "-1.0", "volume": "200"},
    {"m": "XRP-KRW", "last": "800", "chg": "0.1", "volume": "900000"}]}
    """

  private func added(_ done: AddingWorld.Outcome) throws -> String {
    #expect(done.code == .answer, "\(done.everything)")
    return try world.text(of: "exchanges.json")
  }

  @Test func stepByStep() async throws {
    let done = try await world.run(
      ["add-exchange"],
      typed: [
        "", "ftp://x", "https://api.newex.example/t",  // the sample
        "",  // the rows
        "1", "1", "1", "",  // the volume, the change, its unit, its basis
        "",  // the payment currencies
        "", "Binance", "Newex",  // the name
        "y",
      ], answer: Self.answer, columns: 80)
    let config = try added(done)
    #expect(config.contains(#""Newex": {"#) && config.contains(#""price": "$.last""#))
    #expect(done.errorOutput.contains("Where do the tickers come from?"))
    #expect(done.errorOutput.contains("an address begins with https:// (or http:// for this machine)"))
    #expect(done.errorOutput.contains("\n  1  rolling24h  the price of 24 hours ago\n"))
    #expect(done.errorOutput.contains("  all   a list of 3 objects, such as\n    m       \"BTC-KRW\""))
    #expect(done.errorOutput.contains("a name must be one line of text"))
    #expect(done.errorOutput.contains("an exchange 'Binance' ships with the program"))
    #expect(
      done.errorOutput.hasSuffix(
        """
        market: recorded the sample in \(world.folder.path)/cassettes/Newex
        market: see a price: market show BTC KRW -e Newex -c \(world.config)

        """))
  }

  @Test func pastedCurlCommandContinuesAfterBackslash() async throws {
    let done = try await world.run(
      ["add-exchange", "Newex"],
      typed: ["curl 'https://api.newex.example/t' \\", "  -H 'X-Api-Key: hush123'", "", "", "", "", "y"],
      answer: Self.answer)
    let config = try added(done)
    #expect(config.contains("{secret:x_api_key}") && !done.everything.contains("hush123"))
    #expect(world.sent.all.first?.headers.first?.value == "hush123")
  }

  @Test func savedResponsePromptsForItsAddress() async throws {
    let file = try world.save(Self.answer, as: "a.json")
    let done = try await world.run(
      ["add-exchange", "Newex"],
      typed: ["/nowhere.json", "'\(file)'", "", "", "", "", "api.newex.example/t", "y"])
    let config = try added(done)
    #expect(config.contains("https://api.newex.example"))
    #expect(done.errorOutput.contains("cannot read '/nowhere.json'"))
  }

  /// Anything but an address is rejected and asked for again; a curl line contains an address too.
  @Test func addressOfSavedResponseMayBeACurlCommand() async throws {
    let file = try world.save(Self.answer, as: "a.json")
    let done = try await world.run(
      ["add-exchange", "Newex"],
      typed: [
        file, "", "", "", "", "", "no address", "http://api.newex.example/t",
        "$ curl 'https://api.newex.example/t?x=1' \\", " -H 'X-API-KEY: hush1234'", "y",
      ])
    let config = try added(done)
    #expect(config.contains(#""request": { "path": "/t", "query": { "x": "1" } }"#))
    #expect(config.contains("{secret:x_api_key}") && !done.everything.contains("hush1234"))
    #expect(done.errorOutput.contains("write it like https://api.example.com/v1/tickers"))
    #expect(done.errorOutput.contains("plain http:// is for this machine only"))
    #expect(world.sent.all.isEmpty)
  }

  @Test func unusableSampleIsAskedForAgain() async throws {
    let page = try world.save("<html>", as: "page.html")
    let error = try world.save(#"{"code":4,"msg":"bad symbol"}"#, as: "error.json")
    let empty = try world.save("", as: "empty.json")
    let done = try await world.run(
      ["add-exchange", "Newex"],
      typed: [page, error, empty, "curl -F a=b https://a.example", "api.newex.example/t", "", "", "", "", "y"],
      answer: Self.answer)
    let config = try added(done)
    #expect(config.contains("https://api.newex.example"))
    for sentence in [
      "the sample is an HTML page, not an answer of an API; ", "the sample is an error answer: bad symbol\n",
      "it is an object of 2 members\n", "the sample is empty; ", "curl option '-F' is not supported",
    ] {
      #expect(done.errorOutput.contains(sentence), "\(done.errorOutput)")
    }
  }

  /// A line truncated by the terminal would request something else.
  @Test func truncatedInputLineEndsDialogue() async throws {
    let line = "curl 'https://a.example' -H 'Cookie: " + String(repeating: "x", count: 5000)
    let done = try await world.run(
      ["add-exchange", "Newex"], typed: [String(line.prefix(TerminalState.maximumLineLength))])
    #expect(done.code == .noAnswer && world.folder.names == [])
    #expect(
      done.errorOutput.contains("the terminal takes lines of at most \(TerminalState.maximumLineLength) bytes"))
  }

  /// An empty line is not a price, so the question is repeated.
  @Test func unsurePriceMustBeAnswered() async throws {
    let answer = Self.answer.replacing("last", with: "rate")
    let done = try await world.run(
      ["add-exchange", "Newex"], typed: ["https://api.newex.example/t", "", "", "$.rate", "", "", "", "y"],
      answer: answer)
    #expect(try added(done).contains(#""price": "$.rate""#), "\(done.everything)")
    #expect(done.errorOutput.contains("a row needs a price; write 1 to take"))
  }

  /// What the numbers speak for is the first choice, and what `yes` means.
  @Test(arguments: ["1", "yes", "2"]) func theLikeliestPlaceComesFirst(_ answer: String) async throws {
    let rows = [
      ("BTC", "91500", "92817.6", "91225.5", "1.44"), ("ETH", "3016", "2937.584", "3006.952", "-2.6"),
      ("SOL", "141", "145.4697", "140.577", "3.17"), ("XRP", "2.2", "2.15754", "2.1934", "-1.93"),
      ("ADA", "0.43", "0.45236", "0.42871", "5.2"),
    ].map { coin, open, rate, last, percent in
      #"{"s":"\#(coin)-USD","last":\#(last),"rate":\#(rate),"open":\#(open),"changePercent24h":\#(percent)}"#
    }
    let done = try await world.run(
      ["add-exchange", "Newex", "--from-sample", "https://api.newex.example/t"],
      typed: ["", answer] + Array(repeating: "", count: 4), answer: "[\(rows.joined(separator: ","))]")
    #expect(done.errorOutput.contains("price is uncertain:\n  1  $.rate  50%\n  2  $.last  "), "\(done.everything)")
    #expect(done.errorOutput.contains("a row needs a price; write 1 to take $.rate\n"), "\(done.everything)")
    #expect(done.output.contains(answer == "2" ? "91225.5" : "92817.6"), "\(done.everything)")
  }

  @Test func decliningWritesNothing() async throws {
    let done = try await world.run(
      ["add-exchange", "Newex"], typed: ["https://api.newex.example/t", "", "", "", "", ""], answer: Self.answer)
    #expect(done.code == .noAnswer && world.folder.names == [])
    #expect(done.errorOutput.hasSuffix("market: nothing was written\n"))
  }

  /// The end of input at any question ends the run.
  @Test(arguments: 0..<6)
  func endOfInputEndsDialogue(_ count: Int) async throws {
    let typed = ["https://api.newex.example/t", "", "", "", "", "Newex"]
    let done = try await world.run(["add-exchange"], typed: Array(typed.prefix(count)), answer: Self.answer)
    #expect(done.code == .noAnswer && world.folder.names == [])
    #expect(done.errorOutput.hasSuffix("\nerror: stopped; nothing was written\n"))
  }

  @Test func nothingIsAskedWithoutATerminal() async throws {
    let bare = try await world.run(["add-exchange"])
    #expect(bare.code == .usage && world.sent.all == [])
    let noName = try await world.run(["add-exchange", "--from-sample", "https://api.newex.example/t"])
    #expect(noName.code == .usage)
    #expect(noName.errorOutput.hasPrefix("error: missing argument NAME\n"))
  }

  @Test func unsureFieldAcceptsAPath() async throws {
    let sample = """
      [{"s":"BTC-USD","last":"100","volume":"5","amt":"7"},{"s":"ETH-USD","last":"10","volume":"7","amt":"9"}]
      """
    let done = try await world.run(
      ["add-exchange", "Newex", "--from-sample", "https://api.newex.example/t"],
      typed: ["nonsense", "$.nothing", "9", "$.amt", "y"], answer: sample)
    let config = try added(done)
    #expect(config.contains(#""volume24": "$.amt""#))
    #expect(done.errorOutput.contains("'nonsense' is not a path"))
    #expect(done.errorOutput.contains("the sample has no volume at '$.nothing'"))
    #expect(done.errorOutput.contains("unknown number 9; expected 1 to "))
  }

  /// A typo there would make an exchange that lists nothing.
  @Test func paymentCurrencyMustOccurInSample() async throws {
    let done = try await world.run(
      ["add-exchange", "Newex"], typed: ["https://api.newex.example/t", "", "", "", "Newex", "krw", "y"],
      answer: Self.answer)
    let config = try added(done)
    // As the rows spell it.
    #expect(config.contains(#""fiat": ["KRW"]"#), "\(config)")
    #expect(done.errorOutput.contains("no row is paid in Newex\n"))
  }

  /// The evidence is needed to decide: it is never cut, and no line is wider than the screen.
  @Test func evidenceFitsANarrowScreen() async throws {
    let sample = """
      [{"s":"BTC-USD","last":"100","high":"101","low":"99","volume":"5","amt":"7"},
      {"s":"ETH-USD","last":"10","high":"11","low":"9","volume":"7","amt":"9"}]
      """
    let done = try await world.run(
      ["add-exchange", "Newex"], typed: ["https://api.newex.example/t", "", "", "", "", "", "y"], answer: sample,
      columns: 60)
    #expect(done.output.contains("\nprice: its name; low <= price in 2 of 2 rows; price <=\n  high in 2 of 2 rows;"))
    #expect(done.output.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(done.output)")
    let wide = try await world.run(
      ["add-exchange", "Newex2", "--from-sample", "https://api.newex.example/t", "--no-input"], answer: sample)
    #expect(wide.output.contains("evidence\n"))
  }

  /// Quotes all have the response's time; times that differ are those of the last trades.
  @Test(arguments: [
    ("1700000000", "1699999990", #""time": { "path": "$.updated", "unit": "s" }"#),
    ("1700000000", "1699990000", #""time": { "path": "$.updated", "unit": "s", "basis": "trade" }"#),
  ])
  func differingTimesAreTradeTimes(_ one: String, _ other: String, _ field: String) async throws {
    let sample = """
      [{"s":"BTC-USD","last":"100","high":"101","low":"99","updated":\(one)},
      {"s":"ETH-USD","last":"10","high":"11","low":"9","updated":\(other)}]
      """
    let done = try await world.add(from: "https://api.newex.example/t", answer: sample)
    #expect(try added(done).contains(field))
  }

  struct Futures: Sendable {
    var words: [String] = []
    let sample: String
    var typed: [String]?
    /// The market; nil if nothing is written.
    let market: String?
  }

  private static let perpetuals = """
    [{"s":"BTC_USDT_PERP","last":"100","high":"101","low":"99"},{"s":"ETH_USDT_PERP","last":"10","high":"11","low":"9"}]
    """

  private static func symbols(_ symbols: String...) -> String {
    let rows = symbols.map { #"{"s":"\#($0)","last":"100.5","high":"101","low":"99"}"# }
    return "[\(rows.joined(separator: ","))]".replacing("100.5", with: "100.25", maxReplacements: 1)
  }

  /// Futures among spot prices would silently be compared with them.
  @Test(arguments: [
    Futures(words: ["--yes"], sample: perpetuals, market: nil),
    Futures(words: ["--dry-run"], sample: perpetuals, market: nil),
    Futures(words: ["--yes", "-m", "futures"], sample: perpetuals, market: "futures"),
    Futures(words: ["--yes", "-m", "spot"], sample: perpetuals, market: "spot"),
    Futures(sample: perpetuals, typed: ["", "y"], market: "futures"),
    Futures(sample: perpetuals, typed: ["n", "y"], market: "spot"),
    Futures(words: ["--yes"], sample: symbols("XBTUSDTM", "ETHUSDTM", "XRPUSDTM"), market: nil),
    Futures(words: ["--yes"], sample: symbols("BTCUSDT_UMCBL", "ETHUSDT_UMCBL", "XRPUSDT_UMCBL"), market: nil),
    Futures(words: ["--yes"], sample: symbols("BTC/USDT-P", "ETH/USDT-P", "XRP/USDT-P"), market: nil),
    Futures(words: ["--yes"], sample: symbols("PF_XBTUSD", "PF_ETHUSD", "PF_XRPUSD"), market: nil),
    Futures(words: ["--yes"], sample: symbols("p_btc_usdt", "p_eth_usdt", "p_xrp_usdt"), market: nil),
    Futures(words: ["--yes", "-m", "spot"], sample: symbols("XBTUSDTM", "ETHUSDTM", "XRPUSDTM"), market: "spot"),
    Futures(words: ["--yes"], sample: symbols("tBTCUSD", "tETHUSD", "tXRPUSD"), market: "spot"),
    Futures(words: ["--yes"], sample: symbols("BINANCE:BTCUSDT", "BINANCE:ETHUSDT", "BINANCE:XRPUSDT"), market: "spot"),
    // Enter takes what is proved, not what is suspected.
    Futures(sample: symbols("XBTUSDTM", "ETHUSDTM", "XRPUSDTM"), typed: ["", "", "", "y"], market: "spot"),
    Futures(words: ["--yes"], sample: symbols("BTCUSDT_SPBL", "ETHUSDT_SPBL", "XRPUSDT_SPBL"), market: "spot"),
    Futures(
      words: ["--yes", "--tickers", "/api/mix/v1/tickers"], sample: symbols("BTCUSDT", "ETHUSDT", "XRPUSDT"),
      market: nil),
    Futures(
      words: ["--yes", "--tickers", "/t?contract=all&kind=linear"], sample: symbols("BTCUSDT", "ETHUSDT", "XRPUSDT"),
      market: nil),
    Futures(
      words: ["--yes", "--tickers", "/t?contract=all"], sample: symbols("BTCUSDT", "ETHUSDT", "XRPUSDT"), market: "spot"
    ),
    Futures(
      words: ["--yes", "--symbol", "BTC/USDT"],
      sample: #"[{"s":"BTC_USDT","last":"100","high":"101","low":"99","fundingRate":"0.0001"}]"#, market: nil),
  ])
  func futuresAreNotTakenForSpot(_ example: Futures) async throws {
    let done = try await world.run(
      ["add-exchange", "Newex", "--from-sample", "https://api.newex.example/t"] + example.words, typed: example.typed,
      answer: example.sample)
    guard let market = example.market else {
      #expect(done.code == .noAnswer && world.folder.names == [])
      #expect(done.errorOutput.contains("these look like futures: "), "\(done.everything)")
      return
    }
    #expect(try added(done).contains("\"\(market)\": {"))
  }

  /// An answer that is neither is asked for again: `yes, they are` is no No.
  @Test func unknownAnswerIsAskedForAgain() async throws {
    let done = try await world.run(
      ["add-exchange", "Newex", "--from-sample", "https://api.newex.example/t"],
      typed: ["yes, they are", "yes", "y"], answer: Self.perpetuals)
    #expect(try added(done).contains("\"futures\": {"))
    #expect(done.errorOutput.contains("unknown answer 'yes, they are'; expected y or n"))
  }

  /// The words of the question are answers. The likelier unit comes first, and none does if the numbers do not tell.
  @Test(arguments: [
    (["0.0120", "-0.0100", "0.0310"], "fraction", true), (["0.0120", "-0.0100", "0.0310"], "2", false),
    (["0.0120", "-0.0100", "0.0310"], "", true), (["1.20", "-1.00", "3.10"], "", false),
    (["1.20", "-1.00", "3.10"], "ratio", true), (["1.20", "-1.00", "3.10"], "Percentage", false),
    (["0.0620", "-0.0500", "0.1310"], "percent", false), (["0.0620", "-0.0500", "0.1310"], "1", false),
  ])
  func unitOfChange(_ changes: [String], _ word: String, _ isFraction: Bool) async throws {
    let answer = """
      [{"m": "BTC-KRW", "last": "100500000", "chg": "\(changes[0])"}, {"m": "ETH-KRW", "last": "4950000", "chg": "\(changes[1])"},
       {"m": "XRP-KRW", "last": "800", "chg": "\(changes[2])"}]
      """
    let isOpen = changes[0] == "0.0620"
    let done = try await world.run(
      ["add-exchange", "Newex", "--from-sample", "https://api.newex.example/t"],
      typed: ["1", "bits"] + (isOpen ? [""] : []) + [word, "1", "y"], answer: answer)
    #expect(done.errorOutput.contains("unknown unit 'bits'; expected percentage or fraction"), "\(done.everything)")
    #expect(done.errorOutput.contains("is \(changes[0]) a percentage or a fraction?" + (isOpen ? "" : " [1]")))
    #expect(
      done.errorOutput.contains("write percentage or fraction; the exchange's documentation says so\n") == isOpen)
    #expect(
      done.errorOutput.contains(
        "what is the change at $.chg (\(changes[0])) measured from? The exchange's documentation says so.\n"))
    #expect(try added(done).contains("\"scale\": 100") == isFraction)
  }

  @Test func unnamedPairIsAskedFor() async throws {
    let one = #"{"last":"100500000","high":"101000000","low":"99000000","bid":"100490000","ask":"100510000"}"#
    let done = try await world.run(
      ["add-exchange", "Newex", "--from-sample", "https://api.newex.example/t?p=BTCKRW"],
      typed: ["btc", "btc/krw", "y"], answer: one)
    let config = try added(done)
    #expect(config.contains(#""query": { "p": "{asset}{payment}" }"#))
    #expect(done.errorOutput.contains("write it like BTC/KRW"))
  }

  /// Also step by step: a response about one pair is enough.
  @Test func singleRowSampleIsNotAskedForAgain() async throws {
    let one = #"{"last":"100500000","high":"101000000","low":"99000000","bid":"100490000","ask":"100510000"}"#
    let done = try await world.run(
      ["add-exchange"],
      typed: ["https://api.newex.example/t?p=BTCKRW", "btc/krw", "", "Newex", "y"], answer: one)
    let config = try added(done)
    #expect(config.contains(#""query": { "p": "{asset}{payment}" }"#), "\(done.everything)")
    #expect(world.sent.all.count == 1)
  }
}
