extension ScanReader {
  /// Reads the object whose opening brace is at `start`.
  func readObject(_ start: Int, node: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    if tables.nodes[node].isRowContainer { return try readRowMembers(start, node: node, depth: depth) }
    let base = workspace.shapes[node].base
    var walk = ShapeWalk(expected: base, remembered: base &+ workspace.shapes[node].count)
    // At the brace, then after each value.
    var at = start
    while true {
      if walk.expected < walk.remembered, isName(at: at, like: walk.expected) {
        let known = workspace.names[walk.expected]
        walk.expected &+= 1
        at &+= Int(known.length)
        if known.slot >= 0 {
          if Int(known.slot) != ScanTables.ignoredSlot, workspace.slots[Int(known.slot)].isFound {
            workspace.notes.pointee.repeatsMember = true
          }
          at = try readLeaf(at, slot: Int(known.slot), depth: depth)
          continue
        }
        // Names in the order of a shape occur once each, unless the shape itself has a duplicate.
        if known.mayComeAgain || walk.misses > 0 { beginMember(Int(known.node)) }
        at = try readValue(text.skipWhitespace(at), node: Int(known.node), depth: depth, place: .member)
        continue
      }
      guard let name = try readName(at, of: node, isFirst: at == start, &walk) else {
        // A shape that did not help is learnt again from the next object.
        let isNew = workspace.shapes[node].count == 0
        workspace.shapes[node].count = isNew || walk.misses <= walk.expected &- base ? walk.remembered &- base : 0
        return text.skipWhitespace(at == start ? at &+ 1 : at) &+ 1
      }
      beginMember(name.child)
      at = try readValue(name.value, node: name.child, depth: depth, place: .member)
    }
  }

  /// An object's position in the shape of the previous one.
  private struct ShapeWalk {
    /// The entry that is most likely next.
    var expected: Int
    /// The end of the remembered entries.
    var remembered: Int
    var misses = 0
  }

  /// Returns whether the bytes at `offset` repeat the remembered name at `index` and its surroundings.
  @inline(__always)
  private func isName(at offset: Int, like index: Int) -> Bool {
    let length = Int(workspace.names[index].length)
    guard offset &+ max(length, 8) <= text.count else { return false }
    let known = UnsafeRawPointer(workspace.bytes(ofName: index))
    if length < 8 {
      let difference = text.word(at: offset) ^ known.loadWord(at: 0)
      return difference &<< UInt64(64 &- 8 &* length) == 0
    }
    // Whole words, then a last word that may overlap the previous one.
    var place = 0
    let last = length &- 8
    while place < last {
      if text.word(at: offset &+ place) != known.loadWord(at: place) { return false }
      place &+= 8
    }
    return text.word(at: offset &+ last) == known.loadWord(at: last)
  }

