package import Quotes

/// A pair on a connection, as the table of its part names it.
package struct StreamPair: Sendable, Hashable {
  /// The table's row: how the exchange spells the pair, and the values that a stream does not say.
  package let row: Ticker
  package let spelling: PairSpelling

  package init(row: Ticker, spelling: PairSpelling) {
    self.row = row
    self.spelling = spelling
  }

  package var pair: Pair { row.pair }
}

/// Finds the pair that a text of a message names.
struct SymbolIndex: Sendable {
  /// By the hash of the text in capitals: the places of the pairs.
  private var places: [UInt64: Int] = [:]
  private let symbols: [[UInt8]]
  private let byPair: [PairAndProduct: Int]

  private struct PairAndProduct: Hashable {
    let pair: Pair
    let product: String?
  }

  init(_ pairs: [StreamPair]) {
    symbols = pairs.map { Array(($0.spelling.symbol ?? $0.row.symbol).utf8).map(Self.upper) }
    byPair = Dictionary(
      pairs.enumerated().map { (PairAndProduct(pair: $1.row.pair, product: $1.row.product), $0) },
      uniquingKeysWith: { first, _ in first })
    for (place, symbol) in symbols.enumerated() {
      // Of two texts with one hash neither is found: there is no such pair of symbols in sight.
      places[symbol.withUnsafeBufferPointer(Self.hash), default: place] = place
    }
  }

  /// The place of the pair that a text spells, letters' case apart.
  subscript(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let place = places[Self.hash(text)] else { return nil }
    let symbol = symbols[place]
    guard symbol.count == text.count else { return nil }
    for index in 0..<text.count where symbol[index] != Self.upper(text[index]) { return nil }
    return place
  }

  subscript(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { self[$0] }
  }

  subscript(_ pair: Pair, _ product: String?) -> Int? { byPair[PairAndProduct(pair: pair, product: product)] }

  private static func upper(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte & 0xDF : byte
  }

  /// FNV-1a, of the text in capitals.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(upper(byte))) &* 0x100_0000_01B3 }
    return hash
  }
}
