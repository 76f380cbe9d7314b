import JSON
import JSONPath

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
  private(set) var columns: [SampleColumn]
  /// The path as somebody wrote it.
  private let written: String?

  /// Rows beyond these say nothing new.
  static let rowLimit = 1500
  private static let columnLimit = 160

  init(
    path: SamplePath, shape: Shape, nodes: [JSONNode], keys: [String] = [], strays: Int = 0, written: String? = nil
  ) {
    self.path = path
    self.written = written
    self.shape = shape
    self.nodes = Array(nodes.prefix(Self.rowLimit))
    self.keys = Array(keys.prefix(Self.rowLimit))
    self.strays = strays
    columns = Self.columns(of: self.nodes)
    if !LetterNames(columns).areUsual {
      for index in columns.indices { columns[index].trustsLetters = false }
    }
  }

  /// As JSONPath; `.*` for the members of an object, as the shipped config writes it.
  var pathText: String {
    if let written { return written }
    guard shape == .objectByName, path.steps.last == .all else { return path.text }
    return SamplePath(steps: Array(path.steps.dropLast())).text + ".*"
  }

  /// The rows that a path leads to, as it was written; nil where it leads to none.
  init?(at text: String, in root: JSONNode) {
    guard let query = try? JSONPathQuery(text) else { return nil }
    let found = query.nodes(in: root)
    guard let first = found.first else { return nil }
    // A wildcard at the end names its members: they may be the symbols.
    let members =
      text.hasSuffix(".*") ? String(text.dropLast(2)) : text.hasSuffix("[*]") ? String(text.dropLast(3)) : nil
    let above = members.flatMap { try? JSONPathQuery($0) }.map { $0.nodes(in: root) } ?? []
    let container = above.count == 1 ? above.first : nil
    let rows = found.filter { $0.kind == first.kind && [.object, .array].contains($0.kind) }
    guard !rows.isEmpty else { return nil }
    let keys = container?.kind == .object ? container?.members.filter { $0.value.kind == first.kind }.map(\.name) : nil
    let isTable = container != nil || rows.count > 1
    var path = SamplePath(members ?? text) ?? SamplePath()
    if members != nil { path = path.appending(.all) }
    self.init(
      path: path,
      shape: !isTable ? .single : keys != nil ? .objectByName : first.kind == .array ? .arrayOfArrays : .arrayOfObjects,
      nodes: rows, keys: keys ?? [], strays: found.count - rows.count, written: text)
  }

  /// The column at a path below the row; made where it is none of those found. nil where no row has anything there.
  mutating func column(at text: String) -> Int? {
    if let index = columns.firstIndex(where: { $0.path.text == text }) { return index }
    guard let path = SamplePath(text), let query = try? JSONPathQuery(text) else { return nil }
    if !path.steps.isEmpty, let index = columns.firstIndex(where: { $0.path.steps == path.steps }) { return index }
    let values = nodes.map { query.nodes(in: $0).first }
    guard values.contains(where: { $0?.scalarText != nil }) else { return nil }
    columns.append(SampleColumn(path: path, nodes: values))
    return columns.count - 1
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
