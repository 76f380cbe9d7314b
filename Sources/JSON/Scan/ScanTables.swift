/// The tries of a plan in flat arrays, for the hot loop.
struct ScanTables: Sendable {
  /// The node for all values that no path asks for.
  static let ignoredNode = 0
  /// The slot that such values are written to, which is cheaper than testing every value.
  static let ignoredSlot = 0

  var nodes: [Node] = []
  /// The members of all nodes; those of one node are contiguous, sorted by `Member.precedes`.
  var members: [Member] = []
  /// The elements of all nodes; those of one node are contiguous: indexes from the start in order, then from the end.
  var elements: [Element] = []
  /// The decoded names of all members.
  var names: [UInt8] = []

  struct Node: Sendable {
    /// The slot of the node's own value.
    var slot: Int32
    /// The slots of the node and its descendants.
    var firstSlot: Int32
    var endSlot: Int32
    var firstMember: Int32
    var memberCount: Int32
    var firstElement: Int32
    var elementCount: Int32
    /// The number of the list that the node's elements or member values are rows of; -1 if they are not rows.
    var list: Int32
    /// A bit for each list of rows whose container is this node or a descendant.
    var listsBelow: UInt64
    /// Whether elements of an array here are wanted, all by their index from the start, and nothing below them.
    var hasPlainElements = false

    var isRowContainer: Bool { list >= 0 }

    /// Whether the node has nothing below it.
    var isLeaf: Bool { memberCount == 0 && elementCount == 0 && !isRowContainer }

    /// Returns whether an array or object at this node must be read rather than skipped.
    func leads(into kind: ScanKind) -> Bool {
      isRowContainer || (kind == .array ? elementCount : memberCount) > 0
    }
  }

  struct Member: Sendable {
    /// The first eight bytes of the name, in the form of `JSONBytes.prefix`.
    var prefix: UInt64
    var length: Int32
    var nameOffset: Int32
    var node: Int32

    /// The sort order of members: length, then first bytes.
    @inline(__always)
    func precedes(length: Int32, prefix: UInt64) -> Bool {
      self.length != length ? self.length < length : self.prefix < prefix
    }
  }

  struct Element: Sendable {
    var index: Int
    var node: Int32
    /// The slot of the node.
    var slot: Int32
  }
}

extension ScanTables {
  /// The tables in memory. **Safety.** Valid only during the call of `withPointers` that created them.
  struct Pointers {
    let nodes: UnsafeBufferPointer<Node>
    let members: UnsafeBufferPointer<Member>
    let elements: UnsafeBufferPointer<Element>
    let names: UnsafeBufferPointer<UInt8>
  }

  /// Calls `body` with pointers to the tables.
  func withPointers<Result, Failure: Error>(
    _ body: (Pointers) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try nodes.withUnsafeBufferPointer { (nodes) throws(Failure) in
      try members.withUnsafeBufferPointer { (members) throws(Failure) in
        try elements.withUnsafeBufferPointer { (elements) throws(Failure) in
          try names.withUnsafeBufferPointer { (names) throws(Failure) in
            try body(Pointers(nodes: nodes, members: members, elements: elements, names: names))
          }
        }
      }
    }
  }
}

/// The tries of a plan under construction. Nodes are indexes; children come after their parents.
struct ScanTrie {
  private struct Draft {
    var parent: Int
    /// In order of creation. There are few, so a dictionary would cost more than it saves.
    var children: [(step: SingularStep, node: Int)] = []
    var wantsValue = false
    var list: Int?
  }

  /// The slots of each node and its descendants; a node's own value, if requested, has the first.
  struct Numbering {
    var ranges: [Range<Int>]
    /// The number of slots, including the one for ignored values.
    var count: Int
  }

  private var drafts: [Draft]
  private var roots: [Int] = []

  init() { drafts = [Draft(parent: -1)] }  // the ignored node

  mutating func addRoot() -> Int {
    drafts.append(Draft(parent: -1))
    roots.append(drafts.count - 1)
    return drafts.count - 1
  }

  /// Returns the node at the end of `path`, creating it if necessary.
  mutating func insert(_ path: ScanPath, below root: Int) -> Int {
    path.steps.reduce(root) { child(of: $0, by: $1) }
  }

