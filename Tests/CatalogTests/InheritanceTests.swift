import Catalog
import Quotes
import Testing

/// `like` starts from another venue, `extends` from the shipped file.
@Suite struct InheritanceTests {
  static let like = #"""
    {"version": 1, "exchanges": {
      "Base": {\#(TestVenue.base), "enabled": false, "names": ["B"], "badge": "B", "docs": "https://b.test", "note": "of the base",
        "verified": "2026-01-01", "fields": {"price": "$.p", "bid": "$.b"}, "refresh": "7s",
        "markets": {"spot": {"enabled": false, "note": "of its market", "verified": "2026-01-02", "tickers": {"request": {"path": "/t"}}}}},
      "Heir": {"like": "Base", "baseUrls": ["https://heir.test"], "note": "mine", "fields": {"bid": null, "ask": "$.a"}}}}
    """#

  @Test func likeHandsOnWhatIsNotPersonal() throws {
    let catalog = try TestVenue.catalog(Self.like)
    let heir = try TestVenue.read("Heir", in: catalog)
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
    // The base's note stands nearer, but it is about the base.
    #expect(table.note == "mine")
    #expect(table.verified == nil)
    // A venue that is switched off is still checked, and good enough to start from.
    let base = try TestVenue.read("Base", in: catalog)
    #expect(!base.isEnabled)
    #expect(base.spot.map(\.note) == ["of its market"])
    #expect(base.spot.map(\.verified) == ["2026-01-02"])
  }

  @Test func likeIsNotChained() throws {
    try MarkedConfig(
      #"""
      {"exchanges": {
        "A": {\#(TestVenue.base), "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}},
        "B": {"like": "A"}, "C": 👉{"like": 👉"B"}, "D": 👉{"like": 👉"D"}}}
      """#
    ).expect([
      #"MKT011 the venue "C" has no "markets""#,
      #"MKT043 "B" itself starts from another venue; "like" may not be chained"#,
      #"MKT011 the venue "D" has no "markets""#,
      #"MKT043 "D" itself starts from another venue; "like" may not be chained"#,
    ])
  }

  /// A finding in inherited text is reported once, where it stands, with the names of the heirs.
  @Test func inheritedFindings() throws {
    let marked = try MarkedConfig(
      #"""
      {"exchanges": {
        "A": {\#(TestVenue.base), "fields": {"price": 👉"last"},
          "markets": {"spot": {"tickers": {"request": {"path": "/t"}}, "ticker": {"request": {"path": "/o"}}}}},
        "B": {"like": "A"}, "C": {"like": "A", 👉"feilds": {}}}}
      """#)
    try marked.expect([
      #"MKT037 "last" is a constant text, and a number is needed here; did you mean "$.last"? [B, C]"#,
      #"MKT021 unknown key "feilds"; did you mean "fields"?"#,
    ])
  }

  static let shipped = #"""
    {"version": 1, "settings": {"colors": "kr", "timeout": "9s"}, "aliases": {"XBT": "BTC", "XDG": "DOGE"},
     "watchlist": [{"asset": "BTC", "payment": "USDT"}], "retired": {"Gone": {"since": "2020-01-01"}},
     "exchanges": {
      "A": {\#(TestVenue.base), "note": "shipped", "fields": {"price": "$.p"}, "markets": {
        "spot": {"tickers": {"request": {"path": "/t"}}}, "futures": {"tickers": {"request": {"path": "/f"}}}}},
      "B": {"like": "A", "baseUrls": ["https://b.test"]}},
     "fx": {
      "providers": {
        "P": {"baseUrls": ["https://p.test"], "pairs": ["*/KRW"], "refresh": {"every": "1h"},
          "rate": {"request": {"path": "/r"}, "rows": "$", "symbol": "request", "fields": {"rate": "$.r", "units": "$.u"}}},
        "Q": {"pairs": ["USD/KRW"], "ticker": {"exchange": "A", "asset": "USDT", "payment": "KRW"}}},
      "routes": {"USD/KRW": {"rules": [{"use": "P"}]}, "*": {"rules": [{"use": "Q"}]}}}}
    """#

  /// A user's file holds only what is theirs.
  @Test func extendsTheShippedFile() throws {
    let catalog = try TestVenue.catalog(
      #"""
      {"version": 1, "extends": "builtin", "settings": {"colors": "us"}, "aliases": {"XDG": null, "ZZ": "Z"},
       "watchlist": [{"asset": "eth", "payment": "krw", "name": "Ether", "enabled": false}],
       "retired": {"Gone": null, "Other": {"since": "2024-05-06", "reason": "hacked"}},
       "exchanges": {"A": {"fields": {"bid": "$.b"}, "markets": {"futures": null}}, "Mine": {"like": "A", "rows": "$.x[*]"}},
       "fx": {"providers": {"Q": null, "P": {"refresh": {"every": "5m"}, "rate": {"fields": {"units": null}}}},
        "routes": {"*": null}}}
      """#, over: Self.shipped)
    #expect(catalog.diagnostics.isEmpty)
    #expect(catalog.allDiagnostics().map(\.line) == [])
    #expect(catalog.settings.colors == "us")
    #expect(catalog.settings.timeoutMilliseconds == 9000)
    #expect(catalog.aliases == ["XBT": "BTC", "ZZ": "Z"])
    #expect(catalog.watchlist.map(\.pair) == [Pair(asset: "ETH", payment: "KRW")])
    #expect(catalog.watchlist.map(\.isEnabled) == [false])
    #expect(catalog.retired.map(\.name) == ["Other"])
    #expect(catalog.retired.map(\.reason) == ["hacked"])
    #expect(catalog.venueNames == ["A", "B", "Mine"])
    #expect(catalog.providerNames == ["P"])
    let a = try TestVenue.read("A", in: catalog)
    #expect(a.note == "shipped")
    #expect(a.markets.map(\.market) == [.spot])
    #expect(a.spot.map(\.fieldTexts) == [[#"bid="$.b""#, #"price="$.p""#]])
    // Venues that start from a changed one start from what it is now.
    for name in ["B", "Mine"] {
      let heir = try TestVenue.read(name, in: catalog)
      #expect(heir.markets.map(\.market) == [.spot])
      #expect(heir.spot.map(\.fieldTexts) == [[#"bid="$.b""#, #"price="$.p""#]])
    }
    let provider = try #require(catalog.readProvider("P").provider)
    #expect(provider.refresh?.everyMilliseconds == 300_000)
    guard case .table(let rate, _) = provider.source else {
      Issue.record("a table of rates")
      return
    }
    #expect(rate.fieldTexts == [#"rate="$.r""#])
    #expect(rate.baseURLs == ["https://p.test"])
  }

  @Test func nullForgetsTheShipped() throws {
    let catalog = try TestVenue.catalog(
      #"{"extends": "builtin", "settings": null, "aliases": null, "watchlist": null, "exchanges": {"A": null, "B": null}}"#,
      over: Self.shipped)
    #expect(catalog.allDiagnostics().map(\.line) == [])
    #expect(catalog.settings.colors == "auto")
    #expect(catalog.aliases.isEmpty)
    #expect(catalog.watchlist.isEmpty)
    #expect(catalog.venueNames == [])
  }

  /// A finding says in which of the two files it is.
  @Test func findingsNameTheirFile() throws {
    let catalog = try TestVenue.catalog(
      #"{"extends": "builtin", "exchanges": {"A": {"rows": 5}}}"#,
      over:
        #"{"exchanges": {"A": {\#(TestVenue.base), "feilds": {}, "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}}}"#
    )
    #expect(
      catalog.allDiagnostics().map { "\($0.place.file.name) \($0.code)" } == [
        "builtin MKT021", "exchanges.json MKT010",
      ])
  }

  /// One broken venue leaves the others usable.
  @Test func brokenVenues() throws {
    let table = #""markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}"#
    let catalog = try TestVenue.catalog(
      #"{"exchanges": {"Broken": {\#(TestVenue.base), "rows": 5, "fields": {"price": "p"}, \#(table)}, "Whole": {\#(TestVenue.base), \#(table)}}}"#
        .replacing(
          #""rows": "$[*]", "symbol": {"path": "$.s", "split": "-"}, "rows": 5"#,
          with: #""symbol": {"path": "$.s", "split": "-"}, "rows": 5"#))
    #expect(catalog.diagnostics.isEmpty)
    let (broken, findings) = catalog.read(try #require(catalog.venue(named: "Broken")))
    #expect(broken == nil)
    // One run finds every problem.
    #expect(findings.map(\.code) == ["MKT010", "MKT037"])
    #expect(try TestVenue.read("Whole", in: catalog).spot.count == 1)
  }

  /// A venue that a file from the working directory touches never receives secrets; one that it leaves alone may.
  @Test func untrustedLevels() throws {
    let catalog = try TestVenue.catalog(
      #"{"extends": "builtin", "exchanges": {"B": {"rows": "$.x[*]"}, "C": {"like": "A"}}}"#, over: Self.shipped,
      isUntrusted: true)
    #expect(
      try ["A", "B", "C"].map { try TestVenue.read($0, in: catalog).spot.map(\.isTrusted) } == [
        [true], [false], [false],
      ])
    let trusted = try TestVenue.catalog(
      #"{"extends": "builtin", "exchanges": {"B": {"rows": "$.x[*]"}}}"#, over: Self.shipped)
    #expect(try TestVenue.read("B", in: trusted).spot.map(\.isTrusted) == [true])
  }
}
