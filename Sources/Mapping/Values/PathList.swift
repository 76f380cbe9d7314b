import Config
import JSON
import JSONPath

/// The paths of one mapping, numbered and without duplicates: a scan is compiled from them, and a tree looks them up.
struct PathList: Sendable {
  private(set) var row: [PathSpec] = []
  private(set) var response: [PathSpec] = []
  /// Paths from the row that contains the one being read.
  private(set) var parentPaths: [PathSpec] = []
  /// Whether a value is the name of something that contains the row.
  var namesContainer = false

  mutating func rowIndex(of path: PathSpec) -> Int { Self.index(of: path, in: &row) }
  mutating func responseIndex(of path: PathSpec) -> Int { Self.index(of: path, in: &response) }

  mutating func parentIndex(of path: PathSpec) -> Int { Self.index(of: path, in: &parentPaths) }

  private static func index(of path: PathSpec, in paths: inout [PathSpec]) -> Int {
    // By bytes: `String` treats composed and decomposed characters as equal.
    if let index = paths.firstIndex(where: { $0.text.utf8.elementsEqual(path.text.utf8) }) { return index }
    paths.append(path)
    return paths.count - 1
  }

  /// Returns the scan that follows these paths in one pass; nil if any of them, or the rows, need a tree.
  func scan(rows: RowsSpec) -> RowScan? {
    guard case .path(let rowsPath) = rows, rowsPath.templates.isEmpty else { return nil }
    let paths = row.compactMap(\.scanPath)
    let responsePaths = response.compactMap(\.scanPath)
    guard parentPaths.isEmpty, !namesContainer else { return nil }
    guard paths.count == row.count, responsePaths.count == response.count else { return nil }
    if let container = rowsPath.query.rowContainerSteps {
      let container = ScanPath(steps: container)
      return RowScan(ScanPlan.Part(rowContainer: container, rowPaths: paths, responsePaths: responsePaths))
    }
    // The row is one object. It may be deeper than the root; then every path starts there.
    guard let lead = rowsPath.scanPath else { return nil }
    return RowScan(
      ScanPlan.Part(
        rowContainer: nil, rowPaths: paths.map { ScanPath(steps: lead.steps + $0.steps) } + [lead],
        responsePaths: responsePaths),
      singleRow: .init(path: paths.count, lead: lead, key: rowsPath.query.singularSteps?.name()))
  }
}

/// The way to find the rows of a response in one pass over its bytes.
final class RowScan: Sendable {
  /// The single row of a mapping without a list of rows.
  final class SingleRow: Sendable {
    /// The number of the path that leads to it.
    let path: Int
    let lead: ScanPath
    /// The name or index at the end of that path.
    let key: String?

    init(path: Int, lead: ScanPath, key: String?) {
      (self.path, self.lead, self.key) = (path, lead, key)
    }
  }

  /// The paths to follow, to be joined with other parts that are read from the same response.
  let part: ScanPlan.Part
  /// The plan for just this part.
  let plan: ScanPlan
  let singleRow: SingleRow?

  init(_ part: ScanPlan.Part, singleRow: SingleRow? = nil) {
    self.part = part
    plan = ScanPlan([part])
    self.singleRow = singleRow
  }
}

extension PathSpec {
  /// The path in the form a scan can follow; nil for filters, wildcards, slices and names with a template.
  fileprivate var scanPath: ScanPath? {
    guard templates.isEmpty, let steps = query.singularSteps else { return nil }
    return ScanPath(steps: steps)
  }
}

extension [SingularStep] {
  /// Returns the name or index that many steps before the end of the path; nil if there is none, or if it depends on the
  /// array.
  func name(levelsUp: Int = 0) -> String? {
    guard levelsUp < count else { return nil }
    switch self[count - 1 - levelsUp] {
    case .member(let name): return name
    case .index(let index): return index >= 0 ? String(index) : nil
    }
  }
}
