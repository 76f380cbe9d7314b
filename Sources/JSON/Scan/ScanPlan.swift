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
/// The paths are merged in tries: one for the response, in which the containers of rows are marked, and one for the rows of
/// each container. All lie in the same flat tables. Slots are numbered so that those of a node and of all below it are
/// neighbours.
///
/// A class, because everything that reads by it holds it: one reference in the place of twenty.
package final class ScanPlan: Sendable {
  /// Some rows, and what is read of each of them and of the whole response. A plan has one part as a rule; an order book has
  /// one for each side.
  package struct Part: Sendable {
    let rowContainer: ScanPath?
    let rowPaths: [ScanPath]
    let responsePaths: [ScanPath]

    /// - Parameters:
    ///   - rowContainer: the path of the value whose rows are read: the elements of an array, the member values of an object
    ///     (the wildcard of RFC 9535 §2.3.2). Nil: the whole response is the one row.
    ///   - rowPaths: paths that begin at a row.
    ///   - responsePaths: paths that begin at the whole response.
    package init(rowContainer: ScanPath?, rowPaths: [ScanPath], responsePaths: [ScanPath]) {
      self.rowContainer = rowContainer
      self.rowPaths = rowPaths
      self.responsePaths = responsePaths
    }

    /// The same in a larger response, in which `path` leads to the one that it was written for.
    package func moved(below path: ScanPath) -> Part {
      func moved(_ inner: ScanPath) -> ScanPath { ScanPath(steps: path.steps + inner.steps) }
      return Part(
        rowContainer: rowContainer.map(moved), rowPaths: rowContainer == nil ? rowPaths.map(moved) : rowPaths,
        responsePaths: responsePaths.map(moved))
    }
  }

  /// The rows of one container.
  struct RowList: Sendable {
    /// The root of their trie.
    let root: Int
    /// The slots of a row in the working area.
    let slots: Range<Int>
  }

  /// Where a part finds what it asked for.
  final class CompiledPart: Sendable {
    /// The working slot of the container's own value, and the number of its rows' list; nil where the response is the row.
    let container: (slot: Int, list: Int)?
    let rowSlots: Range<Int>
    /// The place of each row path's slot in a row.
    let rowSlotIndexes: [Int]
    /// The working slot of each path of the response.
    let responsePathSlots: [Int]

    init(container: (slot: Int, list: Int)?, rowSlots: Range<Int>, rowSlotIndexes: [Int], responsePathSlots: [Int]) {
      self.container = container
      self.rowSlots = rowSlots
      self.rowSlotIndexes = rowSlotIndexes
      self.responsePathSlots = responsePathSlots
    }
  }

  let tables: ScanTables
  let responseRoot: Int
  /// The slots of the working area: 0 takes what nobody asked for, then come those of the response, then those of rows.
  let slotCount: Int
  let lists: [RowList]
  let parts: [CompiledPart]

  /// Compiles paths: see ``Part``.
  package convenience init(rowContainer: ScanPath?, rowPaths: [ScanPath], responsePaths: [ScanPath]) {
    self.init([Part(rowContainer: rowContainer, rowPaths: rowPaths, responsePaths: responsePaths)])
  }

  /// - Parameter parts: at least one; at most 64 with containers of their own.
  package init(_ parts: [Part]) {
    var trie = ScanTrie()
    let responseRoot = trie.addRoot()
    // The rows of one container are read once, whatever number of parts asks for them.
    var containers: [(node: Int, rowRoot: Int)] = []
    let ends = parts.map { part in
      let list = part.rowContainer.map { path -> Int in
        let node = trie.insert(path, below: responseRoot)
        if let known = containers.firstIndex(where: { $0.node == node }) { return known }
        containers.append((node, trie.addRoot()))
        return containers.count - 1
      }
      let rowRoot = list.map { containers[$0].rowRoot } ?? responseRoot
      return (
        list: list, response: part.responsePaths.map { trie.insert($0, below: responseRoot) },
        row: part.rowPaths.map { trie.insert($0, below: rowRoot) }
      )
    }
    for part in ends { for end in part.response + part.row { trie.askForValue(at: end) } }
    for (list, container) in containers.enumerated() { trie.markRowContainer(at: container.node, list: list) }

    let numbering = trie.numberSlots()
    self.tables = trie.flattened(numbering)
    self.responseRoot = responseRoot
    self.slotCount = numbering.count
    self.lists = containers.map { RowList(root: $0.rowRoot, slots: numbering.ranges[$0.rowRoot]) }
    self.parts = ends.map { part in
      let rowSlots = numbering.ranges[part.list.map { containers[$0].rowRoot } ?? responseRoot]
      return CompiledPart(
        container: part.list.map { (numbering.ranges[containers[$0].node].lowerBound, $0) }, rowSlots: rowSlots,
        rowSlotIndexes: part.row.map { numbering.ranges[$0].lowerBound - rowSlots.lowerBound },
        responsePathSlots: part.response.map { numbering.ranges[$0].lowerBound })
    }
  }
}

extension ScanPlan {
  /// Scans one text: see ``Scanner``, which is for several.
  package func scan(
    _ bytes: [UInt8], maximumDepth: Int = 512, maximumRows: Int = .max
  ) throws(JSONSyntaxError) -> ScanFindings {
    var scanner = Scanner(self)
    return try scanner.scan(bytes, maximumDepth: maximumDepth, maximumRows: maximumRows)
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
