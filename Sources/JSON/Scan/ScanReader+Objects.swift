extension ScanReader {
  /// Reads the object whose brace is at `start`.
  func readObject(_ start: Int, node: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    if tables.nodes[node].isRowContainer { return try readRowMembers(start, node: node, depth: depth) }
    var at = text.skipWhitespace(start &+ 1)
    if text.byte(at: at) == ASCII.closeBrace { return at &+ 1 }

    let base = workspace.shapes[node].base
    var remembered = base &+ workspace.shapes[node].count
    var expected = base
    var problem = JSONProblem.expectedName
    var misses = 0
    while true {
      let child: Int
      if expected < remembered, isName(at: at, likeEntry: expected) {
        child = Int(workspace.shapeEntries[expected].node)
        at &+= Int(workspace.shapeEntries[expected].length)
        expected &+= 1
      } else {
        (at, child) = try readName(at, of: node, orElse: problem, expected: &expected, remembered: &remembered)
        misses &+= 1
      }
      clear(below: child)
      at = try readValue(text.skipWhitespace(at), node: child, depth: depth, place: .member)
      at = text.skipWhitespace(at)
      let byte = text.byte(at: at)
      guard byte == ASCII.comma else {
        guard byte == ASCII.closeBrace else { throw text.failure(.expectedCommaOrBrace, in: .object, at: at) }
        // A shape that did not help is learnt anew from the next object.
        let isNew = workspace.shapes[node].count == 0
        workspace.shapes[node].count = isNew || misses <= expected &- base ? remembered &- base : 0
        return at &+ 1
      }
      at = text.skipWhitespace(at &+ 1)
      problem = .expectedNameAfterComma
    }
  }

  /// True if the bytes from `offset` on repeat the remembered name `entry` and what stands between it and its value.
  @inline(__always)
  private func isName(at offset: Int, likeEntry entry: Int) -> Bool {
    let entry = workspace.shapeEntries[entry]
    let length = Int(entry.length)
    // The remembered name lies before `offset`, so this test covers both.
    guard offset &+ max(length, 8) <= text.count else { return false }
    let other = Int(entry.offset)
    if length < 8 {
      let difference = text.word(at: offset) ^ text.word(at: other)
      return difference &<< UInt64(64 &- 8 &* length) == 0
    }
    // Whole words, and a last word that may overlap the one before it.
    var index = 0
    let last = length &- 8
    while index < last {
      if text.word(at: offset &+ index) != text.word(at: other &+ index) { return false }
      index &+= 8
    }
    return text.word(at: offset &+ last) == text.word(at: other &+ last)
  }

  /// Reads a name that is not the expected one; returns the offset of its value, or of whitespace before it, and the node.
  ///
  /// Names that the shape has further on are found there: rows often leave out a member. A name that no shape has is looked up,
  /// and remembered if it comes behind all others.
  @inline(never)
  private func readName(
    _ start: Int, of node: Int, orElse problem: JSONProblem, expected: inout Int, remembered: inout Int
  ) throws(JSONSyntaxError) -> (at: Int, child: Int) {
    var skipped = expected &+ 1
    while skipped < min(remembered, expected &+ 4) {
      if isName(at: start, likeEntry: skipped) {
        let entry = workspace.shapeEntries[skipped]
        expected = skipped &+ 1
        return (start &+ Int(entry.length), Int(entry.node))
      }
      skipped &+= 1
    }

    guard text.byte(at: start) == ASCII.quote else { throw text.failure(problem, in: .object, at: start) }
    let name = try text.findStringEnd(start &+ 1)
    let value = try skipColon(name.quote &+ 1)
    let child = lookUp(start &+ 1, name, of: node)
    if expected == remembered, remembered < workspace.shapes[node].base &+ ScanWorkspace.shapeCapacity {
      workspace.shapeEntries.initializeElement(
        at: remembered,
        to: ScanWorkspace.ShapeEntry(
          offset: Int32(truncatingIfNeeded: start), length: Int32(truncatingIfNeeded: value &- start),
          node: Int32(truncatingIfNeeded: child)))
      remembered &+= 1
      expected &+= 1
    }
    return (value, child)
  }

  /// Checks the colon behind a name; returns the offset of the value.
  @inline(__always)
  func skipColon(_ offset: Int) throws(JSONSyntaxError) -> Int {
    let at = text.skipWhitespace(offset)
    guard text.byte(at: at) == ASCII.colon else { throw text.failure(.expectedColon, in: .object, at: at) }
    return text.skipWhitespace(at &+ 1)
  }

  // MARK: Names

  /// The child of `node` that is reached by the name from `start` to `name`.
  func lookUp(_ start: Int, _ name: StringEnd, of node: Int) -> Int {
    let range = start..<name.quote
    if tables.nodes[node].memberCount == 0 { return ScanTables.ignoredNode }
    if !name.hasEscapes { return lookUp(text.bytes(in: range), prefix: text.prefix(of: range), of: node) }
    return unescaped(Array(text.bytes(in: range))[...]).withUnsafeBufferPointer { decoded in
      lookUp(decoded, prefix: JSONBytes.prefix(of: decoded), of: node)
    }
  }

  /// Halves the node's members, which are sorted by length and first bytes, then compares the few that are left whole.
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

  /// Compares what is behind the first eight bytes of a name.
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
