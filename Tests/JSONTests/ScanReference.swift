import JSON

/// The expected result of a scan, found the slow way: by following every path through a document.
struct ScanReference {
  let bytes: [UInt8]
  let rowContainer: ScanPath?
  let rowPaths: [ScanPath]
  let responsePaths: [ScanPath]

  /// Everything that a scan reports, in a form that prints well when two of them differ.
  struct Findings: Equatable {
    var containerKind: ScanKind
    /// One line per row: its key, its range, then its values.
    var rows: [String]
    var response: [String]
    /// Whether a requested member of the response is repeated, then the same for each row; empty if a scan did not
    /// follow these paths alone, as it tells for all of them together.
    var repetitions: [Bool] = []

    var withoutRepetitions: Findings { Findings(containerKind: containerKind, rows: rows, response: response) }
  }

  var part: ScanPlan.Part {
    ScanPlan.Part(rowContainer: rowContainer, rowPaths: rowPaths, responsePaths: responsePaths)
  }

  /// Returns the findings of the scan itself.
  ///
  /// - Parameter others: other parts to follow in the same pass.
  func scanned(after others: [ScanPlan.Part] = []) throws(JSONSyntaxError) -> Findings {
    let result = try ScanPlan(others + [part]).scan(bytes)[others.count]
    var findings = findings(result)
    if others.isEmpty {
      let ofRows = (0..<result.rowCount).map { result.repeatsMember(row: $0) }
      findings.repetitions = [result.repeatsMemberOfResponse] + ofRows
    }
    return findings
  }

  /// Returns the same reference for another text.
  func reading(_ bytes: [UInt8]) -> ScanReference {
    ScanReference(bytes: bytes, rowContainer: rowContainer, rowPaths: rowPaths, responsePaths: responsePaths)
  }

  /// Describes the result of a scan of these bytes.
  func findings(_ result: ScanResult) -> Findings {
    Findings(
      containerKind: result.containerKind,
      rows: (0..<result.rowCount).map { row in
        let values = rowPaths.indices.map { describe(result.slot(row: row, path: $0)) }
        return "\(describe(result.keySlot(row: row))) at \(result.rowRange(row)): \(values.joined(separator: " | "))"
      },
      response: responsePaths.indices.map { describe(result.responseSlot($0)) })
  }

  /// Returns the findings according to a document.
  func expected() throws(JSONSyntaxError) -> Findings {
    let root = try JSONDocument(parsing: bytes).root
    let container = rowContainer.map { follow($0, from: root) } ?? root
    var rows: [(key: String, node: JSONNode)] = []
    if rowContainer == nil {
      rows = [("missing", root)]
    } else if let container {
      rows = container.elements.map { ("missing", $0) } + container.members.map { (describe($0.key), $0.value) }
    }
    return Findings(
      containerKind: container.map { kind(of: $0) } ?? .missing,
      rows: rows.map { key, node in
        let values = rowPaths.map { describe(follow($0, from: node)) }
        return "\(key) at \(node.byteRange): \(values.joined(separator: " | "))"
      },
      response: responsePaths.map { describe(follow($0, from: root)) },
      repetitions: repetitions(from: root, rows.map(\.node)))
  }

  private func repetitions(from root: JSONNode, _ rows: [JSONNode]) -> [Bool] {
    func isRepeated(_ paths: [ScanPath], from node: JSONNode) -> Bool {
      paths.contains { path in
        path.steps.indices.contains { index in
          guard case .member(let name) = path.steps[index] else { return false }
          return node.reached(by: path.steps[..<index])?.memberCount(named: name) ?? 0 > 1
        }
      }
    }
    guard let rowContainer else { return [false, isRepeated(rowPaths + responsePaths, from: root)] }
    return [isRepeated(responsePaths + [rowContainer], from: root)] + rows.map { isRepeated(rowPaths, from: $0) }
  }

  private func follow(_ path: ScanPath, from root: JSONNode) -> JSONNode? {
    var node = root
    for step in path.steps {
      let next =
        switch step {
        case .member(let name): node[name]
        case .index(let index): node[index < 0 ? index + node.count : index]
        }
      guard let next else { return nil }
      node = next
    }
    return node
  }

  private func describe(_ slot: ScanSlot) -> String {
    if slot.kind == .missing { return "missing" }
    let text = bytes.withUnsafeBufferPointer { decodedString($0, slot: slot) }
    return "\(slot.kind) \(slot.range) \(text)"
  }

  private func describe(_ node: JSONNode?) -> String {
    guard let node else { return "missing" }
    var range = node.byteRange
    if node.kind == .string { range = range.lowerBound + 1..<range.upperBound - 1 }
    return "\(kind(of: node)) \(range) \(node.string ?? node.text)"
  }

  private func kind(of node: JSONNode) -> ScanKind {
    switch node.kind {
    case .null: .null
    case .false: .false
    case .true: .true
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

extension ScanPath: ExpressibleByStringLiteral {
  /// Creates a path from a short form, for tests: `data.0.last`. Empty text is the root; whole numbers are indexes.
  public init(stringLiteral text: String) {
    self.init(
      steps: text.split(separator: ".").map { part in Int(part).map { .index($0) } ?? .member(String(part)) })
  }
}
