package import Config
import Quotes

/// A column that tells the rows of one market from those of another: `$.type` is `spot` or `perpetual`.
package struct MarketColumn: Sendable, Hashable {
  package let path: String
  /// The words of the rows that belong to the market, most frequent first.
  package let kept: [WordCount]
  /// Those of the other rows.
  package let others: [WordCount]

  /// Returns nil if the column is something else, or if all rows are of one market.
  init?(_ column: SampleColumn, _ market: Market) {
    guard let words = Self.words(of: column) else { return nil }
    let kinds = words.map { Kind($0.text) }
    let (hasSpot, hasFutures) = (kinds.contains(.spot), kinds.contains { $0 == .perpetual || $0 == .futures })
    // A dated future is left out by its symbol; that of an option is not always told from that of another contract.
    let hasOptions = market == .futures && kinds.contains(.perpetual) && kinds.contains(.option)
    guard hasSpot && hasFutures || hasOptions else { return nil }
    let wanted: Kind = market == .spot ? .spot : kinds.contains(.perpetual) ? .perpetual : .futures
    path = column.path.text
    kept = zip(words, kinds).filter { $1 == wanted }.map(\.0)
    others = zip(words, kinds).filter { $1 != wanted }.map(\.0)
  }

  /// Returns the words of a column that divides the rows into a few kinds, most frequent first; nil if it does not, as a
  /// column that names each row does not.
  static func words(of column: SampleColumn) -> [WordCount]? {
    var counts: [String: Int] = [:]
    for text in column.texts {
      guard let text, !text.isEmpty, counts.count <= 8 else { return nil }
      counts[text, default: 0] += 1
    }
    return counts.count * 2 <= column.texts.count ? [WordCount](counts, atMost: 8) : nil
  }

  fileprivate enum Kind {
    case spot, perpetual, futures, option, other

    func isOf(_ market: Market) -> Bool { market == .spot ? self == .spot : [.perpetual, .futures].contains(self) }

    init(_ word: String) {
      let letters = word.lowercased().filter(\.isLetter)
      self =
        if letters.contains("perp") || letters.contains("swap") {
          .perpetual
        } else if letters.hasPrefix("spot") {
          .spot
        } else if letters.contains("option") || ["call", "put"].contains(letters) {
          .option
        } else {
          letters.contains("future") ? .futures : .other
        }
    }
  }

  /// The condition of the config that keeps the rows of the market.
  package var condition: ConfigValue {
    let texts = kept.map { ConfigValue.text($0.text) }
    return .object([("path", .text(path)), texts.count == 1 ? ("equals", texts[0]) : ("in", .list(texts))])
  }
}

extension MarketColumn {
  /// A column that tells apart rows with the same pair, in words that do not say of which market they are.
  package struct Repeats: Sendable, Hashable {
    package let path: String
    package let words: [WordCount]
    /// The word to keep: the one that names the market, or else the most frequent.
    package let likely: WordCount

    /// Returns nil if no pair repeats, or if no column explains why.
    init?(_ rows: SampleRows, _ symbol: SymbolProposal?, _ market: Market) {
      guard rows.shape != .single, rows.nodes.count >= 4 else { return nil }
      let column = rows.columns.first { $0.leafName.has(.symbol) && $0.texts.allSatisfy { $0?.isEmpty == false } }
      let named = symbol.flatMap { symbol in
        symbol.source == .request ? nil : symbol.pairs.map { $0?.description }
      }
      let names = (named ?? column?.texts ?? []).compactMap(\.self)
      guard names.count == rows.nodes.count, Set(names).count * 10 < names.count * 9 else { return nil }
      for column in rows.columns {
        guard let words = MarketColumn.words(of: column), words.count * 2 <= names.count,
          Set(zip(names, column.texts).map { "\($0) \($1 ?? "")" }).count == names.count
        else { continue }
        (path, self.words) = (column.path.text, words)
        likely = words.first { Kind($0.text).isOf(market) } ?? words[0]
        return
      }
      return nil
    }
  }
}
