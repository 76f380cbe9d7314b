import Config
import Testing

@testable import Lint

/// Common first attempts, and the fixes suggested for them.
@Suite struct RemedyHintTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    /// The text in the sound config, and its replacement.
    let sound: String
    let mistake: String
    /// The help of all findings.
    let help: [String]

    var testDescription: String { mistake }
  }

  private static let sound = #"""
    { "version": 1, "exchanges": { "Newex": {
      "baseUrls": ["https://api.newex.example"],
      "markets": { "spot": { "tickers": {
        "request": { "path": "/tickers" },
        "rows": "$.data[*]",
        "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" } } } } } } }
    """#

  @Test(arguments: [
    Mistake(sound: #""$.data[*]""#, mistake: #"".data[]""#, help: [#"write "$.data[*]""#]),
    Mistake(sound: #""$.data[*]""#, mistake: #""data""#, help: [#"write "$.data""#]),
    Mistake(
      sound: #"["https://api.newex.example"]"#, mistake: #""https://api.newex.example""#,
      help: [#"write it in brackets: "baseUrls": ["https://…"]"#]),
    Mistake(
      sound: #"{ "path": "/tickers" }"#, mistake: #""/tickers""#, help: [#"write "request": { "path": "/tickers" }"#]),
    Mistake(
      sound: #""spot": {"#, mistake: #""futures": "/v1/f", "spot": {"#,
      help: [#"write "futures": { "tickers": { "request": { "path": "/v1/f" } } }"#]),
    Mistake(
      sound: #""spot": {"#, mistake: #""futures": { "tickers": "/v1/f" }, "spot": {"#,
      help: [#"write "tickers": { "request": { "path": "/v1/f" } }"#]),
    Mistake(
      sound: #""spot": {"#, mistake: #""futures": { "ticker": ["/v1/f"] }, "spot": {"#,
      help: [#"write "ticker": { "request": { "path": "/…" } }"#]),
    Mistake(
      sound: #""spot": {"#, mistake: #""futures": { "tickers": null, "ticker": "/v1/f" }, "spot": {"#,
      help: [#"write "ticker": { "request": { "path": "/v1/f" } }"#]),
    Mistake(
      sound: #""version": 1, "exchanges": {"#,
      mistake: #""version": 1, "exchanges": { "Alpha": { "baseUrls": ["https://a.test"], "markets": ["spot"] },"#,
      help: [#"write "markets": { "spot": { "tickers": { … } } }"#]),
    Mistake(
      sound: #""rows""#, mistake: #""limit": 20, "rows""#,
      help: [#"write "limit": { "requests": 20, "per": "1s" }"#]),
    Mistake(
      sound: #""rows""#, mistake: #""limit": { "requests": 20, "per": 1 }, "rows""#,
      help: [#"write a number and a unit: "per": "1s""#]),
    Mistake(
      sound: #""version": 1"#, mistake: #""version": 1, "settings": { "timeout": 5 }"#,
      help: [#"write a number and a unit: "timeout": "5s""#]),
    Mistake(
      sound: #""$.p" }"#, mistake: #""$.p", "changePricePercent24": { "path": "$.c", "basis": "24h" } }"#,
      help: [#"write "rolling24h""#]),
    Mistake(
      sound: #", "split": "-""#, mistake: "",
      help: [
        #"write "split": "-" if a separator stands between the names, or "split": "payment" if not"#
      ]),
    Mistake(
      sound: #""rows""#, mistake: #""where": [{ "path": "$.s", "eq": "x" }], "rows""#, help: ["did you mean 'equals'?"]),
    Mistake(
      sound: #""rows""#, mistake: #""paymentCurrencies": ["USDT"], "rows""#,
      help: [#"write "paymentCurrencies": { "stable": ["USDT", "USDC"] }, under names of your choice"#]),
    Mistake(
      sound: #""markets""#, mistake: #""refresh": 2, "markets""#, help: [#"write a number and a unit: "refresh": "2s""#]
    ),
    Mistake(
      sound: #""rows""#, mistake: #""where": { "path": "$.a", "equals": 1 }, "rows""#,
      help: [#"write it in brackets: "where": [{ … }]"#]),
    Mistake(
      sound: #""markets""#, mistake: #""takerFee": "0.1%", "markets""#,
      help: [#"write it without the sign: "takerFee": "0.1""#]),
    Mistake(
      sound: #""markets""#, mistake: #""tickers": { "request": { "path": "/t" } }, "markets""#,
      help: [#"it goes under a market: "markets": { "spot": { "tickers": { … } } }"#]),
    Mistake(sound: #""spot""#, mistake: #""perp""#, help: ["did you mean 'futures'?"]),
    Mistake(
      sound: #""rows""#, mistake: #""headers": [{ "X-A": "b" }], "rows""#,
      help: [#"write "headers": { "NAME": "VALUE" }"#]),
    Mistake(
      sound: #""rows""#, mistake: #""aliases": [["XBT", "BTC"]], "rows""#, help: [#"write "aliases": { "XBT": "BTC" }"#]
    ),
    Mistake(
      sound: #""$.p" }"#, mistake: #""$.p", "change_percent_24h": "$.c" }"#,
      help: ["did you mean 'changePricePercent24'?"]),
    Mistake(
      sound: #""split": "-" }"#, mistake: #""rules": [{ "match": "^(?<asset>[A-Z]+)-(?<payment>[A-Z]+)$" }] }"#,
      help: [
        "remove it: the whole string is always matched", "remove it: the whole string is always matched",
      ]),
    Mistake(
      sound: #""price""#, mistake: #""bid""#,
      help: [#"without it the rows are left out of comparisons; write "price": "$.…""#]),
    Mistake(
      sound: #""$.data[*]""#, mistake: #"["$.data[*]"]"#, help: [#"write it without brackets: "rows": "$.data[*]""#]),
    Mistake(
      sound: #""/tickers""#, mistake: #""https://api.newex.example/tickers""#,
      help: ["write the host in 'baseUrls', and here only what follows it"]),
    Mistake(
      sound: #""path": "/tickers""#, mistake: #""path": "/tickers", "url": "https://api.newex.example""#,
      help: [#"write the host in 'baseUrls', and what follows it as "path""#]),
    Mistake(
      sound: #""path": "/tickers""#, mistake: #""path": "/tickers", "params": { "a": "b" }"#,
      help: ["did you mean 'query'?"]
    ),
    Mistake(
      sound: #""rows""#, mistake: #""limit": "10/s", "rows""#,
      help: [#"write "limit": { "requests": 10, "per": "1s" }"#]),
    Mistake(
      sound: #""rows""#, mistake: #""limit": "1200 / 5 min", "rows""#,
      help: [#"write "limit": { "requests": 1200, "per": "5m" }"#]),
    Mistake(
      sound: #""$.p" }"#,
      mistake: #""$.p", "changePricePercent24": { "path": "$.c", "basis": "rolling24h", "scale": "100%" } }"#,
      help: [#"write "scale": 100 if the number is a fraction, and none if it is a percentage"#]),
    Mistake(
      sound: #""baseUrls": ["https://api.newex.example"],"#, mistake: "",
      help: [#"write "baseUrls": ["https://…"] in the exchange"#]),
    Mistake(sound: #""version": 1, "#, mistake: "", help: [#"write "version": 1"#]),
  ])
  func helpNamesTheFix(_ mistake: Mistake) throws {
    let text = Self.sound.replacing(mistake.sound, with: mistake.mistake, maxReplacements: 1)
    #expect(ConfigReview(of: text).findings.map { $0.help ?? "-" } == mistake.help)
  }

  /// Names of markets and of their blocks, where they are that and where they mean something else.
  @Test(
    arguments: [
      (["markets", "spot"], #"write "spot": { "tickers": { "request": { "path": "/…" } } }"#),
      (["markets", "futures", "trades"], #"write "trades": { "request": { "path": "/…" } }"#),
      (["balances", "spot"], nil), (["streams", "trades"], nil),
      (["streams", "headers"], #"write "headers": { "NAME": "VALUE" }"#),
    ] as [([String], String?)])
  func namesOfOtherThings(_ path: [String], _ help: String?) throws {
    let text = #"""
      { "exchanges": { "E": { "markets": { "spot": [], "futures": { "trades": [] } }, "balances": { "spot": [] },
        "streams": { "trades": [], "headers": [] } } } }
      """#
    let file = try ConfigFile(name: "exchanges.json", bytes: Array(text.utf8), origin: .user)
    let node = try #require((["exchanges", "E"] + path).reduce(file.root as ConfigNode?) { $0?[$1] })
    #expect(RemedyHint(root: file.root).applied(to: .wrongType("an object", at: node)).help == help)
  }

  /// An exchange at the top level of the file, and a block without its name.
  @Test(arguments: [
    (
      #"{ "Newex": { "baseUrls": ["https://api.newex.example"], "markets": {} } }"#,
      #"an exchange goes under 'exchanges': { "version": 1, "exchanges": { "Newex": { … } } }"#
    ),
    (
      #"{ "markets": {} }"#,
      #"an exchange goes under its own name: { "version": 1, "exchanges": { "NAME": { … } } }"#
    ),
  ])
  func misplacedExchange(_ text: String, _ help: String) {
    #expect(ConfigReview(of: text).findings.contains { $0.code == .unknownKey && $0.help == help })
  }

  /// A missing bracket, which makes what follows part of the preceding block.
  @Test(arguments: [
    (
      #""Alpha": { "markets": { "spot": { "tickers": {} }, "futures": { "tickers": {} } } }"#,
      #"{ "tickers": {} }, "futures""#, #"{ "tickers": {}, "futures""#,
      "'futures' goes under 'markets'; add the missing '}' of 'spot' before it"
    ),
    (
      #""Alpha": { "markets": { "spot": {} } }, "Beta": { "like": "Alpha" }"#, #"{} } }, "Beta""#, #"{} }, "Beta""#,
      "'Beta' goes under 'exchanges'; add the missing '}' of 'Alpha' before it"
    ),
  ])
  func missingBracket(_ blocks: String, _ sound: String, _ mistake: String, _ help: String) {
    let text = #"{ "version": 1, "exchanges": { \#(blocks.replacing(sound, with: mistake)) } } }"#
    #expect(ConfigReview(of: text).findings.contains { $0.code == .unknownKey && $0.help == help })
  }

  /// A removal by `null` is reported where it is written, not in the shipped file that needs the value.
  @Test func removedExchange() {
    let shipped = """
      { "version": 1, "exchanges": { "Upbit": { "baseUrls": ["https://a.example"], "markets": { "spot": { "tickers": {
        "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" } } } } } },
        "fx": { "providers": { "Implied": { "pairs": ["USD/KRW"],
          "ticker": { "exchange": "Upbit", "asset": "USDT", "payment": "KRW" } } } } }
      """
    let own = #"{ "version": 1, "extends": "builtin", "exchanges": { "Upbit": null } }"#
    let found = ConfigReview(
      .init(name: "own.json", bytes: Array(own.utf8)), builtin: .init(name: "shipped", bytes: Array(shipped.utf8)),
      hooks: []
    ).findings
    #expect(
      found.map { "\($0.place?.file.name ?? "")\($0.startText) \($0.message)" } == [
        "own.json1:63 the rate provider 'Implied' reads 'Upbit', which is removed here"
      ])
  }
}
