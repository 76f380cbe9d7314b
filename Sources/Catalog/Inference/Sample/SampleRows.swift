import JSON

/// One place of the response that may hold the rows, and what stands in them.
struct SampleRows: Sendable {
  enum Shape: String, Sendable {
    case arrayOfObjects = "array of objects"
    case arrayOfArrays = "array of arrays"
    case objectByName = "object with a member for each row"
    case single = "one object"
  }

  let path: SamplePath
  let shape: Shape
  let nodes: [JSONNode]
  /// The names of the members that led to the rows; empty for arrays and for a single row.
  let keys: [String]
  /// Members of the container that are no rows.
  let strays: Int
  let columns: [SampleColumn]

  /// Rows beyond these say nothing new.
  static let rowLimit = 1500
  private static let columnLimit = 160

  init(path: SamplePath, shape: Shape, nodes: [JSONNode], keys: [String] = [], strays: Int = 0) {
    self.path = path
    self.shape = shape
    self.nodes = Array(nodes.prefix(Self.rowLimit))
    self.keys = Array(keys.prefix(Self.rowLimit))
    self.strays = strays
    columns = Self.columns(of: self.nodes)
  }

  /// As JSONPath; `.*` for the members of an object, as the shipped config writes it.
  var pathText: String {
    guard shape == .objectByName, path.steps.last == .all else { return path.text }
    return SamplePath(steps: Array(path.steps.dropLast())).text + ".*"
  }

  private static func columns(of rows: [JSONNode]) -> [SampleColumn] {
    var order: [SamplePath] = []
    var values: [SamplePath: [JSONNode?]] = [:]
    for (index, row) in rows.enumerated() {
      visit(row, SamplePath(), depth: 0) { path, node in
        if values[path] == nil {
          guard order.count < columnLimit else { return }
          order.append(path)
          values[path] = Array(repeating: nil, count: rows.count)
        }
        values[path]?[index] = node
      }
    }
    return order.map { SampleColumn(path: $0, nodes: values[$0] ?? []) }
  }

  private static func visit(
    _ node: JSONNode, _ path: SamplePath, depth: Int, _ take: (SamplePath, JSONNode) -> Void
  ) {
    switch node.kind {
    case .object where depth < 4:
      for member in node.members { visit(member.value, path.appending(.member(member.name)), depth: depth + 1, take) }
    case .array where depth < 4 && node.count <= 40:
      // A list of lists is an order book or a chart, and no field of a ticker.
      for (index, element) in node.elements.enumerated() where depth == 0 || index < 8 {
        if depth > 0, element.kind == .array { return }
        visit(element, path.appending(.index(index)), depth: depth + 1, take)
      }
    case .array, .object: break
    default: take(path, node)
    }
  }
}
