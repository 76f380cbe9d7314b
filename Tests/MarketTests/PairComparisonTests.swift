import Files
import JSON
import TestSupport
import Testing

/// What the built program says about several exchanges, or several pairs of one, that are shown side by side.
@Suite(.waitsForPrograms) struct PairComparisonTests {
  /// 2024-02-28 00:00 UTC.
  private static let midnight = 1_709_078_400

  /// Returns candles of which each opens and closes at one price, as an answer.
  ///
  /// - Parameters:
  ///   - hour: how long each is, in hours.
  ///   - indexes: the intervals since midnight that have a candle.
  private static func candles(_ price: String, hours: Int = 1, zone: Int = 0, _ indexes: some Sequence<Int>) -> String {
    let rows = indexes.map { index in
      "[\(midnight + (index * hours - zone) * 3600), \(Array(repeating: price, count: 4).joined(separator: ", ")), 1]"
    }
    return "[\(rows.joined(separator: ", "))]"
  }

  private static func trade(_ price: String, hour: Int) -> String {
    #"[{"p": \#(price), "q": 1, "t": \#(midnight + hour * 3600)}]"#
  }

  private static func book(_ bid: String, _ ask: String) -> String { #"{"b": [[\#(bid), 9]], "a": [[\#(ask), 9]]}"# }

  /// Runs the program against exchanges on one server.
  ///
  /// - Parameter answers: by `alpha candles BTC-USDT`; any other pair is not listed.
  private static func run(_ words: String, _ answers: [String: String]) throws -> Subprocess {
    let server = try LoopbackServer { request in
      // /alpha/candles/BTC-USDT
      let key = request.target.split(separator: "/").joined(separator: " ")
      return [.bytes(Answer.ok(answers[key] ?? #"{"error": "unknown"}"#))]
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    func exchange(_ name: String, zone: String = "+00:00") -> String {
      """
      "\(name)": { "baseUrls": ["\(server.url("/\(name.lowercased())"))"], "rows": "$[*]",
        "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" },
        "success": { "where": [{ "path": "$.error", "is": "absent" }],
          "unlisted": [{ "path": "$.error", "equals": "unknown" }] },
        "markets": { "spot": { "takerFee": 0.1, "tickers": { "request": { "path": "/all" } },
          "orderbook": { "request": { "path": "/book/{asset}-{payment}" },
            "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]" },
          "trades": { "request": { "path": "/trades/{asset}-{payment}" }, "rows": "$[*]",
            "fields": { "price": "$.p", "size": "$.q", "time": { "path": "$.t", "unit": "s" } } },
          "candles": { "zone": "\(zone)", "intervals": { "1h": "1h", "1d": "1d" }, "rows": "$[*]",
            "request": { "path": "/{interval}/{asset}-{payment}" },
            "fields": { "time": { "path": "$[0]", "unit": "s" }, "open": "$[1]", "high": "$[2]", "low": "$[3]",
              "close": "$[4]", "volume": "$[5]" } } } } }
      """
    }
    let config = """
      { "version": 1,
        "fx": { "providers": { "Bank": { "pairs": ["USD/KRW"], "refresh": { "every": "1m" },
            "baseUrls": ["\(server.url("/bank"))"],
            "rate": { "request": { "path": "/rate" }, "rows": "$", "symbol": "request",
              "fields": { "rate": "$.rate", "time": { "path": "$.t", "unit": "s" } } } } },
          "routes": { "USD/KRW": { "zone": "+09:00", "rules": [{ "use": "Bank" }] } } },
        "exchanges": { \(exchange("Alpha")), \(exchange("Beta")), \(exchange("Gamma")), \(exchange("Seoul", zone: "+09:00")) } }
      """
    try FileSystem.writeAtomically(Array(config.utf8), to: "\(folder.path)/config.json")
    return try Subprocess(
      market: words.split(separator: " ").map(String.init) + ["-c", "\(folder.path)/config.json", "--timeout", "60"],
      environment: ["HOME": folder.path, "no_proxy": "*"])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: String
    let answers: [String: String]
    let errorOutput: [String]

    init(_ name: String, _ words: String, _ answers: [String: String], _ errorOutput: [String]) {
      (testDescription, self.words, self.answers, self.errorOutput) = (name, words, answers, errorOutput)
    }
  }

  private static let span = "--since 2024-02-28T00:00Z --until 2024-02-28T04:00Z"
  private static let apart = "are further apart than 20 %: another coin or a multiplier"

  static let cases = [
    Case(
      "one lacks the newest candle", "candles BTC USDT -e alpha,beta -i 1h \(span) -f csv",
      ["alpha 1h BTC-USDT": candles("100", 0..<4), "beta 1h BTC-USDT": candles("200", 0..<3)],
      [
        "Alpha spot: identity: price 100 and Beta's 200 \(apart)",
        "Beta spot: nothing was sent from 2024-02-28 03:00 UTC on: 1 newer interval has no candle",
        "Beta spot: identity: price 200 and Alpha's 100 \(apart)",
      ]),
    Case(
      "two prices of one coin, and a dead pair", "candles BTC USDT -e alpha,beta,gamma -i 1h \(span) -f csv",
      [
        "alpha 1h BTC-USDT": candles("100", 0..<4), "beta 1h BTC-USDT": candles("101", 0..<3),
        "gamma 1h BTC-USDT": candles("300", 0..<2),
      ],
      [
        "Beta spot: nothing was sent from 2024-02-28 03:00 UTC on: 1 newer interval has no candle",
        "Gamma spot: nothing was sent from 2024-02-28 02:00 UTC on: 2 newer intervals have no candle",
        "Gamma spot: identity: price 300 is further than 20 % from the median 101 of the others: another coin or a "
          + "multiplier",
      ]),
    Case(
      "no moment in common", "candles BTC USDT -e alpha,beta -i 1h \(span) -f csv",
      ["alpha 1h BTC-USDT": candles("100", 2..<4), "beta 1h BTC-USDT": candles("200", 0..<2)],
      [
        "Alpha spot: older candles are not offered; these begin at 2024-02-28 02:00 UTC",
        "Beta spot: nothing was sent from 2024-02-28 02:00 UTC on: 2 newer intervals have no candle",
      ]),
    Case(
      "days from other midnights", "candles BTC USDT -e alpha,seoul -i 1d --since 2024-02-28 --until 2024-03-01 -f csv",
      [
        "alpha 1d BTC-USDT": candles("100", hours: 24, 0..<2),
        "seoul 1d BTC-USDT": candles("1000", hours: 24, zone: 9, 0..<3),
      ],
      [
        "Alpha spot: identity: price 100 is about 0.1 times Seoul's 1000: a multiplier or another coin",
        "Seoul spot: identity: price 1000 is about 10 times Alpha's 100: a multiplier or another coin",
      ]),
    Case(
      "days from other midnights, hours apart",
      "candles BTC USDT -e alpha,seoul -i 1d --since 2024-02-28 --until 2024-03-01 -f csv",
      [
        "alpha 1d BTC-USDT": candles("100", hours: 24, 0..<2),
        "seoul 1d BTC-USDT": candles("130", hours: 24, zone: 9, 0..<3),
      ], []),
    Case(
      "a pair that is long dead", "candles BTC USDT -e alpha,beta -i 1h \(span) -f csv",
      ["alpha 1h BTC-USDT": candles("100", 0..<4), "beta 1h BTC-USDT": candles("200", 0..<1)],
      ["Beta spot: nothing was sent from 2024-02-28 01:00 UTC on: 3 newer intervals have no candle"]),
    Case(
      "a chart", "chart BTC USDT -e alpha,beta -i 1h \(span) -f csv",
      ["alpha 1h BTC-USDT": candles("100", 0..<4), "beta 1h BTC-USDT": candles("200", 0..<3)],
      [
        "Alpha spot: identity: price 100 and Beta's 200 \(apart)",
        "Beta spot: nothing was sent from 2024-02-28 03:00 UTC on: 1 newer interval has no candle",
        "Beta spot: identity: price 200 and Alpha's 100 \(apart)",
      ]),
    Case(
      "a chart of two pairs of one exchange", "chart BTC USDT -e alpha,alpha:KRW -i 1h \(span) -f csv",
      [
        "alpha 1h BTC-USDT": candles("100", 0..<4), "alpha 1h BTC-KRW": candles("100", 0..<4),
        "alpha 1h USDT-KRW": candles("1250", 0..<4),
      ],
      [
        "Alpha spot BTC/USDT: identity: price 100 and Alpha BTC/KRW's 0.08 \(apart)",
        "Alpha spot BTC/KRW: identity: price 0.08 and Alpha BTC/USDT's 100 \(apart)",
        "KRW in USDT at Alpha's USDT/KRW, candle by candle",
      ]),
    Case(
      "trades", "trades BTC USDT -e alpha,beta -f csv",
      ["alpha trades BTC-USDT": trade("100", hour: 7), "beta trades BTC-USDT": trade("200", hour: 6)],
      [
        "Alpha spot: identity: price 100 and Beta's 200 \(apart)",
        "Beta spot: identity: price 200 and Alpha's 100 \(apart)",
      ]),
    Case(
      "trades of more than an hour ago", "trades BTC USDT -e alpha,beta -f csv",
      ["alpha trades BTC-USDT": trade("100", hour: 8), "beta trades BTC-USDT": trade("200", hour: 6)], []),
  ]

  @Test(arguments: cases) func prices(_ sample: Case) throws {
    let run = try Self.run(sample.words, sample.answers)
    #expect(run.code == 0)
    #expect(
      run.errorOutput.split(separator: "\n").map(String.init) == sample.errorOutput.map { "market: \($0)" })
  }

  /// Two pairs of one exchange are two sources: neither is left unchecked, and each is named with its pair.
  @Test(arguments: [
    (
      "100000", "100100",
      [
        "buy Alpha BTC/KRW  average 100100  slippage 0 %  1 level  100100 KRW",
        "sell Alpha BTC/KRW  average 100000  slippage 0 %  1 level  100000 KRW",
        "buy Alpha BTC/USDT, sell Alpha BTC/KRW: -0.99 % before fees, -1.19 % after fees  (Alpha BTC/USDT 0.1 %, "
          + "Alpha BTC/KRW 0.1 %; transfers: not known)",
        "buy Alpha BTC/KRW, sell Alpha BTC/USDT: -1.10 % before fees, -1.30 % after fees  (Alpha BTC/KRW 0.1 %, "
          + "Alpha BTC/USDT 0.1 %; transfers: not known)",
      ]
    ),
    (
      "99", "101",
      [
        "buy Alpha BTC/KRW  average 101  slippage 0 %  1 level  101 KRW",
        "sell Alpha BTC/KRW  average 99  slippage 0 %  1 level  99 KRW",
        "Alpha BTC/USDT: left out, identity: price 100000.0 is about 1000 times Alpha BTC/KRW's 100.0: a multiplier or "
          + "another coin",
        "Alpha BTC/KRW: left out, identity: price 100.0 is about 0.001 times Alpha BTC/USDT's 100000.0: a multiplier or "
          + "another coin", "no two books can be compared",
      ]
    ),
  ])
  func roundTripOfOneExchange(_ bid: String, _ ask: String, _ lines: [String]) throws {
    let run = try Self.run(
      "orderbook BTC USDT -e alpha,alpha:KRW --size 1 --in KRW",
      [
        "alpha book BTC-USDT": Self.book("99", "101"), "alpha book BTC-KRW": Self.book(bid, ask),
        "bank rate": #"{"rate": 1000, "t": 1709078400}"#,
      ])
    let found = run.output.split(separator: "\n").filter {
      $0.hasPrefix("  ") && $0.contains("Alpha") || $0.hasSuffix("compared")
    }
    .map { String($0.dropFirst(2)) }
    #expect(
      found == [
        "buy Alpha BTC/USDT  average 101  slippage 0 %  1 level  101 USDT",
        "sell Alpha BTC/USDT  average 99  slippage 0 %  1 level  99 USDT",
      ] + lines)
    // A price in won needs no other in won.
    #expect(run.output.matches(of: #/= [0-9.]+ KRW/#).count == 1)
  }

  /// A premium is converted at the token's price on its own local exchange, whatever else is drawn.
  @Test(arguments: ["-e alpha:KRW,gamma", "-e gamma,alpha:KRW", ""])
  func premiumBesideThirdExchange(_ others: String) throws {
    let run = try Self.run(
      "chart BTC USDT \(others) --premium beta:KRW,gamma --in KRW -i 1h \(Self.span) -f csv",
      [
        "alpha 1h BTC-KRW": Self.candles("100000", 0..<4), "alpha 1h USDT-KRW": Self.candles("1000", 0..<4),
        "beta 1h BTC-KRW": Self.candles("103000", 0..<4), "beta 1h USDT-KRW": Self.candles("1030", 0..<4),
        "gamma 1h BTC-USDT": Self.candles("99", 0..<4),
      ])
    #expect(run.code == 0)
    let points = run.output.split(whereSeparator: \.isNewline).dropFirst()
    #expect(points.count == 4)
    #expect(points.allSatisfy { $0.hasSuffix(",1.0101010101,true,BTC/KRW,BTC/USDT") }, "\(run.output)")
    #expect(run.errorOutput == "market: USDT in KRW at Beta's USDT/KRW, candle by candle\n")
  }

  /// Two prices in one currency need no rate, whatever else is drawn, in whatever currency.
  @Test(arguments: ["", "-e gamma", "--in KRW", "--in USD", "-e gamma --in USD"])
  func premiumInOneCurrency(_ others: String) throws {
    let run = try Self.run(
      "chart BTC USDT \(others) --premium alpha:KRW,beta:KRW -i 1h \(Self.span) -f csv",
      [
        "alpha 1h BTC-KRW": Self.candles("148000", 0..<4), "alpha 1h USDT-KRW": Self.candles("1480", 0..<4),
        "beta 1h BTC-KRW": Self.candles("147000", 0..<4), "beta 1h USDT-KRW": Self.candles("1450", 0..<4),
        "gamma 1h BTC-USDT": Self.candles("100", 0..<4),
      ])
    #expect(run.code == 0)
    let points = run.output.split(whereSeparator: \.isNewline).dropFirst()
    #expect(points.count == 4 && points.allSatisfy { $0.contains(",0.680272108844,") }, "\(run.output)")
  }

  /// In dollars a local price is converted at that of the token on its exchange, not at the bank's latest rate.
  @Test func premiumInDollars() throws {
    let run = try Self.run(
      "chart BTC USDT --premium alpha:KRW,gamma --in USD -i 1h \(Self.span) -f csv",
      [
        "alpha 1h BTC-KRW": Self.candles("148000", 0..<4), "alpha 1h USDT-KRW": Self.candles("1480", 0..<4),
        "gamma 1h BTC-USDT": Self.candles("99", 0..<4), "bank rate": #"{"rate": 1300, "t": 1709078400}"#,
      ])
    #expect(run.code == 0)
    let points = run.output.split(whereSeparator: \.isNewline).dropFirst()
    #expect(points.count == 4 && points.allSatisfy { $0.contains(",1.0101010101,") }, "\(run.output)")
    #expect(
      run.errorOutput.contains("market: KRW in USD at Alpha's USDT/KRW, candle by candle; USDT counted as one USD\n"),
      "\(run.errorOutput)")
  }

  /// A rate that stands in for those of the time is named with its provider and all that is doubtful about it, in every
  /// form, whether or not a currency was asked for.
  @Test(arguments: ["", "--in USDT"]) func rateOfAnotherTime(_ currency: String) throws {
    let answers = [
      "alpha 1h BTC-KRW": Self.candles("130000", 0..<4), "gamma 1h BTC-USDT": Self.candles("99", 0..<4),
      "bank rate": #"{"rate": 1300, "t": 1709078400}"#,
    ]
    let words = "chart BTC USDT --premium alpha:KRW,gamma \(currency) -i 1h \(Self.span)"
    let rate =
      "in USDT at the latest rate, not the rate at the time: USD/KRW 1300.00, Bank, (age) ago, old, unchecked; "
    let notes = [
      rate + "USDT counted as one USD", "Alpha BTC/KRW: all in USDT at the latest rate, not the rate at the time",
    ]
    func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map { String($0).replacing(#/\d+d ago/#, with: "(age) ago") }
    }
    let csv = try Self.run("\(words) -f csv", answers)
    #expect(lines(csv.errorOutput) == notes.map { "market: \($0)" })
    let text = try Self.run(words, answers)
    #expect(Array(lines(text.output).suffix(4)).joined(separator: " ").hasSuffix(notes.joined(separator: " ")))
    let json = try JSONDocument(parsing: Array(try Self.run("\(words) -f json", answers).output.utf8)).root
    #expect(json["notes"]?.elements.map(\.string) == [notes[1]])
    let venues = try #require(json["candles"]?["venues"])
    #expect(venues[0]?["conversion"]?["currency"]?.string == "USDT")
    #expect(venues[0]?["conversion"]?["fx"]?["rate"]?.string == "1300")
    #expect(venues[1]?["conversion"] == nil)
  }

  /// A plain date is a day of the table that is shown, by the exchange's own midnights, even for a pair in won.
  @Test(arguments: [
    ("-e alpha", ["2024-02-28T00:00:00Z"]), ("-e seoul", ["2024-02-27T15:00:00Z"]),
    ("-e alpha --zone +09:00", ["2024-02-27T15:00:00Z"]),
  ])
  func plainDatesAreDaysOfTheTable(_ words: String, _ starts: [String]) throws {
    let run = try Self.run(
      "candles BTC KRW \(words) -i 1d --since 2024-02-28 --until 2024-02-29 -f csv",
      [
        "alpha 1d BTC-KRW": Self.candles("100", hours: 24, -2..<3), "alpha 1h BTC-KRW": Self.candles("100", -48..<48),
        "seoul 1d BTC-KRW": Self.candles("100", hours: 24, zone: 9, -2..<3),
      ])
    #expect(run.code == 0)
    let found = run.output.split(whereSeparator: \.isNewline).dropFirst().map { $0.split(separator: ",")[4] }
    #expect(found.map(String.init) == starts)
  }
}
