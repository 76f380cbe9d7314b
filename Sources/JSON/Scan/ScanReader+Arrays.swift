extension ScanReader {
  /// Reads the array whose opening bracket is at `start`.
  func readArray(_ start: Int, node: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    let list = Int(tables.nodes[node].list)
    var at = text.skipWhitespace(start &+ 1)
    if text.byte(at: at) == ASCII.closeBracket {
      workspace.notes.pointee.elementCount = 0
      return at &+ 1
    }

    var place = ValuePlace.firstElement
    var element = Int(tables.nodes[node].firstElement)
    let endElement = element &+ Int(tables.nodes[node].elementCount)
    var index = 0
    while true {
      var child = ScanTables.ignoredNode
      if element < endElement, tables.elements[element].index == index {
        child = Int(tables.elements[element].node)
        element &+= 1
      }
      if list >= 0, let end = try readFlatRow(at, of: list, child: child, depth: depth) {
        at = end
      } else if list >= 0 {
        at = try readRow(at, of: list, key: .missing, child: child, depth: depth, place: place)
      } else {
        at = try readValue(at, node: child, depth: depth, place: place)
      }
      index &+= 1
      at = text.skipWhitespace(at)
      let byte = text.byte(at: at)
      guard byte == ASCII.comma else {
        guard byte == ASCII.closeBracket else { throw text.failure(.expectedCommaOrBracket, in: .array, at: at) }
        break
      }
      at = text.skipWhitespace(at &+ 1)
      place = .laterElement
    }
    if element < endElement { try readElementsFromEnd(start, count: index, node: node, depth: depth) }
    workspace.notes.pointee.elementCount = index
    return at &+ 1
  }

  /// Reads the elements with negative indexes again, once the array is checked and its length is known.
  private func readElementsFromEnd(_ start: Int, count: Int, node: Int, depth: Int) throws(JSONSyntaxError) {
    let first = Int(tables.nodes[node].firstElement)
    let end = first &+ Int(tables.nodes[node].elementCount)
    // Negative indexes come after the others, farthest from the end first, which is the order of the array.
    var element = first
    while element < end, tables.elements[element].index >= 0 || tables.elements[element].index &+ count < 0 {
      element &+= 1
    }
    var at = text.skipWhitespace(start &+ 1)
    var index = 0
    while element < end {
      let isWanted = tables.elements[element].index &+ count == index
      let child = isWanted ? Int(tables.elements[element].node) : ScanTables.ignoredNode
      if isWanted { element &+= 1 }
      at = try readValue(at, node: child, depth: depth, place: .laterElement)
      at = text.skipWhitespace(text.skipWhitespace(at) &+ 1)
      index &+= 1
    }
  }
}

extension ScanReader {
  /// Reads a row that is an array of plain values, such as a level of a book or a candle, straight into its list: the way
  /// of ``readRow``, through nodes and slots that are cleared and copied, takes most of a scan of short rows.
  ///
  /// - Parameter child: The node of the response's trie for the row.
  /// - Returns: The offset after it; nil if the row must be read in the ordinary way.
  private func readFlatRow(_ start: Int, of list: Int, child: Int, depth: Int) throws(JSONSyntaxError) -> Int? {
    let root = tables.nodes[lists[list].root]
    guard root.hasPlainElements, child == ScanTables.ignoredNode, text.byte(at: start) == ASCII.openBracket,
      depth < maximumDepth,
      workspace.lists[list].rows.count < maximumRows,
      let slots = workspace.lists[list].roomForSlots(lists[list].slots.count)
    else { return nil }
    slots.update(repeating: .missing)
    let firstSlot = Int(root.firstSlot)
    var element = Int(root.firstElement)
    let endElement = element &+ Int(root.elementCount)
    var at = text.skipWhitespace(start &+ 1)
    var index = 0
    if text.byte(at: at) == ASCII.closeBracket {
      at &+= 1
    } else {
      var place = ValuePlace.firstElement
      while true {
        let (value, end) = try readPlainValue(at, depth: depth &+ 1, place: place)
        if element < endElement, tables.elements[element].index == index {
          slots[Int(tables.elements[element].slot) &- firstSlot] = value
          element &+= 1
        }
        index &+= 1
        at = text.skipWhitespace(end)
        let byte = text.byte(at: at)
        at &+= 1
        if byte == ASCII.closeBracket { break }
        guard byte == ASCII.comma else { throw text.failure(.expectedCommaOrBracket, in: .array, at: at &- 1) }
        at = text.skipWhitespace(at)
        place = .laterElement
      }
    }
    if Int(root.slot) != ScanTables.ignoredSlot {
      slots[Int(root.slot) &- firstSlot] = ScanSlot(.array, from: start, to: at)
    }
    workspace.lists[list].appendRow(
      ScanRow(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: at), key: .missing,
        elementCount: UInt32(truncatingIfNeeded: index)), slotCount: slots.count)
    return at
  }

  /// Reads a value of which only its place and kind are wanted.
  @inline(__always)
  private func readPlainValue(
    _ start: Int, depth: Int, place: ValuePlace
  ) throws(JSONSyntaxError) -> (value: ScanSlot, end: Int) {
    let byte = text.byte(at: start)
    if byte == ASCII.quote {
      let end = try text.findStringEnd(start &+ 1)
      return (ScanSlot(.string, from: start &+ 1, to: end.quote, hasEscapes: end.hasEscapes), end.quote &+ 1)
    }
    if byte &- ASCII.zero < 10 || byte == ASCII.minus {
      let end = try text.skipNumber(start)
      return (ScanSlot(.number, from: start, to: end), end)
    }
    let end = try readContainerOrLiteral(start, node: ScanTables.ignoredNode, depth: depth, place: place)
    return (workspace.slots[ScanTables.ignoredSlot], end)
  }
}
