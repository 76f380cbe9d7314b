import Config
import JSON
import Quotes
import Testing

/// Settings, watchlist, retired exchanges, rate providers and routes.
@Suite struct TopLevelTests {
  @Test func settings() throws {
    let configuration = try TestExchange.configuration(
      #"{"settings": {"colors": "cb", "premiumAlert": [0.5, "1.0"], "staleAfter": "2m", "timeout": "1500ms", "identityPercent": 5, "headerRate": "usd/eur"}}"#
    )
    let settings = configuration.settings
    #expect(settings.colors == "cb")
    #expect([settings.premiumAlert.grey, settings.premiumAlert.orange].map(\.description) == ["0.5", "1.0"])
    #expect(settings.staleAfterMilliseconds == 120_000)
    #expect(settings.timeoutMilliseconds == 1500)
    #expect(settings.identityPercent == 5)
    #expect("\(settings.headerRate)" == "USD/EUR")
  }

  @Test func defaults() throws {
    let settings = try TestExchange.configuration("{}").settings
    #expect(settings.colors == "auto")
    #expect([settings.premiumAlert.grey, settings.premiumAlert.orange].map(\.description) == ["0.05", "0.10"])
    #expect(settings.staleAfterMilliseconds == 60_000)
    #expect(settings.timeoutMilliseconds == 5000)
    #expect(settings.identityPercent == 20)
    #expect("\(settings.headerRate)" == "USD/KRW")
  }

  static let findings = [
    FindingCase(#"{"settings": {"headerRate": 👉"USDKRW"}}"#, #"MKT070 invalid pair 'USDKRW'; write "USD/KRW""#),
    FindingCase(#"{"settings": {👉"color": "us"}}"#, #"MKT021 unknown key 'color'; did you mean 'colors'?"#),
    FindingCase(#"{"settings": {"colors": 👉"eu"}}"#, #"MKT012 unknown value 'eu'; expected auto, kr, us, cb or none"#),
    FindingCase(
      #"{"settings": {"premiumAlert": 👉[1, 0.5]}}"#, "MKT013 expected two limits in percent, the smaller first"),
    FindingCase(#"{"settings": {"premiumAlert": [👉-5, 900]}}"#, "MKT013 expected a number above zero"),
    FindingCase(
      #"{"settings": {"timeout": 👉"9999999d", "staleAfter": 👉"0s"}}"#,
      "MKT014 invalid duration '9999999d'; write a duration from 100ms to 1h",
      "MKT014 invalid duration '0s'; write a duration from 100ms to 9999d"),
    FindingCase(#"{"settings": {"timeout": "3600000ms", "staleAfter": "9999d", "identityPercent": 1000000}}"#),
    FindingCase(#"{"settings": {"dollarTokens": []}}"#),
    FindingCase(
      #"{"settings": {"dollarTokens": ["USD", "DAI", 👉"usdt", 👉" USDC", 👉"", 👉"a/b", 👉"BTC", 👉"KRW"]}}"#,
      #"warning MKT017 expected the symbol of a token in capitals; write "USDT""#,
      #"warning MKT017 expected the symbol of a token in capitals; write "USDC""#,
      #"MKT017 expected the symbol of a token such as "USDT""#,
      #"MKT017 expected the symbol of a token such as "USDT""#,
      #"warning MKT017 'BTC' is not worth a dollar; list tokens that are, such as "USDT"; prices in others are converted by their exchange rate"#,
      #"warning MKT017 'KRW' is not worth a dollar; list tokens that are, such as "USDT"; prices in others are converted by their exchange rate"#
    ),
    FindingCase(
      #"{"fx": {"providers": {"P": {"pairs": [], "refresh": {"every": 👉"0s"}, "ticker": {"exchange": "A", "asset": "B", "payment": "C"}}}}}"#,
      "MKT014 invalid duration '0s'; write a duration from 1s to 366d"),
    FindingCase(#"{"settings": {"staleAfter": 👉60}}"#, "MKT010 expected a string, found a number"),
    FindingCase(#"{"watchlist": [👉{"asset": "BTC"}]}"#, #"MKT011 missing key 'payment' in this entry"#),
    FindingCase(#"{"watchlist": 👉{}}"#, "MKT010 expected an array, found an object"),
    FindingCase(#"{"retired": {"Gone": 👉{"reason": "x"}}}"#, #"MKT011 missing key 'since' in 'Gone'"#),
    FindingCase(#"{"aliases": {"A": 👉1}}"#, "MKT010 expected a string, found a number"),
    FindingCase(
      #"{"fx": {"providers": {"P": 👉{"ticker": {"exchange": "A", "asset": "B", "payment": "C"}}}}}"#,
      #"MKT011 missing key 'pairs' in the rate provider 'P'"#),
    FindingCase(
      #"{"fx": {"providers": {"P": 👉{"pairs": []}}}}"#, #"MKT011 missing key 'rate' in the rate provider 'P'"#),
    FindingCase(
      #"{"fx": {"providers": {"P": {"pairs": [], "ticker": 👉{"exchange": "A"}}}}}"#,
      #"MKT011 missing keys 'exchange', 'asset' and 'payment' in 'ticker'"#),
    FindingCase(#"{"fx": {"routes": {"*": 👉{}}}}"#, #"MKT011 missing key 'rules' in this route"#),
  ]

  @Test(arguments: findings) func finding(_ finding: FindingCase) throws { try finding.check() }

  /// Names of networks that differ only in case and punctuation are one name, of which the nearest counts.
  @Test func networks() throws {
    let configuration = try TestExchange.configuration(
      #"{"version": 1, "extends": "builtin", "networks": {"erc-20": "TRX", "B": null, "c": "X", "C": "Y"}}"#,
      over: #"{"version": 1, "networks": {"ERC20": "ETH", "b": "Z"}}"#)
    #expect(configuration.networks == NetworkNames(["erc-20": "TRX", "C": "Y"]))
  }

  /// A provider has the pairs that match its patterns.
  @Test(arguments: [("USD/KRW", true), ("EUR/KRW", true), ("USD/EUR", false), ("KRW/USD", false)])
  func patterns(_ pair: String, isHeld: Bool) throws {
    let configuration = try TestExchange.configuration(InheritanceTests.shipped)
    let provider = try #require(configuration.readProvider("P").provider)
    let parts = pair.split(separator: "/").map(String.init)
    #expect(provider.canHold(Pair(asset: parts[0], payment: parts[1])) == isHeld)
  }

  /// A config that is not valid JSON reports the position.
  @Test(arguments: [("", 1, 1), ("{\"a\": 1,}", 1, 9), ("{\n  \"é\": x}", 2, 8)])
  func syntax(_ text: String, line: Int, column: Int) throws {
    do {
      _ = try ConfigFile(name: "c.json", bytes: Array(text.utf8))
      Issue.record("the text was taken for JSON")
    } catch {
      let place = SourceMap(error.source.bytes).position(of: error.error.offset)
      #expect([place.line, place.column] == [line, column])
    }
  }
}
