/// Scans one text after another by the same plan. What it needs for that it keeps: the messages of a stream are as alike as
/// the rows of a table, and the names of one are known by those of the message before.
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

  /// Follows all paths through `bytes` in one pass, and checks the whole text as strictly as `JSONDocument` does, with the same
  /// errors: also what no path leads to.
  ///
  /// - Parameters:
  ///   - maximumDepth: how many arrays and objects may be open at once. Paths are followed by recursion, at most so deep.
  ///   - maximumRows: how many rows of a container are kept; only they take memory.
  /// - Throws: the first error of the text.
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

/// The memory of a scan where it lies: slots, rows, remembered names, and the brackets of values that are skipped.
///
/// **Safety.** Valid only while a ``Scanner`` lends it. The sizes are fixed by then, and debug builds check every index. Slots
/// are addressed by the plan's own tables, which are numbered below `slotCount`; shapes by node; names by a count that stays
/// below `shapeCapacity`; bracket bits by a depth that the reader holds below `maximumDepth`.
struct ScanWorkspace {
  /// The member names of the object that was read last at a node, in its order.
  ///
  /// Rows are alike: the next object will most likely have the same names in the same order. Such a name is known by comparing
  /// its bytes with those of the row before, from the comma or brace before it to the value, in one go: if they are the same,
  /// they need be neither checked nor looked up again.
  struct Shape {
    var count = 0
    /// Where the remembered names of the node begin.
    var base: Int
  }

  /// A remembered name. Its bytes, from the comma or the brace before it, or whitespace before the comma, to the value, are
  /// kept by themselves: they outlive the text.
  struct KnownName {
    var length: Int32
    /// The node that takes its value.
    var node: Int32
    /// The node's slot if nothing is below the node, else -1.
    var slot: Int32
    /// Whether another name of the shape leads to the same node: a member that comes twice.
    var mayComeAgain = false
  }

  /// What is noted on the way.
  struct Notes {
    /// Whether a wanted member has come again, since the row that is being read began.
    var repeatsMember = false
    /// The elements of the array that ended last.
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
  /// `nameCapacity` for each of `names`.
  let nameBytes: UnsafeMutableBufferPointer<UInt8>
  /// One bit for each open bracket of a skipped value: 1 for an object.
  let brackets: UnsafeMutableBufferPointer<UInt64>

  /// The bytes of the remembered name at `index`.
  @inline(__always)
  func bytes(ofName index: Int) -> UnsafeMutableRawPointer {
    // A scanner has bytes wherever it has names.
    UnsafeMutableRawPointer(nameBytes.baseAddress.unsafelyUnwrapped) + index &* ScanWorkspace.nameCapacity
  }

  /// Forgets the rows of some lists: the member that led to them is followed by another of the same name.
  ///
  /// - Parameter mask: a bit for each list.
  func clearLists(_ mask: UInt64) {
    for list in lists.indices where mask & 1 << UInt64(list) != 0 { lists[list].clear() }
  }
}
