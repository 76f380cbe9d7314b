/// The tries of a plan in flat arrays, as the hot loop reads them.
struct ScanTables: Sendable {
  /// The node that stands for all values nobody asked for.
  static let ignoredNode = 0
  /// The slot into which such values are written: cheaper than a test for every value.
  static let ignoredSlot = 0

  var nodes: [Node] = []
  /// The members of all nodes; those of one node are neighbours, sorted by `Member.precedes`.
  var members: [Member] = []
  /// The elements of all nodes; those of one node are neighbours: indexes from the start in order, then those from the end.
  var elements: [Element] = []
  /// The names of all members, decoded.
  var names: [UInt8] = []

  struct Node: Sendable {
    /// Where the node's own value goes.
    var slot: Int32
    /// The slots of the node and of all nodes below it.
    var firstSlot: Int32
    var endSlot: Int32
    var firstMember: Int32
    var memberCount: Int32
    var firstElement: Int32
    var elementCount: Int32
    /// True if the node's elements or member values are the rows.
    var isRowContainer: Bool
    /// True if the container of the rows is this node or below it.
    var leadsToRows: Bool

    /// True if nothing is below the node.
    var isLeaf: Bool { memberCount == 0 && elementCount == 0 && !isRowContainer }

    /// True if an array, or an object, at this node must be looked into.
    func leads(into kind: ScanKind) -> Bool {
      isRowContainer || (kind == .array ? elementCount : memberCount) > 0
    }
  }

  struct Member: Sendable {
    /// The first eight bytes of the name, as `JSONBytes.prefix` gives them.
    var prefix: UInt64
    var length: Int32
    var nameOffset: Int32
    var node: Int32

    /// The order by which members are searched: length, then first bytes.
    @inline(__always)
    func precedes(length: Int32, prefix: UInt64) -> Bool {
      self.length != length ? self.length < length : self.prefix < prefix
    }
  }

  struct Element: Sendable {
    var index: Int
    var node: Int32
  }
}
