extension ScanPlan {
  /// Follows all paths through `bytes` in one pass, and checks the whole text as strictly as `JSONDocument` does, with the same
  /// errors: also what no path leads to.
  ///
  /// - Parameter maximumDepth: how many arrays and objects may be open at once. Paths are followed by recursion, at most so deep.
  /// - Throws: the first error of the text.
  package func scan(_ bytes: [UInt8], maximumDepth: Int = 512) throws(JSONSyntaxError) -> ScanResult {
    try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
      let text = try JSONBytes(buffer)
      return try tables.withPointers { (tables) throws(JSONSyntaxError) in
        // A text of n bytes cannot nest deeper than n.
        let workspace = ScanWorkspace(
          slotCount: slotCount, nodes: tables.nodes, maximumDepth: min(max(maximumDepth, 0), text.count))
        let reader = ScanReader(
          text: text, tables: tables, workspace: workspace, rowRoot: rowRoot,
          rowSlotRange: firstRowSlot..<slotCount, maximumDepth: maximumDepth)
        let range = try reader.readResponse(responseRoot)
        return result(of: reader, responseRange: range)
      }
    }
  }

  private func result(of reader: borrowing ScanReader, responseRange: Range<Int>) -> ScanResult {
    var result = ScanResult(
      rowWidth: slotCount - firstRowSlot, rowSlotIndexes: rowPathSlots.map { $0 - firstRowSlot },
      responseSlotIndexes: responsePathSlots)
    result.responseSlots = Array(reader.workspace.slots)
    if let rowContainerSlot {
      result.rowSlots = reader.rows.slots
      result.rows = reader.rows.rows
      result.containerKind = result.responseSlots[rowContainerSlot].kind
    } else {
      result.rowSlots = Array(result.responseSlots[firstRowSlot...])
      let (start, end) = (UInt32(responseRange.lowerBound), UInt32(responseRange.upperBound))
      result.rows = [ScanResult.Row(start: start, end: end, key: .missing)]
      result.containerKind = reader.kindOfValue(at: responseRange.lowerBound)
    }
    return result
  }
}
