import JSON

/// The data that an exchange offers for one pair besides its ticker, each kind in a block of its own.
package enum BlockKind: String, CaseIterable, Sendable, Hashable {
  case orderbook, trades, candles

  /// The name of one in sentences: `order book`.
  package var singular: String { self == .orderbook ? "order book" : rawValue }

  /// The name of all in sentences: `order books`.
  package var plural: String { self == .orderbook ? "order books" : rawValue }

  var shape: ObjectShape {
    switch self {
    case .orderbook: .orderbook
    case .trades: .trades
    case .candles: .candles
    }
  }

  package var fields: FieldVocabulary {
    switch self {
    case .orderbook: .orderbook
    case .trades: .trade
    case .candles: .candle
    }
  }

  /// The names of what templates of its request may stand for: `asset`, `count`, `from.ms`.
  package var placeholders: [String] { Template.pairPlaceholders + fields.requestNames }
}

extension ExchangeSource {
  /// Returns the blocks of a kind from the exchange down to a part of its tickers, lowest precedence first; `null`
  /// disables everything before it.
  private func levels(of kind: BlockKind, market: [String], part: ConfigNode?) -> [ConfigNode] {
    let levels = [[], market].flatMap { path in (base + own).compactMap { $0.at(path)?[kind.rawValue] } }
    return (levels + [part?[kind.rawValue]].compactMap(\.self)).reduce(into: []) { result, level in
      if level.json.isNull { result = [] } else { result.append(level) }
    }
  }

  /// Returns a block with everything it inherits from the levels around it; nil if there is none, or none with a
  /// request.
  ///
  /// - Parameter around: the levels of the tables, from the exchange down to the part.
  func block(_ kind: BlockKind, market: [String], part: ConfigNode?, around: Block) -> Block? {
    let levels = levels(of: kind, market: market, part: part)
    guard let nearest = levels.last else { return nil }
    var block = around.keeping(BlockKey.inherited)
    for level in levels where level.json.kind == .object { overlay(level, on: &block) }
    let asks = block[.request] != nil || block.members(of: .intervals).contains { $0.value["request"] != nil }
    return asks && nearest.json.kind == .object ? block : nil
  }
}

extension ConfigNode {
  /// Returns the value at a path of member names.
  func at(_ path: [String]) -> ConfigNode? { path.reduce(self as ConfigNode?) { $0?[$1] } }
}

extension SpecReader {
  /// Checks the keys of every block of a kind, including those that nearer levels replace.
  mutating func checkBlocks(_ kind: BlockKind, in levels: [ConfigNode]) {
    for block in levels.compactMap({ $0[kind.rawValue] }) where !block.json.isNull {
      guard checkKeys(block, kind.shape), let intervals = block["intervals"], intervals.json.kind == .object else {
        continue
      }
      for interval in intervals.members where interval.value.json.kind == .object {
        _ = checkKeys(interval.value, .interval)
      }
    }
  }

  /// Reads the maximum number of levels, trades or candles per request: one number, or ascending numbers if an exchange
  /// allows only those.
  mutating func readCount(_ node: ConfigNode) -> [Int]? {
    guard node.json.kind == .array else { return readInteger(node, in: IntegerRange.counts).map { [$0] } }
    guard let elements = readElements(node) else { return nil }
    let counts = elements.compactMap { readInteger($0, in: IntegerRange.counts) }
    guard counts.count == elements.count else { return nil }
    guard counts.count >= 2, zip(counts, counts.dropFirst()).allSatisfy({ $0 < $1 }) else {
      return rejected(.invalidNumber("at least two rising numbers", at: node))
    }
    return counts
  }
}
