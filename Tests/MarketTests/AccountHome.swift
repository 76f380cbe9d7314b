import Files
import HTTP
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A home with keys for an exchange that signs with the time, and that exchange.
final class AccountHome: Sendable {
  static let secrets = ["hush-key", "hush-secret", "hush-words"]

  let folder: TemporaryFolder
  let server: LoopbackServer

  /// - Parameters:
  ///   - balances: the response to the signed request.
  ///   - status: its status.
  ///   - seconds: how far the exchange's clock is ahead.
  init(_ balances: String, status: String = "200 OK", seconds: Int64 = 0, prices: String = AccountHome.prices) throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer { request in
      let date = ["Date: \(Self.date(after: seconds))"]
      switch request.target.prefix(while: { $0 != "?" }) {
      case "/balances", "/wallets":
        let isSigned = request.headers.contains {
          $0.name.lowercased() == "x-pass" && $0.value == AccountHome.secrets[2]
        }
        let body = isSigned ? balances : #"{"code": "no-signature"}"#
        return [.bytes(Answer.ok(body, status: status, headers: date))]
      case "/all": return [.bytes(Answer.ok(prices, headers: date))]
      case "/rate": return [.bytes(Answer.ok(#"{"rate": "1500", "time": "2024-02-29T15:00:00Z"}"#, headers: date))]
      default: return [.bytes(Answer.ok("{}", status: "404 Not Found", headers: date))]
      }
    }
    let config = "\(folder.path)/.config/market"
    try FileSystem.createFolder(config)
    try FileSystem.writeAtomically(Array(Self.config(server.url("")).utf8), to: "\(config)/exchanges.json")
    let lines = AccountHome.secrets.map { $0 + "\n" }.joined()
    let added = try Subprocess(
      market: ["keys", "add", "Alpha", "--yes", "--no-test"], input: lines, environment: environment)
    #expect(added.code == 0, "\(added.errorOutput)")
  }

  deinit { server.stop() }

  static let prices = #"[{"s": "BTC-KRW", "p": "100000000"}, {"s": "ETH-USDT", "p": "3000"}]"#

  var environment: [String: String] { ["HOME": folder.path, "PATH": "/usr/bin:/bin"] }

  private static func config(_ url: String) -> String {
    #"""
    {"version": 1, "exchanges": {"Alpha": {"baseUrls": ["\#(url)"], "rows": "$[*]",
      "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
      "markets": {"spot": {"tickers": {"request": {"path": "/all"}}}},
      "success": {"where": [{"path": "$.code", "is": "absent"}], "code": "$.code", "message": ["$.msg"]},
      "auth": {"values": {"sign": {"hmac-sha256": "{query}", "key": "{secret:secret}"}},
        "headers": {"X-KEY": "{secret:apiKey}", "X-PASS": "{secret:passphrase}"},
        "query": {"timestamp": "{now.ms}", "signature": "{sign|hex}"}},
      "balances": {"spot": {"request": {"path": "/balances"}, "rows": "$[*]", "asset": "$.a",
        "fields": {"free": "$.f", "locked": "$.l"}}},
      "walletStatus": {"signed": true, "request": {"path": "/wallets"}, "rows": "$[*]", "asset": "$.a",
        "network": "$.n", "deposit": [{"path": "$.in", "equals": true}], "withdraw": [{"path": "$.out", "equals": true}]}}},
      "fx": {"providers": {"Bank": {"baseUrls": ["\#(url)"], "pairs": ["USD/KRW"], "rate": {"request": {"path": "/rate"},
          "rows": "$", "symbol": "request", "fields": {"rate": "$.rate", "time": {"path": "$.time", "unit": "iso8601"}}}}},
        "routes": {"USD/KRW": {"rules": [{"use": "Bank"}]}}}}
    """#
  }

  private static func date(after seconds: Int64) -> String {
    var moment = time_t(Int64(time(nil)) + seconds)
    var parts = tm()
    gmtime_r(&moment, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Adds an exchange with the same prices, whose accounts cannot be read.
  func addBeta() throws {
    let path = "\(folder.path)/.config/market/exchanges.json"
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    let beta = #""exchanges": {"Beta": {"like": "Alpha", "auth": {"headers": 7}}, "#
    try FileSystem.writeAtomically(Array(text.replacing(#""exchanges": {"#, with: beta).utf8), to: path)
  }

  private var credentials: String { "\(folder.path)/.config/market/credentials.json" }

  /// Returns the text of the file of keys.
  func keys() throws -> String { String(decoding: try FileSystem.read(credentials), as: UTF8.self) }

  /// Replaces the file of keys.
  func write(keys: String) throws {
    try FileSystem.writeAtomically(Array(keys.utf8), to: credentials, mode: 0o600)
  }

  /// Adds a key of the exchange whose accounts cannot be read.
  func addKeyOfBeta() throws {
    try write(keys: #"{"Beta": {"apiKey": "hush-key"}, "# + keys().drop { $0 != "{" }.dropFirst())
  }

  /// Returns a screen that shows a price.
  func screen(_ words: String...) throws -> LiveSession {
    let session = try LiveSession(
      try Subprocess.market(), ["watch", "BTC/KRW"] + words, environment: environment, columns: 120, rows: 24)
    try #require(session.play(untilWritten: "100000000"), "\(session.text)")
    return session
  }

  /// Runs the program and checks that its output contains no secret.
  func market(_ words: String...) throws -> Subprocess {
    let run = try Subprocess(market: words, environment: environment)
    for secret in AccountHome.secrets { #expect(!(run.output + run.errorOutput).contains(secret)) }
    return run
  }
}
