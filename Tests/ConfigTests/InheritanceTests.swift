import Config
import Quotes
import Testing

/// `like` starts from another exchange, `extends` from the shipped file.
@Suite struct InheritanceTests {
  static let like = #"""
    {"version": 1, "exchanges": {
      "Base": {\#(TestExchange.base), "enabled": false, "names": ["B"], "badge": "B", "docs": "https://b.test", "note": "of the base",
        "verified": "2026-01-01", "fields": {"price": "$.p", "bid": "$.b"}, "refresh": "7s",
        "markets": {"spot": {"enabled": false, "note": "of its market", "verified": "2026-01-02", "tickers": {"request": {"path": "/t"}}}}},
      "Heir": {"like": "Base", "baseUrls": ["https://heir.test"], "note": "mine", "fields": {"bid": null, "ask": "$.a"}}}}
    """#

  @Test func likeInheritsAllButPersonalKeys() throws {
    let configuration = try TestExchange.configuration(Self.like)
    let heir = try TestExchange.read("Heir", in: configuration)
    #expect(heir.isEnabled)
    #expect(heir.names == [])
    #expect(heir.badge == nil)
    #expect(heir.documentation == nil)
    #expect(heir.note == "mine")
    #expect(heir.markets.map(\.isEnabled) == [true])
    #expect(heir.markets.map(\.refreshMilliseconds) == [7000])
    let table = try #require(heir.spot.first)
    #expect(table.baseURLs == ["https://heir.test"])
    #expect(table.fieldTexts == [#"ask="$.a""#, #"price="$.p""#])
    // The base's note is nearer, but it is about the base.
    #expect(table.note == "mine")
    #expect(table.verified == nil)
    // A disabled exchange is still checked, and can still serve as a base.
    let base = try TestExchange.read("Base", in: configuration)
    #expect(!base.isEnabled)
    #expect(base.spot.map(\.note) == ["of its market"])
    #expect(base.spot.map(\.verified) == ["2026-01-02"])
  }

  /// An exchange that names its own hosts, at whatever level, is never requested at another exchange's hosts.
  @Test func hostsAreNotSharedWithHeirs() throws {
    let configuration = try TestExchange.configuration(
      #"""
      {"version": 1, "exchanges": {
        "Base": {\#(TestExchange.base), "auth": {"baseUrls": ["https://keys.test"], "headers": {"K": "{secret:apiKey}"}},
          "balances": {"spot": {"request": {"path": "/b"}, "rows": "$[*]", "asset": "$.a", "fields": {"free": "$.f"}}},
          "markets": {
            "spot": {"baseUrls": ["https://spot.test"], "tickers": {"request": {"path": "/t"},
              "lookups": {"names": {"baseUrls": ["https://names.test"], "request": {"path": "/n"}, "rows": "$[*]", "key": "$.k"}}}},
            "futures": {"tickers": {"request": {"path": "/f"},
              "forEach": [{"baseUrls": ["https://one.test"]}, {"baseUrls": ["https://two.test"]}]}}}},
        "Heir": {"like": "Base", "baseUrls": ["https://heir.test"]},
        "Half": {"like": "Base", "markets": {"spot": {"baseUrls": ["https://half.test"]}}},
        "Host": {"like": "Base"}}}
      """#)
    func hosts(_ name: String) throws -> [String] {
      let exchange = try TestExchange.read(name, in: configuration)
      let tables = exchange.markets.flatMap(\.tickers)
      let account = try #require(exchange.account?.balances.first?.parts.first?.table)
      let urls = tables.flatMap { [$0.baseURLs] + $0.lookups.map(\.baseURLs) } + [account.baseURLs]
      return urls.map { $0.joined(separator: " ").replacing("https://", with: "").replacing(".test", with: "") }
    }
    #expect(try hosts("Base") == ["spot", "names", "one", "two", "keys"])
    #expect(try hosts("Heir") == ["heir", "heir", "heir", "heir", "heir"])
    #expect(try hosts("Half") == ["half", "half", "one", "two", "keys"])
    #expect(try hosts("Host") == ["spot", "names", "one", "two", "keys"])
  }

  @Test func likeIsNotChained() throws {
    try MarkedConfig(
      #"""
      {"exchanges": {
        "A": {\#(TestExchange.base), "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}},
        "B": {"like": "A"}, "C": 👉{"like": 👉"B"}, "D": 👉{"like": 👉"D"}}}
      """#
    ).expect([
      #"MKT011 missing key 'markets' in the exchange 'C'"#,
      #"MKT043 'B' itself uses 'like', which cannot be chained"#,
      #"MKT011 missing key 'markets' in the exchange 'D'"#,
      #"MKT043 'D' itself uses 'like', which cannot be chained"#,
    ])
  }

  /// A finding in inherited text is reported once, where the text is, with the names of the heirs.
  @Test func inheritedFindingsAreReportedOnce() throws {
    let marked = try MarkedConfig(
      #"""
      {"exchanges": {
        "A": {\#(TestExchange.base), "fields": {"price": 👉"last"},
          "markets": {"spot": {"tickers": {"request": {"path": "/t"}}, "ticker": {"request": {"path": "/o"}}}}},
        "B": {"like": "A"}, "C": {"like": "A", 👉"feilds": {}}}}
      """#)
    try marked.expect([
      #"MKT037 expected a number or a path, found the string 'last'; did you mean '$.last'? [B, C]"#,
      #"MKT021 unknown key 'feilds'; did you mean 'fields'?"#,
    ])
  }

  static let shipped = #"""
    {"version": 1, "settings": {"colors": "kr", "timeout": "9s"}, "aliases": {"XBT": "BTC", "XDG": "DOGE"},
     "watchlist": [{"asset": "BTC", "payment": "USDT"}], "retired": {"Gone": {"since": "2020-01-01"}},
     "exchanges": {
      "A": {\#(TestExchange.base), "note": "shipped", "fields": {"price": "$.p"}, "markets": {
        "spot": {"tickers": {"request": {"path": "/t"}}}, "futures": {"tickers": {"request": {"path": "/f"}}}}},
      "B": {"like": "A", "baseUrls": ["https://b.test"]}},
     "fx": {
      "providers": {
        "P": {"baseUrls": ["https://p.test"], "pairs": ["*/KRW"], "refresh": {"every": "1h"},
          "rate": {"request": {"path": "/r"}, "rows": "$", "symbol": "request", "fields": {"rate": "$.r", "units": "$.u"}}},
        "Q": {"pairs": ["USD/KRW"], "ticker": {"exchange": "A", "asset": "USDT", "payment": "KRW"}}},
      "routes": {"USD/KRW": {"rules": [{"use": "P"}]}, "*": {"rules": [{"use": "Q"}]}}}}
    """#

  /// A user's file contains only their own settings.
  @Test func userFileExtendsShippedFile() throws {
    let configuration = try TestExchange.configuration(
      #"""
      {"version": 1, "extends": "builtin", "settings": {"colors": "us"}, "aliases": {"XDG": null, "ZZ": "Z"},
       "watchlist": [{"asset": "eth", "payment": "krw", "name": "Ether", "enabled": false}],
       "retired": {"Gone": null, "Other": {"since": "2024-05-06", "reason": "hacked"}},
       "exchanges": {"A": {"fields": {"bid": "$.b"}, "markets": {"futures": null}}, "Mine": {"like": "A", "rows": "$.x[*]"}},
       "fx": {"providers": {"Q": null, "P": {"refresh": {"every": "5m"}, "rate": {"fields": {"units": null}}}},
        "routes": {"*": null}}}
      """#, over: Self.shipped)
    #expect(configuration.diagnostics.isEmpty)
    #expect(configuration.readWhole().findings.map(\.line) == [])
    #expect(configuration.settings.colors == "us")
    #expect(configuration.settings.timeoutMilliseconds == 9000)
    #expect(configuration.aliases == ["XBT": "BTC", "ZZ": "Z"])
    #expect(configuration.watchlist.map(\.pair) == [Pair(asset: "ETH", payment: "KRW")])
    #expect(configuration.watchlist.map(\.isEnabled) == [false])
    #expect(configuration.retired.map(\.name) == ["Other"])
    #expect(configuration.retired.map(\.reason) == ["hacked"])
    #expect(configuration.exchangeNames == ["A", "B", "Mine"])
    #expect(configuration.providerNames == ["P"])
    let a = try TestExchange.read("A", in: configuration)
    #expect(a.note == "shipped")
    #expect(a.markets.map(\.market) == [.spot])
    #expect(a.spot.map(\.fieldTexts) == [[#"bid="$.b""#, #"price="$.p""#]])
    // Exchanges based on a changed one inherit the changes.
    for name in ["B", "Mine"] {
      let heir = try TestExchange.read(name, in: configuration)
      #expect(heir.markets.map(\.market) == [.spot])
      #expect(heir.spot.map(\.fieldTexts) == [[#"bid="$.b""#, #"price="$.p""#]])
    }
    let provider = try #require(configuration.readProvider("P").provider)
    #expect(provider.refresh?.everyMilliseconds == 300_000)
    guard case .table(let rate, _) = provider.source else {
      Issue.record("a table of rates")
      return
    }
    #expect(rate.fieldTexts == [#"rate="$.r""#])
    #expect(rate.baseURLs == ["https://p.test"])
  }

  @Test func nullRemovesShippedValues() throws {
    let configuration = try TestExchange.configuration(
      #"{"extends": "builtin", "settings": null, "aliases": null, "watchlist": null, "exchanges": {"A": null, "B": null}}"#,
      over: Self.shipped)
    #expect(configuration.readWhole().findings.map(\.line) == [])
    #expect(configuration.settings.colors == "auto")
    #expect(configuration.aliases.isEmpty)
    #expect(configuration.watchlist.isEmpty)
    #expect(configuration.exchangeNames == [])
  }

  /// A finding names the file it is in.
  @Test func findingsNameTheirFile() throws {
    let configuration = try TestExchange.configuration(
      #"{"extends": "builtin", "exchanges": {"A": {"rows": 5}}}"#,
      over:
        #"{"exchanges": {"A": {\#(TestExchange.base), "feilds": {}, "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}}}"#
    )
    #expect(
      configuration.readWhole().findings.map { "\($0.place?.file.name ?? "") \($0.code.rawValue)" } == [
        "builtin MKT021", "exchanges.json MKT010",
      ])
  }

  /// One broken exchange leaves the others usable.
  @Test func brokenExchangeLeavesOthersUsable() throws {
    let table = #""markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}"#
    let configuration = try TestExchange.configuration(
      #"{"exchanges": {"Broken": {\#(TestExchange.base), "rows": 5, "fields": {"price": "p"}, \#(table)}, "Whole": {\#(TestExchange.base), \#(table)}}}"#
        .replacing(
          #""rows": "$[*]", "symbol": {"path": "$.s", "split": "-"}, "rows": 5"#,
          with: #""symbol": {"path": "$.s", "split": "-"}, "rows": 5"#))
    #expect(configuration.diagnostics.isEmpty)
    let (broken, findings) = configuration.read(try #require(configuration.exchange(named: "Broken")))
    #expect(broken == nil)
    // One run finds every problem.
    #expect(findings.map(\.code) == [.wrongType, .textForNumber])
    #expect(try TestExchange.read("Whole", in: configuration).spot.count == 1)
  }

  /// A repeated key in an exchange or rate provider is found when its block is read, whoever inherits from it.
  @Test func repeatedKeysAreFoundWhenBlockIsRead() throws {
    let table = #""markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}"#
    let configuration = try TestExchange.configuration(
      #"""
      {"exchanges": {"Broken": {\#(TestExchange.base), "docs": "https://a.test", "docs": "https://b.test", \#(table)},
        "Heir": {"like": "Broken"}, "Whole": {\#(TestExchange.base), \#(table)}},
        "fx": {"providers": {"Rates": {"pairs": ["USD/KRW"], "pairs": ["USD/JPY"]}}}}
      """#)
    #expect(configuration.diagnostics.isEmpty)
    for name in ["Broken", "Heir"] {
      let (exchange, findings) = configuration.read(try #require(configuration.exchange(named: name)))
      #expect(exchange == nil)
      #expect(findings.map(\.code) == [.duplicateKey])
    }
    #expect(try TestExchange.read("Whole", in: configuration).spot.count == 1)
    #expect(configuration.readProvider("Rates").diagnostics.map(\.code).contains(.duplicateKey))
    let all = configuration.readWhole().findings.filter { $0.code == .duplicateKey }
    #expect(all.map(\.message) == ["duplicate key 'docs'", "duplicate key 'pairs'"])
  }

  /// An exchange counts as shipped if no other file touches it, not even through `like`.
  @Test func untouchedExchangesCountAsShipped() throws {
    let configuration = try TestExchange.configuration(
      #"{"extends": "builtin", "exchanges": {"B": {"rows": "$.x[*]"}, "C": {"like": "A"}}}"#, over: Self.shipped)
    #expect(
      try ["A", "B", "C"].map { try TestExchange.read($0, in: configuration).spot.map(\.isShipped) } == [
        [true], [false], [false],
      ])
  }
}
