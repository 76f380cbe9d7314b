import Config
import Foundation
import TestSupport

/// A recorded response from the optional corpora, as described by their index.
struct RecordedBody: Sendable, Hashable {
  let exchange: String
  /// `spot` or `futures` according to its recorder, which is not always correct; may be empty.
  let market: String
  /// `A` is recorded, `B` recorded and then cut or rewritten, `C` a sample from documentation.
  let tier: String
  let file: String
  let request: RecordedRequest
  /// The name of the shipped exchange; nil if there is none.
  let shippedName: String?

  /// Every body with a known request; empty if the corpora are absent.
  static let all: [RecordedBody] = {
    guard let root = SharedCorpora.root,
      let data = try? Data(contentsOf: URL(fileURLWithPath: "\(root)/recordings/INDEX.tsv"))
    else { return [] }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      // A response to a request is a single document, even if its recorder keeps one per line.
      guard columns.count > 11, columns[4].hasSuffix("json"), let request = RecordedRequest(columns[11]) else {
        return nil
      }
      return RecordedBody(
        exchange: columns[0], market: columns[2], tier: columns[3], file: columns[4], request: request,
        shippedName: shippedName(of: columns[0]))
    }
  }()

  /// Those that came from an exchange.
  static let recorded = all.filter { ["A", "B"].contains($0.tier) }

  func bytes() throws -> [UInt8] { try Project.bytes("\(SharedCorpora.root ?? "")/recordings/\(file)") }

  /// Names in the corpora that differ from the exchange's.
  private static let otherNames = [
    "gate": "Gate", "gateio": "Gate", "gatefutures": "Gate", "mxc": "Mexc", "huobi": "Htx", "okex": "Okx",
    "okexswap": "Okx", "gdax": "Coinbase", "coinbasepro": "Coinbase", "coinbaseexchange": "Coinbase",
    "krakenfutures": "Kraken", "kucoinfutures": "Kucoin", "gateiofutures": "Gate", "woox": "Woo", "kumex": "Kucoin",
    "gmojapan": "Gmo",
    "gmojapanfutures": "Gmo", "poloniexfutures": "Poloniex", "bitfinexfutures": "Bitfinex", "bitmexfutures": "BitMEX",
  ]

  private static let exchangeNames: [String: String] = ShippedConfig.exchanges.reduce(into: otherNames) {
    names, exchange in
    for name in [exchange.name] + exchange.names { names[Spelling.folded(name)] = exchange.name }
  }

  /// The hosts of each shipped market, by its name.
  private static let hosts: [String: Set<String>] = Dictionary(
    uniqueKeysWithValues: ShippedConfig.markets.map { shipped in
      let urls = shipped.tables.flatMap(\.baseURLs)
      return (shipped.name, Set(urls.compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) }))
    })

  /// Matches by name or by host, since one exchange may ship under two names (Bithumb's older API).
  func isOf(_ shipped: ShippedMarket) -> Bool {
    shippedName == shipped.exchange.name || request.host.map { Self.hosts[shipped.name]?.contains($0) == true } ?? false
  }

  static func shippedName(of name: String) -> String? { exchangeNames[Spelling.folded(name)] }
}
