/// A set of paths, compiled so that one pass over a text can follow them without building a tree.
///
///     // $.data[*] with @.s and @.p, and $.time
///     let plan = ScanPlan(
///       rowContainer: ScanPath(steps: [.member("data")]),
///       rowPaths: [ScanPath(steps: [.member("s")]), ScanPath(steps: [.member("p")])],
///       responsePaths: [ScanPath(steps: [.member("time")])])
///     let result = try plan.scan(bytes)
///     let price = bytes.withUnsafeBufferPointer { decodedString($0, slot: result.slot(row: 0, path: 1)) }
///
/// The paths are merged into tries: one for the response, with the row containers marked, and one for the rows of each
/// container. All share the same flat tables. Slots are numbered so that those of a node and its descendants are
/// contiguous.
///
/// A class, so that everything that uses it holds one reference instead of twenty.
package final class ScanPlan: Sendable {
  /// A set of rows, and what is read from each of them and from the whole response. A plan usually has one part; that
  /// of an order book has one for each side.
  package struct Part: Sendable {
    let rowContainer: ScanPath?
    let rowPaths: [ScanPath]
    let responsePaths: [ScanPath]

    /// - Parameters:
    ///   - rowContainer: The path of the value that contains the rows: the elements of an array, or the member values
    ///     of an object (the wildcard of RFC 9535 §2.3.2). If nil, the whole response is the only row.
    ///   - rowPaths: Paths that start at a row.
    ///   - responsePaths: Paths that start at the whole response.
    package init(rowContainer: ScanPath?, rowPaths: [ScanPath], responsePaths: [ScanPath]) {
      self.rowContainer = rowContainer
      self.rowPaths = rowPaths
      self.responsePaths = responsePaths
    }

    /// Returns this part for a larger response, in which `path` leads to the original one.
    package func moved(below path: ScanPath) -> Part {
      func moved(_ inner: ScanPath) -> ScanPath { ScanPath(steps: path.steps + inner.steps) }
      return Part(
        rowContainer: rowContainer.map(moved), rowPaths: rowContainer == nil ? rowPaths.map(moved) : rowPaths,
        responsePaths: responsePaths.map(moved))
    }
  }

  /// The rows of one container.
  struct RowList: Sendable {
    /// The root of the rows' trie.
    let root: Int
    /// The slots of a row in the workspace.
    let slots: Range<Int>
  }

  /// Where a part finds its results.
  struct CompiledPart: Sendable {
    /// The workspace slot of the container itself and the number of its list of rows; nil if the response is the row.
    let container: (slot: Int, list: Int)?
    let rowSlots: Range<Int>
    /// The entries of `places` for its row paths and its response paths.
    let rowPlaces: Range<Int>
    let responsePlaces: Range<Int>
  }

  let tables: ScanTables
  let responseRoot: Int
  /// The number of workspace slots: slot 0 takes ignored values, then come those of the response, then those of rows.
  let slotCount: Int
  let lists: [RowList]
  let parts: [CompiledPart]
  /// The slot of each path of each part: within the row for a row path, in the workspace for a response path.
  let places: [Int]

  /// Compiles a plan with a single part; see ``Part``.
  package convenience init(rowContainer: ScanPath?, rowPaths: [ScanPath], responsePaths: [ScanPath]) {
    self.init([Part(rowContainer: rowContainer, rowPaths: rowPaths, responsePaths: responsePaths)])
  }

  /// - Parameter parts: At least one; at most 64 with containers of their own.
  package init(_ parts: [Part]) {
    var trie = ScanTrie()
    let responseRoot = trie.addRoot()
    // The rows of a container are read once, however many parts ask for them.
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
    var places: [Int] = []
    func placed(_ slots: [Int]) -> Range<Int> {
      places += slots
      return places.count - slots.count..<places.count
    }
    self.parts = ends.map { part in
      let rowSlots = numbering.ranges[part.list.map { containers[$0].rowRoot } ?? responseRoot]
      return CompiledPart(
        container: part.list.map { (numbering.ranges[containers[$0].node].lowerBound, $0) }, rowSlots: rowSlots,
        rowPlaces: placed(part.row.map { numbering.ranges[$0].lowerBound - rowSlots.lowerBound }),
        responsePlaces: placed(part.response.map { numbering.ranges[$0].lowerBound }))
    }
    self.places = places
  }
}

extension ScanPlan {
  /// Scans one text; see ``Scanner`` for scanning several.
  package func scan(
    _ bytes: [UInt8], maximumDepth: Int = 512, maximumRows: Int = .max
  ) throws(JSONSyntaxError) -> ScanFindings {
    var scanner = Scanner(self)
    return try scanner.scan(bytes, maximumDepth: maximumDepth, maximumRows: maximumRows)
  }
}

/// A path into a JSON text that consists of member names and array indexes only.
package struct ScanPath: Hashable, Sendable {
  package var steps: [SingularStep]

  /// Creates a path; without steps it is the value where it starts.
  package init(steps: [SingularStep] = []) { self.steps = steps }
}