  /// Reads the next name in an object if it is not the expected one. Returns the offset of its value and the node, or
  /// nil at the closing brace.
  ///
  /// Names further on in the shape are found there, as rows often omit members. An unknown name is looked up, and
  /// remembered if it comes after all others.
  ///
  /// - Parameters:
  ///   - start: The offset of the opening brace, or the offset after a value.
  ///   - isFirst: Whether it is the brace.
  @inline(never)
  private func readName(
    _ start: Int, of node: Int, isFirst: Bool, _ walk: inout ShapeWalk
  ) throws(JSONSyntaxError) -> (value: Int, child: Int)? {
    var at = text.skipWhitespace(isFirst ? start &+ 1 : start)
    if text.byte(at: at) == ASCII.closeBrace { return nil }
    walk.misses &+= 1
    var skipped = walk.expected &+ 1
    while skipped < min(walk.remembered, walk.expected &+ 4) {
      if isName(at: start, like: skipped) {
        let known = workspace.names[skipped]
        walk.expected = skipped &+ 1
        return (text.skipWhitespace(start &+ Int(known.length)), Int(known.node))
      }
      skipped &+= 1
    }
    if !isFirst {
      guard text.byte(at: at) == ASCII.comma else { throw text.failure(.expectedCommaOrBrace, in: .object, at: at) }
      at = text.skipWhitespace(at &+ 1)
    }
    guard text.byte(at: at) == ASCII.quote else {
      throw text.failure(isFirst ? .expectedName : .expectedNameAfterComma, in: .object, at: at)
    }
    let name = try text.findStringEnd(at &+ 1)
    let value = try skipColon(name.quote &+ 1)
    let child = lookUp(at &+ 1, name, of: node)
    let isNew = walk.expected == walk.remembered
    if isNew, walk.remembered < workspace.shapes[node].base &+ ScanWorkspace.shapeCapacity,
      value &- start <= ScanWorkspace.nameCapacity
    {
      let bytes = text.bytes(in: start..<value)
      workspace.bytes(ofName: walk.remembered).copyMemory(
        from: UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped), byteCount: bytes.count)
      workspace.names[walk.remembered] = ScanWorkspace.KnownName(
        length: Int32(truncatingIfNeeded: value &- start), node: Int32(truncatingIfNeeded: child),
        slot: tables.nodes[child].isLeaf ? tables.nodes[child].slot : -1,
        mayComeAgain: comesTwice(child, in: workspace.shapes[node].base..<walk.remembered))
      walk.remembered &+= 1
      walk.expected &+= 1
    } else if isFirst {
      // The first entry starts with a brace: it must not match after a value.
      walk.expected &+= 1
    }
    return (value, child)
  }

  /// Returns whether another remembered name leads to the node.
  private func comesTwice(_ child: Int, in names: Range<Int>) -> Bool {
    child != ScanTables.ignoredNode && names.contains { Int(workspace.names[$0].node) == child }
  }

  /// Checks the colon after a name and returns the offset of the value.
  @inline(__always)
  func skipColon(_ offset: Int) throws(JSONSyntaxError) -> Int {
    let at = text.skipWhitespace(offset)
    guard text.byte(at: at) == ASCII.colon else { throw text.failure(.expectedColon, in: .object, at: at) }
    return text.skipWhitespace(at &+ 1)
  }

  // MARK: Names

  /// Returns the child of `node` for the name from `start` to `name`.
  func lookUp(_ start: Int, _ name: StringEnd, of node: Int) -> Int {
    let range = start..<name.quote
    if tables.nodes[node].memberCount == 0 { return ScanTables.ignoredNode }
    if !name.hasEscapes { return lookUp(text.bytes(in: range), prefix: text.prefix(of: range), of: node) }
    return unescaped(text.bytes(in: range)).withUnsafeBufferPointer { decoded in
      lookUp(decoded, prefix: JSONBytes.prefix(of: decoded), of: node)
    }
  }

  /// Binary-searches the node's members, which are sorted by length and first bytes, then compares the few that remain.
  private func lookUp(_ name: UnsafeBufferPointer<UInt8>, prefix: UInt64, of node: Int) -> Int {
    let length = Int32(truncatingIfNeeded: name.count)
    var low = Int(tables.nodes[node].firstMember)
    let end = low &+ Int(tables.nodes[node].memberCount)
    var high = end
    while low < high {
      let middle = (low &+ high) &>> 1
      if tables.members[middle].precedes(length: length, prefix: prefix) { low = middle &+ 1 } else { high = middle }
    }
    while low < end, tables.members[low].length == length, tables.members[low].prefix == prefix {
      if isRest(of: name, likeMember: low) { return Int(tables.members[low].node) }
      low &+= 1
    }
    return ScanTables.ignoredNode
  }

  /// Compares a name from its ninth byte on.
  private func isRest(of name: UnsafeBufferPointer<UInt8>, likeMember member: Int) -> Bool {
    let nameOffset = Int(tables.members[member].nameOffset)
    var index = 8
    while index < name.count {
      if name[index] != tables.names[nameOffset &+ index] { return false }
      index &+= 1
    }
    return true
  }
}

extension UnsafeRawPointer {
  /// Loads eight bytes in the form of ``JSONBytes/word(at:)``.
  @inline(__always)
  fileprivate func loadWord(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
