/// A scanner of successive texts with the same plan. It keeps its workspace: the messages of a stream are as alike as
/// the rows of a table, so the names of one message are recognized from the previous one.
package struct Scanner: Sendable {
  private let plan: ScanPlan
  private var slots: [ScanSlot]
  private var lists: [ScanList]
  private var shapes: [ScanWorkspace.Shape] = []
  private var names: [ScanWorkspace.KnownName]
  private var nameBytes: [UInt8]
  private var brackets: [UInt64] = []

  package init(_ plan: ScanPlan) {
    self.plan = plan
    slots = Array(repeating: .missing, count: plan.slotCount)
    lists = Array(repeating: ScanList(), count: plan.lists.count)
    var base = 0
    for node in plan.tables.nodes {
      shapes.append(ScanWorkspace.Shape(base: base))
      if node.memberCount > 0 { base += ScanWorkspace.shapeCapacity }
    }
    names = Array(repeating: ScanWorkspace.KnownName(length: 0, node: 0, slot: 0), count: base)
    nameBytes = Array(repeating: 0, count: base * ScanWorkspace.nameCapacity)
  }

  /// Follows all paths through `bytes` in one pass. Checks the whole text, including what no path leads to, as strictly
  /// as `JSONDocument` and with the same errors.
  ///
  /// - Parameters:
  ///   - maximumDepth: The maximum number of arrays and objects open at once. Paths are followed by recursion, at most
  ///     this deep.
  ///   - maximumRows: The maximum number of rows kept of a container; only they take memory.
  /// - Throws: The first error in the text.
  package mutating func scan(
    _ bytes: [UInt8], maximumDepth: Int = 512, maximumRows: Int = .max
  ) throws(JSONSyntaxError) -> ScanFindings {
    for index in slots.indices { slots[index] = .missing }
    for index in lists.indices { lists[index].begin() }
    // A text of n bytes cannot nest deeper than n.
    let depths = min(max(maximumDepth, 0), bytes.count) / 64 + 1
    if brackets.count < depths { brackets = Array(repeating: 0, count: depths) }

    let plan = plan
    let (response, kind) = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
      let text = try JSONBytes(buffer)
      return try plan.tables.withPointers { (tables) throws(JSONSyntaxError) in
        try withWorkspace { (workspace) throws(JSONSyntaxError) in
          let reader = ScanReader(
            text: text, tables: tables, workspace: workspace, lists: plan.lists, maximumDepth: maximumDepth,
            maximumRows: maximumRows)
          let range = try reader.readResponse(plan.responseRoot)
          let response = ScanRow(
            start: UInt32(range.lowerBound), end: UInt32(range.upperBound), key: .missing,
            repeatsMember: workspace.notes.pointee.repeatsMember)
          return (response, reader.kindOfValue(at: range.lowerBound))
        }
      }
    }
    return ScanFindings(plan: plan, slots: slots, lists: lists, response: response, kind: kind)
  }

  private mutating func withWorkspace<Value>(
    _ body: (ScanWorkspace) throws(JSONSyntaxError) -> Value
  ) throws(JSONSyntaxError) -> Value {
    var notes = ScanWorkspace.Notes()
    return try slots.withUnsafeMutableBufferPointer { (slots) throws(JSONSyntaxError) in
      try lists.withUnsafeMutableBufferPointer { (lists) throws(JSONSyntaxError) in
        try shapes.withUnsafeMutableBufferPointer { (shapes) throws(JSONSyntaxError) in
          try names.withUnsafeMutableBufferPointer { (names) throws(JSONSyntaxError) in
            try nameBytes.withUnsafeMutableBufferPointer { (nameBytes) throws(JSONSyntaxError) in
              try brackets.withUnsafeMutableBufferPointer { (brackets) throws(JSONSyntaxError) in
                try withUnsafeMutablePointer(to: &notes) { (notes) throws(JSONSyntaxError) in
                  try body(
                    ScanWorkspace(
                      slots: slots, lists: lists, notes: notes, shapes: shapes, names: names, nameBytes: nameBytes,
                      brackets: brackets))
                }
              }
            }
          }
        }
      }
    }
  }
}

/// The memory of a scan: slots, rows, remembered names, and the brackets of skipped values.
///
/// **Safety.** Valid only while lent by a ``Scanner``. The sizes are then fixed, and debug builds check every index.
/// Slots are addressed by the plan's own tables, which are numbered below `slotCount`; shapes by node; names by a count
/// that stays below `shapeCapacity`; bracket bits by a depth that the reader keeps below `maximumDepth`.
struct ScanWorkspace {
  /// The member names of the last object read at a node, in its order.
  ///
  /// Rows are alike: the next object most likely has the same names in the same order. A name is recognized by
  /// comparing its bytes with those of the previous row in one go, from the preceding comma or brace to the value. If
  /// they are equal, the name need not be checked or looked up again.
  struct Shape {
    var count = 0
    /// The index of the node's first remembered name.
    var base: Int
  }

  /// A remembered name. Its bytes, from the preceding comma or brace, or whitespace before the comma, up to the value,
  /// are stored separately, as they outlive the text.
  struct KnownName {
    var length: Int32
    /// The node for its value.
    var node: Int32
    /// The node's slot if it is a leaf; otherwise -1.
    var slot: Int32
    /// Whether another name of the shape leads to the same node: a duplicate member.
    var mayComeAgain = false
  }

  /// Notes taken during the scan.
  struct Notes {
    /// Whether a requested member was repeated since the current row began.
    var repeatsMember = false
    /// The number of elements of the last array that ended.
    var elementCount = 0
  }

  static let shapeCapacity = 64
  /// In bytes; a longer name is looked up each time.
  static let nameCapacity = 64

  let slots: UnsafeMutableBufferPointer<ScanSlot>
  let lists: UnsafeMutableBufferPointer<ScanList>
  let notes: UnsafeMutablePointer<Notes>
  let shapes: UnsafeMutableBufferPointer<Shape>
  let names: UnsafeMutableBufferPointer<KnownName>
  /// `nameCapacity` bytes for each of `names`.
  let nameBytes: UnsafeMutableBufferPointer<UInt8>
  /// One bit for each open bracket of a skipped value: 1 for an object.
  let brackets: UnsafeMutableBufferPointer<UInt64>

  /// Returns the bytes of the remembered name at `index`.
  @inline(__always)
  func bytes(ofName index: Int) -> UnsafeMutableRawPointer {
    // A scanner has bytes wherever it has names.
    UnsafeMutableRawPointer(nameBytes.baseAddress.unsafelyUnwrapped) + index &* ScanWorkspace.nameCapacity
  }

  /// Clears the rows of some lists because the member that led to them is repeated.
  ///
  /// - Parameter mask: A bit for each list.
  func clearLists(_ mask: UInt64) {
    for list in lists.indices where mask & 1 << UInt64(list) != 0 { lists[list].clear() }
  }
}
