package import Config
package import Quotes

/// A pair on a connection, as named by the table of its part.
package struct StreamPair: Sendable, Hashable {
  /// The table's row, with the exchange's spelling of the pair and the values that the stream does not provide.
  package let row: Ticker
  package let spelling: PairSpelling

  package init(row: Ticker, spelling: PairSpelling) {
    self.row = row
    self.spelling = spelling
  }

  /// Creates the pair of a table's row, whose symbol is the exchange's own.
  package init(_ row: Ticker, of table: TableSpec) {
    var spelling = table.spelling(of: row.pair)
    spelling.symbol = row.symbol
    self.init(row: row, spelling: spelling)
  }

  package var pair: Pair { row.pair }
}

/// An index of pairs by the symbols in messages.
struct SymbolIndex: Sendable {
  private let symbols: [[UInt8]]
  /// The index of the first pair by the lowest bits of its symbol's hash; -1 if there is none. A dictionary would hash
  /// the hash again, for each message.
  private var firstPlaces: [Int]
  /// The index of the next pair with the same bits, by pair index; -1 after the last.
  private var nextPlaces: [Int]
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
    var size = 2
    while size < 2 * pairs.count { size *= 2 }
    firstPlaces = Array(repeating: -1, count: size)
    nextPlaces = pairs.map { _ in -1 }
    for place in symbols.indices.reversed() {
      let bits = symbols[place].withUnsafeBufferPointer(Self.hash) & (size - 1)
      (nextPlaces[place], firstPlaces[bits]) = (firstPlaces[bits], place)
    }
  }

  /// The index of the pair that a text spells, ignoring case; if two differ only by case, the exact match.
  subscript(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var found: Int?
    var place = firstPlaces[Self.hash(text) & (firstPlaces.count - 1)]
    while place >= 0 {
      if Self.isSame(symbols[place], text) { return place }
      if found == nil, Self.isAlike(symbols[place], text) { found = place }
      place = nextPlaces[place]
    }
    return found
  }

  subscript(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { self[$0] }
  }

  subscript(_ pair: Pair, _ product: String?) -> Int? { byPair[PairAndProduct(pair: pair, product: product)] }

  /// Compares byte by byte and in place: `elementsEqual` costs ten times as much here.
  private static func isSame(_ symbol: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    symbol.count == text.count && symbol.indices.allSatisfy { symbol[$0] == text[$0] }
  }

  private static func isAlike(_ symbol: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    symbol.count == text.count && zip(symbol, text).allSatisfy { upper($0) == upper($1) }
  }

  private static func upper(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte & 0xDF : byte
  }

  /// Returns the FNV-1a hash of the text in uppercase.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(upper(byte))) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash)
  }
}
