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
  /// The number of rows.
  let count: Int
  /// The names of the members that lead to the rows; empty for arrays and for a single row.
  let keys: [String]
  /// The names of the members that lead to what contains each row, if the rows are members of members.
  let outerKeys: [String]
  /// The number of members of the container that are not rows.
  let strays: Int
  private(set) var columns: [SampleColumn]
  /// The column that tells these rows from those of another market, which are left out; nil if there is none.
  var market: MarketColumn?
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
    self.path = path
    self.written = written
    self.names = names
    self.shape = shape
    self.nodes = Array(nodes.prefix(Self.rowLimit))
    count = nodes.count
    self.keys = Array(keys.prefix(Self.rowLimit))
    self.outerKeys = Array(outerKeys.prefix(Self.rowLimit))
    self.strays = strays
    columns = ScalarColumn.columns(of: self.nodes.map { [$0] }, limit: Self.columnLimit).map {
      SampleColumn(path: SamplePath($0.steps), nodes: $0.nodes, name: Header.name(at: $0.steps, in: names))
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
    let keys = container?.kind == .object ? container?.members.filter { $0.value.kind == first.kind }.map(\.name) : nil
    let isTable = container != nil || rows.count > 1
    let place = SamplePath(members ?? text) ?? SamplePath()
    let path = members == nil ? place : place.list
    self.init(
      path: path,
      shape: !isTable ? .single : keys != nil ? .objectByName : first.kind == .array ? .arrayOfArrays : .arrayOfObjects,
      nodes: rows, keys: keys ?? [], strays: found.count - rows.count, written: text)
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
    return SampleRows(
      path: path, shape: shape, nodes: indices.map { nodes[$0] }, keys: keys.isEmpty ? [] : indices.map { keys[$0] },
      outerKeys: outerKeys.isEmpty ? [] : indices.map { outerKeys[$0] }, strays: strays, written: written,
      names: names)
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

/// Finds the places of a response that may contain the rows of a ticker table.
struct RowsFinder {
  private(set) var candidates: [SampleRows] = []
  /// Whether there is anything deeper than the search goes.
  private(set) var isCutOff = false
  /// Protects against responses with thousands of nested containers.
  private var visits = 0
  private static let depthLimit = 7
  private static let visitLimit = 400
  private let root: JSONNode

  init(_ root: JSONNode) {
    self.root = root
    visit(root, SamplePath(), depth: 0)
  }

  private mutating func visit(_ node: JSONNode, _ path: SamplePath, depth: Int) {
    visits += 1
    guard visits < Self.visitLimit else { return }
    guard depth < Self.depthLimit else {
      isCutOff = isCutOff || node.kind == .array || node.kind == .object
      return
    }
    switch node.kind {
    case .array: visitArray(node, path, depth: depth)
    case .object: visitObject(node, path, depth: depth)
    default: break
    }
  }

  private mutating func visitArray(_ node: JSONNode, _ path: SamplePath, depth: Int) {
    let elements = Array(node.elements)
    let objects = elements.filter { $0.kind == .object }
    let arrays = elements.filter { $0.kind == .array && $0.count >= 3 }
    let rowsPath = path.list
    if !objects.isEmpty, objects.count * 5 >= elements.count * 4 {
      candidates.append(
        SampleRows(
          path: rowsPath, shape: .arrayOfObjects, nodes: objects, strays: elements.count - objects.count))
    } else if !arrays.isEmpty, arrays.count == elements.count {
      candidates.append(
        Header.table(of: arrays, at: path, in: root)
          ?? SampleRows(path: rowsPath, shape: .arrayOfArrays, nodes: arrays))
    } else if elements.count >= 5, elements.allSatisfy({ $0.scalarText != nil || $0.isNull }) {
      candidates.append(SampleRows(path: path, shape: .single, nodes: [node]))
    }
    guard elements.count <= 3 else { return }
    for (index, element) in elements.enumerated() { visit(element, path.appending(.index(index)), depth: depth + 1) }
  }

  private mutating func visitObject(_ node: JSONNode, _ path: SamplePath, depth: Int) {
    let members = Array(node.members)
    let containers = members.filter { [.object, .array].contains($0.value.kind) }
    let rows = alike(containers)
    let isTable = rows.count >= 2 || (rows.count == 1 && looksLikePair(rows[0].name))
    if isTable {
      candidates.append(
        SampleRows(
          path: path.list, shape: .objectByName, nodes: rows.map(\.value), keys: rows.map(\.name),
          strays: members.count - rows.count))
    }
    visitMembersOfMembers(node, path, strays: members.count - containers.count)
    if let table = Header.columns(node, at: path) { candidates.append(table) }
    if members.contains(where: { $0.value.scalarText != nil }) || containers.count <= 8 {
      candidates.append(SampleRows(path: path, shape: .single, nodes: [node]))
    }
    let below = isTable && rows.count == containers.count ? containers.prefix(6) : containers.prefix(40)
    for member in below { visit(member.value, path.appending(.member(member.name)), depth: depth + 1) }
  }

  /// `{"BTC": {"USD": {…}, "EUR": {…}}}`: either the outer or the inner names are payment currencies.
  private mutating func visitMembersOfMembers(_ node: JSONNode, _ path: SamplePath, strays: Int) {
    guard strays == 0, let rows = SampleRows.membersOfMembers(of: node, like: .object),
      let first = rows.first?.node, rows.allSatisfy({ isAlike($0.node, first) }),
      arePayments(rows.map(\.key)) || arePayments(rows.map(\.outerKey))
    else { return }
    candidates.append(
      SampleRows(
        path: path.list, shape: .objectByName, nodes: rows.map(\.node), keys: rows.map(\.key),
        outerKeys: rows.map(\.outerKey)))
  }

  private func arePayments(_ names: [String]) -> Bool {
    let distinct = Set(names.map { $0.uppercased() })
    return distinct.count(where: CurrencyCode.isPayment) * 4 >= distinct.count * 3
  }

  /// Returns the members whose values look like most of the others.
  private func alike(_ members: [JSONMembers.Element]) -> [JSONMembers.Element] {
    guard let first = members.first else { return [] }
    guard members.count > 1 else { return members }
    let samples = members.count > 2 ? [first, members[1], members[members.count / 2]] : [first]
    var best: [JSONMembers.Element] = []
    for sample in samples {
      let similar = members.filter { isAlike($0.value, sample.value) }
      if similar.count > best.count { best = similar }
    }
    return best.count * 10 >= members.count * 6 ? best : []
  }

  private func isAlike(_ left: JSONNode, _ right: JSONNode) -> Bool {
    guard left.kind == right.kind else { return false }
    if left.kind == .array {
      return left.elements.first { _ in true }?.kind == right.elements.first { _ in true }?.kind && left.count < 40
    }
    let names = Set(left.members.map(\.name))
    let others = Set(right.members.map(\.name))
    return names.intersection(others).count * 2 >= min(names.count, others.count) && !names.isEmpty && !others.isEmpty
  }

  private func looksLikePair(_ name: String) -> Bool {
    let upper = name.uppercased()
    let parts = upper.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if parts.count == 2 { return parts.contains { CurrencyCode.isPayment($0) } }
    guard parts.count == 1, upper.count >= 5 else { return false }
    return CurrencyCode.payments.contains { upper.hasSuffix($0) && upper.count > $0.count + 1 }
  }
}

/// Scores how much a place in the response looks like the rows of a ticker table.
struct RowsScore {
  var rows: SampleRows
  let score: Double
  let symbol: SymbolProposal?

  private static let weights: [Role: Double] = [
    .price: 3, .high: 1, .low: 1, .bid: 1, .ask: 1, .open: 0.4, .volume: 1.2, .turnover: 0.4, .change: 0.4,
  ]

  /// - Parameters:
  ///   - isGiven: whether these are given as the rows, whatever their names.
  ///   - readsNumbers: whether numbers that look like prices make up for meaningless names.
  init(_ rows: SampleRows, _ hints: SampleHints, isGiven: Bool = false, readsNumbers: Bool = false) {
    self.rows = rows
    var sum = 0.0
    for (role, weight) in Self.weights {
      let best = rows.columns.map { Self.worth($0, role) }.max() ?? 0
      sum += weight * best
    }
    for path in hints.paths.values where rows.columns.contains(where: { $0.path.text == path && $0.hasNumbers }) {
      sum += 3
    }
    // Without any name such as price, bid or high this is not a ticker, however many rows there are.
    let isNamed = sum > 0.5 || rows.shape == .arrayOfArrays || Self.isPositional(rows)
    guard isGiven || isNamed || readsNumbers && Self.hasPrices(rows) else {
      score = 0
      symbol = nil
      return
    }
    let symbol = SymbolInference(rows, hints).proposal()
    self.symbol = symbol
    if let symbol, symbol.source != .request {
      sum += 1.5 * symbol.assetConfidence
      self.rows.gatherMembers(of: symbol.pairs)
    }
    var count = Double(rows.nodes.count)
    var bonus = 0.0
    while count > 1, bonus < 2 {
      bonus += 0.25
      count /= 2
    }
    if rows.shape != .single { bonus += 0.3 }
    if sum == 0 { bonus += 0.2 }
    score = isGiven ? 100 : sum + bonus
  }

  private static func worth(_ column: SampleColumn, _ role: Role) -> Double {
    guard column.hasNumbers else { return 0 }
    // Deep columns are better found from rows closer to them.
    return column.nameScore(role) * column.filledShare * (1 - 0.08 * Double(column.path.steps.count))
  }

  /// Returns whether there are many rows with columns close to each other: prices of the same thing.
  private static func hasPrices(_ rows: SampleRows) -> Bool {
    rows.shape != .single && rows.nodes.count >= 2 && NumberProof(rows.columns).findings[.price] != nil
  }

  /// Recognizes a list of numbers without names.
  private static func isPositional(_ rows: SampleRows) -> Bool {
    rows.columns.count >= 5
      && rows.columns.count { $0.path.names.isEmpty && $0.hasNumbers } * 10 >= rows.columns.count * 8
  }
}
