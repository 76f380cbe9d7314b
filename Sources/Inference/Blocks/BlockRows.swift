import Config
import JSON
import JSONPath

/// A place in the answer whose elements may be candles, trades or levels.
struct BlockRows {
  let value: ConfigValue
  let text: String
  let columns: [SampleColumn]
  let count: Int

  func unused(beside fields: [BlockField]) -> [(path: String, example: String)] {
    let used = Set(fields.map(\.path))
    return columns.compactMap { column in
      used.contains(column.path.text) ? nil : column.example.map { (column.path.text, $0) }
    }
  }

  var areOfSeveralPairs: Bool {
    columns.contains { Self.pairNames.contains($0.plainName) && Set($0.presentTexts).count > 1 }
  }

  private static let pairNames: Set<String> = [
    "symbol", "market", "pair", "instid", "instrument", "instrumentname", "contract", "productid", "currencypair",
    "ticker",
  ]

  /// Returns all such places, starting with those closest to the root.
  static func all(in root: JSONNode) -> [BlockRows] { Finder(root).found }

  /// Returns the same, followed by rows whose columns are in lists of their own: `{"t": 1, "p": [2, 3]}`, or lists of
  /// equal length that are not members of one object.
  static func allWithInnerLists(in root: JSONNode) -> [BlockRows] {
    let finder = Finder(root)
    return finder.found + finder.inner
  }

  private struct Finder {
    var found: [BlockRows] = []
    /// Those with columns in lists of their own.
    var inner: [BlockRows] = []
    private var visits = 0

    init(_ root: JSONNode) { visit(root, "$", depth: 0) }

    /// - Parameter text: the path of the node.
    private mutating func visit(_ node: JSONNode, _ text: String, depth: Int) {
      visits += 1
      guard depth < 6, visits < 200 else { return }
      switch node.kind {
      case .array:
        let elements = Array(node.elements)
        guard let first = elements.first else { return }
        if [.object, .array].contains(first.kind), elements.allSatisfy({ $0.kind == first.kind }) {
          take(elements, text + "[*]")
          takeInnerColumns(elements.enumerated().map { ($1, "\(text)[\($0)]") }, text)
        }
        // A list of batches, each with its own rows.
        for member in first.members where member.value.kind == .array {
          let batches = elements.compactMap { $0[member.name].map { Array($0.elements) } }
          let rows = batches.flatMap(\.self)
          guard batches.count == elements.count, !rows.isEmpty, rows.allSatisfy({ $0.kind == .object }) else {
            continue
          }
          take(rows, text + "[*]" + Self.step(member.name) + "[*]")
        }
        if elements.count == 1 { visit(first, text + "[0]", depth: depth + 1) }
      case .object:
        let members = Array(node.members.prefix(60))
        takeColumns(members, text)
        takeInnerColumns(
          members.flatMap { member -> [(JSONNode, String)] in
            let path = text + Self.step(member.name)
            guard member.value.kind == .object else { return [(member.value, path)] }
            return member.value.members.prefix(60).map { ($0.value, path + Self.step($0.name)) }
          }, text)
        let containers = members.filter { [.object, .array].contains($0.value.kind) }
        for member in containers {
          // A member named after the pair has a different name for the next pair.
          let isPair = containers.count == 1 && Self.isPairName(member.name)
          visit(member.value, text + (isPair ? ".*" : Self.step(member.name)), depth: depth + 1)
        }
      default: break
      }
    }

    private mutating func take(_ nodes: [JSONNode], _ text: String) {
      let rows = SampleRows(path: SamplePath(), shape: .arrayOfObjects, nodes: nodes, written: text)
      found.append(BlockRows(rows))
      let whole = BlockRows(rows, readsLists: true)
      if whole.columns.count > found[found.count - 1].columns.count { inner.append(whole) }
    }

    /// Returns `.name` in the form used after another step.
    private static func step(_ name: String) -> String { String([SingularStep.member(name)].pathText.dropFirst()) }

    private static func isPairName(_ name: String) -> Bool {
      let letters = name.unicodeScalars.count { ("A"..."Z").contains($0) }
      return letters >= 5 && !name.unicodeScalars.contains { ("a"..."z").contains($0) }
    }

    /// Takes members that are lists of equal length as columns.
    private mutating func takeColumns(_ members: [JSONMembers.Element], _ text: String) {
      let lists = members.map { ($0.value, text + Self.step($0.name), $0.name) }
      if let rows = Self.columns(lists, text) { found.append(rows) }
    }

    /// Takes lists of equal length in several places as columns.
    private mutating func takeInnerColumns(_ lists: [(node: JSONNode, path: String)], _ text: String) {
      guard lists.count <= 60 else { return }
      let named = lists.map { ($0.node, $0.path, SamplePath($0.path)?.names.last ?? "") }
      // Those of an object are found without this.
      if let rows = Self.columns(named, text), !found.contains(where: { $0.text == rows.text }) { inner.append(rows) }
    }

    private static func columns(_ values: [(node: JSONNode, path: String, name: String)], _ text: String)
      -> BlockRows?
    {
      let lists = values.filter { list in
        list.node.kind == .array && list.node.count >= 2
          && list.node.elements.allSatisfy { $0.scalarText != nil || $0.isNull }
      }
      guard lists.count >= 5, let count = lists.first?.node.count, lists.allSatisfy({ $0.node.count == count }) else {
        return nil
      }
      let columns = lists.enumerated().map { index, list in
        SampleColumn(
          path: SamplePath([.index(index)]), nodes: Array(list.node.elements.prefix(SampleRows.rowLimit)),
          name: list.name)
      }
      return BlockRows(
        value: .object([("zip", .list(lists.map { .text($0.path) }))]), text: "the lists of \(text)", columns: columns,
        count: min(count, SampleRows.rowLimit))
    }
  }
}

extension BlockRows {
  /// - Parameter place: the path of the rows, or what they are called.
  init(_ nodes: [JSONNode], at place: String) {
    self.init(SampleRows(path: SamplePath(), shape: .arrayOfObjects, nodes: nodes, written: place))
  }

  /// - Parameter readsLists: whether lists within a row are columns of it. Otherwise their elements are rows of their
  ///   own.
  init(_ rows: SampleRows, readsLists: Bool = false) {
    func isIndex(_ step: SingularStep) -> Bool { if case .index = step { true } else { false } }
    let columns = rows.columns.filter { column in
      let inner = column.path.steps.dropFirst()
      // A list of columns is equally long in all rows.
      let isColumn = readsLists && !inner.dropLast().contains(where: isIndex) && column.isFull
      return isColumn || !inner.contains(where: isIndex)
    }
    self.init(value: .text(rows.pathText), text: rows.pathText, columns: columns, count: rows.nodes.count)
  }
}
