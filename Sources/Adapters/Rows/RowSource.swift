import Catalog
import JSON
import JSONPath

/// The rows of an answer, however they were found: in one pass over the bytes, or in a tree.
///
/// Both give places in the same text, so all that follows is one and the same.
protocol RowSource {
  var count: Int { get }

  /// Why there is no container of rows, nil where there is one.
  var failure: String? { get }

  /// Where a path of the table's book leads to from a row.
  func rowValue(_ path: Int, at place: RowPlace, book: PathBook) -> FoundValue

  /// Where a path of the table's book leads to from the whole answer.
  func responseValue(_ path: Int, book: PathBook) -> FoundValue

  /// The member's name or the index that led to a row.
  func key(_ row: Int, in body: UnsafeBufferPointer<UInt8>) -> String?
}

/// Where a path led to.
enum FoundValue {
  case slot(ScanSlot)
  case several
}

/// Rows found in one pass over the bytes.
struct ScannedRows: RowSource {
  let result: ScanResult
  let count: Int
  let failure: String?
  /// The row is one value, and no member or element: it has no key.
  let isSingle: Bool

  /// - Parameter singleRowPath: the path that leads to the one row, for a plan without a container.
  init(_ result: ScanResult, plan: TablePlan) {
    self.result = result
    isSingle = plan.singleRowPath != nil
    if let leadPath = plan.singleRowPath {
      let lead = result.slot(row: 0, path: leadPath)
      count = lead.kind == .object || lead.kind == .array ? 1 : 0
      failure = count == 1 || lead.kind == .null ? nil : "the path of the rows leads to \(lead.kind.phrase)"
      return
    }
    switch result.containerKind {
    case .array, .object:
      count = result.rowCount
      failure = nil
    case let kind:
      count = 0
      failure = "the path of the rows leads to \(kind.phrase)"
    }
  }
}

/// Rows found in a tree: for filters, names with a template, zipped arrays and lookups over the answer itself.
struct WalkedRows: RowSource {
  struct Row {
    /// One node, or the i-th elements of zipped arrays.
    let nodes: [JSONNode]
    /// The member's name or the index that led to the row.
    let key: String?
  }

  let document: JSONDocument
  private(set) var rows: [Row] = []
  private(set) var failure: String?

  var count: Int { rows.count }

  init(_ document: JSONDocument, plan: TablePlan) {
    self.document = document
    switch plan.spec.rows {
    case .zip(let paths):
      let columns = paths.map { $0.query.nodes(in: document.root) }
      guard columns.allSatisfy({ $0.count == 1 && $0[0].kind == .array }) else {
        failure = "a path of \"zip\" leads to no array"
        return
      }
      let arrays = columns.map { $0[0] }
      guard Set(arrays.map(\.count)).count == 1 else {
        failure = "the zipped arrays have \(arrays.map { String($0.count) }.joined(separator: " and ")) elements"
        return
      }
      let elements = arrays.map { Array($0.elements) }
      rows = elements[0].indices.map { index in
        Row(nodes: elements.map { $0[index] }, key: String(index))
      }
    case .path(let path):
      let isWildcard = path.query.rowContainerSteps != nil
      for (location, node) in path.query.locatedNodes(in: document.root) {
        rows.append(Row(nodes: [node], key: isWildcard ? location.lastName : nil))
      }
      if path.query.isSingular, let only = rows.first?.nodes[0], only.kind != .array, only.kind != .object {
        rows = []
        failure = only.isNull ? nil : "the path of the rows leads to \(ScanKind(only.kind).phrase)"
      } else if rows.isEmpty, !Self.containerExists(path, in: document.root) {
        failure = "the path of the rows leads to nothing"
      }
    }
  }

  /// Tells an empty list of rows from a path that has gone.
  private static func containerExists(_ path: PathSpec, in root: JSONNode) -> Bool {
    guard let steps = path.query.rowContainerSteps else { return false }
    var node: JSONNode? = root
    for step in steps {
      switch step {
      case .member(let name): node = node?[name]
      case .index(let index): node = node.flatMap { $0[index < 0 ? $0.count + index : index] }
      }
    }
    return node?.kind == .array || node?.kind == .object
  }
}

extension ScanKind {
  fileprivate var phrase: String {
    switch self {
    case .missing: "nothing"
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
