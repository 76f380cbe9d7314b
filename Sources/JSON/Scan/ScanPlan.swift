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
  /// The working slot of each path.
  let rowPathSlots: [Int]
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
    self.rowPathSlots = rowEnds.map { numbering.ranges[$0].lowerBound }
    self.responsePathSlots = responseEnds.map { numbering.ranges[$0].lowerBound }
  }
}
