import JSON

/// The way the order book of one pair is requested and read.
package final class BookSpec: Sendable {
  /// The location of one side's levels, the conditions they must meet, and the price and size of a level.
  package struct Side: Sendable {
    package let rows: RowsSpec
    package var conditions: [ConditionSpec]
    package let price: ValueSpec
    package var size: ValueSpec

    /// The side with counts for sizes: the first value of a size that needs no lookup.
    fileprivate var counted: Side {
      guard !size.lookupNames.isEmpty,
        let count = size.withParts.first(where: { !$0.places.isEmpty && $0.parts.isEmpty && $0.lookupNames.isEmpty })
      else { return self }
      var side = self
      side.size = count
      return side
    }
  }

  /// The request, and what its values may read; it has no rows of its own.
  package let table: TableSpec
  package let bids: Side
  package let asks: Side
  /// The time of the book, read from the whole response; nil if the exchange does not give one.
  package let time: ValueSpec?
  /// A number that increases with each change.
  package let sequence: ValueSpec?
  /// What identifies an order, if a message has orders instead of levels; only for streams.
  package let key: ValueSpec?

  init(
    table: TableSpec, bids: Side, asks: Side, time: ValueSpec?, sequence: ValueSpec?, key: ValueSpec? = nil
  ) {
    self.table = table
    self.bids = bids
    self.asks = asks
    self.time = time
    self.sequence = sequence
    self.key = key
  }

  /// Whether both sides are in one list, told apart by one value of each level.
  package var areMixed: Bool {
    let marks = [bids, asks].map { $0.conditions.count == 1 ? $0.conditions[0].value.places : [] }
    return !marks[0].isEmpty && marks[0] == marks[1] && bids.rows.text == asks.rows.text
  }

  /// The same for its prices alone: its sizes are just zero or not, so that the lookup of their unit is not needed.
  package var ofPrices: BookSpec {
    BookSpec(table: table, bids: bids.counted, asks: asks.counted, time: time, sequence: sequence, key: key)
  }

  package var node: ConfigNode { table.node }

  /// What is missing of the pair's name in the request and in every path: see ``TableSpec/missingName``.
  package var missingName: Template.PairPart? {
    table.missingName(besides: [bids, asks].flatMap { [$0.price, $0.size] })
  }
}

extension SpecReader {
  mutating func readBook(_ block: Block, owner: String) -> BookSpec? {
    let before = diagnostics.count
    for key in [BlockKey.bids, .asks] where block[key] == nil {
      report(.missingKey(key.rawValue, in: "'orderbook'", at: block.node))
    }
    let table = readTable(block, owner: owner, fields: .orderbook)
    let lookups = block.members(of: .lookups).map(\.name)
    func side(_ key: BlockKey) -> BookSpec.Side? {
      block[key].flatMap { readSide($0, price: block[.price], size: block[.size], at: block.node, lookups: lookups) }
    }
    let bids = side(.bids)
    let asks = side(.asks)
    let time = block[.time].flatMap { readTimeValue($0, lookups: lookups) }
    let sequence = block[.sequence].flatMap { readValue($0, as: .text, lookups: lookups) }
    guard let table, let bids, let asks, !hasErrors(since: before) else { return nil }
    return BookSpec(table: table, bids: bids, asks: asks, time: time, sequence: sequence)
  }

  /// Reads a side: the path of its levels, or an object with its own conditions, price and size.
  ///
  /// - Parameters:
  ///   - price: the book's default for both sides; likewise `size`.
  ///   - book: the book's node, where missing keys are reported.
  mutating func readSide(
    _ node: ConfigNode, price: ConfigNode?, size: ConfigNode?, at book: ConfigNode, lookups: [String]
  ) -> BookSpec.Side? {
    var own: ConfigNode?
    if node.json.kind == .object, node["zip"] == nil {
      guard checkKeys(node, .bookSide) else { return nil }
      own = node
    }
    guard let rowsNode = own.map({ $0["rows"] }) ?? node else {
      return rejected(.missingKey("rows", in: "this side of the book", at: node))
    }
    let priceNode = own?["price"] ?? price
    let sizeNode = own?["size"] ?? size
    guard let priceNode, let sizeNode else {
      return rejected(.missingKey(priceNode == nil ? "price" : "size", in: "'orderbook'", at: own ?? book))
    }
    let rows = readRows(rowsNode)
    let conditions = own?["where"].map { readConditions($0, lookups: lookups) } ?? []
    let price = readValue(priceNode, as: .number, lookups: lookups)
    let size = readValue(sizeNode, as: .number, lookups: lookups)
    guard let rows, let price, let size else { return nil }
    return BookSpec.Side(rows: rows, conditions: conditions, price: price, size: size)
  }
}
