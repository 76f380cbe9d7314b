extension ScanReader {
  /// Reads one row, and before that its bytes along the response's own paths, if any lead there.
  ///
  /// - Parameter child: the node of the response's trie below which the row is.
  func readRow(
    _ start: Int, key: ScanSlot, child: Int, depth: Int, place: ValuePlace
  ) throws(JSONSyntaxError) -> Int {
    if child != ScanTables.ignoredNode { _ = try readValue(start, node: child, depth: depth, place: place) }
    for slot in rowSlotRange { workspace.slots[slot] = .missing }
    let end = try readValue(start, node: rowRoot, depth: depth, place: place)
    let row = ScanResult.Row(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), key: key)
    rows.append(
      row, slots: UnsafeBufferPointer(rebasing: workspace.slots[rowSlotRange]), remaining: text.count &- end)
    return end
  }

  /// Reads an object whose member values are the rows, repeated names included.
  func readRowMembers(_ start: Int, node: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    var at = text.skipWhitespace(start &+ 1)
    if text.byte(at: at) == ASCII.closeBrace { return at &+ 1 }
    var problem = JSONProblem.expectedName
    while true {
      guard text.byte(at: at) == ASCII.quote else { throw text.failure(problem, in: .object, at: at) }
      let name = try text.findStringEnd(at &+ 1)
      let key = ScanSlot(.string, from: at &+ 1, to: name.quote, hasEscapes: name.hasEscapes)
      let child = lookUp(at &+ 1, name, of: node)
      clear(below: child)
      at = try skipColon(name.quote &+ 1)
      at = try readRow(at, key: key, child: child, depth: depth, place: .member)
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
