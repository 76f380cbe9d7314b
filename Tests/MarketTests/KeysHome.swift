import Files
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A home with its own config, and an exchange on this machine that has nonces and reports a key's permissions.
final class KeysHome: Sendable {
  static let secrets = ["hush-key", "aHVzaC1zZWNyZXQ="]

  let folder: TemporaryFolder
  let server: LoopbackServer

  /// - Parameters:
  ///   - rights: the exchange's statement about the key.
  ///   - script: the exchange's behaviour instead of its responses; nil to respond normally.
  init(
    rights: String = #"{"trade": false, "withdraw": false}"#, hours: Int64 = 0,
    _ script: (@Sendable (LoopbackServer.Received) -> [LoopbackServer.Step]?)? = nil
  ) throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer { request in
      if let steps = script?(request) { return steps }
      let date = ["Date: \(Self.date(after: hours))"]
      switch request.target {
      case "/rights": return [.bytes(Answer.ok(rights, headers: date))]
      case "/balances":
        return [.bytes(Answer.ok(#"[{"a": "BTC", "free": "1.5"}, {"a": "KRW", "free": "7"}]"#, headers: date))]
      default: return [.bytes(Answer.ok("{}", status: "404 Not Found", headers: date))]
      }
    }
    try write(Self.config(server.url("")), "exchanges.json")
  }

  deinit { server.stop() }

  static func config(_ url: String, path: String = "/balances") -> String {
    #"""
    {"version": 1, "exchanges": {"Alpha": {"baseUrls": ["\#(url)"], "rows": "$[*]",
      "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
      "markets": {"spot": {"tickers": {"request": {"path": "/all"}}}},
      "auth": {"values": {"said": "{nonce.ms}{body}",
          "sign": {"hmac-sha256": "{path}{said|sha256}", "key": "{secret:secret|unbase64}"}},
        "headers": {"Key": "{secret:apiKey}", "Sign": "{sign|hex}"}, "form": {"nonce": "{nonce.ms}"}},
      "balances": {"spot": {"request": {"method": "POST", "path": "\#(path)"}, "rows": "$[*]", "asset": "$.a",
        "fields": {"free": "$.free"}}},
      "permissions": {"request": {"method": "POST", "path": "/rights"},
        "trade": [{"path": "$.trade", "equals": true}], "withdraw": [{"path": "$.withdraw", "equals": true}],
        "expires": {"path": "$.until", "unit": "s"}}}}}
    """#
  }

  /// Returns the time the given hours from now, in header format.
  private static func date(after hours: Int64) -> String {
    var moment = time_t(Int64(time(nil)) + hours * 3600)
    var parts = tm()
    gmtime_r(&moment, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  var credentials: String { "\(folder.path)/.config/market/credentials.json" }

  func write(_ text: String, _ name: String, mode: UInt32 = 0o600) throws {
    let path = "\(folder.path)/.config/market/\(name)"
    try FileSystem.createFolder("\(folder.path)/.config/market")
    _ = unlink(path)
    try FileSystem.writeAtomically(Array(text.utf8), to: path, mode: mode)
  }

  func stored() throws -> String { String(decoding: try FileSystem.read(credentials), as: UTF8.self) }

  /// Runs the program and checks that its output contains no secret.
  func market(_ words: String..., input: String = "", environment: [String: String] = [:]) throws -> Subprocess {
    let base = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    let run = try Subprocess(
      market: ["keys"] + words, input: input, environment: base.merging(environment) { $1 })
    for secret in KeysHome.secrets { #expect(!(run.output + run.errorOutput).contains(secret)) }
    return run
  }

  func add(_ words: String..., lines: [String] = KeysHome.secrets) throws -> Subprocess {
    let input = lines.map { $0 + "\n" }.joined()
    let base = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    let run = try Subprocess(market: ["keys", "add", "alpha"] + words, input: input, environment: base)
    for secret in lines where !secret.isEmpty { #expect(!(run.output + run.errorOutput).contains(secret)) }
    return run
  }
}
