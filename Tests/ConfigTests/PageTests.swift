import Config
import Quotes
import Testing

/// What a config defines about an exchange's web pages.
@Suite struct PageTests {
  private static let spot = #""tickers": {"request": {"path": "/t"}}"#

  private static func exchange(_ members: String, market: String = "", tickers: String = spot) -> String {
    #"{\#(members)\#(TestExchange.base), "markets": {"spot": {\#(market)\#(tickers)}}}"#
  }

  private static func pages(_ exchanges: String, of name: String = "A", over builtin: String? = nil) throws -> [String?]
  {
    let own = #"{"version": 1, \#(builtin == nil ? "" : #""extends": "builtin", "#)"exchanges": {\#(exchanges)}}"#
    let base = builtin.map { #"{"version": 1, "exchanges": {\#($0)}}"# }
    let read = try TestExchange.read(name, in: TestExchange.configuration(own, over: base, origin: .user))
    return try #require(read.market(.spot)).tickers.map { $0.page?.text }
  }

  @Test func nearestPageWins() throws {
    let far = #""page": "https://far.test", "#
    #expect(try Self.pages(#""A": \#(Self.exchange(""))"#) == [nil])
    #expect(try Self.pages(#""A": \#(Self.exchange(far))"#) == ["https://far.test"])
    let near = #""page": "https://near.test/{asset}", "#
    #expect(try Self.pages(#""A": \#(Self.exchange(far, market: near))"#) == ["https://near.test/{asset}"])
    #expect(try Self.pages(#""A": \#(Self.exchange(far, market: #""page": null, "#))"#) == [nil])
    let parts = #"""
      "tickers": {"request": {"path": "/{c}"}, "forEach": [
        {"set": {"c": "1"}, "page": "https://part.test/{c}/{symbol|lower}"}, {"set": {"c": "2"}}]}
      """#
    #expect(
      try Self.pages(#""A": \#(Self.exchange(far, market: near, tickers: parts))"#)
        == ["https://part.test/{c}/{symbol|lower}", "https://near.test/{asset}"])
  }

  @Test func userPageOverridesShipped() throws {
    let shipped =
      #""A": \#(Self.exchange(#""page": "https://far.test", "#, market: #""page": "https://near.test", "#))"#
    #expect(try Self.pages(#""A": {"page": "https://mine.test"}"#, over: shipped) == ["https://near.test"])
    #expect(
      try Self.pages(#""A": {"markets": {"spot": {"page": "https://mine.test"}}}"#, over: shipped)
        == ["https://mine.test"])
  }

  /// Pages are not inherited through `like`, since they belong to another exchange's site.
  @Test func pagesAreNotInheritedThroughLike() throws {
    let parts = #""tickers": {"request": {"path": "/t"}, "forEach": [{"page": "https://part.test"}]}"#
    let base = #""A": \#(Self.exchange(#""page": "https://a.test", "#, tickers: parts))"#
    let heir = #""B": {"like": "A", "baseUrls": ["https://b.test"]}"#
    #expect(try Self.pages("\(base), \(heir)", of: "B") == [nil])
    let own = #""B": {"like": "A", "page": "https://b.test/{asset}", "baseUrls": ["https://b.test"]}"#
    #expect(try Self.pages("\(base), \(own)", of: "B") == ["https://b.test/{asset}"])
  }

  /// Callers that do not request pages get no findings about them.
  @Test func pagesAreCheckedOnlyWhenRequested() throws {
    let text = #"{"version": 1, "exchanges": {"A": \#(Self.exchange(#""page": "http://a.test", "#))}}"#
    let configuration = try TestExchange.configuration(text)
    let source = try #require(configuration.exchange(named: "A"))
    #expect(
      configuration.read(source, ExchangeExtent()).exchange?.market(.spot)?.tickers.map { $0.page?.text } == [nil])
    #expect(configuration.read(source, ExchangeExtent(hasPages: true)).exchange == nil)
    #expect(configuration.readWhole().findings.map(\.code) == [.invalidBaseURL])
  }

  private static let cure = "write https://host/path; the host must be public, and contain no placeholder"

  @Test(arguments: [
    ("http://a.test/", nil), ("ftp://a.test/", nil), ("a.test", nil), ("https://", nil), ("https://a", nil),
    ("https://a..test", nil), ("https://{asset}.test/", nil), ("https://a.test{asset}", nil), ("{asset}", nil),
    ("https://user:pw@a.test/x", "https://*@a.test/x"), ("https://127.0.0.1/", nil), ("https://localhost/x", nil),
    ("https://10.0.0.1/", nil), ("https://router.local/", nil), ("https://0x7f.1/", nil), ("https://a.test:8080/", nil),
    ("https://[::1]/", nil), ("https://a.test/\\u001b]8;;x", "https://a.test/\u{1B}]8;;x"), ("https://a.test/ b", nil),
    ("https://a.test/한", nil), ("https://거래소.test/", nil), ("https://a.test/?key=s3cret'\\n", "https://a.test/?*"),
    ("https://a.test/{{x}", "https://a.test/{{x}"),
  ])
  func refuses(_ text: String, _ shown: String?) throws {
    try MarkedConfig(
      #"{"version": 1, "exchanges": {"A": \#(Self.exchange(#""page": 👉"\#(text)", "#))}}"#
    ).expect(["MKT015 invalid page address '\(shown ?? text)'; \(Self.cure)"])
  }

  @Test(arguments: [
    (#"👉7"#, "MKT010 expected a string, found a number"),
    (
      #""https://a.test/{👉count}""#,
      "MKT034 unknown placeholder '{count}'; expected {asset}, {payment} or {symbol}"
    ),
    (#""https://a.test/{👉assset}""#, "MKT034 unknown placeholder '{assset}'; did you mean '{asset}'?"),
    (
      #"👉"https://a.test/?t={now.ms}""#,
      "MKT034 unknown placeholder '{now.ms}'; expected {asset}, {payment} or {symbol}"
    ),
    (
      #"👉"https://a.test/?key={secret:apiKey}""#,
      "MKT034 unknown placeholder '{secret:apiKey}'; expected {asset}, {payment} or {symbol}"
    ),
    (#""https://a.test/👉{asset""#, "MKT033 template: unclosed '{'; write {{ for a brace"),
    (#""https://a.test/{asset|👉title}""#, "MKT033 template: expected 'lower', 'upper' or 'number' after '|'"),
  ])
  func finds(_ page: String, _ finding: String) throws {
    try MarkedConfig(#"{"version": 1, "exchanges": {"A": \#(Self.exchange(#""page": \#(page), "#))}}"#).expect([finding]
    )
  }

  @Test func symbolPlaceholderNeedsSymbolPath() throws {
    let base = #""baseUrls": ["https://a.test"], "rows": "$[*]", "symbol": {"asset": "$.a", "payment": "$.b"}"#
    try MarkedConfig(
      #"""
      {"version": 1, "exchanges": {"A": {\#(base), "page": 👉"https://a.test/{symbol}",
        "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}}}
      """#
    ).expect([
      "MKT046 {symbol} has no value here: the symbol of the all-pairs table has no path; write the pair with "
        + "{asset} and {payment}"
    ])
  }

  /// The name of a member that is a row is how the exchange spells the pair.
  @Test func keysOfRowsFillSymbolPlaceholder() throws {
    try MarkedConfig(
      #"""
      {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$.*",
        "symbol": {"from": "key", "split": "_"}, "markets": {"spot": {
          "tickers": {"request": {"path": "/t"}, "fields": {"price": "$.p"}},
          "orderbook": {"request": {"path": "/b/{symbol}"}, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]",
            "size": "$[1]"}}}}}}
      """#
    ).expect([])
  }
}
