import Files
import TestSupport
import Testing

@testable import Shell

/// Candles of several intervals, one answer after the other, and what the address says of them.
@Suite struct AddExchangeIntervalTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  private static let config = AddingWorld.newex.replacing(#", "volume24": "$.v""#, with: "")

  private static func candles(every seconds: Int, _ times: String = "t") -> String {
    let rows = (0..<12).map { index -> String in
      let open = 100 + index * 7 % 5
      let close = 100 + (index + 1) * 7 % 5
      return
        #"{"\#(times)":\#(1_699_999_200 + (index - 11) * seconds),"o":\#(open),"h":\#(max(open, close) + 1),"l":\#(min(open, close) - 1),"c":\#(close)}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  private func add(
    _ address: String, _ answer: String, _ words: [String] = []
  ) async throws -> AddingWorld.Outcome {
    try await adding.addBlock("candles", at: address, answer, words)
  }

  /// Adds the exchange with a table that the blocks are compared with.
  private func addTable() async throws {
    let outcome = try await adding.run(
      ["add-exchange", "Newex", "https://api.newex.example/all", "--yes"], answer: Self.table())
    #expect(outcome.code == .answer, "\(outcome.everything)")
  }

  /// A second interval of the same candles is added to the first; other candles replace it, recordings included.
  @Test(arguments: [("t", true), ("start", false)])
  func intervalsAreMerged(_ times: String, _ isMerged: Bool) async throws {
    try await addTable()
    let first = try await add("udf?symbol=BTCUSDT&resolution=60", Self.candles(every: 3600))
    #expect(first.code == .answer, "\(first.everything)")
    let second = try await add("udf?symbol=BTCUSDT&resolution=15", Self.candles(every: 900, times))
    #expect(second.code == .answer, "\(second.everything)")
    let text = try adding.written()
    #expect(text.contains(#""intervals": { "1h": 60, "15m": 15 }"#) == isMerged, "\(text)")
    #expect(text.contains(#""intervals": { "15m": 15 }"#) != isMerged, "\(text)")
    #expect(second.errorOutput.contains("replace the previous ones") != isMerged, "\(second.errorOutput)")
    #expect(!second.errorOutput.contains("test-exchange reports"), "\(second.errorOutput)")
    let names = try FileSystem.names(in: "\(adding.folder.path)/cassettes/Newex")
    #expect(names.contains { $0.contains("-candles-1h-") } == isMerged, "\(names)")
    #expect(names.contains { $0.contains("-candles-15m-") }, "\(names)")
  }

  /// The count of an address is that of one request: another one makes no other block, and the larger is kept.
  @Test(
    arguments: [(20, 12, [], 20), (12, 20, [], 20), (20, 12, ["--set", "candles.count=15"], 15)]
      as [(Int, Int, [String], Int)])
  func theLargerCountIsKept(_ first: Int, _ second: Int, _ words: [String], _ count: Int) async throws {
    try await addTable()
    for (seconds, limit, words) in [(3600, first, []), (900, second, words)] {
      let outcome = try await add(
        "udf?symbol=BTCUSDT&resolution=\(seconds / 60)&limit=\(limit)", Self.candles(every: seconds), words)
      #expect(outcome.code == .answer, "\(outcome.everything)")
      #expect(!outcome.errorOutput.contains("replace those of before"), "\(outcome.errorOutput)")
    }
    let text = try adding.written()
    #expect(text.contains(#""intervals": { "1h": 60, "15m": 15 }"#), "\(text)")
    #expect(text.contains(#""count": \#(count)"#), "\(text)")
  }

  /// A parameter that is called interval says it, rather than one called type; a page is no count, but its size is.
  @Test(arguments: [
    (
      "priceType=1&interval=1m&pageNum=1&pageSize=12",
      #""priceType": "1", "interval": "{interval}", "pageNum": "1", "pageSize": "{count}""#
    ),
    (
      "type=1&period=60&perPage=12&account=3",
      #""type": "1", "period": "{interval}", "perPage": "{count}", "account": "3""#
    ),
    ("type=1min&limit=12", #""type": "{interval}", "limit": "{count}""#),
  ])
  func parametersAreToldApart(_ query: String, _ expected: String) async throws {
    try await addTable()
    let outcome = try await add("klines?symbol=BTCUSDT&\(query)", Self.candles(every: 60))
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let text = try adding.written()
    #expect(text.contains(expected), "\(text)")
  }

  /// An order book that replaces another is not judged by what is kept of that one.
  @Test func replacedBookIsAccepted() async throws {
    try await addTable()
    for size in [1.5, 2.5] {
      let levels = { (sign: Int) in
        (1...6).map { index in
          let (price, size) = (100 + sign * index, index % 2 == 0 ? size : 4.25)
          return "[\"\(price)\",\"\(size)\",\"\(Double(price) * size)\"]"
        }.joined(separator: ",")
      }
      let outcome = try await adding.addBlock(
        "orderbook", at: "book?symbol=BTCUSDT", #"{"bids":[\#(levels(-1))],"asks":[\#(levels(1))]}"#)
      #expect(outcome.code == .answer, "\(outcome.everything)")
      #expect(!outcome.errorOutput.contains("test-exchange reports"), "\(outcome.errorOutput)")
    }
  }

  @Test(arguments: [
    ("udf?symbol=BTCUSDT&tf=FIFTEEN_MINUTE", true), ("udf?symbol=BTCUSDT&interval=15m", false),
    ("udf?symbol=BTCUSDT&interval=PT15M", false), ("udf?symbol=BTCUSDT&time_bucket=900", false),
    ("udf?symbol=BTCUSDT&interval=P15M", true),
  ])
  func unknownWordForTheIntervalIsNamed(_ address: String, _ isNoted: Bool) async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let outcome = try await add(address, Self.candles(every: 900))
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(
      outcome.errorOutput.contains("no part of the address is known to mean 15m") == isNoted, "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains("give the address with --url and {interval} in its place") == isNoted)
  }

  /// Templates for what differs between requests may be given, as those for the pair are.
  @Test(arguments: [
    ("k?symbol={symbol}&tf={interval}", #""symbol": "{symbol}", "tf": "{interval}""#, true),
    ("k?pair={asset}_{payment}&tf={interval}&n={count}", #""tf": "{interval}", "n": "{count}""#, true),
    ("k?pair=BTC_USDT&tf=15m&start={from.ms}", #""tf": "{interval}", "start": "{from.ms}""#, false),
    ("k?pair=BTC_USDT&tf=15m&start={from:yyyyMMdd}", #""tf": "{interval}", "start": "{from:yyyyMMdd}""#, false),
    ("k?pair=BTC_USDT&tf=15m&x={other}", #""tf": "{interval}", "x": "{{other}""#, false),
  ])
  func templatesOfTheAddressAreKept(_ address: String, _ query: String, _ isAssumed: Bool) async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let sample = try adding.save(Self.candles(every: 900), as: "candles.json")
    let outcome = try await adding.run(
      [
        "add-exchange", "Newex", "--symbol", "BTC/USDT", "--from-sample", "candles=\(sample)", "--url",
        "https://api.newex.example/\(address)", "--yes",
      ], answer: "")
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let text = try adding.written()
    #expect(text.contains(query), "\(text)")
    #expect(outcome.errorOutput.contains("word for 15m is assumed to be '15m'") == isAssumed, "\(outcome.errorOutput)")
  }

  /// A day in the address is proposed as it is written: as that of the first candle.
  @Test(arguments: [
    ("20231114", "{from:yyyyMMdd}"), ("2023-11-14", "{from:yyyy-MM-dd}"), ("2023/11/15", "{to:yyyy/MM/dd}"),
    ("2023-11-14T00:00:00", "{from:yyyy-MM-dd'\\''T'\\''HH:mm:ss}"), ("15.11.2023", "{to:yyyy-MM-dd}"),
  ])
  func dayInTheAddressIsProposedInItsForm(_ date: String, _ template: String) async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let outcome = try await add("cd?pair=BTC_USDT&type=1h&date=\(date)", Self.candles(every: 3600))
    #expect(outcome.code == .usage)
    #expect(
      outcome.errorOutput.contains("a template such as --set 'candles.request.query.date=\(template)'"),
      "\(outcome.errorOutput)")
  }

  /// The first candle of an answer may be the one that its start lies in. A time in a later one is refused with the
  /// template that writes it, and a number that none writes with none.
  @Test(
    arguments: [
      ("1699998540", nil), ("1699998565", nil), ("1699998599999", nil),
      (
        "1699998605",
        "is a time between the first and the last candle of the answer; give the address without it, and a template such "
          + "as --set 'candles.request.query.from={from.s}'\n"
      ),
      ("1699998605000000", "is a time that no template represents; give the address without it\n"),
    ] as [(String, String?)])
  func startInTheFirstCandleIsTaken(_ from: String, _ problem: String?) async throws {
    _ = try adding.save(Self.config, as: "exchanges.json")
    let outcome = try await add(
      "udf?symbol=BTCUSDT&resolution=1&from=\(from)&to=1699999300", Self.candles(every: 60))
    #expect(outcome.code == (problem == nil ? .answer : .usage), "\(outcome.everything)")
    if let problem {
      #expect(outcome.errorOutput.contains("'from' of the address \(problem)"), "\(outcome.errorOutput)")
    } else {
      let text = try adding.written()
      let template = from.count > 10 ? "{from.ms}" : "{from.s}"
      #expect(text.contains(#""from": "\#(template)", "to": "{to.s}""#), "\(text)")
    }
  }

  // MARK: Tables

  private static func table(_ member: (Int) -> String = { _ in "" }) -> String {
    let coins = [("BTC", 102), ("ETH", 3016.06), ("XRP", 2.2042), ("SOL", 141.04), ("ADA", 0.4316)]
    let rows = coins.enumerated().map { index, coin in
      #"{"s":"\#(coin.0)-USDT","last":\#(coin.1),"bid":\#(coin.1 * 0.9999),"ask":\#(coin.1 * 1.0001)\#(member(index))}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  @Test(arguments: [("ids=BTC-USDT,ETH-USDT,XRP-USDT", true), ("fields=last,bid,ask", false)])
  func listOfPairsInTheAddressIsNamed(_ query: String, _ isNoted: Bool) async throws {
    let outcome = try await adding.run(
      ["add-exchange", "Newex", "https://api.newex.example/tick?\(query)", "--yes"], answer: Self.table())
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(
      outcome.errorOutput.contains("'ids' of the address names 3 pairs, and no others will be listed") == isNoted,
      "\(outcome.errorOutput)")
  }

  /// A repeated parameter would be two members of one name in the config.
  @Test func repeatedParameterIsRefused() async throws {
    let outcome = try await adding.run(
      ["add-exchange", "Newex", "https://api.newex.example/tick?id=BTC-USDT&id=ETH-USDT", "--yes"], answer: Self.table()
    )
    #expect(outcome.code == .usage && adding.folder.names == [])
    #expect(
      outcome.errorOutput.contains(
        "'id' of the address is repeated, which a config does only for each key of a batch; give an address of all pairs or "
          + #"of one, or write "query": { "id": ["{keys}"] } with a lookup of all names and "batch": { "of": "LOOKUP" } into "#
          + "the config, see docs/config.md"), "\(outcome.errorOutput)")
  }

  /// A symbol of the exchange's own in the address, which no template can write, is named: the table has no other row.
  @Test(arguments: [("XXBTZUSD", true), ("XBTUSD", false)])
  func ownSymbolInTheAddressIsNamed(_ symbol: String, _ isNoted: Bool) async throws {
    let outcome = try await adding.run(
      [
        "add-exchange", "Newex", "https://api.newex.example/tick?pair=\(symbol)", "--symbol", "XBT/USD", "--dry-run",
      ], answer: #"{"result":{"XXBTZUSD":{"last":"91000.5","bid":"91000.4","ask":"91000.6"}}}"#)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let note =
      "'pair' of the address is the symbol of the only row, 'XXBTZUSD', and no other pair will be listed; give "
      + "the address of all pairs, or write {asset} and {payment} in its place if the exchange knows that form"
    #expect(outcome.errorOutput.contains(note) == isNoted, "\(outcome.errorOutput)")
  }

  /// Local times without a zone are known by the arrival, on either side of it.
  @Test(arguments: [("2023-11-15T07:13:1", "+09:00"), ("2023-11-14T19:13:1", "-03:00"), ("2023-11-14T19:20:1", nil)])
  func zoneOfTableTimesIsProposed(_ text: String, _ zone: String?) async throws {
    let outcome = try await adding.run(
      ["add-exchange", "Newex", "https://api.newex.example/tick", "--yes"],
      answer: Self.table { #","time":"\#(text)\#($0)""# })
    let found = outcome.errorOutput.contains("as far from the answer's arrival as a clock at")
    #expect(found == (zone != nil), "\(outcome.errorOutput)")
    let value = #"{ "path": "$.time", "unit": "iso8601", "zone": "\#(zone ?? "+00:00")" }"#
    #expect(outcome.errorOutput.contains("--set 'fields.time=\(value)'"), "\(outcome.errorOutput)")
    #expect(
      outcome.errorOutput.contains("time is left out: $.time: unsure (68%): ISO 8601 without a zone"),
      "\(outcome.errorOutput)")
  }

  /// A moment may be a number among other characters, which no format reads.
  @Test(arguments: ["/Date(170000000000X)/", "/Date(170000000000X+0900)/"])
  func numberWithinATimeIsCaptured(_ text: String) async throws {
    let table = Self.table { #","time":"\#(text.replacing("X", with: "\($0)"))""# }
    let command = ["add-exchange", "Newex", "https://api.newex.example/tick", "--yes"]
    let outcome = try await adding.run(command, answer: table)
    let time = #"fields.time={ "path": "$.time", "capture": "[^0-9]*(?<value>[0-9]+)([^0-9].*)?", "unit": "ms" }"#
    #expect(outcome.errorOutput.contains("say how to read it with --set '\(time)'"), "\(outcome.errorOutput)")
  }

  /// The dialogue, too, knows when an answer arrived: a time may be known by nothing else.
  @Test func dialogueKnowsTheArrival() async throws {
    let table = Self.table { #","xq":\#(1_699_999_990 + $0)"# }
    let outcome = try await adding.run(
      ["add-exchange"],
      typed: ["https://api.newex.example/tick", "", "", "Newex", "y"], answer: table)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(try adding.written().contains(#""time": { "path": "$.xq", "unit": "s""#), "\(outcome.everything)")
  }
}
