/// The hot loop: walks over a text along the nodes of a plan.
///
/// No function of it changes the reader; offsets are passed in and returned, and what is found goes into the workspace and the
/// rows. Values that no path leads into are skipped by `skipContainer`, without recursion.
struct ScanReader: ~Copyable {
  let text: JSONBytes
  let tables: ScanTables.Pointers
  let workspace: ScanWorkspace
  let rowRoot: Int
  /// The slots of a row in the workspace.
  let rowSlotRange: Range<Int>
  let maximumDepth: Int
  let rows = ScanRows()

  init(
    text: JSONBytes, tables: ScanTables.Pointers, workspace: consuming ScanWorkspace, rowRoot: Int,
    rowSlotRange: Range<Int>, maximumDepth: Int
  ) {
    self.text = text
    self.tables = tables
    self.workspace = workspace
    self.rowRoot = rowRoot
    self.rowSlotRange = rowSlotRange
    self.maximumDepth = maximumDepth
  }

  /// Reads the whole text from the node `root` on; returns where its value stands.
  func readResponse(_ root: Int) throws(JSONSyntaxError) -> Range<Int> {
    let start = text.skipWhitespace(0)
    guard start < text.count else { throw text.failure(.emptyText, at: start) }
    let end = try readValue(start, node: root, depth: 0, place: .root)
    try text.requireEnd(end)
    return start..<end
  }

  /// Reads the value at `start` into the slot of `node` and of the nodes below; returns the offset behind it.
  ///
  /// - Parameter depth: how many containers are open.
  @inline(__always)
  func readValue(_ start: Int, node: Int, depth: Int, place: ValuePlace) throws(JSONSyntaxError) -> Int {
    let byte = text.byte(at: start)
    if byte == ASCII.quote {
      let end = try text.findStringEnd(start &+ 1)
      put(ScanSlot(.string, from: start &+ 1, to: end.quote, hasEscapes: end.hasEscapes), node: node)
      return end.quote &+ 1
    }
    if byte &- ASCII.zero < 10 || byte == ASCII.minus {
      let end = try text.skipNumber(start)
      put(ScanSlot(.number, from: start, to: end), node: node)
      return end
    }
    return try readContainerOrLiteral(start, node: node, depth: depth, place: place)
  }

  /// The same for a node with nothing below it, whose slot is known; whitespace may stand before the value.
  @inline(__always)
  func readLeaf(_ start: Int, slot: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    let byte = text.byte(at: start)
    if byte == ASCII.quote {
      let end = try text.findStringEnd(start &+ 1)
      workspace.slots[slot] = ScanSlot(.string, from: start &+ 1, to: end.quote, hasEscapes: end.hasEscapes)
      return end.quote &+ 1
    }
    if byte &- ASCII.zero < 10 || byte == ASCII.minus {
      let end = try text.skipNumber(start)
      workspace.slots[slot] = ScanSlot(.number, from: start, to: end)
      return end
    }
    return try readRareLeaf(start, slot: slot, depth: depth)
  }

  /// The same for literals, for containers that nobody looks into, and behind whitespace.
  @inline(never)
  private func readRareLeaf(_ start: Int, slot: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    let end = try readValue(
      text.skipWhitespace(start), node: ScanTables.ignoredNode, depth: depth, place: .member)
    workspace.slots[slot] = workspace.slots[ScanTables.ignoredSlot]
    return end
  }

  @inline(never)
  private func readContainerOrLiteral(
    _ start: Int, node: Int, depth: Int, place: ValuePlace
  ) throws(JSONSyntaxError) -> Int {
    let end: Int
    let kind = kindOfValue(at: start)
    switch kind {
    case .null: end = try text.skipLiteral(.null, start)
    case .true: end = try text.skipLiteral(.true, start)
    case .false: end = try text.skipLiteral(.false, start)
    case .array, .object:
      guard depth < maximumDepth else { throw text.failure(.nestingTooDeep(limit: maximumDepth), at: start) }
      if !tables.nodes[node].leads(into: kind) {
        end = try skipContainer(start, depth: depth)
      } else if kind == .array {
        end = try readArray(start, node: node, depth: depth &+ 1)
      } else {
        end = try readObject(start, node: node, depth: depth &+ 1)
      }
    default: throw text.missingValue(place, at: start)
    }
    put(ScanSlot(kind, from: start, to: end), node: node)
    return end
  }

  /// What the first byte of a value tells about it; missing where no value begins.
  func kindOfValue(at offset: Int) -> ScanKind {
    switch text.byte(at: offset) {
    case ASCII.quote: .string
    case ASCII.minus, UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    case ASCII.openBracket: .array
    case ASCII.openBrace: .object
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"): .true
    case UInt8(ascii: "f"): .false
    default: .missing
    }
  }

  @inline(__always)
  private func put(_ slot: ScanSlot, node: Int) {
    workspace.slots[Int(tables.nodes[node].slot)] = slot
  }

  /// Empties the slots below `node`, and the rows if it leads to them: a value that now comes replaces all that an earlier member
  /// of the same name has left there.
  @inline(__always)
  func clear(below node: Int) {
    if !tables.nodes[node].isLeaf { clearSlots(of: node) }
  }

  @inline(never)
  private func clearSlots(of node: Int) {
    let node = tables.nodes[node]
    for slot in Int(node.firstSlot)..<Int(node.endSlot) { workspace.slots[slot] = .missing }
    if node.leadsToRows { rows.clear() }
  }
}
