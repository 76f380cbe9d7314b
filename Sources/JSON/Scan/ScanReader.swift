/// The hot loop: walks over a text along the nodes of a plan.
///
/// No function changes the reader; offsets are passed in and returned, and findings go into the workspace. Values that
/// no path leads into are skipped by `skipContainer`, without recursion.
struct ScanReader {
  let text: JSONBytes
  let tables: ScanTables.Pointers
  let workspace: ScanWorkspace
  /// One bit for each open bracket of a skipped value: 1 for an object. The reader keeps the depth below
  /// `maximumDepth`.
  let brackets: UnsafeMutableBufferPointer<UInt64>
  let lists: [ScanPlan.RowList]
  let maximumDepth: Int
  let maximumRows: Int

  /// Reads the whole text, starting at node `root`.
  func readResponse(_ root: Int) throws(JSONSyntaxError) {
    let start = text.skipWhitespace(0)
    guard start < text.count else { throw text.failure(.emptyText, at: start) }
    let end = try readValue(start, node: root, depth: 0, place: .root)
    try text.requireEnd(end)
    workspace.response.pointee = ScanRow(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), key: .missing,
      repeatsMember: workspace.notes.pointee.repeatsMember)
    workspace.notes.pointee.kind = kindOfValue(at: start)
  }

  /// Reads the value at `start` into the slots of `node` and its descendants. Returns the offset after it.
  ///
  /// - Parameter depth: The number of open containers.
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

  /// Reads the value of a leaf, whose slot is known; it may be preceded by whitespace.
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

  /// Reads a leaf that is a literal, a container to be skipped, or preceded by whitespace.
  @inline(never)
  private func readRareLeaf(_ start: Int, slot: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    let end = try readValue(
      text.skipWhitespace(start), node: ScanTables.ignoredNode, depth: depth, place: .member)
    workspace.slots[slot] = workspace.slots[ScanTables.ignoredSlot]
    return end
  }

  @inline(never)
  func readContainerOrLiteral(
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

  /// Returns the kind of a value by its first byte; missing if no value starts there.
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

  /// Prepares for the value of a member at node `child`, which may have occurred before in the same object.
  ///
  /// Clears the slots below it, and the rows if it leads to them: the next value replaces everything from an earlier
  /// member of the same name.
  @inline(__always)
  func beginMember(_ child: Int) {
    if child != ScanTables.ignoredNode, workspace.slots[Int(tables.nodes[child].slot)].isFound {
      workspace.notes.pointee.repeatsMember = true
    }
    if !tables.nodes[child].isLeaf { clearSlots(of: child) }
  }

  @inline(never)
  private func clearSlots(of node: Int) {
    let node = tables.nodes[node]
    for slot in Int(node.firstSlot)..<Int(node.endSlot) { workspace.slots[slot] = .missing }
    if node.listsBelow != 0 { workspace.clearLists(node.listsBelow) }
  }
}

extension ScanReader {
  /// Reads one row, but first its bytes along the response's own paths, if any lead there.
  ///
  /// - Parameters:
  ///   - list: The number of the row's list.
  ///   - child: The node of the response's trie for the row.
  func readRow(
    _ start: Int, of list: Int, key: ScanSlot, child: Int, depth: Int, place: ValuePlace
  ) throws(JSONSyntaxError) -> Int {
    guard workspace.lists[list].rows.count < maximumRows else {
      throw text.failure(.tooManyRows(limit: maximumRows), at: start)
    }
    if child != ScanTables.ignoredNode { _ = try readValue(start, node: child, depth: depth, place: place) }
    let (root, rowSlots) = (lists[list].root, lists[list].slots)
    for slot in rowSlots { workspace.slots[slot] = .missing }
    let repeatsMemberAround = workspace.notes.pointee.repeatsMember
    workspace.notes.pointee.repeatsMember = false
    workspace.notes.pointee.elementCount = 0
    let end = try readValue(start, node: root, depth: depth, place: place)
    var row = ScanRow(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), key: key,
      repeatsMember: workspace.notes.pointee.repeatsMember)
    if text.byte(at: start) == ASCII.openBracket {
      row.elementCount = UInt32(truncatingIfNeeded: workspace.notes.pointee.elementCount)
    }
    workspace.notes.pointee.repeatsMember = repeatsMemberAround
    workspace.lists[list].append(
      row, slots: UnsafeBufferPointer(rebasing: workspace.slots[rowSlots]), remaining: text.count &- end)
    return end
  }

  /// Reads an object whose member values are the rows, including duplicate names.
  func readRowMembers(_ start: Int, node: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    let list = Int(tables.nodes[node].list)
    var at = text.skipWhitespace(start &+ 1)
    if text.byte(at: at) == ASCII.closeBrace { return at &+ 1 }
    var problem = JSONProblem.expectedName
    while true {
      guard text.byte(at: at) == ASCII.quote else { throw text.failure(problem, in: .object, at: at) }
      let name = try text.findStringEnd(at &+ 1)
      let key = ScanSlot(.string, from: at &+ 1, to: name.quote, hasEscapes: name.hasEscapes)
      let child = lookUp(at &+ 1, name, of: node)
      beginMember(child)
      at = try skipColon(name.quote &+ 1)
      at = try readRow(at, of: list, key: key, child: child, depth: depth, place: .member)
      at = text.skipWhitespace(at)
      let byte = text.byte(at: at)
      guard byte == ASCII.comma else {
        guard byte == ASCII.closeBrace else { throw text.failure(.expectedCommaOrBrace, in: .object, at: at) }
        return at &+ 1
      }
      at = text.skipWhitespace(at &+ 1)
      problem = .expectedNameAfterComma
    }
  }
}

