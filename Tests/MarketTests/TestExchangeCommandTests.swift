import Files
import JSON
import TestSupport
import Testing

/// `market test-exchange` on recordings that the test writes.
@Suite(.waitsForPrograms) struct TestExchangeCommandTests {
  @Test func unreadMembersAreNotFailures() throws {
    let run = try TrialFolder().run()
    #expect(run.code == 0)
    #expect(run.errorOutput == "")
    #expect(
      run.output == """
        Alpha: good  2 recordings of 2026-11-18
          spot: 2 rows, good
            field                 filled  missed
            price                      2
            changePricePercent24       2
            volume24                   2
            open                       2
            high                       2
            low                        2
            not read: $.x 7
            requested alone, good: BTC/USDT
          note: no rows are kept beside the recordings; --accept keeps these


        """)
  }

  @Test func ratioReadAsPercentIsReportedWithScale() throws {
    let folder = try TrialFolder()
    try folder.record(
      "01-spot-tickers", "https://alpha.example/all",
      TrialFolder.answer.swapped("1.5625", "0.015625").swapped("3.2258", "0.032258"))
    let run = try folder.run()
    #expect(run.code == 1)
    #expect(
      run.output.contains(
        "problem: changePricePercent24: 2 of 2 rows look 100 times too small: use \"scale\": 100\n"))
  }

  /// The rows of all parts of a market prove a change together, as they do in its table.
  @Test(arguments: [
    (6, 2, "problem: spot: change: the changes of 8 of 8 rows are less than a twentieth of their 24h ranges"),
    (6, 1, "note: spot: change: 7 rows are too few to tell a percentage from a fraction; it takes 8"),
  ])
  func changesOfPartsAreJudgedTogether(_ first: Int, _ second: Int, _ line: String) throws {
    let folder = try TrialFolder()
    try folder.replaceInConfig(#""open": "$.open", "#, with: "")
    try folder.replaceInConfig(
      #""request": {"path": "/all"}"#,
      with: #""forEach": [{"set": {"n": "a"}}, {"set": {"n": "b"}}], "request": {"path": "/{n}"}"#)
    func rows(_ name: String, _ count: Int) -> String {
      let rows = (0..<count).map { index in
        """
        {"s": "\(name)\(index)-USDT", "last": "\(100 + index)", "high": "\(105 + index)", "low": "\(95 + index)",
         "chg": "0.01\(index)", "v": "1\(index)"}
        """
      }
      return "[" + rows.joined(separator: ",") + "]"
    }
    try folder.record("01-spot-tickers", "https://alpha.example/a", rows("A", first))
    try folder.record("03-spot-tickers", "https://alpha.example/b", rows("B", second))
    let run = try folder.run()
    #expect(run.output.contains("\(line)\n"), "\(run.output)")
  }

  @Test func superfluousScaleIsReported() throws {
    let folder = try TrialFolder()
    try folder.writeConfig(change: #"{"path": "$.chg", "scale": 100, "basis": "rolling24h"}"#)
    #expect(
      try folder.run().output.contains(
        "problem: changePricePercent24: 2 of 2 rows look 100 times too large: remove its \"scale\"\n"))
  }

  /// A row with an open and a price outside its range fails the check once.
  @Test func failedRowsAreCountedOnce() throws {
    let folder = try TrialFolder()
    try folder.replaceInConfig(#""low": "$.low""#, with: #""low": "$.high""#)
    let run = try folder.run()
    #expect(run.code == 1)
    #expect(
      run.output.contains(
        "problem: range: 2 of 2 rows fail, for example BTC-USDT: price 65000 is more than 0.5 % below the low 66000\n"))
  }

  @Test func reversedPairsAreNamed() throws {
    let folder = try TrialFolder()
    let rows = (0..<4).map { index in
      """
      {"s": "USDT-C\(index)", "last": "\(100 + index)", "open": "\(99 + index)", "high": "\(105 + index)",
       "low": "\(95 + index)", "chg": "1", "v": "1\(index)"}
      """
    }
    try folder.record("01-spot-tickers", "https://alpha.example/all", "[" + rows.joined(separator: ",") + "]")
    let output = try folder.run().output
    #expect(output.contains("problem: 4 of 4 pairs are reversed, for example USDT/C0"))
    #expect(output.contains(#"write "order": "payment-asset" in "symbol""#))
  }

  @Test func removedMemberGetsProposal() throws {
    let folder = try TrialFolder()
    let rows = (0..<12).map { index in
      """
      {"s": "C\(index)-USDT", "lastPrice": "\(100 + index)", "open": "\(99 + index)", "high": "\(105 + index)",
       "low": "\(95 + index)", "chg": "1", "v": "1\(index)", "bid": "\(99 + index)", "ask": "\(101 + index)"}
      """
    }
    try folder.record("01-spot-tickers", "https://alpha.example/all", "[" + rows.joined(separator: ",") + "]")
    let run = try folder.run()
    #expect(run.code == 1)
    #expect(run.output.contains("problem: price: $.last leads nowhere in any of 12 rows\n"))
    #expect(
      run.output.contains("help: use \"$.lastPrice\" (100): its name is similar, low <= price in 12 of 12"))
  }

  @Test func unrecordedAddressIsNamedWithNearest() throws {
    let folder = try TrialFolder()
    try folder.writeConfig(path: "/al")
    let run = try folder.run()
    #expect(run.code == 1)
    #expect(
      run.output.contains(
        """
            problem: no recording of GET https://alpha.example/al
              help: there is one of GET https://alpha.example/all

        """))
    #expect(
      run.output.contains(
        "problem: no request of the mapping uses the recording spot-tickers: GET https://alpha.example/all\n"))
  }

  @Test func singlePairMustAgreeWithTable() throws {
    let folder = try TrialFolder()
    try folder.record(
      "02-spot-BTC-USDT", "https://alpha.example/one?s=BTC-USDT",
      TrialFolder.one.swapped(#""v": "10""#, #""v": "650000""#))
    let run = try folder.run()
    #expect(run.code == 1)
    #expect(run.output.contains("problem: volume24 is 650000 here and 10 in the table of all pairs\n"))
  }

  /// An order book from another day than its response, or with an unreadable time; a fresh one is fine.
  @Test(arguments: [
    (
      "1794891127421",
      "problem: spot: the order book of BTC/USDT: stale: its order book is 24 h 20 min old, more than 60 s\n"
    ),
    ("1794978727300", nil),
    (
      "1794978727300000",
      """
      problem: spot: the order book of BTC/USDT: time: its timestamp cannot be parsed
          help: check unit and zone

      """
    ),
  ])
  func theTimeOfABook(time: String, problem: String?) throws {
    let folder = try TrialFolder()
    try folder.replaceInConfig(
      #""markets": {"spot": {"#,
      with: #"""
        "markets": {"spot": {"orderbook": {"request": {"path": "/book", "query": {"s": "{asset}-{payment}"}},
          "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]", "time": {"path": "$.t", "unit": "ms"}},
        """#)
    try folder.record(
      "03-orderbook-BTC-USDT", "https://alpha.example/book?s=BTC-USDT",
      #"{"b": [["65000", "1"]], "a": [["65010", "1"]], "t": \#(time)}"#)
    let run = try folder.run()
    #expect(run.code == (problem == nil ? 0 : 1), "\(run.output)")
    #expect(problem.map { run.output.contains($0) } ?? !run.output.contains("problem"), "\(run.output)")
  }

  /// A time that differs from the config: in one row a finding about that row, in all rows one about the field.
  @Test(arguments: [
    (
      ["1794978727300000", "1794978727300"],
      "problem: time: 1 of 2 rows fail (check unit and zone), for example BTC-USDT: its timestamp cannot be "
        + "parsed: check unit and zone\n"
    ),
    (["1794978727300000", "1794978727300000"], "problem: time: not-a-number in all 2 rows\n"),
  ])
  func unreadableTime(times: [String], problem: String) throws {
    let folder = try TrialFolder()
    try folder.replaceInConfig(
      #""fields": {"#, with: #""fields": {"time": {"path": "$.t", "unit": "ms"}, "#)
    var answer = TrialFolder.answer
    for (place, time) in zip([#""x": 7"#, #""x": 8"#], times) {
      answer = answer.swapped(place, place + #", "t": \#(time)"#)
    }
    try folder.record("01-spot-tickers", "https://alpha.example/all", answer)
    try folder.record(
      "02-spot-BTC-USDT", "https://alpha.example/one?s=BTC-USDT",
      TrialFolder.one.swapped(#""x": 7"#, #""x": 7, "t": 1794978727300"#))
    let run = try folder.run()
    #expect(run.code == 1)
    let problems = run.output.split(separator: "\n").filter { $0.contains("problem: time") }
    #expect(problems.map { $0.drop { $0 == " " } + "\n" } == [Substring(problem)])
  }

  @Test func changesFromKeptRowsAreProblems() throws {
    let folder = try TrialFolder()
    #expect(try folder.run("--accept").code == 0)
    let kept = String(decoding: try FileSystem.read(folder.recordings + "/rows.tsv"), as: UTF8.self)
    #expect(kept.contains("spot\t*\tBTC-USDT\tBTC/USDT\t\t65000\t1.5625\t10\t"))
    #expect(try folder.run().code == 0)
    try folder.writeConfig(change: #"{"fromOpen": "$.open", "basis": "rolling24h"}"#)
    let run = try folder.run()
    #expect(run.code == 1)
    #expect(
      run.output.contains(
        "problem: changePricePercent24 differs from the kept table in 2 rows: spot * ETH-USDT was 3.2258"))
  }

  @Test func rowsWithProblemsAreNotKept() throws {
    let folder = try TrialFolder()
    try folder.writeConfig(path: "/al")
    let run = try folder.run("--accept")
    #expect(run.code == 1)
    #expect(!FileSystem.exists(folder.recordings + "/rows.tsv"))
  }

  @Test func jsonIsComplete() throws {
    let run = try TrialFolder().run("-f", "json")
    let trial = try #require(try JSONDocument(parsing: Array(run.output.utf8)).root["exchanges"]?[0])
    #expect(trial["exchange"]?.string == "Alpha")
    #expect(trial["good"]?.text == "true")
    let table = try #require(trial["tables"]?[0])
    #expect(table["unread"]?[0]?["member"]?.string == "$.x")
    #expect(table["fields"]?[0]?["filled"]?.numberText == "2")
    #expect(trial["tables"]?[1]?["pair"]?.string == "BTC/USDT")
  }

  // MARK: Loose ends

  /// Two rows: entries of the config's lists used by no row are reported, but not as a failure.
  @Test func unusedConfigEntriesAreNotes() throws {
    let folder = try TrialFolder()
    try folder.writeConfig(
      more: #"""
        "paymentCurrencies": {"all": {"currencies": ["USDT", "EUR", "KRW"]}}, "aliases": {"ZZZ": "QQQ"},
        "multiplier": {"1000": 1000}, "where": [{"path": "$.x", "in": ["7", "8", "live"]}],
        """#)
    let run = try folder.run()
    #expect(run.code == 0, "\(run.output)")
    for note in [
      "the condition $.x \"in\" in \"where\" drops none of 2 rows", "no row has live of the condition $.x \"in\"",
      "no row has the payment currencies EUR, KRW", "no row has the alias ZZZ", "no row has the multiplier 1000",
    ] {
      #expect(run.output.contains("note: \(note)\n"), "\(note)")
    }
  }

  @Test func conditionDroppingAllRowsIsAProblem() throws {
    let folder = try TrialFolder()
    try folder.writeConfig(more: #""where": [{"path": "$.x", "equals": "live"}],"#)
    let run = try folder.run()
    #expect(run.code == 1)
    #expect(
      run.output.contains(
        """
            problem: no rows: 2 dropped by "where"
              help: no row passes the condition $.x "equals": they have 7 (1), 8 (1)

        """))
  }

  /// The wrong member as key or match: both sides are shown, and the fitting one is named.
  @Test(arguments: [
    (
      #""key": "$.name", "match": "$.s""#,
      #""match" $.s is BTC-USDT, ETH-USDT, "key" $.name is X1, X2"#, #"write "key": "$.id""#
    ),
    (
      #""key": "$.id", "match": "$.x""#, #""match" $.x is 7, 8, "key" $.id is BTC-USDT, ETH-USDT"#,
      #"write "match": "$.s""#
    ),
    (
      #""key": "$.nope", "match": "$.s""#, #""match" $.s is BTC-USDT, ETH-USDT, "key" $.nope leads nowhere"#,
      #"write "key": "$.id""#
    ),
  ])
  func lookupMatchingNoRowIsAProblem(_ keys: String, _ sides: String, _ help: String) throws {
    let folder = try TrialFolder()
    let volume = #""volume24": {"from": "pairs", "path": "$.n"}"#
    try folder.writeConfig(
      more: #""lookups": {"pairs": {"request": {"path": "/pairs"}, "rows": "$[*]", \#(keys)}},"#)
    try folder.replaceInConfig(#""volume24": "$.v""#, with: volume)
    try folder.record(
      "03-spot-lookup-pairs", "https://alpha.example/pairs",
      #"[{"id": "BTC-USDT", "name": "X1", "n": "1"}, {"id": "ETH-USDT", "name": "X2", "n": "2"}]"#)
    let run = try folder.run()
    #expect(run.code == 1)
    #expect(
      run.output.contains(
        "    problem: no row has an entry in the lookup 'pairs': \(sides)\n      help: \(help)\n"), "\(run.output)")
  }

  // MARK: Many exchanges

  @Test func runOverManyEndsWithATable() throws {
    let folder = try TrialFolder()
    try folder.record(
      "02-spot-BTC-USDT", "https://alpha.example/one?s=BTC-USDT", TrialFolder.one, arrival: "2023-07-27T02:58:51Z")
    try folder.writeConfig(second: true)
    try folder.record("01-spot-tickers", "https://alpha.example/all", TrialFolder.answer, of: "Beta")
    try folder.record(
      "02-spot-BTC-USDT", "https://alpha.example/one?s=BTC-USDT",
      TrialFolder.one.swapped(#""v": "10""#, #""v": "650000""#),
      of: "Beta")
    let run = try Subprocess(market: ["test-exchange", "--all", "-c", folder.config])
    #expect(run.code == 1)
    #expect(run.output.contains("Alpha: good  2 recordings of 2023-07-27 to 2026-11-18\n"))
    #expect(
      run.output.hasSuffix(
        """
        exchange  result     tables  rows  notes  recorded                  first problem
        Alpha     good            1     2      1  2023-07-27 to 2026-11-18
        Beta      1 problem       1     2      1  2026-11-18                volume24 is 650000 here and 10 in the table of all pairs

        1 of 2 are good, on recordings of 2023-07-27 to 2026-11-18

        """))
  }

  @Test func nothingToProveWithoutRecordings() throws {
    let folder = try TrialFolder()
    let empty = try TemporaryFolder()
    let run = try folder.run("--replay", empty.path)
    #expect(run.code == 1)
    #expect(run.output.contains("problem: no recordings of it in \(empty.path)\n"))
  }

  /// Rate providers are tested too; placeholders for their secrets in recordings suffice.
  @Test(arguments: [
    "Dunamu", "OpenExchangeRates", "KoreaEximbank", "Frankfurter", "EuropeanCentralBank", "UpbitTether",
  ])
  func rateProvidersAreTested(_ name: String) throws {
    let run = try Subprocess(
      market: [
        "test-exchange", name.lowercased(), "-c", Checkout.path("exchanges.json"), "--replay",
        Checkout.path("Tests/Cassettes"),
      ])
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("\(name): good"))
  }

  /// A provider tested alone is compared with the recordings of the others.
  @Test func rateIsComparedWithOtherProviders() throws {
    let folder = try TemporaryFolder()
    let shipped = String(decoding: try FileSystem.read(Checkout.path("exchanges.json")), as: UTF8.self)
    let config = "\(folder.path)/exchanges.json"
    try FileSystem.writeAtomically(
      Array(shipped.swapped(#""units": "$.currencyUnit", "#, "").utf8), to: config)
    let run = try Subprocess(
      market: ["test-exchange", "dunamu", "-c", config, "--replay", Checkout.path("Tests/Cassettes")])
    #expect(run.code == 1)
    #expect(
      run.output.contains(
        """
          problem: JPY/KRW: the rate is 946.11 here, and 9.46446 by OpenExchangeRates, KoreaEximbank, ExchangeRateApi
            help: is it for 100 units ("units"), or is its "scale" wrong?

        """), "\(run.output)")
  }

  @Test func brokenBlockIsAProblem() throws {
    let folder = try TrialFolder()
    try folder.writeConfig(change: #"{"path": "$.chg"}"#)
    let run = try folder.run()
    #expect(run.code == 1)
    let remedy = "its block is invalid; to see where, run: market validate-config -c "
    #expect(run.output.contains("problem: \(remedy)"), "\(run.output)")
    #expect(run.errorOutput.contains("MKT"))
  }

  @Test(arguments: [["--live", "--replay", "x"], ["--live", "--accept"], ["--record", "x"], ["--all"]])
  func incompatibleOptions(_ words: [String]) throws {
    #expect(try Subprocess(market: ["test-exchange", "alpha"] + words).code == 2)
  }
}

extension String {
  fileprivate func swapped(_ old: String, _ new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
