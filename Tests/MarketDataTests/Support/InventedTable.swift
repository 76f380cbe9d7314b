import Config
import HTTP
import JSON
import Mapping
import MarketData
import Quotes
import Testing

@testable import Proving

/// An exchange with twelve pairs whose numbers are all consistent, for mappings that are not.
struct InventedTable {
  /// Prices from 10,000 down to 0.0001, as powers of ten, and how each has moved in 24 hours, in tenths of a percent.
  private static let pairs = zip(
    [4, 3, 2, 1, 0, 0, -1, -1, -2, -2, -3, -4], [-44, 31, -28, 52, -61, 12, -35, 48, 25, -53, 39, -18])

  /// The members of each row, and their values.
  typealias Row = [String: String]

  static let rows: [Row] = pairs.enumerated().map { index, pair in
    let (power, change) = pair
    func text(_ price: Int) -> String { Decimal(price).scaledByPowerOfTen(power - 4).description }
    let (open, last) = (10_000, 10_000 + 10 * change)
    // As much money is traded in each.
    let volume = Decimal(100 + 7 * index).scaledByPowerOfTen(-power)
    let money = (volume * Decimal((open + last) / 2)).scaledByPowerOfTen(power - 4)
    return [
      "s": "C\(index)X-USDT", "coin": "Coin \(index)", "open": text(open), "last": text(last),
      "high": text(max(open, last) + 100),
      "low": text(min(open, last) - 100), "bid": text(last - 1), "ask": text(last + 1), "delta": text(last - open),
      "change": Decimal(change).scaledByPowerOfTen(-1).description, "volume": volume.description,
      "money": money.description, "markPrice": text(last), "spotPrice": text(last),
      "volume7d": (volume * 7).description,
    ]
  }

  /// The fields of a mapping; those of a right one by default.
  static func fields(_ edits: [String: String?] = [:]) -> String {
    let change = #"{"path": "$.change", "basis": "rolling24h"}"#
    var fields: [String: String] = [
      "price": #""$.last""#, "high": #""$.high""#, "low": #""$.low""#, "changePricePercent24": change,
    ]
    for (name, value) in edits { fields[name] = value }
    return fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
  }

  private let stub: StubExchanges

  /// - Parameters:
  ///   - edits: the fields that differ from the right mapping, as JSON; nil for those left out.
  ///   - markets: what the spot market has besides its table.
  init(_ edits: [String: String?] = [:], besides markets: String = "") throws {
    stub = try StubExchanges(
      config: """
        { "version": 1, "exchanges": { "alpha": {
          "baseUrls": ["https://alpha.example"], "rows": "$[*]",
          "symbol": { "path": "$.s", "match": "(?<asset>[0-9A-Z]+)-(?<payment>[A-Z]+)([.]V2)?" },
          "fields": { \(Self.fields(edits)) },
          "markets": { "spot": { "tickers": { "request": { "path": "/all" } }\(markets) } } } } }
        """)
  }

  private static func text(_ row: Row) -> String {
    "{" + row.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \"\($0.value)\"" }.joined(separator: ", ") + "}"
  }

  static func body(_ rows: [Row]) -> [UInt8] { Array(("[" + rows.map(text).joined(separator: ",\n") + "]").utf8) }

  /// Tests the mapping live.
  ///
  /// - Parameters:
  ///   - rows: the rows of the answer.
  ///   - recorded: those of the recording to compare them with; nil for none.
  ///   - reply: answers what is not the table's request.
  func problems(
    in rows: [Row] = rows, recorded: [Row]? = nil,
    _ reply: @escaping @Sendable (_ url: String) -> [UInt8] = { _ in [] }
  ) async throws -> [String] {
    let exchange = try #require(stub.exchanges.first)
    func tested(_ rows: [Row], _ base: TestedExchange?) async -> TestedExchange {
      let body = Self.body(rows)
      let client = stub.client { _, url in .success((200, url.hasSuffix("/all") ? body : reply(url))) }
      return await ExchangeTester(live: client, Interpretation(check: MeaningCheck())).test(
        exchange, comparedWith: base)
    }
    var base: TestedExchange?
    if let recorded { base = await tested(recorded, nil) }
    return await tested(rows, base).problems.map { $0.message + ($0.help.map { " | \($0)" } ?? "") }
  }
}
