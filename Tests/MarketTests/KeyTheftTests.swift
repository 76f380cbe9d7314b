import Files
import HTTP
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Attempts by a config, an exchange or a file to obtain a key, which must fail.
@Suite(.waitsForPrograms) struct KeyTheftTests {
  /// An exchange's echo is shown without secrets, wherever it puts them; and a redirect does not get the key.
  @Test func redaction() throws {
    let echo = try KeysHome { request in
      let key = request.headers.first(named: "Key") ?? ""
      return [.bytes(Answer.ok(#"{"error": "bad key \#(key)"}"#, status: "401 \(key)", headers: ["X-Key: \(key)"]))]
    }
    #expect(try echo.add("--yes", "--no-test").code == 0)
    for words in [["test", "alpha"], ["test", "alpha", "-f", "json"]] {
      let run = try echo.market(words[0], words[1], words.count > 2 ? "--format=json" : "--color=never")
      #expect(run.code == 1)
    }
    let other = try LoopbackServer { _ in [.bytes(Answer.ok("{}"))] }
    defer { other.stop() }
    let target = other.url("/rights")
    let redirecting = try KeysHome { request in
      request.method == "HEAD" ? nil : [.bytes(Answer.redirect(to: target, status: "307 Temporary Redirect"))]
    }
    #expect(try redirecting.add("--yes", "--no-test").code == 0)
    #expect(try redirecting.market("test", "alpha").code == 1)
    #expect(other.received.isEmpty)
  }

  /// A public request that names a secret obeys the same rules: it may have replaced the exchange's own.
  @Test func publicRequestsWithKeys() throws {
    let home = try KeysHome { request in
      request.target == "/all" ? [.bytes(Answer.ok(#"[{"s": "BTC-USDT", "p": "7"}]"#))] : nil
    }
    let config = KeysHome.config(home.server.url(""))
      .replacing(#"{"path": "/all"}}"#, with: #"{"path": "/all"}, "headers": {"X-Key": "{secret:apiKey}"}}"#)
    try home.write(config, "exchanges.json")
    try home.write(#"{"Alpha": {"apiKey": "hush-key"}}"#, "credentials.json")
    func show() throws -> Subprocess {
      try Subprocess(market: ["show", "BTC", "USDT", "-f", "csv"], environment: ["HOME": home.folder.path])
    }
    let refused = try show()
    #expect(refused.code == 1 && home.server.received.isEmpty)
    #expect(
      refused.errorOutput.hasPrefix(
        "market: Alpha: its keyed requests differ from the shipped ones and have not been allowed; run: market "
          + "keys allow Alpha\n"
      ))
    let allowed = try home.market("allow", "alpha", "--yes")
    #expect(
      allowed.output.hasPrefix(
        "spot\n  GET \(home.server.url("/all"))\n  X-Key: apiKey\n  sent in readable form: apiKey\n"))
    #expect(try show().code == 0)
    #expect(home.server.received.map { $0.headers.first(named: "X-Key") } == ["hush-key"])
  }

  /// A request that cannot be inspected until candles are requested is not allowed unseen.
  @Test func uninspectableRequestsAreRefused() throws {
    let home = try KeysHome()
    let candles = #"""
      {"candles": {"request": {"path": "/c", "query": {"s": "{asset}{payment}", "i": "{interval}", "k": "{secret:apiKey}"}},
        "rows": "$[*]", "intervals": {"1h": "60"},
        "fields": {"time": {"path": "$.t", "unit": "ms"}, "open": "$.o", "high": "$.h", "low": "$.l", "close": "$.c"}},
       "tickers"
      """#
    let config = KeysHome.config(home.server.url("")).replacing(#"{"tickers""#, with: candles)
    try home.write(config, "exchanges.json")
    let run = try home.market("allow", "alpha", "--yes")
    #expect(run.code != 0 && FileSystem.isAbsent(home.credentials))
    #expect(run.errorOutput.contains("cannot be shown"), "\(run.errorOutput)")
  }

  /// A supposed signature that is really the encoded secret is not allowed unseen.
  @Test func secretDisguisedAsSignature() throws {
    let home = try KeysHome()
    let config = KeysHome.config(home.server.url(""))
      .replacing(
        #"{"hmac-sha256": "{path}{said|sha256}", "key": "{secret:secret|unbase64}"}"#, with: #""{said}{secret:secret}""#
      )
    try home.write(config, "exchanges.json")
    let shown = try home.market("allow", "alpha").output
    #expect(shown.contains("\n  Sign: sign\n"))
    #expect(
      shown.contains("\n  where sign is \"{said}{secret:secret}\"\n  sent in readable form: secret, apiKey\n"))
  }

  /// A secret sent along with a lookup or asset names is shown too, and wherever else it may be.
  @Test(arguments: [
    (
      #""rows": "$[*]", "asset": "$.a","#,
      #""lookups": {"l": {"request": {"path": "/l", "query": {"k": "{secret:secret}"}}, "rows": "$[*]", "key": "$.k"}}, "rows": "$[*]", "asset": "$.a","#,
      "balances spot, l\n  GET HOST/l?k=secret\n  sent in readable form: secret\n"
    ),
    (
      #""tickers": {"request": {"path": "/all"}}"#,
      #""tickers": {"request": {"path": "/all"}}, "names": {"request": {"path": "/n/{secret:secret}"}, "rows": "$[*]", "fields": {"korean": "$.k"}}"#,
      "spot\n  GET HOST/n/secret\n  sent in readable form: secret\n"
    ),
    (
      #""permissions": {"#,
      #""trades": {"request": {"path": "/x/{secret:secret}", "query": {"s": "{asset}{payment}"}}, "rows": "$[*]", "fields": {"price": "$.p", "size": "$.q", "time": {"path": "$.t", "unit": "ms"}}}, "permissions": {"#,
      #""path": "/x/{secret:secret}""#
    ),
  ])
  func secretsAreShownWhereverTheyAre(_ text: String, _ other: String, _ shown: String) throws {
    let home = try KeysHome()
    let config = KeysHome.config(home.server.url(""))
    #expect(config.contains(text))
    try home.write(config.replacing(text, with: other), "exchanges.json")
    let run = try home.market("allow", "alpha")
    #expect(run.output.contains(shown.replacing("HOST", with: home.server.url(""))), "\(run.output)\(run.errorOutput)")
  }

  /// A rate provider in the user's config that bears an exchange's name would get its keys: it needs permission.
  @Test func rateProviderNamedLikeExchangeNeedsPermission() throws {
    let home = try KeysHome { request in
      request.target.hasPrefix("/rates") ? [.bytes(Answer.ok(#"{"r": 1400}"#))] : nil
    }
    try home.write(
      #"""
      {"version": 1, "fx": {"providers": {"Alpha": {"pairs": ["USD/KRW"], "baseUrls": ["\#(home.server.url(""))"],
        "rate": {"request": {"path": "/rates", "query": {"k": "{secret:apiKey}", "s": "{secret:secret}"}}, "rows": "$",
          "symbol": "request", "fields": {"rate": "$.r"}}}},
        "routes": {"USD/KRW": {"rules": [{"use": "Alpha"}]}}}}
      """#, "exchanges.json")
    try home.write(#"{"Alpha": {"apiKey": "hush-key", "secret": "aHVzaC1zZWNyZXQ="}}"#, "credentials.json")
    func rate() throws -> Subprocess {
      let run = try Subprocess(market: ["fx", "USD/KRW"], environment: ["HOME": home.folder.path])
      for secret in KeysHome.secrets { #expect(!(run.output + run.errorOutput).contains(secret)) }
      return run
    }
    let refused = try rate()
    #expect(refused.code == 1 && home.server.received.isEmpty)
    #expect(refused.errorOutput.contains("not been allowed; run: market keys allow Alpha\n"))
    #expect(try home.market("list").output.contains("not allowed"))
    let allowed = try home.market("allow", "alpha", "--yes")
    #expect(
      allowed.output.hasPrefix(
        """
        rates
          GET \(home.server.url("/rates"))?k=apiKey&s=secret
          sent in readable form: apiKey, secret
        your config says about them
          {

        """))
    #expect(
      allowed.errorOutput.hasPrefix(
        "market: this request does not ship with the program; secrets are replaced by their names; it goes to: "
      ))
    #expect(try rate().code == 0)
    #expect(home.server.received.map(\.target) == ["/rates?k=hush-key&s=aHVzaC1zZWNyZXQ%3D"])
  }

  /// The shipped provider may not be sent elsewhere either.
  @Test func shippedRateProviderWithAnotherHost() throws {
    let home = try KeysHome()
    try home.write(
      #"""
      {"version": 1, "extends": "builtin", "settings": {"localHosts": ["127.0.0.1"]},
       "fx": {"providers": {"OpenExchangeRates": {"baseUrls": ["\#(home.server.url(""))"]}},
        "routes": {"USD/KRW": {"rules": [{"use": "OpenExchangeRates"}]}}}}
      """#, "exchanges.json")
    let run = try Subprocess(
      market: ["fx", "USD/KRW"],
      environment: ["HOME": home.folder.path, "MARKET_OPENEXCHANGERATES_APP_ID": "hush-key-012345"])
    #expect(run.code == 1 && home.server.received.isEmpty)
    #expect(run.errorOutput.contains("run: market keys allow OpenExchangeRates\n"))
  }

  /// If somebody else wrote the file, they chose the programs in it.
  @Test(.enabled(if: geteuid() == 0)) func fileOwnedBySomeoneElse() throws {
    let home = try KeysHome()
    try home.write(#"{"Alpha": {"apiKey": "hush-key", "secret": {"command": ["false"]}}}"#, "credentials.json")
    #expect(chown(home.credentials, 12345, 12345) == 0)
    let run = try home.market("list")
    #expect(run.output == "no keys can be read\n")
    #expect(run.errorOutput.contains("belongs to another user"))
  }

  /// A crash prints no memory that the registers point to.
  @Test(arguments: [SIGABRT, SIGSEGV]) func crashRevealsNoSecrets(_ signal: Int32) throws {
    let home = try KeysHome { _ in [.hold] }
    #expect(try home.add("--yes", "--no-test").code == 0)
    let terminal = try TerminalProcess(
      Subprocess.market(), ["balances", "--timeout", "20"],
      environment: ["HOME": home.folder.path, "PATH": "/usr/bin:/bin"])
    var seen = ""
    for _ in 0..<200 where home.server.received.isEmpty { seen += String(decoding: terminal.read(), as: UTF8.self) }
    #expect(!home.server.received.isEmpty)
    terminal.signal(signal)
    #expect(terminal.ending() == 128 + signal)
    seen += String(decoding: terminal.read(), as: UTF8.self)
    #expect(!seen.contains("crash") && !seen.contains("0x"), "\(seen)")
  }
}
