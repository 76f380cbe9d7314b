import Files
import TestSupport

/// A config with one exchange and recordings of it, for running `test-exchange`.
struct TrialFolder {
  let folder: TemporaryFolder

  static let answer = """
    [{"s": "BTC-USDT", "last": "65000", "open": "64000", "high": "66000", "low": "63000", "chg": "1.5625", "v": "10", "x": 7},
     {"s": "ETH-USDT", "last": "3200", "open": "3100", "high": "3300", "low": "3050", "chg": "3.2258", "v": "20", "x": 8}]
    """
  static let one = """
    {"s": "BTC-USDT", "last": "65010", "open": "64000", "high": "66000", "low": "63000", "chg": "1.5781", "v": "10", "x": 7}
    """

  init() throws {
    folder = try TemporaryFolder()
    try writeConfig()
    try record("01-spot-tickers", "https://alpha.example/all", Self.answer)
    try record("02-spot-BTC-USDT", "https://alpha.example/one?s=BTC-USDT", Self.one)
  }

  /// - Parameters:
  ///   - more: further members of the exchange.
  ///   - second: whether to add a Beta based on it.
  func writeConfig(
    path: String = "/all", change: String = #"{"path": "$.chg", "basis": "rolling24h"}"#, more: String = "",
    second: Bool = false
  ) throws {
    let other = second ? #", "Beta": {"like": "Alpha"}"# : ""
    let text = """
      {"version": 1, "exchanges": {"Alpha": {\(more)"baseUrls": ["https://alpha.example"], "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"},
        "fields": {"price": "$.last", "open": "$.open", "high": "$.high", "low": "$.low", "volume24": "$.v",
          "changePricePercent24": \(change)},
        "markets": {"spot": {"tickers": {"request": {"path": "\(path)"}},
          "ticker": {"request": {"path": "/one", "query": {"s": "{asset}-{payment}"}}, "rows": "$"}}}}\(other)}}
      """
    try FileSystem.writeAtomically(Array(text.utf8), to: config)
  }

  func replaceInConfig(_ text: String, with other: String) throws {
    let old = String(decoding: try FileSystem.read(config), as: UTF8.self)
    try FileSystem.writeAtomically(Array(old.replacing(text, with: other).utf8), to: config)
  }

  var config: String { folder.path + "/exchanges.json" }
  var recordings: String { recordings(of: "Alpha") }

  func recordings(of exchange: String) -> String { folder.path + "/cassettes/" + exchange }

  /// Writes a recording of a response.
  func record(
    _ name: String, _ url: String, _ body: String, status: Int = 200, of exchange: String = "Alpha",
    arrival: String = "2026-11-18T05:12:07.421Z"
  ) throws {
    let head = #"{"url": "\#(url)", "status": \#(status), "arrival": "\#(arrival)"}"#
    let recordings = recordings(of: exchange)
    try FileSystem.createFolder(recordings)
    try FileSystem.writeAtomically(Array(head.utf8), to: "\(recordings)/\(name).json")
    try FileSystem.writeAtomically(Array(body.utf8), to: "\(recordings)/\(name).body")
  }

  func run(_ words: String...) throws -> Subprocess {
    try Subprocess(market: ["test-exchange", "alpha", "-c", config] + words)
  }
}
