import Foundation

/// A recorded response of any kind: tickers, candles, balances, socket messages.
package struct RecordedAnswer: Sendable, CustomStringConvertible {
  package let exchange: String
  /// The response's kind, as named by the index: `orderbook`, `ws-trades`.
  package let kind: String
  /// `spot` or, for example, `futures-usdtm`.
  package let market: String
  package let file: String

  package var description: String { file }

  package var bytes: [UInt8] {
    guard let root = SharedCorpora.root, let data = FileManager.default.contents(atPath: "\(root)/recordings/\(file)")
    else { return [] }
    return Array(data)
  }

  /// All entries of the index, in order.
  package static let all: [RecordedAnswer] = {
    guard let root = SharedCorpora.root,
      let data = FileManager.default.contents(atPath: "\(root)/recordings/INDEX.tsv")
    else { return [] }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return fields.count > 4
        ? RecordedAnswer(exchange: fields[0], kind: fields[1], market: fields[2], file: fields[4]) : nil
    }
  }()
}
