extension ScanReader {
  /// Reads the array whose bracket is at `start`.
  func readArray(_ start: Int, node: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    let isRowContainer = tables.nodes[node].isRowContainer
    var at = text.skipWhitespace(start &+ 1)
    if text.byte(at: at) == ASCII.closeBracket { return at &+ 1 }

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
      if isRowContainer {
        at = try readRow(at, key: .missing, child: child, depth: depth, place: place)
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
    try readElementsFromEnd(start, count: index, node: node, depth: depth)
    return at &+ 1
  }

  /// Reads the elements with negative indexes once more, now that the array is checked and its length known.
  private func readElementsFromEnd(_ start: Int, count: Int, node: Int, depth: Int) throws(JSONSyntaxError) {
    let first = Int(tables.nodes[node].firstElement)
    let end = first &+ Int(tables.nodes[node].elementCount)
    // Negative indexes stand behind the others, the farthest from the end first: the order of the array.
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
