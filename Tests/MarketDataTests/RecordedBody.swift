import Foundation
import TestSupport

/// A recorded response of the optional corpora, as its index describes it.
struct RecordedBody: Sendable, Hashable {
  let exchange: String
  /// `A` recorded, `B` recorded and then cut or written anew, `C` a sample of documents.
  let tier: String
  let file: String
  /// Without its method; a path alone where the recorder did not keep the host.
  let url: String

  /// Every body that a GET brought; none where the corpora are absent.
  static let all: [RecordedBody] = {
    guard let root = SharedCorpora.root,
      let data = try? Data(contentsOf: URL(fileURLWithPath: "\(root)/recordings/INDEX.tsv"))
    else { return [] }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count > 11, columns[4].hasSuffix(".json"), columns[11].hasPrefix("GET ") else { return nil }
      return RecordedBody(
        exchange: columns[0], tier: columns[3], file: columns[4], url: String(columns[11].dropFirst(4)))
    }
  }()

  func bytes() throws -> [UInt8] { try Project.bytes("\(SharedCorpora.root ?? "")/recordings/\(file)") }

  /// The corpora know some venues by several names.
  var venue: String? {
    switch exchange {
    case "binance", "binanceus": "Binance"
    case "bybit": "Bybit"
    case "bitget": "Bitget"
    case "okx", "okexswap": "Okx"
    case "kraken", "kraken_futures", "krakenfutures": "Kraken"
    case "upbit": "Upbit"
    case "bithumb": path.hasPrefix("/public/") ? "BithumbLegacy" : "Bithumb"
    case "coinone": "Coinone"
    case "bitbank": "Bitbank"
    case "coinbase", "gdax", "coinbasepro", "coinbaseexchange": "Coinbase"
    case "kucoin", "kumex", "kucoinfutures": "Kucoin"
    case "korbit": "Korbit"
    case "gopax": "Gopax"
    case "bitflyer": "Bitflyer"
    case "coincheck": "Coincheck"
    case "gmojapanfutures": "Gmo"
    case "luno": "Luno"
    default: nil
    }
  }

  var path: String { Self.path(of: url) }

  /// nil where the recorder did not keep it.
  var host: String? {
    guard url.hasPrefix("https://") else { return nil }
    return url.dropFirst(8).split(separator: "/").first.map(String.init)
  }

  var hasQuery: Bool { url.contains("?") }

  /// The path of an address, without scheme, host and query.
  static func path(of url: String) -> String {
    let text = url.split(separator: "?", maxSplits: 1).first.map(String.init) ?? url
    guard text.hasPrefix("https://") else { return text }
    let rest = text.dropFirst(8)
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }
}
