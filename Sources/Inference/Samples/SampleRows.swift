import JSON
import JSONPath
import Quotes

/// A place in the response that may contain the rows, and its columns.
struct SampleRows: Sendable {
  enum Shape: String, Sendable {
    case arrayOfObjects = "array of objects"
    case arrayOfArrays = "array of arrays"
    case objectByName = "object with a member for each row"
    case single = "one object"
  }

  let path: SamplePath
  let shape: Shape
  /// The first of the rows.
  let nodes: [JSONNode]
  let count: Int
  /// The number of rows before some were left out.
  private(set) var total: Int
  /// The names of the members that lead to the rows; empty for arrays and for a single row.
  let keys: [String]
  /// The names of the members that lead to what contains each row, if the rows are members of members.
  let outerKeys: [String]
  /// The number of members of the container that are not rows.
  let strays: Int
  private(set) var columns: [SampleColumn]
  /// The column that tells these rows from those of another market, which are left out; nil if there is none.
  var market: MarketColumn?
  /// Whether they are of several lists, each perhaps in a payment currency of its own.
  var isJoined = false
  /// The given path as written, or one that leaves out a header.
  private let written: String?
  /// The names of the elements of each row; empty without a header.
  private let names: [String]

  /// The number of rows beyond which more add nothing.
  static let rowLimit = 1500
  private static let columnLimit = 160

  init(
    path: SamplePath, shape: Shape, nodes: [JSONNode], keys: [String] = [], outerKeys: [String] = [], strays: Int = 0,
    written: String? = nil, names: [String] = []
  ) {
    (self.path, self.written, self.names, self.shape) = (path, written, names, shape)
    self.nodes = Array(nodes.prefix(Self.rowLimit))
    (count, total) = (nodes.count, nodes.count)
    self.keys = Array(keys.prefix(Self.rowLimit))
    self.outerKeys = Array(outerKeys.prefix(Self.rowLimit))
    self.strays = strays
    let found = ScalarColumn.columns(of: self.nodes.map { [$0] }, limit: Self.columnLimit)
    let money = MoneyObjects(found)
    columns = found.map {
      SampleColumn(
        path: SamplePath($0.steps), nodes: $0.nodes,
        name: Header.name(at: $0.steps, in: names) ?? money.name(at: $0.steps))
    }
    let letters = LetterNames(columns)
    for index in columns.indices { columns[index].letterTrust = letters.trust(columns[index]) }
  }

  /// The JSONPath; `.*` for the members of an object, as in the shipped config.
  var pathText: String {
    if let written { return written }
    guard shape == .objectByName, path.isList else { return path.text }
    return path.steps.pathText + (outerKeys.isEmpty ? ".*" : ".*.*")
  }

  /// Creates the rows at a given path; nil if there are none.
  init?(at text: String, in root: JSONNode) {
    if let rows = Self(zipped: text, in: root) {
      self = rows
      return
    }
    guard let query = try? JSONPathQuery(text) else { return nil }
    let found = query.nodes(in: root)
    guard let first = found.first else { return nil }
    // A wildcard at the end yields member names, which may be the symbols.
    let members =
      text.hasSuffix(".*") ? String(text.dropLast(2)) : text.hasSuffix("[*]") ? String(text.dropLast(3)) : nil
    let above = members.flatMap { try? JSONPathQuery($0) }.map { $0.nodes(in: root) } ?? []
    let container = above.count == 1 ? above.first : nil
    let rows = found.filter { $0.kind == first.kind && [.object, .array].contains($0.kind) }
    guard !rows.isEmpty else { return nil }
    if let table = Header.table(at: text, in: root) {
      self = table
      return
    }
    if text.hasSuffix(".*.*"), let nested = Self(membersOfMembersAt: text, in: root, like: first.kind) {
      self = nested
      return
    }
    // Each row may be in an object of its own.
    let holders = text.hasSuffix(".*") ? above : [container].compactMap(\.self)
    let keys =
      holders.isEmpty || holders.contains { $0.kind != .object }
      ? nil : holders.flatMap { $0.members.filter { $0.value.kind == first.kind }.map(\.name) }
    let isTable = container != nil || rows.count > 1
    let place = SamplePath(members ?? text) ?? SamplePath()
    let path = members == nil ? place : place.list
    self.init(
      path: path,
      shape: !isTable ? .single : keys != nil ? .objectByName : first.kind == .array ? .arrayOfArrays : .arrayOfObjects,
      nodes: rows, keys: keys ?? [], strays: found.count - rows.count, written: text)
    isJoined = above.count > 1
  }

  /// Creates the rows of a `zip` as the config has it, the i-th of which has the i-th element at each of its paths; nil if
  /// the text is none, or the paths lead to lists of different lengths.
  private init?(zipped text: String, in root: JSONNode) {
    guard let zip = (try? JSONDocument(parsing: Array(text.utf8)))?.root["zip"] else { return nil }
    let lists = zip.elements.map { path -> [JSONNode] in
      let found = path.string.flatMap { try? JSONPathQuery($0) }?.nodes(in: root) ?? []
      return found.count == 1 && found[0].kind == .array ? Array(found[0].elements) : found
    }
    guard let rows = Self.rows(joining: lists.map { $0.map(\.text) }) else { return nil }
    self.init(path: SamplePath().list, shape: .arrayOfArrays, nodes: rows, written: text)
  }

