import Files
import HTTP
import JSON
import TestSupport
import Testing

@testable import Shell
@testable import market

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `market keys` as users see it, with an exchange on this machine that has nonces and reports a key's permissions.
@Suite(.waitsForPrograms) struct KeysCommandTests {
  private let home: KeysHome

  init() throws { home = try KeysHome() }

  // MARK: Adding

  @Test func addAllowTestListRemove() throws {
    #expect(try home.market("list").output == "no keys are stored; run: market keys add NAME\n")
    let added = try home.add()
    #expect(added.code == 0)
    #expect(
      added.output.hasPrefix(
        """
        balances spot
          POST \(home.server.url("/balances"))
          Key: apiKey
          Sign: sign
          Content-Type: application/x-www-form-urlencoded
          nonce=NONCE
          where said is "{nonce.ms}{body}"
          where sign is {"hmac-sha256":"{path}{said|sha256}","key":"{secret:secret|unbase64}"}
          sent in readable form: apiKey
        permissions
          POST \(home.server.url("/rights"))
          Key: apiKey
          Sign: sign
          Content-Type: application/x-www-form-urlencoded
          nonce=NONCE
          where said is "{nonce.ms}{body}"
          where sign is {"hmac-sha256":"{path}{said|sha256}","key":"{secret:secret|unbase64}"}
          sent in readable form: apiKey
        your config says about them
          {
            "baseUrls": [

        """))
    #expect(
      added.errorOutput == """
        market: these 2 requests do not ship with the program; secrets are replaced by their names; they go to: \
        127.0.0.1:\(home.server.port)
        market: stored apiKey, secret of Alpha in \(home.credentials)
        market: the requests are not allowed, so the key is not used; run: market keys allow Alpha

        """)
    #expect(FileStatus(home.credentials)?.mode == 0o600)
    #expect(home.server.received.isEmpty)
    #expect(
      try home.market("list").output == """
        exchange  secrets                       requests
        Alpha     apiKey (file), secret (file)  not allowed

        """)
    // Nothing is sent before it is allowed.
    let refused = try home.market("test", "alpha")
    #expect(refused.code == 1 && refused.output.hasPrefix("problem  requests  not-allowed: "))
    #expect(home.server.received.isEmpty)
    #expect(try home.market("allow", "Alpha").errorOutput.hasSuffix("error: not allowed; nothing was written\n"))
    #expect(try home.market("allow", "Alpha", "--yes").code == 0)
    #expect(try home.market("allow", "Alpha").errorOutput == "market: the requests of Alpha are already allowed\n")
    let tested = try home.market("test", "alpha")
    #expect(tested.code == 0)
    #expect(
      lines(tested.output) == [
        "ok       keys      apiKey (file), secret (file)", "ok       requests  your own, and allowed by you",
        "ok       rights    it cannot withdraw", "ok                 it cannot trade",
        "ok       account   it can be read: 2 assets",
        "ok       clock     it agrees with 127.0.0.1:\(home.server.port) to the second",
        "ok       nonces    the last was …",
      ])
    // The config changes, so the permission no longer applies.
    try home.write(KeysHome.config(home.server.url(""), path: "/order"), "exchanges.json")
    #expect(try home.market("test", "alpha").code == 1)
    #expect(!home.server.received.contains { $0.target == "/order" })
    #expect(try home.market("remove", "ALPHA").errorOutput == "market: removed the keys of Alpha\n")
    #expect(try home.stored() == "{\n}\n")
    #expect(try home.market("remove", "alpha").code == 1)
  }

  /// Returns the lines without the time of the last nonce.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      guard let mark = line.firstRange(of: "last was ") else { return String(line) }
      return String(line[..<mark.upperBound]) + "…"
    }
  }

  /// Prices that only account holders get name the command that stores a key.
  @Test func pricesWithoutKeyNameTheRemedy() throws {
    let config = KeysHome.config(home.server.url(""))
    try home.write(
      config.replacing(#"{"path": "/all"}"#, with: #"{"path": "/all", "query": {"k": "{secret:apiKey}"}}"#),
      "exchanges.json")
    let run = try Subprocess(
      market: ["show", "A", "B", "-e", "alpha", "--no-rate"],
      environment: ["HOME": home.folder.path, "PATH": "/usr/bin:/bin"])
    #expect(run.code == 1)
    #expect(
      run.errorOutput.contains(
        "market: Alpha spot: no-secret (missing secret 'apiKey'); add a read-only key with: market keys add Alpha\n"),
      "\(run.errorOutput)")
    #expect(home.server.received.isEmpty)
  }

  /// Requests of an invalid block cannot be shown, so the remedy is another one than to allow them.
  @Test func invalidBlockIsNotAllowed() throws {
    let config = KeysHome.config(home.server.url(""))
    try home.write(
      config.replacing(#""balances""#, with: #""orderbook": {"nonsense": 1}, "balances""#), "exchanges.json")
    try home.write(#"{"Alpha": {"apiKey": "hush-key", "secret": "aHVzaC1zZWNyZXQ="}}"#, "credentials.json")
    #expect(
      try home.market("list").output == """
        exchange  secrets                       requests
        Alpha     apiKey (file), secret (file)  invalid block

        """)
    let tested = try home.market("test", "alpha")
    #expect(tested.code == 1)
    #expect(
      tested.output == """
        problem  requests  invalid-block: its keyed requests differ from the shipped ones, and its block is invalid
                           help: market validate-config

        """)
    let allowed = try home.market("allow", "Alpha", "--yes")
    #expect(allowed.errorOutput.hasSuffix("error: cannot show the requests of Alpha: its block is invalid\n"))
    #expect(home.server.received.isEmpty)
  }

  /// Every request has its key and a nonce above the previous one, across runs.
  @Test func noncesIncrease() throws {
    #expect(try home.add("--yes").code == 0)
    for _ in 0..<3 { #expect(try home.market("test", "alpha").code == 0) }
    let signed = home.server.received.filter { $0.method == "POST" }
    let nonces = signed.compactMap { Int64(String(decoding: $0.body, as: UTF8.self).dropFirst("nonce=".count)) }
    #expect(nonces.count == 8 && zip(nonces, nonces.dropFirst()).allSatisfy { $0 < $1 })
    #expect(signed.allSatisfy { $0.headers.first(named: "Key") == "hush-key" })
    // The clock was checked once, without the key, before the first nonce.
    #expect(home.server.received.first?.method == "HEAD")
    #expect(home.server.received.filter { $0.method == "HEAD" }.allSatisfy { $0.headers.first(named: "Key") == nil })
  }

  @Test func keyWithWithdrawalPermission() throws {
    let home = try KeysHome(rights: #"{"trade": true, "withdraw": true, "until": 4102444800}"#)
    try home.write("{}", "credentials.json")
    #expect(try home.market("allow", "alpha", "--yes").code == 0)
    let refused = try home.add()
    #expect(refused.code == 1)
    #expect(refused.errorOutput == "error: not stored: the key may withdraw; create a read-only one\n")
    #expect(
      refused.output.contains("warning  rights    THIS KEY MAY WITHDRAW: anyone who reads it can take your money\n"))
    #expect(refused.output.contains("\nwarning            THIS KEY MAY TRADE: anyone who reads it can place orders\n"))
    #expect(refused.output.contains("\nok       expires   in "))
    #expect(try !home.stored().contains("hush"))
    #expect(try home.add("--yes").code == 0)
    #expect(try home.stored().contains(#""apiKey": "hush-key""#))
    // Other commands can report that it was not tested.
    #expect(try home.add("--no-test").code == 0)
    let json = try JSONDocument(parsing: Array(home.market("test", "alpha", "-f", "json").output.utf8)).root
    #expect(json["withdraw"]?.string == "yes" && json["trade"]?.string == "yes" && json["usable"]?.boolean == true)
  }

  /// A key whose rights are unknown may be able to withdraw, and one that is refused may replace one that works.
  @Test(arguments: ["/rights", "/balances"]) func keyThatIsNotConfirmed(_ refused: String) throws {
    let home = try KeysHome { request in
      request.target == refused ? [.bytes(Answer.ok("", status: "503 Service Unavailable"))] : nil
    }
    try home.write(#"{"Alpha": {"apiKey": "old", "secret": "aHVzaA=="}}"#, "credentials.json")
    #expect(try home.market("allow", "alpha", "--yes").code == 0)
    let before = try home.stored()
    let run = try home.add()
    #expect(run.code == 1 && run.output.contains("problem"))
    #expect(run.errorOutput == "error: not stored: the key has problems; --yes stores it anyway\n")
    #expect(try home.stored() == before)
    #expect(try home.add("--yes").code == 0)
    #expect(try home.stored().contains(#""apiKey": "hush-key""#))
  }

  /// A word that is no name may be a secret: it is not repeated.
  @Test(arguments: [["add", "alpha=hush-key"], ["test", "hush-key"], ["allow", "hush-key"], ["remove", "hush-key"]])
  func unknownNameIsNotRepeated(_ words: [String]) throws {
    let run = try home.market(words[0], words[1])
    #expect(run.code == 2)
    #expect(run.errorOutput.hasPrefix("error: unknown exchange or rate provider in "), "\(run.errorOutput)")
    #expect(!run.errorOutput.contains("hush"))
  }

  /// Input that ends early leaves half a key, which is said.
  @Test func halfAKeyIsNamed() throws {
    let run = try home.add("--yes", "--no-test", lines: [KeysHome.secrets[0]])
    #expect(run.code == 0)
    let said = "market: still missing: secret; requests that need it are not sent\n"
    #expect(run.errorOutput.contains(said), "\(run.errorOutput)")
    #expect(try !home.add("--yes", "--no-test", "secret", lines: [KeysHome.secrets[1]]).errorOutput.contains("missing"))
  }

  /// A key whose rights are refused is tried on one account only, even if its owner may not have that one.
  @Test func refusedKeyIsTriedOnOneAccount() throws {
    let home = try KeysHome { request in
      request.target == "/" ? nil : [.bytes(Answer.ok(#"{"code": 9}"#, status: "400 Bad Request"))]
    }
    let margin = #""margin": {"request": {"method": "POST", "path": "/margin"}, "rows": "$[*]", "asset": "$.a", "#
    try home.write(
      KeysHome.config(home.server.url("")).replacing(
        #""balances": {"#,
        with: #""balances": {\#(margin)"fields": {"free": "$.free"}, "#
          + #""success": {"code": "$.code"}, "absent": ["7"]}, "#),
      "exchanges.json")
    #expect(try home.add("--yes", "--no-test").code == 0)
    #expect(try home.market("test", "alpha").code == 1)
    #expect(home.server.received.map(\.target).filter { $0.count > 1 } == ["/rights", "/margin"])
  }

  @Test(arguments: [
    ([], "no secret given; nothing was stored"), (["", ""], "no secret given; nothing was stored"),
    (["hush\tkey", "x"], "apiKey: it contains a control character; nothing was stored"),
    (["hush-key ", "x"], "apiKey: it begins or ends with a space; nothing was stored"),
    (["hush-key", "\u{A0}hush"], "secret: it begins or ends with a space; nothing was stored"),
    (["hush-key", "hush\u{1}"], "secret: it contains a control character; nothing was stored"),
    (["\u{FEFF}hush-key", "x"], "apiKey: it contains an invisible character; nothing was stored"),
    (
      ["-----BEGIN PRIVATE KEY-----", "hush"],
      "apiKey: it is the first line of a file; expected the key in one line; nothing was stored"
    ),
    // Invalid UTF-8 would be stored as another secret.
    (["hush-key", "hush\u{FFFD}"], "secret: it is not valid UTF-8; nothing was stored"),
  ])
  func refusedInput(_ lines: [String], _ sentence: String) throws {
    let run = try home.add(lines: lines)
    #expect(run.code == 1 && run.errorOutput == "error: \(sentence)\n")
    #expect(FileSystem.isAbsent(home.credentials))
  }

  @Test(arguments: [
    ("not json", 0o600, "nothing was written: ~:1:2: not valid JSON; "),
    (
      "\u{FEFF}{}", 0o600,
      "nothing was written: ~ begins with a byte order mark; save the file as UTF-8 without it"
    ),
    ("{}", 0o644, "nothing was written: ~ has mode 644"),
    (#"{"Alpha": "hush-key"}"#, 0o600, "nothing was written: 'Alpha' in ~ is not an object; "),
  ])
  func brokenFiles(_ text: String, _ mode: Int, _ sentence: String) throws {
    try home.write(text, "credentials.json", mode: UInt32(mode))
    for run in [try home.add("--yes", "--no-test"), try home.market("allow", "alpha", "--yes")] {
      #expect(run.code == 1)
      #expect(run.errorOutput.replacing(home.credentials, with: "~").contains("error: \(sentence)"))
    }
    #expect(try home.stored() == text)
  }

  @Test(arguments: [
    (
      ["keys", "hush-key"],
      "unknown action; expected add, list, remove, test or allow; secrets are never arguments: if that was one, the "
        + "shell may have saved it, so replace it at the exchange"
    ),
    (["keys", "list", "x"], "'market keys list' takes no name"),
    (["keys", "add"], "missing name; write it like: market keys add Upbit"),
    (["keys", "test", "alpha", "hush-key"], "'market keys test' takes one name"),
    (["keys", "list", "-y"], "'--yes' works only with 'market keys add' and 'market keys allow'"),
    (["keys", "allow", "alpha", "--forget-nonce"], "'--forget-nonce' works only with 'market keys test'"),
  ])
  func invalidArguments(_ words: [String], _ sentence: String) async {
    let world = TestWorld(words)
    #expect(await Program.market.run(in: world.context) == .usage)
    #expect(world.errorOutput == "error: \(sentence)\nhelp: market keys --help\n")
  }

  /// A secret on the command line is neither accepted nor repeated.
  @Test func secretsAreNeverArguments() throws {
    let run = try home.market("add", "alpha", "hush-key")
    #expect(run.code == 2 && run.errorOutput.hasPrefix("error: unknown secret of Alpha; expected apiKey or secret; "))
  }

  /// Only some of the secrets; the others stay.
  @Test func settingOneSecretKeepsOthers() throws {
    try home.write(#"{"Alpha": {"apiKey": "old", "secret": "aHVzaA=="}}"#, "credentials.json")
    #expect(try home.add("apiKey", "--no-test", lines: ["hush-new"]).code == 0)
    #expect(try home.stored() == #"{"Alpha": {"apiKey": "hush-new", "secret": "aHVzaA=="}}"#)
  }

  // MARK: Where keys come from

  @Test func commandsAndEnvironment() throws {
    try home.write(
      #"{"Alpha": {"apiKey": {"command": ["printf", "hush-key\n"]}, "secret": "aHVzaC1zZWNyZXQ="}}"#,
      "credentials.json")
    let environment = ["MARKET_ALPHA_API_KEY": "other-key", "MARKET_ALPHA_SECRET": "b3RoZXI="]
    #expect(
      try home.market("list", environment: environment).output == """
        exchange  secrets                          requests
        Alpha     apiKey (command), secret (file)  not allowed

        """)
    #expect(try home.market("allow", "alpha", "--yes", environment: environment).code == 0)
    #expect(try home.market("test", "alpha", environment: environment).code == 0)
    #expect(home.server.received.last { $0.method == "POST" }?.headers.first(named: "Key") == "hush-key")
    try home.write(#"{"Alpha": {"apiKey": {"command": ["false"]}}}"#, "credentials.json")
    #expect(try home.market("allow", "alpha", "--yes", environment: environment).code == 0)
    let failed = try home.market("test", "alpha", environment: environment)
    #expect(failed.code == 1 && failed.output == "problem  keys      bad-secret: 'false' failed with 1\n")
    try home.write("{}", "credentials.json")
    #expect(
      try home.market("list", environment: environment).output == """
        exchange  secrets                                     requests
        Alpha     apiKey (environment), secret (environment)  not allowed

        """)
    #expect(try home.market("allow", "alpha", "--yes", environment: environment).code == 0)
    #expect(try home.market("test", "alpha", environment: environment).code == 0)
    #expect(home.server.received.last { $0.method == "POST" }?.headers.first(named: "Key") == "other-key")
  }

  /// Half a key in the file and the other half of another one in the environment are no key.
  @Test func keyFromTwoPlacesIsNotSent() throws {
    try home.write(#"{"Alpha": {"apiKey": "hush-key"}}"#, "credentials.json")
    let environment = ["MARKET_ALPHA_API_KEY": "other-key", "MARKET_ALPHA_SECRET": "b3RoZXI="]
    #expect(try home.market("allow", "alpha", "--yes", environment: environment).code == 0)
    let run = try home.market("test", "alpha", environment: environment)
    #expect(run.code == 1 && run.output.contains("missing secret 'secret', though others are stored"))
    #expect(!home.server.received.contains { $0.method == "POST" })
    let removed = try home.market("remove", "alpha", environment: environment)
    #expect(removed.errorOutput.contains("the environment still has: apiKey, secret\n"), "\(removed.errorOutput)")
  }

  /// The key's expiry. A key that got a response is usable, whatever its expiry says.
  @Test(arguments: [
    ("1700000000", "warning  expires   it expired on 2023-11-14 according to the exchange, but still works\n"),
    ("\"soon\"", "warning  expires   its expiry cannot be read\n"),
    ("4102444800", "ok       expires   in "), ("null", ""),
  ])
  func keyExpiry(_ until: String, _ line: String) throws {
    let home = try KeysHome(rights: #"{"trade": false, "withdraw": false, "until": \#(until)}"#)
    #expect(try home.add("--yes", "--no-test").code == 0)
    let run = try home.market("test", "alpha")
    #expect(run.code == 0)
    #expect(line.isEmpty ? !run.output.contains("expires") : run.output.contains(line), "\(run.output)")
  }

  /// The addresses from which the key may be used, in each form used by exchanges.
  @Test(arguments: [
    (#""ips": ["10.1.2.3", "2001:db8::1"]"#, "ok       address   only from 10.1.2.3, 2001:db8::1\n", true),
    (#""ips": "10.1.2.3,\u001b[31m10.1.2.4""#, "ok       address   only from 10.1.2.3, ", true),
    (#""ips": true"#, "ok       address   it is restricted to some; the exchange does not say which\n", true),
    (#""ips": [] "#, "note     address   it works from any address\n", false),
    (#""x": 1"#, "", nil),
  ])
  func addresses(_ member: String, _ line: String, _ isBound: Bool?) throws {
    let home = try KeysHome(rights: #"{"trade": false, "withdraw": false, \#(member)}"#)
    let config = KeysHome.config(home.server.url(""))
      .replacing(#""expires":"#, with: #""addresses": "$.ips", "expires":"#)
    try home.write(config, "exchanges.json")
    #expect(try home.add("--yes", "--no-test").code == 0)
    let run = try home.market("test", "alpha")
    #expect(run.code == 0 && !run.output.contains("\u{1b}"))
    #expect(line.isEmpty ? !run.output.contains("address ") : run.output.contains(line), "\(run.output)")
    let json = try JSONDocument(parsing: Array(home.market("test", "alpha", "-f", "json").output.utf8)).root
    #expect(json["bound"]?.boolean == isBound && json["addresses"]?.kind == .array)
  }

  // MARK: Clocks and nonces

  @Test func wrongClockSendsNothing() throws {
    let home = try KeysHome(hours: 2)
    #expect(try home.add("--yes", "--no-test").code == 0)
    let run = try home.market("test", "alpha")
    #expect(run.code == 1)
    #expect(run.output.contains("the exchange did not say: clock: this machine's clock is at "))
    #expect(run.output.contains("problem  clock     it is 7"))
    #expect(home.server.received.map(\.method) == ["HEAD"])
  }

  @Test(arguments: ["009999999999999999", "020242606662791948", "999999999999999999"])
  func nonceFromTheFuture(_ last: String) throws {
    #expect(try home.add("--yes").code == 0)
    let folder = "\(home.folder.path)/.local/state/market/nonces"
    let file = try #require(try FileSystem.names(in: folder).first)
    try FileSystem.writeAtomically(Array("\(last)\n".utf8), to: "\(folder)/\(file)")
    let before = home.server.received.count { $0.method == "POST" }
    let run = try home.market("test", "alpha")
    #expect(run.code == 1 && run.output.contains("nonce-ahead: the last nonce of this key is "))
    #expect(home.server.received.count { $0.method == "POST" } == before)
    let fresh = try home.market("test", "alpha", "--forget-nonce")
    #expect(fresh.code == 0)
    #expect(fresh.errorOutput.hasPrefix("market: forgot the last nonce of Alpha"))
  }

  // MARK: The terminal

  private func typed(_ words: String...) throws -> TerminalProcess {
    // Swift's own crash handler would prompt the user.
    try TerminalProcess(
      Subprocess.market(), ["keys"] + words,
      environment: ["HOME": home.folder.path, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"])
  }

  /// Reads until a text appears.
  private func wait(for text: String, from terminal: TerminalProcess) -> String {
    var seen = ""
    for _ in 0..<200 where !seen.contains(text) { seen += String(decoding: terminal.read(), as: UTF8.self) }
    return seen
  }

  /// Typed or pasted text is not shown, and the terminal is restored.
  @Test func typing() throws {
    let terminal = try typed("add", "alpha", "--no-test", "--yes")
    let settings = terminal.settingsBefore
    var seen = wait(for: "Alpha apiKey: ", from: terminal)
    #expect(!terminal.flags.echoes && terminal.flags.signals)
    // Two lines in one paste, the first with a typo corrected by the terminal, and one that nobody asked for.
    terminal.write("hushX\u{7F}-key\naHVzaC1zZWNyZXQ=\nhush-passphrase\n")
    seen += wait(for: "stored", from: terminal)
    #expect(terminal.ending() == 0)
    #expect(seen.contains("Alpha apiKey: \r\nAlpha secret: \r\n"))
    #expect(!seen.contains("hush") && !seen.contains("aHVz"))
    #expect(terminal.settings == settings)
    #expect(terminal.unread.isEmpty)
    #expect(try home.stored().contains(#""apiKey": "hush-key", "secret": "aHVzaC1zZWNyZXQ=""#))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func signalsWhileTyping(_ signal: Int32) throws {
    let terminal = try typed("add", "alpha")
    let settings = terminal.settingsBefore
    _ = wait(for: "Alpha apiKey: ", from: terminal)
    terminal.write("half-a-key")
    if signal == SIGINT { terminal.write("\u{3}") } else { terminal.signal(signal) }
    #expect(terminal.ending() == 128 + signal)
    #expect(terminal.settings == settings)
    #expect(terminal.unread.isEmpty)
    #expect(FileSystem.isAbsent(home.credentials))
  }

  /// A shell that has the terminal in the meantime gets what is typed; then the prompt is repeated.
  @Test func stoppingWhileTyping() throws {
    let terminal = try typed("add", "alpha", "--no-test", "--yes")
    _ = wait(for: "Alpha apiKey: ", from: terminal)
    terminal.signal(SIGSTOP)
    terminal.signal(SIGCONT)
    #expect(wait(for: "Alpha apiKey: ", from: terminal).contains("Alpha apiKey: "))
    #expect(!terminal.flags.echoes)
    terminal.write("hush-key\n\u{4}")
    #expect(terminal.ending() == 0)
    #expect(try home.stored().contains(#""apiKey": "hush-key""#))
  }

  @Test func confirmation() throws {
    for (answer, code) in [("n\n", 1), ("\n", 1), ("\u{4}", 1), ("yes\n", 0)] as [(String, Int32)] {
      let terminal = try typed("allow", "alpha")
      _ = wait(for: "[y/N] ", from: terminal)
      terminal.write(answer)
      #expect(terminal.ending() == code, "\(answer)")
    }
  }
}
