import TestSupport
import Testing

/// `market fx` as users see it, on the recordings that ship with the project.
@Suite(.waitsForPrograms) struct FxCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The name of the golden file.
    let testDescription: String
    let words: [String]
    var keys: [String: String] = [:]
    var code: Int32 = 0
  }

  private static let keys = [
    "MARKET_OPENEXCHANGERATES_APP_ID": "secret-0123456789", "MARKET_KOREAEXIMBANK_AUTHKEY": "secret-0123456789",
    "MARKET_EXCHANGERATEHOST_ACCESS_KEY": "secret-0123456789",
  ]

  static let cases = [
    Case(testDescription: "fx.txt", words: []),
    Case(testDescription: "fx-explain.txt", words: ["usd/krw", "100", "--explain", "-v"]),
    Case(testDescription: "fx-night.txt", words: ["--at", "03:00", "--explain"], keys: keys),
    Case(testDescription: "fx-night-without-key.txt", words: ["--at", "03:00", "--explain"]),
    Case(testDescription: "fx-next-morning.txt", words: ["--at", "2026-11-19T09:00:05", "--explain"], keys: keys),
    Case(testDescription: "fx-korean.txt", words: ["usd/krw", "100", "--explain", "--lang", "ko"]),
    Case(testDescription: "fx-korean-night.txt", words: ["--at", "03:00", "--explain", "--lang", "ko"]),
    Case(testDescription: "fx-yen.txt", words: ["jpy", "krw", "10k"]),
    Case(testDescription: "fx-turned-round.txt", words: ["KRW", "USD", "1억"]),
    Case(testDescription: "fx-cross.txt", words: ["EUR", "JPY", "--provider", "frankfurter"]),
    Case(
      testDescription: "fx-walk-back.txt", words: ["USD", "--provider", "KoreaEximbank", "--at", "2026-11-22T12:00"],
      keys: keys),
    Case(testDescription: "fx-tether.txt", words: ["--provider", "upbit-tether"]),
    Case(testDescription: "fx-host.txt", words: ["--provider", "exchangerate.host"], keys: keys),
    Case(testDescription: "fx-none.txt", words: ["AUD", "SEK", "--explain"], code: 1),
    Case(testDescription: "fx.json", words: ["USD", "KRW", "2.50", "-f", "json", "--at", "2026-11-18T14:12:07"]),
    Case(testDescription: "fx-none.json", words: ["AUD", "SEK", "-f", "json", "--at", "2026-11-18T14:12:07"], code: 1),
    Case(testDescription: "fx.csv", words: ["USD", "KRW", "2.50", "-f", "csv", "--at", "2026-11-18T14:12:07"]),
    Case(testDescription: "fx-colours.txt", words: ["--color", "always", "--scheme", "kr", "--explain"]),
    Case(testDescription: "fx-list.txt", words: ["--list"], keys: keys),
    Case(testDescription: "fx-list.json", words: ["--list", "KoreaEximbank", "-f", "json"], keys: keys),
    Case(testDescription: "fx-list.csv", words: ["--list", "europeancentralbank", "-f", "csv"]),
    Case(testDescription: "fx-list-one-by-one.txt", words: ["--list", "Dunamu"], code: 1),
    Case(testDescription: "fx-unknown-currency.txt", words: ["USD", "KRV"], code: 2),
    Case(testDescription: "fx-unknown-provider.txt", words: ["--provider", "Dunamo"], code: 2),
    Case(testDescription: "fx-amount.txt", words: ["EUR", "KRW", "250"]),
    Case(testDescription: "fx-amount-exact.txt", words: ["USD", "KRW", "2.5", "--provider", "Dunamu"]),
    Case(testDescription: "fx-bad-amount.txt", words: ["USD", "KRW", "-5"], code: 2),
    Case(testDescription: "fx-bad-time.txt", words: ["--at", "25:00"], code: 2),
    Case(testDescription: "fx-bad-pair.txt", words: ["USD/"], code: 2),
  ]

  /// The won alone has no rate: it is what others are priced in.
  @Test func needsTwoCurrencies() throws {
    let run = try Subprocess(
      market: ["fx", "krw", "--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json")])
    #expect(run.code == 2 && run.output == "")
    #expect(
      run.errorOutput
        == "error: a rate needs two currencies; write it like: market fx KRW USD\nhelp: market fx --help\n")
  }

  /// What was recorded later is no mistake of unit or zone.
  @Test func rateOfLaterWasNotKnown() throws {
    let lines = try run("fx --at 2026-11-18T10:00 --explain").output.split(separator: "\n")
    let rule =
      "1  09:00-24:00  Dunamu             of today           stale: its time, 2026-11-18T05:11:48Z, is later: it was "
      + "not known at that time"
    #expect(lines.filter { $0.hasPrefix("1 ") } == [rule[...]])
  }

  /// A currency may be called by its name, and the amount may come first.
  @Test(arguments: [
    ("fx won usd", "fx KRW USD"), ("fx 달러/원 100", "fx USD KRW 100"), ("fx 100 USD KRW", "fx USD KRW 100"),
    ("fx USD 100 KRW", "fx USD KRW 100"), ("fx 1억 KRW/USD", "fx KRW USD 1억"), ("fx 250 EUR", "fx EUR KRW 250"),
    ("show BTC 원", "show BTC KRW"),
    ("show BTC USDT --in won", "show BTC USDT --in KRW"), ("premium BTC --local 원", "premium BTC --local KRW"),
    ("trades BTC won -e upbit", "trades BTC KRW -e upbit"), ("watch BTC/WON --once", "watch BTC/KRW --once"),
  ])
  func saysTheSame(_ typed: String, _ usual: String) throws {
    let (run, expected) = try (run(typed), run(usual))
    #expect(run.code == 0 && run.output == expected.output && run.errorOutput == expected.errorOutput)
  }

  /// The word that begins like a number is the amount, and is named if it is none.
  @Test(arguments: [
    ("-5 usd krw", "-5"), ("-5 usd", "-5"), ("0 usd krw", "0"), ("0 usd", "0"), ("usd 0", "0"), ("0", "0"),
    ("usd -3만 krw", "-3만"), ("1e99 usd krw", "1e99"), ("5x usd krw", "5x"), ("1,00 usd", "1,00"), ("100엔", "100엔"),
    ("usd krw eur", "eur"),
  ])
  func wrongAmountIsNamed(_ words: String, _ amount: String) throws {
    let run = try run("fx " + words)
    #expect(run.code == 2 && run.output == "")
    #expect(
      run.errorOutput
        == "error: invalid amount '\(amount)'; expected a number above zero, of at most 30 digits, such as 100, 1.5M or "
        + "1억\nhelp: market fx --help\n")
  }

  /// The locale's language is that of text alone: notes about data are in English.
  @Test(arguments: [
    "show BTC USDT -f json -e binance,okx", "show BTC USDT -f csv -e binance,okx",
    "premium BTC -f json -e upbit,binance", "premium ETH --max-age 1s -f csv", "fx -f json",
    "fx USD KRW -f csv --at 2026-11-18T14:12:07",
  ])
  func notesAboutDataAreInEnglish(_ words: String) throws {
    let (korean, usual) = try (run(words, ["LC_ALL": "ko_KR.UTF-8"]), run(words))
    #expect(usual.errorOutput.hasPrefix("market: replay of "), "\(usual.errorOutput)")
    #expect(korean.errorOutput == usual.errorOutput)
  }

  private func run(_ words: String, _ environment: [String: String] = [:]) throws -> Subprocess {
    try Subprocess(
      market: words.split(separator: " ").map(String.init)
        + ["--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json")],
      environment: environment)
  }

  @Test(arguments: cases) func outputMatchesGolden(_ sample: Case) throws {
    let run = try Subprocess(
      market: ["fx"] + sample.words
        + ["--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json")],
      environment: sample.keys)
    #expect(run.code == sample.code)
    let text = run.output + (run.errorOutput.isEmpty ? "" : "--- stderr\n" + run.errorOutput)
    Golden.expect(
      text.split(separator: Checkout.path(""), omittingEmptySubsequences: false).joined(separator: "./"),
      matches: sample.testDescription)
  }
}
