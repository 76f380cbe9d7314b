import Files
import TestSupport
import Testing

@testable import Shell

/// Members that only look like a field: none is written without asking.
@Suite struct AddExchangeDoubtTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  /// Returns six pairs in won: price, high and low are beyond doubt, the other members come by row.
  private static func table(_ members: [String], payment: String = "KRW", scale: Int = 1) -> String {
    let prices = [
      ("BTC", 133_800_000, 135_500_000, 130_200_000), ("ETH", 4_461_000, 4_633_000, 4_340_000),
      ("XRP", 3231, 3376, 3142), ("SOL", 206_700, 212_100, 199_500), ("LINK", 19_150, 19_820, 18_590),
      ("ADA", 630, 652, 611),
    ]
    let rows = zip(prices, members).map { row, member in
      let (name, price, high, low) = row
      return
        #"{"symbol":"\#(name)_\#(payment)","last":\#(price * scale),"high":\#(high * scale),"low":\#(low * scale)\#(member)}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  /// What stands beside the rows of a page is said; the same names in a whole table are not.
  @Test(
    arguments: [
      (#""pagination":{"page":1,"total_pages":5}"#, "$.pagination.total_pages is 5: "),
      (#""meta":{"total":"48"}"#, "$.meta.total is \"48\": "), (#""has_more":true"#, "$.has_more is true: "),
      (#""next":"https://api.newex.example/t?page=2""#, "$.next is \"https://api.newex.example/t?page=2\": "),
      (#""pages":1,"total":6,"has_more":false,"next":null"#, nil), (#""next":"","total":1234.5"#, nil),
    ] as [(String, String?)])
  func pagesAreNamed(_ beside: String, _ said: String?) async throws {
    let outcome = try await adding.add("{\(beside),\"data\":\(Self.table(Array(repeating: "", count: 6)))}")
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.errorOutput.contains("one page of several") == (said != nil), "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains(said ?? ""))
  }

  /// A change in money is no field, but what the price was before it is.
  @Test(arguments: [
    (#","change_24":CHANGE"#, [], true), (#","change_24":CHANGE,"open":OPEN"#, [], false),
    (#","change_24":CHANGE"#, ["--set", "fields.open=null"], false), (#","vwap":CHANGE"#, [], false),
  ])
  func aChangeInMoneyGivesTheOpen(_ members: String, _ words: [String], _ isOffered: Bool) async throws {
    let changes = [1_540_000, -91_000, 71, 5100, -390, 17]
    let prices = [133_800_000, 4_461_000, 3231, 206_700, 19_150, 630]
    let rows = zip(prices, changes).map { price, change in
      members.replacing("CHANGE", with: "\(change)").replacing("OPEN", with: "\(price - change)")
    }
    let outcome = try await adding.add(Self.table(rows), words)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let open = #"fields.open={ "difference": ["$.last", "$.change_24"] }"#
    #expect(
      outcome.errorOutput.contains("; read the price before it with --set '\(open)'") == isOffered,
      "\(outcome.everything)")
    guard isOffered else { return }
    try FileSystem.remove(adding.config)
    let other = try await adding.add(Self.table(rows), ["--set", open])
    #expect(other.code == .answer && other.output.contains("6 of 6 rows pass"), "\(other.everything)")
    #expect(!other.errorOutput.contains("is the change in money"))
  }

  /// An open gives the change if it is that of 24 hours ago, as an address may say; otherwise a note says how.
  @Test(arguments: [("tickers", false), ("ticker/24hr", true)])
  func anOpenMayGiveTheChange(_ path: String, _ isTaken: Bool) async throws {
    let opens = [132_260_000, 4_552_000, 3160, 201_600, 19_540, 613].map { #","open":\#($0)"# }
    let done = try await adding.add(Self.table(opens), at: path)
    let value = #""changePricePercent24": { "fromOpen": "$.open", "basis": "rolling24h" }"#
    let written = try adding.written()
    #expect(done.code == .answer && written.contains(value) == isTaken, "\(done.everything)")
    let note = """
      market: no member is the change in percent; take it from the open at $.open with --set \
      'fields.changePricePercent24={ "fromOpen": "$.open", "basis": "WORD" }', where WORD says what that is the price \
      of: rolling24h, utcDay, kstDay, utc8Day, venueDay or previousClose

      """
    #expect(done.errorOutput.contains(note) == !isTaken, "\(done.errorOutput)")
  }

  struct Doubt: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sample: String
    /// The omitted fields, or why nothing is taken.
    let said: [String]
    var isTaken = true
  }

  private static let signs = ["RISE", "FALL", "FALL", "RISE", "EVEN", "FALL"]
  private static let moves = ["0.0144", "0.026", "0.0283", "0.011", "0", "0.0191"]

  static let doubts = [
    Doubt(
      testDescription: "a change whose sign is elsewhere",
      sample: table(zip(signs, moves).map { #","changeRate24h":\#($1),"change":"\#($0)""# }),
      said: ["changePricePercent24 is left out: $.changeRate24h: unsure (50%)"]),
    Doubt(
      testDescription: "a price under another name",
      sample: table(["1.0144", "0.974", "0.9717", "1.011", "1.002", "0.9809"].map { ",\"change24h\":\($0)" }),
      said: ["changePricePercent24 is left out: $.change24h: unsure (50%)"]),
    Doubt(
      testDescription: "a turnover in millions",
      sample: table(
        [
          ("81.2", "10787.42"), ("1210.5", "5430.908"), ("9100000", "29656.9"), ("30100", "6194.58"),
          ("61000", "1171.505"), ("5200000", "3281.2"),
        ].map { #","volume":\#($0),"quoteVolume":\#($1)"# }),
      said: ["volume24 is left out: $.volume: unsure (50%)", "turnover24 is left out: $.quoteVolume: unsure (50%)"]),
    Doubt(
      testDescription: "prices in satoshi", sample: table(Array(repeating: "", count: 6), payment: "BTC"),
      said: [
        "price is left out: $.last: unsure (50%): whole numbers in all rows, as of prices in a small unit (see \"scale\")",
        #"the unit of the price is uncertain: whole numbers in all rows, as of prices in a small unit (see "scale"); give "#
          + #"it with --set 'fields.price={ "path": "$.last", "scale": "SCALE" }'"#,
      ], isTaken: false),
    Doubt(
      testDescription: "a time in 1970",
      sample: table(
        Array(repeating: ",\"time\":1700000000.5", count: 6)
          .map { $0.replacing("1700000000.5", with: "\"1970-01-20T16:13:20Z\"") }),
      said: [
        "its time 1970-01-20T16:13:20Z predates all coins: check 'unit'", "0 of 6 rows pass the meaning checks",
        "time: 6 rows, such as BTC/KRW: its time 1970",
      ], isTaken: false),
    Doubt(
      testDescription: "members that repeat in every row",
      sample: table([135_500_000, 4_633_000, 3376, 212_100, 19_820, 652].map { ",\"high\":\($0)" }),
      said: ["6 of 6 rows contradict the block"], isTaken: false),
    Doubt(
      testDescription: "listing dates",
      sample: table((0..<6).map { ",\"onboardDate\":\(1_500_000_000_000 + $0 * 20_000_000_000)" }), said: []),
    Doubt(
      testDescription: "pairs that are no longer traded",
      sample: table((0..<6).map { ",\"status\":\"\($0 == 2 ? "halted" : "open")\"" }),
      said: [
        "$.status is 'open' in 5 rows, 'halted' in 1 row; if it marks pairs that are not traded, keep only 'open' with "
          + #"--set 'where=[{ "path": "$.status", "equals": "open" }]'"#
      ]),
    Doubt(
      testDescription: "most pairs are no longer traded",
      sample: table((0..<6).map { ",\"status\":\"\($0 == 2 ? "open" : "closed")\"" }),
      said: ["keep only 'open' with " + #"--set 'where=[{ "path": "$.status", "equals": "open" }]'"#]),
    Doubt(
      testDescription: "words that tell nothing",
      sample: table((0..<6).map { ",\"status\":\"\($0 == 2 ? "x" : "y")\"" }),
      said: [
        "keep the traded ones by their WORD with "
          + #"--set 'where=[{ "path": "$.status", "equals": "WORD" }]'"#
      ]),
  ]

  /// A change whose sign is the other one in the rows that can tell is refused, however few they are.
  @Test(arguments: [true, false]) func aChangeWithTheOtherSignIsRefused(_ isOther: Bool) async throws {
    let changes = [3.0, -2.5, 0.2, 0.1, -0.3, 4.1, 0.2, 0.4, -0.1, 0.3]
    let coins = ["BTC", "ETH", "XRP", "SOL", "LINK", "ADA", "LTC", "DOT", "AVAX", "BCH"]
    let rows = zip(coins, changes).enumerated().map { place, row in
      let (coin, change) = row
      let price = 10.5 * Double(place * place + 1)
      let open = price / (1 + change / 100)
      let (high, low) = (max(price, open) * 1.003, min(price, open) * 0.997)
      return
        #"{"symbol":"\#(coin)_USDT","last":\#(price),"high24h":\#(high),"low24h":\#(low),"change24h":"\#(isOther ? -change : change)%"}"#
    }
    let setting = #"fields.changePricePercent24={"path":"$.change24h","strip":"%","basis":"rolling24h"}"#
    let outcome = try await adding.add(rows: rows, ["--set", setting])
    #expect((outcome.code == .answer) == !isOther, "\(outcome.everything)")
    let reason = "its sign is the other one in all 4 rows whose low and high tell it (a negative \"scale\" turns it)"
    #expect(outcome.errorOutput.contains(reason) == isOther, "\(outcome.everything)")
  }

  /// A path says where the price is, but not what it counts: it is written with a scale only.
  @Test func aPriceInASmallUnitNeedsAScale() async throws {
    let sample = Self.table(Array(repeating: "", count: 6), payment: "BTC")
    let settings = ["price", "high", "low"].map { name in
      #"fields.\#(name)={ "path": "$.\#(name == "price" ? "last" : name)", "scale": "SCALE" }"#
    }
    for given in [[], ["--price", "$.last"], ["--set", "fields.price=$.last"]] {
      let outcome = try await adding.add(sample, given)
      #expect(outcome.code == .noAnswer, "\(outcome.everything)")
      let price = #"--set 'fields.price={ "path": "$.last", "scale": "SCALE" }' --set 'fields.high="#
      #expect(outcome.errorOutput.contains("; give it with \(price)"), "\(outcome.everything)")
      #expect(!adding.folder.names.contains("exchanges.json"))
    }
    for scale in ["0.00000001", "1"] {
      let given = settings.flatMap { ["--set", $0.replacing("SCALE", with: scale)] }
      let outcome = try await adding.add(sample, given)
      #expect(outcome.code == .answer, "\(outcome.everything)")
      #expect(!outcome.errorOutput.contains("as given"), "\(outcome.everything)")
      #expect(outcome.output.contains(scale == "1" ? " 4461000 " : " 0.04461 "), "\(outcome.everything)")
      try FileSystem.remove(adding.config)
    }
  }

  /// A name may say the unit, which is asked once for all prices; a scale alone answers it.
  @Test func aNameSaysTheUnitOfPrices() async throws {
    let prices = [("BTC", 607_864_000), ("ETH", 32_455_700), ("SOL", 1_542_200), ("XRP", 5971)]
    let rows = prices.map { coin, price in
      #"{"symbol":"\#(coin)USDT","last_price_e4":\#(price),"high_price_24h_e4":\#(price + price / 50),"low_price_24h_e4":\#(price - price / 50)}"#
    }
    let words = [
      "add-exchange", "Newex", "--from-sample", try adding.save("[\(rows.joined(separator: ","))]", as: "sample.json"),
      "--tickers", "https://api.newex.example/t",
    ]
    let settings = [("price", "last_price_e4"), ("high", "high_price_24h_e4"), ("low", "low_price_24h_e4")].map {
      #"fields.\#($0)={ "path": "$.\#($1)", "scale": 0.0001 }"#
    }
    let refused = try await adding.run(words + ["--yes"])
    #expect(refused.code == .noAnswer, "\(refused.everything)")
    #expect(
      refused.errorOutput.contains("; give it with --set '\(settings[0])' --set 'fields.high="),
      "\(refused.errorOutput)")
    for given in [
      settings.flatMap { ["--set", $0] } + ["--yes"],
      ["price", "high", "low"].flatMap { ["--set", "fields.\($0).scale=0.0001"] } + ["--yes"], [],
    ] {
      let outcome = try await adding.run(words + given, typed: given.isEmpty ? ["", "y"] : nil)
      #expect(outcome.code == .answer && outcome.output.contains("  60786.4 "), "\(outcome.everything)")
      #expect(outcome.output.contains("4 of 4 rows pass the meaning checks"), "\(outcome.everything)")
      let config = try adding.text(of: "exchanges.json")
      #expect(config.split(separator: #""scale": 0.0001"#, omittingEmptySubsequences: false).count == 4, "\(config)")
      try FileSystem.remove(adding.config)
    }
  }

  /// Another exchange's mapping does not say what the numbers of this one count.
  @Test func likeAnotherExchangeThePriceNeedsItsUnit() async throws {
    let rows = [("BTC", 9_110_050), ("ETH", 301_606), ("XRP", 220), ("SOL", 14_104)].map { coin, price in
      #"{"symbol":"\#(coin)USDT","lastPrice":\#(price)00000000,"bidPrice":\#(price - 1)00000000,"askPrice":\#(price)00000000}"#
    }
    let outcome = try await adding.run([
      "add-exchange", "Newex", "--like", "Binance", "--base-url", "https://api.newex.example", "--from-sample",
      try adding.save("[\(rows.joined(separator: ","))]", as: "sample.json"), "--yes",
    ])
    #expect(outcome.code == .noAnswer, "\(outcome.everything)")
    #expect(outcome.errorOutput.contains("the unit of the price is uncertain: "), "\(outcome.everything)")
  }

  @Test(arguments: doubts) func doubtsAreReported(_ doubt: Doubt) async throws {
    let outcome = try await adding.add(doubt.sample)
    #expect((outcome.code == .answer) == doubt.isTaken, "\(outcome.everything)")
    for text in doubt.said { #expect(outcome.everything.contains(text), "\(outcome.everything)") }
    guard doubt.isTaken else { return }
    let written = try adding.text(of: "exchanges.json")
    let fields = written.split(separator: "\"fields\"").last.map(String.init) ?? ""
    #expect(!fields.contains("change") && !fields.contains("volume") && !fields.contains("time"), "\(written)")
  }

  /// A price that a person gives is checked as well: one beside its offers in every row is not the last price.
  @Test(arguments: [[], ["--dry-run"]], [false, true])
  func aPriceBesideItsOffersIsRefused(_ words: [String], _ isLast: Bool) async throws {
    let rows = [
      ("BTC", 91500.5), ("ETH", 3016.06), ("XRP", 2.2042), ("SOL", 141.04), ("ADA", 0.4316), ("DOGE", 0.1523),
    ]
    .enumerated().map { index, coin in
      let (name, price) = coin
      let close = price * (1 + (isLast ? 0.0002 : 0.01 + Double(index) / 1000))
      return
        #"{"symbol":"\#(name)_USDT","close":\#(close),"bid":\#(price * 0.9999),"ask":\#(price * 1.0001)}"#
    }
    let outcome = try await adding.add(rows: rows, ["--price", "$.close"] + words)
    #expect((outcome.code == .answer) == isLast, "\(outcome.everything)")
    #expect(adding.folder.names.contains("exchanges.json") == (isLast && words.isEmpty))
    let said =
      "price: outside of bid and ask in 6 of 6 rows where these are close, 1.29 % away in the median; say where it is "
      + "with --set fields.price=PATH"
    #expect(outcome.errorOutput.contains(said) == !isLast, "\(outcome.everything)")
  }

  /// Assets that are named after a number of coins are pointed out with the key that divides them.
  @Test(
    arguments: [
      (
        ["1000SHIB", "1INCH", "1000000BONK", "kXEC"], "1000000BONK_USDT, 1000SHIB_USDT, kXEC_USDT",
        #"multiplier={"1000000":1000000,"1000":1000,"k":1000}"#
      ),
      (["1MBABYDOGE", "SHIB1000", "kava", "Kcs"], "1MBABYDOGE_USDT", #"multiplier={"1M":1000000}"#),
      (["BTC", "1INCH", "kcs", "K"], nil, ""),
    ] as [([String], String?, String)])
  func multiplesArePointedOut(_ names: [String], _ symbols: String?, _ setting: String) async throws {
    let rows = names.enumerated().map { index, name in
      #"{"symbol":"\#(name)_USDT","last":\#(10 + index),"high":\#(11 + index),"low":\#(9 + index)}"#
    }
    let outcome = try await adding.add(rows: rows)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    guard let symbols else {
      #expect(!outcome.errorOutput.contains("multiplier"), "\(outcome.errorOutput)")
      return
    }
    let said = "\(symbols): if these are several of a coin, as their names say, add --set '\(setting)'\n"
    #expect(outcome.errorOutput.contains(said), "\(outcome.errorOutput)")
    try FileSystem.remove(adding.config)
    let again = try await adding.add(rows: rows, ["--set", setting])
    #expect(again.code == .answer && !again.errorOutput.contains("multiplier"), "\(again.everything)")
  }

  /// Times that no price of a market has: a saved answer may be old, one of just now may not.
  @Test(arguments: [(40, true, false), (40, false, true), (20, true, true)])
  func timesOfLongAgoAreRefused(_ days: Int, _ isFresh: Bool, _ isTaken: Bool) async throws {
    let sample = Self.table((0..<6).map { ",\"time\":\(1_700_000_000 - days * 86_400 - $0 * 60)" })
    let source = isFresh ? "https://api.newex.example/t" : try adding.save(sample, as: "sample.json")
    let outcome = try await adding.run(
      ["add-exchange", "Newex", "--from-sample", source, "--tickers", "https://api.newex.example/t", "--yes"],
      answer: sample)
    #expect((outcome.code == .answer) == isTaken, "\(outcome.everything)")
    #expect(adding.folder.names.contains("exchanges.json") == isTaken)
    let said =
      "6 of 6 rows contradict the block, such as BTC/KRW: its time 2023-10-05T22:13:20Z is more than 30 days ago"
    #expect(outcome.errorOutput.contains(said) == !isTaken, "\(outcome.everything)")
  }

  /// One candle has the members of a ticker: that their span is unknown is said, unless something shows it.
  @Test(arguments: [(#""time":1699999000"#, true), (#""bid":104.9,"ask":105.1"#, false)])
  func theSpanOfOneRowMayBeUnknown(_ members: String, _ isOpen: Bool) async throws {
    let row = #"{"symbol":"BTC_USDT","open":104,"high":106,"low":103,"close":105,\#(members)}"#
    let file = try adding.save(row, as: "one.json")
    let outcome = try await adding.run([
      "add-exchange", "Newex", "--symbol", "BTC/USDT", "--from-sample", file, "--tickers",
      "https://api.newex.example/t?symbol=BTC_USDT", "--yes",
    ])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let note =
      "the span of high, low and open is unknown: the row may be a candle; unless they are of 24 hours, leave out what is "
      + "not with --set fields.high=null --set fields.low=null --set fields.open=null\n"
    #expect(outcome.errorOutput.contains(note) == isOpen, "\(outcome.errorOutput)")
  }

  /// A block about one pair is compared with the recorded table.
  @Test(arguments: [
    ("0.5", "100.4", nil),
    ("5000", "100.4", "trade-size: these trades add up to 2008000, more than the day's turnover of 2000"),
    ("0.5", "10040", "trade-far: the newest trade is at 10040, but the price is 100"),
  ])
  func blocksAreComparedWithTheTable(_ size: String, _ price: String, _ problem: String?) async throws {
    let names = ["BTC", "ETH", "XRP"]
    let rows = names.enumerated().map { place, name in
      #"{"symbol":"\#(name)_USDT","last":\#(100 + place),"high":\#(110 + place),"low":\#(90 + place),"quoteVolume":\#((100 + place) * (20 - place)),"volume":\#(20 - place)}"#
    }
    let added = try await adding.add(rows: rows)
    #expect(added.code == .answer, "\(added.everything)")
    let trades = (0..<4).map { place in
      #"{"id":\#(14 - place),"time":\#(1_699_990_005_000 - place * 1000),"price":"\#(price)","size":"\#(size)","side":"\#(place % 2 == 0 ? "buy" : "sell")"}"#
    }
    let sample = try adding.save("[\(trades.joined(separator: ","))]", as: "trades.json")
    let outcome = try await adding.run([
      "add-exchange", "Newex", "--symbol", "BTC/USDT", "--from-sample", "trades=\(sample)", "--url",
      "https://api.newex.example/trades?symbol=BTC_USDT", "--yes",
    ])
    #expect((outcome.code == .answer) == (problem == nil), "\(outcome.everything)")
    if let problem { #expect(outcome.output.contains(problem), "\(outcome.everything)") }
  }
}
