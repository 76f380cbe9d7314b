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
  private let symbols: [[UInt8]]
  /// By the hash of a text in capitals: the place of the first pair that has it.
  private var firstPlaces: [UInt64: Int] = [:]
  /// By the place of a pair: that of the next one with the same hash.
  private var nextPlaces: [Int?]
  private let byPair: [PairAndProduct: Int]

  private struct PairAndProduct: Hashable {
    let pair: Pair
    let product: String?
  }

  init(_ pairs: [StreamPair]) {
    symbols = pairs.map { Array(($0.spelling.symbol ?? $0.row.symbol).utf8) }
    byPair = Dictionary(
      pairs.enumerated().map { (PairAndProduct(pair: $1.row.pair, product: $1.row.product), $0) },
      uniquingKeysWith: { first, _ in first })
    nextPlaces = pairs.map { _ in nil }
    for place in symbols.indices.reversed() {
      let hash = symbols[place].withUnsafeBufferPointer(Self.hash)
      nextPlaces[place] = firstPlaces.updateValue(place, forKey: hash)
    }
  }

  /// The place of the pair that a text spells, letters' case apart; where two differ by their case alone, that of the one
  /// that is spelled so.
  subscript(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var found: Int?
    var next = firstPlaces[Self.hash(text)]
    while let place = next {
      if Self.isSame(symbols[place], text) { return place }
      if found == nil, Self.isAlike(symbols[place], text) { found = place }
      next = nextPlaces[place]
    }
    return found
  }

  subscript(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { self[$0] }
  }

  subscript(_ pair: Pair, _ product: String?) -> Int? { byPair[PairAndProduct(pair: pair, product: product)] }

  /// Byte by byte, and in place: `elementsEqual` costs ten times as much here.
  private static func isSame(_ symbol: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    symbol.count == text.count && symbol.indices.allSatisfy { symbol[$0] == text[$0] }
  }

  private static func isAlike(_ symbol: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    symbol.count == text.count && zip(symbol, text).allSatisfy { upper($0) == upper($1) }
  }

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
