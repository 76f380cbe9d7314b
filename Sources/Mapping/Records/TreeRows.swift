package import Config
import HTTP
package import JSON
package import JSONPath
import Quotes

/// Rows found in a tree, for filters, templates in names, zipped arrays and lookups over the same response.
struct TreeRows: RowSource {
  private let document: JSONDocument
  let rows: [TreeRow]
  private let paths: PathList
  /// The steps that lead to the rows; empty for rows found in another way.
  private let steps: [[SingularStep]]
  /// The row that contains the rows; nil if none does.
  private let parent: TreeRow?
  let failure: AnswerFailure?
  let mayRepeatMembers = true
  /// A filter may take long on a single row.
  static let rowsBetweenTimeChecks = 1

  /// Finds the rows of a response.
  ///
  /// - Parameters:
  ///   - mayBeOneValue: Whether a whole response that is neither an object nor an array is a row.
  ///   - needsEveryList: Whether every list on the way to the rows has to be there.
  init(
    _ document: JSONDocument, _ spec: RowsSpec, paths: PathList, mayBeOneValue: Bool = false,
    needsEveryList: Bool = false
  ) {
    self.document = document
    self.paths = paths
    steps = spec.steps
    parent = nil
    do {
      if needsEveryList { try TreeRow.requireEveryList(of: spec, in: document) }
      rows = try TreeRow.rows(of: spec, in: document, mayBeOneValue: mayBeOneValue)
      failure = nil
    } catch {
      rows = []
      failure = error
    }
  }

  /// Creates the rows from nodes that have already been found.
  ///
  /// - Parameter parent: The row that contains them.
  init(_ document: JSONDocument, _ rows: [TreeRow], paths: PathList, parent: TreeRow? = nil) {
    self.document = document
    self.rows = rows
    self.paths = paths
    self.parent = parent
    steps = []
    failure = nil
  }

  var count: Int { rows.count }

  /// The row at an index; nil if there is none.
  subscript(_ index: Int) -> TreeRow? { rows.indices.contains(index) ? rows[index] : nil }

  func rowValue(_ path: Int, at place: RowPlace) -> PathResult {
    PathResult { () throws(QueryTooCostly) in try rows[place.index].nodes(at: paths.row[path], place) }
  }

  func responseValue(_ path: Int, at place: RowPlace) -> PathResult {
    PathResult { () throws(QueryTooCostly) in try paths.response[path].nodes(in: document.root, place) }
  }

  func parentValue(_ path: Int, at place: RowPlace) -> PathResult {
    parent.map { PathResult(in: $0, at: paths.parentPaths[path], place) } ?? .slot(.missing)
  }

  var answerRepeatsMember: Bool {
    (steps + paths.response.compactMap(\.query.singularSteps)).contains { document.root.repeatsMember(on: $0) }
  }

  func shape(_ row: Int) -> RowShape {
    let nodes = rows[row].nodes
    guard nodes.count == 1 else { return RowShape(elementCount: 0, repeatsMember: false) }
    let repeatsMember = paths.row.contains { nodes[0].repeatsMember(on: $0.query.singularSteps ?? []) }
    return RowShape(elementCount: nodes[0].kind == .array ? nodes[0].count : 0, repeatsMember: repeatsMember)
  }

  func range(_ row: Int) -> Range<Int>? {
    rows[row].nodes.count == 1 ? rows[row].nodes[0].byteRange : nil
  }

  func key(_ row: Int, levelsUp: Int, in body: UnsafeBufferPointer<UInt8>) -> String? {
    row < count ? rows[row].key(levelsUp: levelsUp) : nil
  }
}

extension RowsSpec {
  /// The steps that lead to the container of the rows, the one row, or the arrays that are zipped; none for other paths.
  fileprivate var steps: [[SingularStep]] {
    paths.compactMap { $0.query.rowContainerSteps ?? $0.query.singularSteps }
  }
}

