import Config
import JSON
import JSONPath
import Quotes

/// The levels of one side: their location and columns.
struct BookSide {
  let rows: ConfigValue
  let text: String
  let columns: [SampleColumn]
  /// Which side its name says it is: true for bids; nil if it has no name.
  let isBids: Bool?
  /// Whether prices are member names, and sizes the members' values.
  var isKeyed = false

  var levelCount: Int { columns.first?.texts.count ?? 0 }

  func column(_ path: SamplePath) -> SampleColumn? { columns.first { $0.path == path } }

  /// Returns the prices at a path, without the 0 of padding levels; nil if not all are prices.
  func prices(at path: SamplePath) -> [Double]? {
    guard let numbers = column(path)?.allNumbers?.filter({ $0 != 0 }), !numbers.isEmpty else { return nil }
    return numbers.allSatisfy { $0 > 0 } ? numbers : nil
  }
}

/// Finds what may be the two sides of an order book.
struct BookSideFinder {
  private(set) var pairs: [(BookSide, BookSide)] = []
  /// The path of a side that has no levels; nil if there is none.
  private(set) var emptySide: String?
  private var visits = 0

  init(_ root: JSONNode) { visit(root, SamplePath(), depth: 0) }

  private static let names: [(bids: String, asks: String)] = [
    ("bids", "asks"), ("bid", "ask"), ("b", "a"), ("bs", "as"), ("buy", "sell"), ("buys", "sells"),
    ("buyorders", "sellorders"), ("orderbookbids", "orderbookasks"),
  ]

  /// Returns names that differ only in the word for the side: `buyquote` and `sellquote`.
  private static func longerNames(_ members: [String]) -> [(bids: String, asks: String)] {
    let known = Set(names.map(\.bids))
    return members.filter { !known.contains($0) }.compactMap { bids in
      [("bid", "ask"), ("buy", "sell")].lazy.filter { bids.contains($0.0) }
        .map { bids.replacing($0.0, with: $0.1, maxReplacements: 1) }
        .first(where: members.contains).map { (bids, $0) }
    }
  }

  private mutating func visit(_ node: JSONNode, _ path: SamplePath, depth: Int) {
    visits += 1
    guard depth < 6, visits < 100 else { return }
    switch node.kind {
    case .object:
      let members = Array(node.members.prefix(60))
      for (bids, asks) in Self.names + Self.longerNames(members.map { Spelling.folded($0.name) }) {
        guard let bid = members.first(where: { Spelling.folded($0.name) == bids }),
          let ask = members.first(where: { Spelling.folded($0.name) == asks })
        else { continue }
        if Self.names.contains(where: { $0.bids == bids }) { takeEmpty([bid, ask], at: path) }
        guard let first = Self.side(bid.value, path.appending(.member(bid.name)), isBids: true),
          let second = Self.side(ask.value, path.appending(.member(ask.name)), isBids: false)
        else { continue }
        pairs.append((first, second))
      }
      for member in members where [.object, .array].contains(member.value.kind) {
        visit(member.value, path.appending(.member(member.name)), depth: depth + 1)
      }
    case .array where node.count <= 3:
      let elements = Array(node.elements)
      if elements.count == 2, elements.allSatisfy({ $0.kind == .array }),
        let first = Self.side(elements[0], path.appending(.index(0)), isBids: nil),
        let second = Self.side(elements[1], path.appending(.index(1)), isBids: nil)
      {
        pairs.append((first, second))
      }
      for (index, element) in elements.enumerated() {
        visit(element, path.appending(.index(index)), depth: depth + 1)
      }
    default: break
    }
  }

  private mutating func takeEmpty(_ sides: [JSONMembers.Element], at path: SamplePath) {
    guard emptySide == nil, sides.allSatisfy({ $0.value.kind == .array }),
      let empty = sides.first(where: { $0.value.count == 0 })
    else { return }
    emptySide = path.appending(.member(empty.name)).text
  }

  private static func side(_ node: JSONNode, _ path: SamplePath, isBids: Bool?) -> BookSide? {
    if node.kind == .object {
      if let keyed = keyed(node, path, isBids: isBids) { return keyed }
      // `{"levels": […], "startPrice": "65000.50"}`
      let lists = node.members.filter { $0.value.kind == .array }
      guard lists.count == 1, let list = lists.first else { return nil }
      return side(list.value, path.appending(.member(list.name)), isBids: isBids)
    }
    guard node.kind == .array, node.count > 0 else { return nil }
    let elements = Array(node.elements)
    if elements.allSatisfy({ $0.kind == .array || $0.kind == .object }), elements.allSatisfy({ $0.count > 1 }) {
      let levels = elements.filter { !isPadding($0) }
      let rows = SampleRows(path: path.list, shape: .arrayOfArrays, nodes: levels.isEmpty ? elements : levels)
      return BookSide(rows: .text(path.list.text), text: path.list.text, columns: rows.columns, isBids: isBids)
    }
    // Alternating prices and sizes.
    guard elements.count >= 4, elements.count % 2 == 0, elements.allSatisfy({ $0.scalarText != nil }) else {
      return nil
    }
    func every(_ first: Int) -> [JSONNode?] { stride(from: first, to: elements.count, by: 2).map { elements[$0] } }
    let columns = [
      SampleColumn(path: SamplePath([.index(0)]), nodes: every(0)),
      SampleColumn(path: SamplePath([.index(1)]), nodes: every(1)),
    ]
    let paths = ["[::2]", "[1::2]"].map { ConfigValue.text(path.text + $0) }
    return BookSide(rows: .object([("zip", .list(paths))]), text: "\(path.text)[::2]", columns: columns, isBids: isBids)
  }

  /// Returns whether a level has a price or size of zero, as nothing is offered there: the books that are read lack it.
  private static func isPadding(_ level: JSONNode) -> Bool {
    let numbers =
      level.kind == .array
      ? Array(level.elements.prefix(2))
      : level.members.filter { BookLevels.sizeNames.contains(Spelling.folded($0.name)) }.map(\.value)
    return numbers.contains { $0.scalarText.flatMap(SampleColumn.number) == 0 }
  }

  /// `{"65000.50": "0.1"}`
  private static func keyed(_ node: JSONNode, _ path: SamplePath, isBids: Bool?) -> BookSide? {
    let members = Array(node.members)
    let names = JSONValue.texts(members.map(\.name)).written()
    guard members.count >= 2,
      members.allSatisfy({ Double($0.name) != nil && $0.value.scalarText.flatMap(Double.init) != nil }),
      let prices = try? JSONDocument(parsing: names).root
    else { return nil }
    let columns = [
      SampleColumn(path: keyPath, nodes: Array(prices.elements)),
      SampleColumn(path: SamplePath(), nodes: members.map(\.value)),
    ]
    let rows = path.text + ".*"
    return BookSide(rows: .text(rows), text: rows, columns: columns, isBids: isBids, isKeyed: true)
  }

  /// The path of prices that are member names.
  private static let keyPath = SamplePath([.member("key")])
}