  mutating func askForValue(at node: Int) { drafts[node].wantsValue = true }

  /// Marks the values in `node` as the rows of a list, and requests its own value, as its kind is reported.
  mutating func markRowContainer(at node: Int, list: Int) {
    drafts[node].list = list
    askForValue(at: node)
  }

  private mutating func child(of parent: Int, by step: SingularStep) -> Int {
    if let known = drafts[parent].children.first(where: { $0.step == step }) { return known.node }
    drafts.append(Draft(parent: parent))
    let node = drafts.count - 1
    drafts[parent].children.append((step, node))
    // The slot of a member tells whether it has been there before.
    if case .member = step { askForValue(at: node) }
    return node
  }

  // MARK: Slots

  /// Numbers the slots so that those of any node and its descendants are contiguous.
  func numberSlots() -> Numbering {
    // Children come after their parents, so in reverse order every subtree is already complete.
    var sizes = drafts.map { $0.wantsValue ? 1 : 0 }
    for node in drafts.indices.reversed() where drafts[node].parent >= 0 { sizes[drafts[node].parent] += sizes[node] }

    var ranges = [Range<Int>](repeating: 0..<1, count: drafts.count)
    var next = 1
    for root in roots {
      ranges[root] = next..<next + sizes[root]
      next += sizes[root]
    }
    for node in drafts.indices {
      var start = ranges[node].lowerBound + (drafts[node].wantsValue ? 1 : 0)
      for (_, child) in drafts[node].children {
        ranges[child] = start..<start + sizes[child]
        start += sizes[child]
      }
    }
    return Numbering(ranges: ranges, count: next)
  }

  // MARK: Tables

  func flattened(_ numbering: Numbering) -> ScanTables {
    var tables = ScanTables()
    var listsBelow = drafts.map { draft in draft.list.map { UInt64(1) << UInt64($0) } ?? 0 }
    for node in drafts.indices.reversed() where drafts[node].parent >= 0 {
      listsBelow[drafts[node].parent] |= listsBelow[node]
    }
    for (node, draft) in drafts.enumerated() {
      let range = numbering.ranges[node]
      let members = sortedMembers(of: draft, names: &tables.names)
      let elements = sortedElements(of: draft, numbering)
      tables.nodes.append(
        ScanTables.Node(
          slot: Int32(draft.wantsValue ? range.lowerBound : ScanTables.ignoredSlot),
          firstSlot: Int32(range.lowerBound), endSlot: Int32(range.upperBound),
          firstMember: Int32(tables.members.count), memberCount: Int32(members.count),
          firstElement: Int32(tables.elements.count), elementCount: Int32(elements.count),
          list: Int32(draft.list ?? -1), listsBelow: listsBelow[node], hasPlainElements: hasPlainElements(draft)))
      tables.members += members
      tables.elements += elements
    }
    return tables
  }

  private func sortedMembers(of draft: Draft, names: inout [UInt8]) -> [ScanTables.Member] {
    var members: [ScanTables.Member] = []
    for (step, node) in draft.children {
      guard case .member(let name) = step else { continue }
      let bytes = Array(name.utf8)
      members.append(
        ScanTables.Member(
          prefix: JSONBytes.prefix(of: bytes), length: Int32(bytes.count), nameOffset: Int32(names.count),
          node: Int32(node)))
      names += bytes
    }
    return members.sorted { $0.precedes(length: $1.length, prefix: $1.prefix) }
  }

  private func hasPlainElements(_ draft: Draft) -> Bool {
    let elements = draft.children.compactMap { step, node in
      if case .index(let index) = step { (index, drafts[node]) } else { nil }
    }
    return draft.list == nil && !elements.isEmpty
      && elements.allSatisfy { index, element in index >= 0 && element.children.isEmpty && element.list == nil }
  }

  private func sortedElements(of draft: Draft, _ numbering: Numbering) -> [ScanTables.Element] {
    let elements = draft.children.compactMap { step, node -> ScanTables.Element? in
      guard case .index(let index) = step else { return nil }
      return ScanTables.Element(index: index, node: Int32(node), slot: Int32(numbering.ranges[node].lowerBound))
    }
    let sorted = elements.sorted { $0.index < $1.index }
    return sorted.filter { $0.index >= 0 } + sorted.filter { $0.index < 0 }
  }
}
