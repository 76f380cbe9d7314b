import Config
import JSON
import JSONPath

/// The paths of one table, each of them once, numbered: what a scan is compiled from and a walk looks up.
struct PathBook: Sendable {
  private(set) var row: [PathSpec] = []
  private(set) var response: [PathSpec] = []

  mutating func rowIndex(of path: PathSpec) -> Int { Self.index(of: path, in: &row) }
  mutating func responseIndex(of path: PathSpec) -> Int { Self.index(of: path, in: &response) }

  private static func index(of path: PathSpec, in paths: inout [PathSpec]) -> Int {
    let text = path.text
    for index in paths.indices where paths[index].text == text { return index }
    paths.append(path)
    return paths.count - 1
  }

  /// The one-pass plan for these paths, or nil where one of them, or the rows, need a tree.
  func scanPlan(rows: RowsSpec) -> ScanPlan? {
    guard case .path(let rowsPath) = rows, rowsPath.templates.isEmpty else { return nil }
    let paths = row.map(\.scanPath)
    let responsePaths = response.map(\.scanPath)
    guard !paths.contains(nil), !responsePaths.contains(nil) else { return nil }
    if let container = rowsPath.query.rowContainerSteps {
      return ScanPlan(
        rowContainer: ScanPath(steps: container.map(\.scanStep)), rowPaths: paths.compactMap(\.self),
        responsePaths: responsePaths.compactMap(\.self))
    }
    // One object is the row. It may lie deeper than the root: then every path begins there.
    guard let lead = rowsPath.scanPath else { return nil }
    let rowPaths = paths.compactMap(\.self).map { ScanPath(steps: lead.steps + $0.steps) }
    return ScanPlan(
      rowContainer: nil, rowPaths: rowPaths + [lead], responsePaths: responsePaths.compactMap(\.self))
  }
}

extension PathSpec {
  /// The path as a scan can follow it; nil for filters, wildcards, slices and names with a template.
  fileprivate var scanPath: ScanPath? {
    guard templates.isEmpty, let steps = query.singularSteps else { return nil }
    return ScanPath(steps: steps.map(\.scanStep))
  }
}

extension SingularStep {
  fileprivate var scanStep: ScanPath.Step {
    switch self {
    case .member(let name): .member(name)
    case .index(let index): .index(index)
    }
  }
}
