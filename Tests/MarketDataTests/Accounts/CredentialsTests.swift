import Files
import HTTP
import MarketData
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The contents of `credentials.json` and the environment, and how they are used.
@Suite struct CredentialsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func credentials(_ environment: [String: String] = [:]) -> Credentials {
    Credentials(CredentialsFile(in: folder.path)) { environment[$0] }
  }

  @Test func sources() throws {
    try folder.write(
      #"""
      {"Upbit": {"apiKey": "from-file", "secret": {"command": ["printf", "from-program\nrest"]}, "allow": "9f2c"},
       "Kraken": {"apiKey": ""}}
      """#)
    let environment = [
      "PATH": "/usr/bin:/bin", "MARKET_UPBIT_API_KEY": "from-environment", "MARKET_UPBIT_PASSPHRASE": "of-another-key",
      "MARKET_KRAKEN_API_KEY": "kraken", "MARKET_KRAKEN_SECRET": "from-environment", "MARKET_UPBIT_ALLOW": "no",
    ]
    let credentials = credentials(environment)
    #expect(try credentials.usable("apiKey", of: "Upbit")?.revealed == "from-file")
    #expect(try credentials.usable("secret", of: "Upbit")?.revealed == "from-program")
    // No key is put together from two places.
    #expect(try credentials.usable("passphrase", of: "Upbit") == nil)
    #expect(!credentials.readsVariables(of: "Upbit") && credentials.readsVariables(of: "Kraken"))
    #expect(try credentials.usable("secret", of: "Kraken")?.revealed == "from-environment")
    #expect(credentials.allowed("Upbit") == "9f2c")
    #expect(credentials.storedNames(of: "Upbit") == ["apiKey", "secret"])
    // An empty text means that there is no such secret, and hides the environment's.
    #expect(try credentials.usable("apiKey", of: "Kraken") == nil)
    #expect(
      ["apiKey", "secret", "passphrase"].map { credentials.origin(of: $0, "Upbit") } == [.file, .program, nil])
    #expect(["apiKey", "secret"].map { credentials.origin(of: $0, "Kraken") } == [nil, .environment])
    // Without the file's, the variables count again.
    #expect(credentials.applying([.remove], to: "Upbit").origin(of: "passphrase", "Upbit") == .environment)
  }

  @Test(arguments: [
    (#""a\nb""#, SecretProblem.badSecret(name: "key", why: "it contains a control character")),
    (#""a\u0000""#, .badSecret(name: "key", why: "it contains a control character")),
    (#""a\u0085b""#, .badSecret(name: "key", why: "it contains a control character")),
    (#"{"command": ["printf", "a\tb"]}"#, .badSecret(name: "key", why: "it contains a control character")),
    ("7", .badSecret(name: "key", why: #"it is neither a string nor {"command": ["program", "word"]}"#)),
    (
      #"{"command": []}"#, .badSecret(name: "key", why: #"it is neither a string nor {"command": ["program", "word"]}"#)
    ),
    (
      #"{"command": "ls"}"#,
      .badSecret(name: "key", why: #"it is neither a string nor {"command": ["program", "word"]}"#)
    ),
    (
      #"{"command": ["ls"], "x": 1}"#,
      .badSecret(name: "key", why: #"it is neither a string nor {"command": ["program", "word"]}"#)
    ),
    (#"{"command": ["false"]}"#, .unreadable("'false' failed with 1")),
  ])
  func unusableSecrets(_ value: String, _ problem: SecretProblem) throws {
    try folder.write(#"{"A": {"key": \#(value)}}"#)
    let credentials = credentials(["PATH": "/usr/bin:/bin"])
    #expect(throws: problem) { try credentials.usable("key", of: "A") }
    #expect(throws: problem) { try credentials.secret("key", of: "A") }
  }

  /// Programs are run only once, since they may prompt the user.
  @Test func programsAreRunOnce() throws {
    let script = try folder.script("ask", "echo x >>'\(folder.path)/asked'; echo hush")
    try folder.write(#"{"A": {"key": {"command": ["\#(script)"]}, "other": {"command": ["\#(script)"]}}}"#)
    let credentials = credentials()
    for name in ["key", "other", "key"] { #expect(try credentials.secret(name, of: "A") == "hush") }
    #expect(try folder.read("asked") == "x\n")
  }

  /// The values redacted wherever a file's text is shown: only secrets, not the words of programs.
  @Test func redactedValues() throws {
    try folder.write(
      #"""
      {"A": {"key": "hush-hush", "allow": "0123456789", "pin": "1234", "secret": {"command": ["market", "secret-tool"]}},
       "B": ["listed-text"], "allow": {"x": "owner-of-that-name"}}
      """#)
    #expect(CredentialsFile(in: folder.path).values == ["hush-hush", "listed-text", "owner-of-that-name"])
  }

  @Test func secretsAreNeverPrinted() {
    let secret = Secret("hush-hush")
    var dumped = ""
    dump([secret], to: &dumped)
    dump(StoredKeys.Source.text(secret), to: &dumped)
    #expect(!"\(secret) \([secret]) \(["a": secret]) \(String(reflecting: secret)) \(dumped)".contains("hush"))
    #expect(!"\(SecretProblem.badSecret(name: "key", why: "x"))".contains("hush"))
  }

  /// A pipe in the file's place is not waited for, and the advice is about that.
  @Test func pipeInItsPlace() throws {
    let path = "\(folder.path)/credentials.json"
    #expect(mkfifo(path, 0o600) == 0)
    let file = CredentialsFile(in: folder.path)
    let problem = try #require(file.problems.first)
    let (sentence, remedy) = file.explanation(of: problem)
    #expect(sentence == "cannot read '\(path)': it is a pipe, not a file")
    #expect(remedy == "put a file of your own with mode 600 in its place")
  }

  // MARK: Writing

  private func edit(_ owner: String, _ edits: CredentialsEdit...) throws -> Bool {
    try CredentialsFile.edit(owner, by: edits, in: folder.path)
  }

  @Test func writing() throws {
    let secrets = [("apiKey", Secret("k")), ("secret", Secret(#"s"\"#))]
    #expect(try edit("Upbit", .set(secrets), .allow("9f2c")))
    let whole = """
      {
        "Upbit": { "apiKey": "k", "secret": "s\\"\\\\", "allow": "9f2c"}
      }

      """
    let written = try folder.read("credentials.json")
    #expect(written == whole)
    #expect(folder.mode("credentials.json") == 0o600)
    #expect(try !edit("Upbit", .set([("apiKey", Secret("k"))])))
    #expect(try edit("Kraken", .set([("apiKey", Secret("other"))])))
    #expect(try edit("Upbit", .remove))
    #expect(try !edit("Upbit", .remove))
    #expect(CredentialsFile(in: folder.path).owners.map(\.owner) == ["Kraken"])
    #expect(try edit("Kraken", .remove))
    #expect(try folder.read("credentials.json") == "{\n}\n")
  }

  /// The user's own text stays byte for byte, and so do the permissions.
  @Test func unrelatedTextAndPermissionsAreKept() throws {
    let text = "{\n\t\"A\":  {\"x\": {\"command\": [\"pass\", \"a\"]}},\n\t\"B\": {\"y\": \"1\"}\n}"
    try folder.write(text, mode: 0o600)
    #expect(try edit("B", .set([("y", Secret("2"))])))
    #expect(try folder.read("credentials.json") == text.replacing("\"1\"", with: "\"2\""))
  }

  @Test(arguments: [
    ("{\"A\": 1,}", 0o600, "unusable([MarketData.CredentialsFile.Problem.syntax(1:9)])"),
    ("\u{FEFF}{}", 0o600, "unusable([MarketData.CredentialsFile.Problem.byteOrderMark])"),
    ("[]", 0o600, "unusable([MarketData.CredentialsFile.Problem.notAnObject])"),
    ("{}", 0o644, "unusable([MarketData.CredentialsFile.Problem.exposed(mode: 420)])"),
    (#"{"A": {"k": "1"}, "A": {}}"#, 0o600, "repeated(1:19)"), (#"{"A": "hush"}"#, 0o600, #"notAnObject(owner: "A")"#),
  ])
  func unusableFileIsNeverOverwritten(_ text: String, _ mode: Int, _ problem: String) throws {
    try folder.write(text, mode: UInt32(mode))
    for edits in [[CredentialsEdit.set([("key", Secret("new"))])], [.allow("9f2c")]] {
      let error = #expect(throws: CredentialsEditProblem.self) {
        try CredentialsFile.edit("A", by: edits, in: folder.path)
      }
      #expect(error.map { "\($0)" } == problem)
    }
    #expect(try folder.read("credentials.json") == text)
    #expect(folder.mode("credentials.json") == UInt32(mode))
  }

  /// With many concurrent writers, every change survives.
  @Test func concurrentWritersLoseNothing() async throws {
    let path = folder.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask { try CredentialsFile.edit("E\(number)", by: [.set([("k", Secret("s"))])], in: path) }
      }
      try await group.waitForAll()
    }
    #expect(Set(CredentialsFile(in: path).owners.map(\.owner)) == Set((0..<6).map { "E\($0)" }))
    #expect(try FileSystem.names(in: path) == ["credentials.json"])
  }
}
