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
    FindingCase(
      #"{"settings": {"headerRate": 👉"USDKRW"}}"#,
      #"MKT070 invalid pair 'USDKRW'; write "USD/KRW""#),
    FindingCase(#"{"settings": {👉"color": "us"}}"#, #"MKT021 unknown key 'color'; did you mean 'colors'?"#),
    FindingCase(
      #"{"settings": {"colors": 👉"eu"}}"#,
      #"MKT012 unknown value 'eu'; expected auto, kr, us, cb or none"#),
    FindingCase(
      #"{"settings": {"premiumAlert": 👉[1, 0.5]}}"#, "MKT013 expected two limits in percent, the smaller first"),
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