extension PathResult {
  fileprivate init(_ find: () throws(QueryTooCostly) -> [JSONNode]) {
    do {
      let nodes = try find()
      self = nodes.count > 1 ? .several : .slot(nodes.first.map { ScanSlot($0) } ?? .missing)
    } catch {
      self = .tooCostly
    }
  }
}

extension PathResult {
  /// Creates the result of a path from a row.
  init(in row: TreeRow, at path: PathSpec, _ place: RowPlace) {
    self.init { () throws(QueryTooCostly) in try row.nodes(at: path, place) }
  }
}

/// A row found in a tree: one node, or the i-th elements of zipped arrays.
package struct TreeRow: Sendable, Equatable {
  package let nodes: [JSONNode]
  /// The member names and indexes that led to the row, the last one being its own.
  private let way: [SingularStep]

  package init(_ node: JSONNode) { self.init(node, way: []) }

  fileprivate init(_ node: JSONNode, way: [SingularStep]) {
    nodes = [node]
    self.way = way
  }

  private init(zipped nodes: [JSONNode], index: Int) {
    self.nodes = nodes
    way = [.index(index)]
  }

  /// Returns the member name or index that led to the row, or to what contains it that many levels up.
  package func key(levelsUp: Int = 0) -> String? { way.name(levelsUp: levelsUp) }

  /// Returns the nodes that a path leads to from the row.
  ///
  /// - Parameter place: the values for templates in the path.
  package func nodes(
    at path: PathSpec, _ place: RowPlace = RowPlace(index: 0)
  ) throws(QueryTooCostly) -> [JSONNode] {
    guard nodes.count > 1 else { return try path.nodes(in: nodes[0], place) }
    // The first step into a zipped row selects one of the arrays.
    let steps = path.steps(filledWith: place)
    guard case .index(let column)? = steps.first else { return [] }
    let index = column < 0 ? nodes.count + column : column
    guard nodes.indices.contains(index) else { return [] }
    return nodes[index].reached(by: steps.dropFirst()).map { [$0] } ?? []
  }

  /// Returns the nodes that the path of something, in words, leads to from the row.
  func nodes(at path: PathSpec, of what: String) throws(AnswerFailure) -> [JSONNode] {
    do { return try nodes(at: path) } catch { throw Self.tooCostly(what, error) }
  }

  private static func tooCostly(_ what: String, _ error: QueryTooCostly) -> AnswerFailure {
    AnswerFailure(.noAnswer(.tooLarge), "the path of \(what): \(error)")
  }

  /// Returns all rows of a response.
  ///
  /// - Throws: `AnswerFailure` if there is no such list: a missing path is not an empty response.
  package static func rows(
    of spec: RowsSpec, in document: JSONDocument, mayBeOneValue: Bool = false
  ) throws(AnswerFailure) -> [TreeRow] {
    switch spec {
    case .zip(let paths): return try zip(paths, in: document)
    case .path(let path):
      if let container = path.query.rowContainerSteps {
        let kind = document.root.reached(by: container).map { ScanKind($0.kind) } ?? .missing
        guard kind == .array || kind == .object else { throw leads(to: kind, "the rows") }
      } else if let steps = path.query.singularSteps {
        return try single(steps, in: document, mayBeValue: mayBeOneValue && steps.isEmpty).map { [$0] } ?? []
      }
      // The path to the rows may visit more values than there are rows.
      let found = try located(path, in: document, keeping: AnswerLimit.rows * 8)
      guard found.count <= AnswerLimit.rows else { throw AnswerReader.tooLarge("\(AnswerLimit.rows) rows") }
      return found.map { TreeRow($0.node, way: $0.path.steps) }
    }
  }

  /// Checks that each list on the way to the rows is one. A wallet whose list of coins has another name would otherwise
  /// look like an empty one.
  ///
  /// - Throws: `AnswerFailure` if one of them is missing or null.
  fileprivate static func requireEveryList(of spec: RowsSpec, in document: JSONDocument) throws(AnswerFailure) {
    guard case .path(let path) = spec, !path.query.isSingular else { return }
    let end: JSONPathQuery.DeadEnd?
    do {
      end = try path.query.deadEnd(in: document.root, keeping: AnswerLimit.rows * 8)
    } catch {
      throw tooCostly("the rows", error)
    }
    switch end {
    case .nothing?: throw leads(to: .missing, "the rows")
    case .value(let kind)?: throw leads(to: ScanKind(kind), "the rows")
    case nil: return
    }
  }

  private static func located(
    _ path: PathSpec, in document: JSONDocument, keeping maximum: Int
  ) throws(AnswerFailure) -> [(path: NormalizedPath, node: JSONNode)] {
    do {
      return try path.query.locatedNodes(in: document.root, keeping: maximum)
    } catch {
      throw tooCostly("the rows", error)
    }
  }

  /// Returns the one row at the end of a path without a wildcard; nil for null, `{}` and `[]`.
  private static func single(
    _ steps: [SingularStep], in document: JSONDocument, mayBeValue: Bool
  ) throws(AnswerFailure) -> TreeRow? {
    guard let node = document.root.reached(by: steps) else { throw leads(to: .missing, "the row") }
    switch node.kind {
    case .object, .array: return node.count == 0 ? nil : TreeRow(node, way: steps)
    case .null: return nil
    case _ where mayBeValue: return TreeRow(node, way: steps)
    default: throw leads(to: ScanKind(node.kind), "the row")
    }
  }

  private static func zip(_ paths: [PathSpec], in document: JSONDocument) throws(AnswerFailure) -> [TreeRow] {
    var elements: [[JSONNode]] = []
    for path in paths { elements.append(try column(path, in: document)) }
    let counts = elements.map(\.count)
    guard Set(counts).count == 1 else {
      let list = counts.map { String($0) }.joined(separator: " and ")
      throw AnswerFailure(.pathMiss, "the zipped arrays have \(list) elements")
    }
    return elements[0].indices.map { index in TreeRow(zipped: elements.map { $0[index] }, index: index) }
  }

  /// Returns the elements of the array at a singular path; for other paths, the nodes themselves.
  private static func column(_ path: PathSpec, in document: JSONDocument) throws(AnswerFailure) -> [JSONNode] {
    if path.query.isSingular {
      guard let array = path.query.nodes(in: document.root).first, array.kind == .array else {
        throw AnswerFailure(.pathMiss, "a path in \"zip\" does not lead to an array")
      }
      guard array.count <= AnswerLimit.rows else { throw AnswerReader.tooLarge("\(AnswerLimit.rows) rows") }
      return Array(array.elements)
    }
    let nodes = try located(path, in: document, keeping: AnswerLimit.rows * 8).map(\.node)
    guard nodes.count <= AnswerLimit.rows else { throw AnswerReader.tooLarge("\(AnswerLimit.rows) rows") }
    return nodes
  }

  private static func leads(to kind: ScanKind, _ what: String) -> AnswerFailure {
    AnswerFailure(.pathMiss, "the path of \(what) leads to \(kind.phrase)")
  }
}

extension PathSpec {
  /// Returns the nodes the path leads to, with its templates filled in from the row's own spelling of its pair.
  package func nodes(in node: JSONNode, _ place: RowPlace) throws(QueryTooCostly) -> [JSONNode] {
    templates.isEmpty
      ? try query.nodes(in: node, keeping: 1000) : node.reached(by: steps(filledWith: place)).map { [$0] } ?? []
  }

  fileprivate func steps(filledWith place: RowPlace) -> [SingularStep] {
    (query.singularSteps ?? []).enumerated().map { index, step in
      templates[index].map { .member($0.filled(asset: place.asset, payment: place.payment)) } ?? step
    }
  }
}

extension JSONNode {
  /// Returns whether a member along these steps occurs more than once.
  fileprivate func repeatsMember(on steps: [SingularStep]) -> Bool {
    var node: JSONNode? = self
    for step in steps {
      if case .member(let name) = step, let node, node.memberCount(named: name) > 1 { return true }
      node = node?.reached(by: [step])
    }
    return false
  }
}
