import Config
import Testing

/// A block reads no secret of another owner, wherever its names lead (X7).
@Suite struct SecretNameTests {
  private static let shipped = """
    {"version": 1, "exchanges": {"A": \(block("{secret:b_c}"))},
     "fx": {"providers": {"OpenExchangeRates": {"pairs": ["*/*"], "baseUrls": ["https://oer.test"],
       "rate": {"request": {"path": "/r", "query": {"k": "{secret:app_id}"}}, "rows": "$", "symbol": "request",
         "fields": {"rate": "$.r"}}}}}}
    """

  private static func block(_ value: String) -> String {
    #"{"baseUrls": ["https://a.test"], "headers": {"X-Key": "\#(value)"}, "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"}, "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}"#
  }

  @Test(arguments: [
    ("A_B", "{secret:c}", "the secret 'c' would be read from MARKET_A_B_C, which belongs to 'A'"),
    (
      "OpenExchangeRates-App", "{secret:id}",
      "the secret 'id' would be read from MARKET_OPENEXCHANGERATES_APP_ID, which belongs to 'OpenExchangeRates'"
    ),
    (
      "OpenExchangeRates", "{secret:x}",
      "'OpenExchangeRates' would read the secrets of the rate provider 'OpenExchangeRates'"
    ),
    // JSON may spell any character as an escape.
    ("A_B", "\\u007bsecret:c}", "the secret 'c' would be read from MARKET_A_B_C, which belongs to 'A'"),
    (
      "OpenExchangeRates-App", "k={s\\u0065cret:id}",
      "the secret 'id' would be read from MARKET_OPENEXCHANGERATES_APP_ID, which belongs to 'OpenExchangeRates'"
    ),
    ("Open-Exchange-Rates", "{secret:x}", nil), ("OpenExchangeRates", "none", nil), ("A_B", "{secret:d}", nil),
    ("Mine", "{secret:c}", nil),
  ])
  func pastedBlockMayNotTakeOthersSecrets(_ name: String, _ value: String, _ message: String?) throws {
    // As an overlay and standalone: the machine has the keys either way.
    for extends in [#""extends": "builtin", "#, ""] {
      let text = #"{"version": 1, \#(extends)"exchanges": {"\#(name)": \#(Self.block(value))}}"#
      let configuration = try TestExchange.configuration(text, over: Self.shipped)
      let (exchange, findings) = configuration.read(try #require(configuration.exchange(named: name)))
      // The shipped exchange A is known only when the shipped config is read.
      let expected = extends.isEmpty && message?.hasSuffix("to 'A'") == true ? nil : message
      #expect(findings.map(\.message) == [expected].compactMap(\.self), "\(extends)")
      #expect((exchange == nil) == (expected != nil))
    }
  }

  /// However the secret is changed on its way.
  @Test(arguments: ["{secret:c}", "{secret:c|base64}", "{secret:c}{uuid|sha256|hex}"])
  func filtersHideNoSecret(_ value: String) throws {
    let auth = #"{"auth": {"headers": {"X-Key": "\#(value)"}}, "#
    let block = auth + Self.block("none").dropFirst()
    let configuration = try TestExchange.configuration(
      #"{"extends": "builtin", "exchanges": {"A_B": \#(block)}}"#, over: Self.shipped)
    let (_, findings) = configuration.read(try #require(configuration.exchange(named: "A_B")))
    let message = "the secret 'c' would be read from MARKET_A_B_C, which belongs to 'A'"
    #expect(findings.map(\.message).contains(message))
  }

  @Test func shippedConfigHasNoFindings() throws {
    let configuration = try TestExchange.configuration(#"{"extends": "builtin"}"#, over: Self.shipped)
    #expect(configuration.readWhole().findings.map(\.message) == [])
    #expect(SecretName.variable("app_id", of: "OpenExchangeRates") == "MARKET_OPENEXCHANGERATES_APP_ID")
  }
}
