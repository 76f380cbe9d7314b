import Files
import Quotes
import TestSupport

/// An exchange on this machine with an order book, trades and five-minute candles, and a folder with its config.
///
/// Its candles begin in 2024, and each is derived from its own start, so that duplicate or wrong ones are recognizable.
struct PairExchange {
  /// A request for candles, as seen by the exchange's server.
  struct Query: Sendable {
    /// Seconds since 1970; nil if the address does not contain them.
    let from: Int?
    let to: Int?
    let count: Int
    /// The number of previous requests to this address.
    let repetition: Int
  }

  /// How candles are requested: the query of the request.
  enum Paging: String, Sendable {
    case windows = #""from": "{from.s}", "to": "{to.s}""#
    case backwards = #""to": "{to.s}""#
    case newestOnly = #""list": "candles""#
  }

  static let seconds = 300

  /// 2024-02-29 15:00 UTC.
  static let start = 1_709_218_800

  /// Returns the candle that begins at a moment, as a row of a response.
  static func row(_ start: Int) -> String {
    let open = 100 + start / seconds % 50
    return "[\(start),\"\(open)\",\"\(open + 3)\",\"\(open - 2)\",\"\(open + 1)\",\"0.\(1 + start / seconds % 9)\"]"
  }

  /// Returns the same as a line of CSV, after the names.
  static func line(_ start: Int) -> String {
    let open = 100 + start / seconds % 50
    return "\(start),\(open),\(open + 3),\(open - 2),\(open + 1),0.\(1 + start / seconds % 9)"
  }

  static func answer(_ starts: some Sequence<Int>) -> [LoopbackServer.Step] {
    [.bytes(Answer.ok("[\(starts.map(row).joined(separator: ","))]"))]
  }

  /// Returns the starts within a span, edges included.
  static func starts(from: Int, to: Int) -> [Int] {
    Array(stride(from: (from + seconds - 1) / seconds * seconds, through: to, by: seconds))
  }

  let server: LoopbackServer
  let folder: TemporaryFolder

  /// - Parameters:
  ///   - count: the maximum number of candles per response.
  ///   - bodies: the responses of the other addresses: `/book`, `/trades`, `/all`.
  init(
    _ paging: Paging = .windows, count: Int = 5, bodies: [String: String] = [:],
    candles: @escaping @Sendable (Query) -> [LoopbackServer.Step] = { _ in [.close] }
  ) throws {
    server = try LoopbackServer { request in
      let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
      if parts[0] != "/candles" {
        // The complete address first, for an exchange that lists a pair under another name.
        guard let body = bodies[request.target] ?? bodies[parts[0]] else { return [.close] }
        return [.bytes(Answer.ok(body))]
      }
      var values: [String: Int] = [:]
      for item in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
        let pair = item.split(separator: "=", maxSplits: 1)
        if pair.count == 2, let number = Int(pair[1]) { values[String(pair[0])] = number }
      }
      return candles(
        Query(
          from: values["from"], to: values["to"], count: values["limit"] ?? count, repetition: request.repetition))
    }
    folder = try TemporaryFolder()
    let config = """
      { "version": 1, "exchanges": { "Alpha": {
        "baseUrls": ["\(server.url(""))"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" },
        "success": { "where": [{ "path": "$.error", "is": "absent" }],
          "unlisted": [{ "path": "$.error", "equals": "unknown" }] },
        "markets": { "spot": { "takerFee": 0.1, "multiplier": { "1000": 1000 },
          "tickers": { "request": { "path": "/all" } },
          "orderbook": { "request": { "path": "/book", "query": { "s": "{asset}-{payment}" } },
            "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]",
            "time": { "path": "$.t", "unit": "ms" } },
          "trades": { "request": { "path": "/trades", "query": { "s": "{asset}-{payment}" } }, "rows": "$[*]",
            "fields": { "price": "$.p", "size": "$.q", "time": { "path": "$.t", "unit": "ms" }, "id": "$.i",
              "side": { "path": "$.m", "buy": false, "sell": true } } },
          "candles": { "count": \(count), "intervals": { "5m": "5" }, "rows": "$[*]",
            "request": { "path": "/candles", "query": {
              "s": "{asset}-{payment}", "i": "{interval}", "limit": "{count}", \(paging.rawValue) } },
            "fields": { "time": { "path": "$[0]", "unit": "s" }, "open": "$[1]", "high": "$[2]", "low": "$[3]",
              "close": "$[4]", "volume": "$[5]" } } } } } } }
      """
    try FileSystem.writeAtomically(Array(config.utf8), to: "\(folder.path)/config.json")
  }

  /// Runs a command against this exchange only.
  ///
  /// - Parameter limit: the program's limit of address space; without effect if the system has no such limit.
  func market(_ words: String, kilobytesOfAddresses limit: Int? = nil) throws -> Subprocess {
    let words =
      words.split(separator: " ").map(String.init)
      + ["-e", "alpha", "-c", "\(folder.path)/config.json", "--timeout", "60"]
    let environment = ["HOME": folder.path, "no_proxy": "*"]
    guard let limit else { return try Subprocess(market: words, environment: environment) }
    let script = #"ulimit -v \#(limit) 2>/dev/null; exec "$0" "$@""#
    return try Subprocess("/bin/sh", ["-c", script, Subprocess.market()] + words, environment: environment)
  }

  /// Returns the candles of a run, each formatted like ``line(_:)``.
  static func lines(_ run: Subprocess) -> [String] {
    run.output.split(whereSeparator: \.isNewline).dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard cells.count > 9 else { return String(line) }
      return ([seconds(of: cells[4])] + cells[5...9]).joined(separator: ",")
    }
  }

  /// Returns `2024-02-29T15:00:00Z` as seconds since 1970.
  private static func seconds(of moment: String) -> String {
    (Instant.iso8601(moment, defaultOffsetSeconds: 0)?.nanoseconds).map { "\($0 / 1_000_000_000)" } ?? moment
  }
}
