import Foundation

/// A recorded response with many tickers, and an independent project's reading of it.
package struct RecordedTickers: Sendable, CustomStringConvertible {
  package let exchange: String
  package let file: String
  package let bytes: [UInt8]
  package let reference: ReferenceMapping?

  package var description: String { file }

  /// Whether the exchange is in the half that was held out while the rules were written on the other.
  package var isHeldOut: Bool { Self.hash(exchange, seed: 2026) % 2 == 1 }

  /// Every tier A or B body with tickers in at least two rows, in index order.
  package static let all: [RecordedTickers] = {
    guard let root = SharedCorpora.root, let index = lines("\(root)/recordings/INDEX.tsv"),
      let mappings = lines("\(root)/recordings/coingecko-mappings.tsv")
    else { return [] }
    var references: [String: ReferenceMapping] = [:]
    for fields in mappings.dropFirst() where fields.count > 4 {
      references[fields[0]] = ReferenceMapping(symbolLines: fields[3], assignments: fields[4])
    }
    return index.dropFirst().compactMap { fields in
      guard fields.count > 9, fields[1].contains("tickers"), !fields[1].contains("error"), "AB".contains(fields[3]),
        let rows = Int(fields[9]), rows >= 2, fields[4].hasSuffix(".json"),
        let data = FileManager.default.contents(atPath: "\(root)/recordings/\(fields[4])")
      else { return nil }
      // The mappings only apply to recordings of the same project.
      let reference = fields[4].contains("@vcr") ? references[fields[0]] : nil
      return RecordedTickers(exchange: fields[0], file: fields[4], bytes: Array(data), reference: reference)
    }
  }()

  private static func lines(_ path: String) -> [[String]]? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Returns the finalized FNV-1a hash, so that the halves do not depend on the standard library's seed.
  private static func hash(_ text: String, seed: UInt64) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= hash >> 33
    hash &*= 0xff51_afd7_ed55_8ccd
    return hash ^ hash >> 33
  }
}
