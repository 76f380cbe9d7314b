import Config
import JSON
import Mapping
import MarketData
import Quotes
import TestSupport
import Testing
import Views

/// Every shipped exchange, queried on the cassettes.
@Suite("Shipped exchanges on cassettes")
struct ShippedExchangeTests {
  /// Deliberately bad rows, with the codes of their flags.
  static let badRows: [String: [String: [String]]] = [
    "Binance-spot": ["BTTUSDT": ["stale"]], "Luno-spot": ["ETHAUD": ["dead"]],
  ]

  /// Markets of fewer than five pairs.
  static let smallMarkets = ["Bitflyer-futures": 1]

  @Test(arguments: ShippedConfig.markets)
  func rowsMatchGolden(of shipped: ShippedMarket) async throws {
    let report = await (try Replay()).report(on: shipped)
    Golden.expect(String(decoding: report.table.json, as: UTF8.self) + "\n", matches: "\(shipped.name).rows.json")
    let data = TickerTableReport(exchange: shipped.exchange.name, reports: [report]).dataFromAsset().json
    var writer = JSONWriter(indent: 1)
    Self.indent(try JSONDocument(parsing: data).root, with: &writer)
    Golden.expect(String(decoding: writer.bytes, as: UTF8.self) + "\n", matches: "\(shipped.name).data.json")
  }

  /// Writes objects of texts with one member per line, since people read the golden files.
  private static func indent(_ node: JSONNode, with writer: inout JSONWriter) {
    guard node.kind == .object else { return writer.string(node.string ?? "") }
    writer.beginObject()
    for member in node.members {
      writer.key(member.name)
      indent(member.value, with: &writer)
    }
    writer.endObject()
  }

  @Test(arguments: ShippedConfig.markets)
  func onlyBadRowsAreFlagged(of shipped: ShippedMarket) async throws {
    let report = await (try Replay()).report(on: shipped)
    #expect(report.status == .ok)
    #expect(report.table.rows.count >= Self.smallMarkets[shipped.name] ?? 5)
    let flagged = report.table.rows.filter { !$0.ticker.flags.isEmpty }
    let codes = Dictionary(uniqueKeysWithValues: flagged.map { ($0.ticker.symbol, $0.ticker.flags.map(\.code)) })
    #expect(codes == Self.badRows[shipped.name] ?? [:])
  }

  @Test(arguments: [
    ("Binance-spot", ["BTCBKRW"]), ("Bybit-spot", ["BTCBRZ"]), ("Bitget-spot", ["BTCRUB"]),
    ("Okx-futures", ["BTC-USDT-SWAP-X"]), ("Mexc-spot", ["BTCRUB"]),
  ])
  func unsplitSymbolsAreReported(market: String, symbols: [String]) async throws {
    let shipped = try #require(ShippedConfig.markets.first { $0.name == market })
    let table = await (try Replay()).report(on: shipped).table
    #expect(table.unsplit.map(\.symbol) == symbols)
  }

  /// Of two rows with one pair, the one of the product named first in the config stays, and the other is reported.
  @Test(arguments: [
    ("Kraken-futures", ["PI_XBTUSD", "PI_ETHUSD"]), ("Okx-futures", ["BTC-USD_UM-SWAP"]), ("Binance-futures", []),
  ])
  func firstNamedProductIsKept(market: String, displaced: [String]) async throws {
    let shipped = try #require(ShippedConfig.markets.first { $0.name == market })
    let report = await (try Replay()).report(on: shipped)
    let notes = TickerTableReport(exchange: shipped.exchange.name, reports: [report]).dataFromAsset().notes
    let symbols = notes.filter { $0.contains("is left out") }.map { $0.split(separator: " ")[1] }
    #expect(symbols == displaced.map { Substring($0) })
  }

  /// A pair with a multiplied name: the price of one unit, the volume in units. Digits are preserved.
  @Test(arguments: [
    ("Binance-futures", "1000PEPEUSDT", "0.0000048234", "89437036537000"),
    ("Bybit-futures", "1000PEPEUSDT", "0.0000048238", "32793580064000"),
    ("Bitget-futures", "1000SHIBUSDT", "0.000008714", "1444014144000"),
    ("Mexc-futures", "1000BONK_USDT", "0.000009817", "41233100000"),
    ("Bingx-futures", "1000PEPE-USDT", "0.0000048231", "3113420000000"),
    ("Phemex-futures", "u1000PEPEUSDT", "0.000004823", "412331000000"),
    ("Poloniex-futures", "1000PEPE_USDT_PERP", "0.0000048227", "41233000000"),
    ("Kucoin-futures", "1000PEPEUSDTM", "0.000004823", "894370365000"),
    ("Binance-spot", "1000SATSUSDT", "0.00000001829", "3610035360000"),
    ("Deribit-futures", "1000PEPE_USDC-PERPETUAL", "0.0000048241", "5962469000"),
    ("Hyperliquid-futures", "kPEPE", "0.0000048205", "2384987641000"),
    ("Backpack-futures", "kPEPE_USDC_PERP", "0.0000048242", "11924938000"),
  ])
  func multipliedNamesAreScaledToOneUnit(market: String, symbol: String, price: String, volume: String) async throws {
    let shipped = try #require(ShippedConfig.markets.first { $0.name == market })
    let rows = await (try Replay()).report(on: shipped).table.rows
    let ticker = try #require(rows.first { $0.ticker.symbol == symbol }).ticker
    #expect([ticker.text(.price), ticker.text(.volume24)] == [price, volume])
    #expect(ticker.multiplier == 1000)
  }

  /// A single pair: its rows by product; having none is not a failure if the exchange says that the pair is not listed.
  @Test(
    arguments: ShippedConfig.markets,
    [
      "BTC/USDT", "ETH/USDT", "PEPE/USDT", "BTC/KRW", "NOPE/USDT", "NOPE/KRW", "NOPE/JPY",
    ])
  func singlePairResponseHasThatPairOrNone(of shipped: ShippedMarket, _ text: String) async throws {
    let names = text.split(separator: "/").map(String.init)
    let pair = Pair(asset: names[0], payment: names[1])
    // Not every pair is on a cassette; the table of all pairs is used instead.
    let unrecorded = ["Binance-spot NOPE/JPY", "Kraken-spot NOPE/JPY", "Upbit-spot NOPE/KRW"]
    if unrecorded.contains("\(shipped.name) \(text)") { return }
    let report = await (try Replay()).report(on: shipped, pair: pair)
    #expect(report.failures.map(\.failure) == [])
    #expect(report.table.rows.allSatisfy { $0.ticker.pair == pair && $0.ticker.flags.isEmpty })
    #expect(report.status == (report.table.rows.isEmpty ? .notListed : .ok))
    let bulk = await (try Replay()).report(on: shipped).table.rows.filter { $0.ticker.pair == pair }
    #expect(report.table.rows.map(\.ticker.price) == bulk.map(\.ticker.price))
    #expect(report.table.rows.map(\.ticker.product) == bulk.map(\.ticker.product))
  }
}
