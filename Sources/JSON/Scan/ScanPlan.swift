/// A set of paths, compiled to be followed in one pass over a text, with no tree built.
///
///     // $.data[*] with @.s and @.p, and $.time
///     let plan = ScanPlan(
///       rowContainer: ScanPath(steps: [.member("data")]),
///       rowPaths: [ScanPath(steps: [.member("s")]), ScanPath(steps: [.member("p")])],
///       responsePaths: [ScanPath(steps: [.member("time")])])
///     let result = try plan.scan(bytes)
///     let price = decodedString(bytes, slot: result.slot(row: 0, path: 1))
///
/// The paths are merged in two tries: one for the response, in which the container of the rows is marked, and one for a row. Both
/// lie in the same flat tables. Slots are numbered so that those of a node and of all below it are neighbours.
package struct ScanPlan: Sendable {
  let tables: ScanTables
  /// The root of the response's trie, and that of a row's.
  let responseRoot: Int
  let rowRoot: Int
  /// The slots of the working area: 0 takes what nobody asked for, then come those of the response, then those of a row.
  let slotCount: Int
  let firstRowSlot: Int
  /// The working slot of the row container's own value, if the plan has one.
  let rowContainerSlot: Int?
  /// The place of each row path's slot in a row.
  let rowSlotIndexes: [Int]
  /// The working slot of each path of the response.
  let responsePathSlots: [Int]

  /// Compiles paths.
  ///
  /// - Parameters:
  ///   - rowContainer: the path of the value whose rows are read: the elements of an array, the member values of an object (the
  ///     wildcard of RFC 9535 §2.3.2). Nil: the whole response is the one row.
  ///   - rowPaths: paths that begin at a row.
  ///   - responsePaths: paths that begin at the whole response.
  package init(rowContainer: ScanPath?, rowPaths: [ScanPath], responsePaths: [ScanPath]) {
    var trie = ScanTrie()
    let responseRoot = trie.addRoot()
    let rowRoot = rowContainer == nil ? responseRoot : trie.addRoot()
    let responseEnds = responsePaths.map { trie.insert($0, below: responseRoot) }
    let rowEnds = rowPaths.map { trie.insert($0, below: rowRoot) }
    let container = rowContainer.map { trie.insert($0, below: responseRoot) }
    for end in responseEnds + rowEnds { trie.askForValue(at: end) }
    if let container { trie.markRowContainer(at: container) }

    let numbering = trie.numberSlots()
    self.tables = trie.flattened(numbering)
    self.responseRoot = responseRoot
    self.rowRoot = rowRoot
    self.slotCount = numbering.count
    self.firstRowSlot = rowContainer == nil ? 1 : numbering.ranges[rowRoot].lowerBound
    self.rowContainerSlot = container.map { numbering.ranges[$0].lowerBound }
    let firstRowSlot = self.firstRowSlot
    self.rowSlotIndexes = rowEnds.map { numbering.ranges[$0].lowerBound - firstRowSlot }
    self.responsePathSlots = responseEnds.map { numbering.ranges[$0].lowerBound }
  }
}

extension ScanPlan {
  /// Follows all paths through `bytes` in one pass, and checks the whole text as strictly as `JSONDocument` does, with the same
  /// errors: also what no path leads to.
  ///
  /// - Parameters:
  ///   - maximumDepth: how many arrays and objects may be open at once. Paths are followed by recursion, at most so deep.
  ///   - maximumRows: how many rows are kept; only they take memory.
  /// - Throws: the first error of the text.
  package func scan(
    _ bytes: [UInt8], maximumDepth: Int = 512, maximumRows: Int = .max
  ) throws(JSONSyntaxError) -> ScanResult {
    try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
      let text = try JSONBytes(buffer)
      return try tables.withPointers { (tables) throws(JSONSyntaxError) in
        // A text of n bytes cannot nest deeper than n.
        let workspace = ScanWorkspace(
          slotCount: slotCount, nodes: tables.nodes, maximumDepth: min(max(maximumDepth, 0), text.count))
        let reader = ScanReader(
          text: text, tables: tables, workspace: workspace, rowRoot: rowRoot,
          rowSlotRange: firstRowSlot..<slotCount, maximumDepth: maximumDepth, maximumRows: maximumRows)
        let range = try reader.readResponse(responseRoot)
        return result(of: reader, responseRange: range)
      }
    }
  }

  private func result(of reader: borrowing ScanReader, responseRange: Range<Int>) -> ScanResult {
    var result = ScanResult(
      rowWidth: slotCount - firstRowSlot, rowSlotIndexes: rowSlotIndexes,
      responseSlotIndexes: responsePathSlots)
    result.responseSlots = Array(reader.workspace.slots)
    if let rowContainerSlot {
      result.rowSlots = reader.rows.slots
      result.rows = reader.rows.rows
      result.containerKind = result.responseSlots[rowContainerSlot].kind
    } else {
      result.rowSlots = Array(result.responseSlots[firstRowSlot...])
      let (start, end) = (UInt32(responseRange.lowerBound), UInt32(responseRange.upperBound))
      result.rows = [
        ScanResult.Row(start: start, end: end, key: .missing, repeatsMember: reader.rows.repeatsMember)
      ]
      result.containerKind = reader.kindOfValue(at: responseRange.lowerBound)
    }
    return result
  }
}

/// A way down into a JSON text by member names and array indexes only. Example: `$.data[0].last` has three steps.
package struct ScanPath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// The member of that name; the last one where a name occurs several times.
    case member(String)
    /// The element at that index, from 0; a negative index counts from the end, as in RFC 9535 §2.3.3.
    case index(Int)
  }

  package var steps: [Step]

  /// No steps: the value at which the path begins.
  package init(steps: [Step] = []) { self.steps = steps }
}

extension ScanPath.Step {
  // Names in JSON are compared scalar by scalar; `String` would hold a composed and a decomposed letter to be the same.
  package static func == (left: ScanPath.Step, right: ScanPath.Step) -> Bool {
    switch (left, right) {
    case (.member(let left), .member(let right)): left.utf8.elementsEqual(right.utf8)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .member(let name): for byte in name.utf8 { hasher.combine(byte) }
    case .index(let index): hasher.combine(index)
    }
  }
}
