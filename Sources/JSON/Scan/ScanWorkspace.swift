/// The memory of one scan: slots, remembered shapes, and the brackets of values that are skipped. Freed when the scan is over.
///
/// **Safety.** The sizes are fixed when it is made, and debug builds check every index. Slots are addressed by the plan's own
/// tables, which are numbered below `slotCount`; shapes by node, below `nodeCount`, and by a count that stays below
/// `shapeCapacity`; bracket bits by a depth that the reader holds below `maximumDepth`.
struct ScanWorkspace: ~Copyable {
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

  /// One remembered name.
  struct ShapeEntry {
    /// The offset of the comma or the brace before it, or of whitespace before the comma.
    var offset: Int32
    /// The bytes from there to the value.
    var length: Int32
    /// The node that takes its value.
    var node: Int32
    /// The node's slot if nothing is below the node, else -1.
    var slot: Int32
  }

  static let shapeCapacity = 64

  let slots: UnsafeMutableBufferPointer<ScanSlot>
  let shapes: UnsafeMutableBufferPointer<Shape>
  /// Those before `base + count` of a shape are initialized.
  let shapeEntries: UnsafeMutableBufferPointer<ShapeEntry>
  /// One bit for each open bracket of a skipped value: 1 for an object.
  let brackets: UnsafeMutableBufferPointer<UInt64>

  init(slotCount: Int, nodes: UnsafeBufferPointer<ScanTables.Node>, maximumDepth: Int) {
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: .missing)
    shapes = .allocate(capacity: nodes.count)
    var base = 0
    for node in nodes.indices {
      shapes.initializeElement(at: node, to: Shape(base: base))
      if nodes[node].memberCount > 0 { base += ScanWorkspace.shapeCapacity }
    }
    shapeEntries = .allocate(capacity: base)
    brackets = .allocate(capacity: maximumDepth / 64 + 1)
    brackets.initialize(repeating: 0)
  }

  deinit {
    slots.deallocate()
    shapes.deallocate()
    shapeEntries.deallocate()
    brackets.deallocate()
  }
}