  /// Returns the arrays of the i-th elements of columns; nil without columns, or if their lengths differ.
  ///
  /// - Parameter columns: JSON texts.
  static func rows(joining columns: [[String]]) -> [JSONNode]? {
    guard let count = columns.first?.count, count > 0, columns.allSatisfy({ $0.count == count }) else { return nil }
    let rows = (0..<count).map { row in "[\(columns.map { $0[row] }.joined(separator: ","))]" }
    return (try? JSONDocument(parsing: Array("[\(rows.joined(separator: ","))]".utf8))).map { Array($0.root.elements) }
  }

  /// Creates the rows at `….*.*`; nil if these are no members of members.
  private init?(membersOfMembersAt text: String, in root: JSONNode, like kind: JSONKind) {
    let place = String(text.dropLast(4))
    guard let query = try? JSONPathQuery(place), query.isSingular, let container = query.nodes(in: root).first,
      let rows = Self.membersOfMembers(of: container, like: kind)
    else { return nil }
    self.init(
      path: (SamplePath(place) ?? SamplePath()).list, shape: .objectByName, nodes: rows.map(\.node),
      keys: rows.map(\.key), outerKeys: rows.map(\.outerKey), written: text)
  }

  /// Returns the members of an object's members, which are objects or arrays; nil if any of these has none.
  static func membersOfMembers(
    of container: JSONNode, like kind: JSONKind
  ) -> [(outerKey: String, key: String, node: JSONNode)]? {
    guard container.kind == .object else { return nil }
    var rows: [(outerKey: String, key: String, node: JSONNode)] = []
    for outer in container.members {
      guard outer.value.kind == .object, outer.value.count > 0 else { return nil }
      for inner in outer.value.members where inner.value.kind == kind {
        rows.append((outer.name, inner.name, inner.value))
      }
    }
    return rows.isEmpty ? nil : rows
  }

  /// Returns some of the rows, by index; all of them if there would be none.
  func keeping(_ isKept: (Int) -> Bool) -> SampleRows {
    let indices = nodes.indices.filter(isKept)
    guard !indices.isEmpty, indices.count < nodes.count else { return self }
    var rows = SampleRows(
      path: path, shape: shape, nodes: indices.map { nodes[$0] }, keys: keys.isEmpty ? [] : indices.map { keys[$0] },
      outerKeys: outerKeys.isEmpty ? [] : indices.map { outerKeys[$0] }, strays: strays, written: written,
      names: names)
    rows.isJoined = isJoined
    rows.total = total
    return rows
  }

  /// Returns the column at a path below the row, adding it if new; nil if no row has anything there.
  mutating func column(at text: String) -> Int? {
    if let index = columns.firstIndex(where: { $0.path.text == text }) { return index }
    guard let path = SamplePath(text), let query = try? JSONPathQuery(text) else { return nil }
    if !path.steps.isEmpty, let index = columns.firstIndex(where: { $0.path.steps == path.steps }) { return index }
    let values = nodes.map { query.nodes(in: $0).first }
    guard values.contains(where: { $0?.scalarText != nil }) else { return nil }
    columns.append(SampleColumn(path: path, nodes: values))
    return columns.count - 1
  }
}

extension SampleRows {
  /// Combines members named after a currency of their row into one column: `$['vol_{asset|lower}']` for `vol_btc` in
  /// the BTC row and `vol_eth` in the ETH row, and `$.vol['{asset}']` for members of a member.
  mutating func gatherMembers(of pairs: [Pair?]) {
    guard pairs.count == nodes.count else { return }
    struct Member {
      var values: [JSONNode?]
      var names: Set<String> = []
      let path: SamplePath
      let meaning: String
    }
    var found: [String: Member] = [:]
    func take(_ value: JSONNode, _ row: Int, named code: Substring, below steps: [SingularStep], after stem: Substring)
    {
      for (own, word, meaning) in [(pairs[row]?.asset, "asset", "base"), (pairs[row]?.payment, "payment", "quote")] {
        guard let own, code == own || code == own.lowercased() else { continue }
        let path = SamplePath(steps + [.member("\(stem){\(word)\(code == own ? "" : "|lower")}")])
        let name = (steps.names + ["\(stem)\(meaning)"]).joined(separator: "_")
        found[
          path.text, default: Member(values: Array(repeating: nil, count: nodes.count), path: path, meaning: name)
        ].values[row] = value
        found[path.text]?.names.insert((steps + [.member("\(stem)\(code)")]).pathText)
      }
    }
    for (row, node) in nodes.enumerated() where node.kind == .object {
      for member in node.members {
        for inner in member.value.members where inner.value.scalarText != nil {
          take(inner.value, row, named: inner.name[...], below: [.member(member.name)], after: "")
        }
        guard member.value.scalarText != nil, let end = member.name.lastIndex(of: "_"), end != member.name.startIndex
        else { continue }
        take(member.value, row, named: member.name[end...].dropFirst(), below: [], after: member.name[...end])
      }
    }
    for (_, member) in found.sorted(by: { $0.key < $1.key }) {
      // A name that all rows have needs no template.
      guard member.names.count > 1, member.values.count(where: { $0 != nil }) * 10 >= nodes.count * 9 else { continue }
      columns.removeAll { $0.filledShare < 0.9 && member.names.contains($0.path.text) }
      columns.append(SampleColumn(path: member.path, nodes: member.values, name: member.meaning))
    }
  }
}