extension ScanReader {
  /// Checks the array or object at `start`, which no path leads into. Returns the offset after it.
  ///
  /// - Parameter depth: The number of open containers around it; less than `maximumDepth`.
  func skipContainer(_ start: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    var at = start
    var open = depth
    var place = ValuePlace.root
    while true {
      // At a value.
      let byte = text.byte(at: at)
      switch byte {
      case ASCII.quote:
        at = try text.findStringEnd(at &+ 1).quote &+ 1
      case ASCII.minus, UInt8(ascii: "0")...UInt8(ascii: "9"):
        at = try text.skipNumber(at)
      case ASCII.openBracket, ASCII.openBrace:
        guard open < maximumDepth else { throw text.failure(.nestingTooDeep(limit: maximumDepth), at: at) }
        let isObject = byte == ASCII.openBrace
        at = text.skipWhitespace(at &+ 1)
        if text.byte(at: at) == (isObject ? ASCII.closeBrace : ASCII.closeBracket) {
          at &+= 1
          break
        }
        push(isObject: isObject, at: open)
        open &+= 1
        place = isObject ? .member : .firstElement
        if isObject { at = try skipName(at, orElse: .expectedName) }
        continue
      case UInt8(ascii: "t"): at = try text.skipLiteral(.true, at)
      case UInt8(ascii: "f"): at = try text.skipLiteral(.false, at)
      case UInt8(ascii: "n"): at = try text.skipLiteral(.null, at)
      default: throw text.missingValue(place, at: at)
      }

      // After a value: continue after a comma, or leave all containers that end here.
      while true {
        if open == depth { return at }
        at = text.skipWhitespace(at)
        let isObject = isObject(at: open &- 1)
        let byte = text.byte(at: at)
        if byte == ASCII.comma {
          at = text.skipWhitespace(at &+ 1)
          place = isObject ? .member : .laterElement
          if isObject { at = try skipName(at, orElse: .expectedNameAfterComma) }
          break
        }
        guard byte == (isObject ? ASCII.closeBrace : ASCII.closeBracket) else {
          throw isObject
            ? text.failure(.expectedCommaOrBrace, in: .object, at: at)
            : text.failure(.expectedCommaOrBracket, in: .array, at: at)
        }
        at &+= 1
        open &-= 1
      }
    }
  }

  /// Checks a member name and its colon and returns the offset of the value.
  @inline(__always)
  private func skipName(_ offset: Int, orElse problem: JSONProblem) throws(JSONSyntaxError) -> Int {
    guard text.byte(at: offset) == ASCII.quote else { throw text.failure(problem, in: .object, at: offset) }
    return try skipColon(text.findStringEnd(offset &+ 1).quote &+ 1)
  }

  @inline(__always)
  private func push(isObject: Bool, at depth: Int) {
    let bit: UInt64 = 1 &<< UInt64(depth & 63)
    if isObject { brackets[depth &>> 6] |= bit } else { brackets[depth &>> 6] &= ~bit }
  }

  @inline(__always)
  private func isObject(at depth: Int) -> Bool {
    brackets[depth &>> 6] & 1 &<< UInt64(depth & 63) != 0
  }
}
