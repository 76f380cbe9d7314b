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
  private let ends: [SymbolEnds]
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
    ends = symbols.map { $0.withUnsafeBufferPointer { SymbolEnds($0) } }
    byPair = Dictionary(
      pairs.enumerated().map { (PairAndProduct(pair: $1.row.pair, product: $1.row.product), $0) },
      uniquingKeysWith: { first, _ in first })
    var size = 2
    while size < 2 * pairs.count { size *= 2 }
    firstPlaces = Array(repeating: -1, count: size)
    nextPlaces = pairs.map { _ in -1 }
    for place in symbols.indices.reversed() {
      let bits = ends[place].caselessHash & (size - 1)
      (nextPlaces[place], firstPlaces[bits]) = (firstPlaces[bits], place)
    }
  }

  /// The index of the pair that a text spells, ignoring case; if two differ only by case, the exact match.
  subscript(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var found: Int?
    let wanted = SymbolEnds(text)
    var place = firstPlaces[wanted.caselessHash & (firstPlaces.count - 1)]
    while place >= 0 {
      if ends[place] == wanted, wanted.isWhole || symbols[place].elementsEqual(text) { return place }
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

  private static func isAlike(_ symbol: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    symbol.count == text.count && zip(symbol, text).allSatisfy { $0.uppercased == $1.uppercased }
  }
}

/// The first and the last eight bytes of a symbol, which overlap in a shorter one than sixteen. They are compared in a
/// few steps, and most symbols have no other bytes.
private struct SymbolEnds: Equatable, Sendable {
  private let first: UInt64
  private let last: UInt64
  private let count: Int

  init(_ text: UnsafeBufferPointer<UInt8>) {
    count = text.count
    guard count >= 8 else {
      first = text.reduce(0) { $0 << 8 | UInt64($1) }
      last = 0
      return
    }
    let bytes = UnsafeRawBufferPointer(text)
    first = bytes.loadUnaligned(as: UInt64.self)
    last = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
  }

  /// Whether there are no bytes between them.
  var isWhole: Bool { count <= 16 }

  /// Symbols that differ only by case have the same; so have others with the same ends.
  var caselessHash: Int {
    // The bit that lowercase letters have and uppercase ones have not.
    let bit: UInt64 = 0x2020_2020_2020_2020
    let mixed = ((first | bit) &* 0x9E37_79B9_7F4A_7C15 ^ (last | bit)) &* 0xC2B2_AE3D_27D4_EB4F
    return Int(truncatingIfNeeded: mixed >> 32)
  }
}
