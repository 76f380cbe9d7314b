import JSON

/// How the order book of one pair is asked for and read.
package struct BookSpec: Sendable {
  /// Where one side's levels are, and what of a level is price and size.
  package struct Side: Sendable {
    package let rows: RowsSpec
    package let price: ValueSpec
    package let size: ValueSpec
  }

  package let request: RequestSpec
  package let baseURLs: [String]
  package let headers: [(name: String, value: Template)]
  package let success: SuccessSpec
  package let bids: Side
  package let asks: Side
  package let hook: String?
  package let node: ConfigNode
}

extension SpecReader {
  /// - Parameter table: the market's table: its hosts, headers and success rule are the default.
  mutating func readBook(_ node: ConfigNode, of table: TableSpec) -> BookSpec? {
    guard checkKeys(node, .orderbook) else { return nil }
    for key in ["request", "bids", "asks"] where node[key] == nil {
      report(.missingKey(key, in: "'orderbook'", at: node))
    }
    let request = node["request"].flatMap { readRequest($0, setNames: table.set.map(\.name)) }
    let bids = node["bids"].flatMap { readSide($0, of: node) }
    let asks = node["asks"].flatMap { readSide($0, of: node) }
    guard let request, let bids, let asks else { return nil }
    return BookSpec(
      request: request,
      baseURLs: node["baseUrls"].map { readBaseURLs($0) } ?? table.baseURLs,
      headers: node["headers"].flatMap { readMembers($0) }.map { readHeaders($0) } ?? table.headers,
      success: node["success"].map { readSuccess($0) } ?? table.success,
      bids: bids, asks: asks,
      hook: node["hook"].flatMap { readHook($0) }, node: node)
  }

  /// A side is the path of its levels, or an object that says price and size for itself.
  private mutating func readSide(_ node: ConfigNode, of book: ConfigNode) -> BookSpec.Side? {
    var own: ConfigNode?
    if node.json.kind == .object, node["zip"] == nil {
      guard checkKeys(node, .bookSide) else { return nil }
      own = node
    }
    func value(_ key: String) -> ConfigNode? { own?[key] ?? book[key] }
    guard let rowsNode = own.map({ $0["rows"] }) ?? node else {
      report(.missingKey("rows", in: "this side of the book", at: node))
      return nil
    }
    guard let priceNode = value("price"), let sizeNode = value("size") else {
      report(.missingKey(value("price") == nil ? "price" : "size", in: "'orderbook'", at: own == nil ? book : node))
      return nil
    }
    let rows = readRows(rowsNode)
    let price = readValue(priceNode, as: .number, lookups: [])
    let size = readValue(sizeNode, as: .number, lookups: [])
    for value in [price, size].compactMap(\.self) {
      refuse([.request], in: value, of: "the levels of a book")
      refuseTemplates(in: value, of: "the levels of a book")
    }
    guard let rows, let price, let size else { return nil }
    return BookSpec.Side(rows: rows, price: price, size: size)
  }
}
