/// A validated JSON text and its structure. Values are read in place; nothing is decoded until it is asked for.
///
///     let document = try JSONDocument(parsing: Array(#"{"price": 1.50}"#.utf8))
///     document.root["price"]?.numberText   // "1.50"
package final class JSONDocument: Sendable {
  package let bytes: [UInt8]
  let tape: JSONTape

  /// Parses `bytes` strictly by RFC 8259, in one pass and without recursion.
  ///
  /// - Parameters:
  ///   - maximumDepth: The maximum number of arrays and objects open at once.
  ///   - maximumValues: The maximum number of values and names, eight bytes each; arrays and objects count twice.
  /// - Throws: The first error in the text.
  package init(
    parsing bytes: [UInt8], maximumDepth: Int = 512, maximumValues: Int = .max
  ) throws(JSONSyntaxError) {
    self.tape = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
      try JSONTapeBuilder(JSONBytes(buffer), maximumDepth: maximumDepth, maximumValues: maximumValues).build()
    }
    self.bytes = bytes
  }

  /// The value of the whole text.
  package var root: JSONNode { JSONNode(document: self, index: 0) }
}

extension JSONNode {
  /// Returns the name nodes of members whose name occurs earlier in the same object, here or in any nested object, in
  /// source order.
  ///
  /// Takes time proportional to the text.
  ///
  /// - Parameter values: The values that are skipped, in source order.
  package func duplicateMembers(apartFrom values: [JSONNode] = []) -> [JSONNode] {
    let tape = document.tape
    var duplicates: [Int] = []
    var skipped = values.map(\.index)[...]
    var index = index
    let end = tape.next(after: index)
    // The words are in source order, so walking over all of them visits every object.
    while index < end {
      if index == skipped.first {
        skipped = skipped.dropFirst()
        index = tape.next(after: index)
        continue
      }
      if tape.kind(at: index) == .object { document.collectDuplicates(ofObjectAt: index, into: &duplicates) }
      index += tape.isContainer(at: index) ? 2 : 1
    }
    return duplicates.sorted().map { JSONNode(document: document, index: $0) }
  }
}

extension JSONDocument {

  fileprivate func collectDuplicates(ofObjectAt object: Int, into duplicates: inout [Int]) {
    let count = tape.count(at: object)
    if count <= 16 { return collectDuplicates(ofSmallObjectAt: object, count: count, into: &duplicates) }
    var seen = Set<NameBytes>(minimumCapacity: count)
    var name = tape.firstChild(of: object)
    for _ in 0..<count {
      let isNew = seen.insert(NameBytes(bytes: nameBytes(at: name))).inserted
      if !isNew { duplicates.append(name) }
      name = tape.next(after: name + 1)
    }
  }

  /// Compares a few names with one another, which is faster than hashing: nearly all differ in length, first or last
  /// byte.
  private func collectDuplicates(ofSmallObjectAt object: Int, count: Int, into duplicates: inout [Int]) {
    withUnsafeTemporaryAllocation(of: (name: Int, trait: Int?).self, capacity: count) { earlier in
      var name = tape.firstChild(of: object)
      for position in 0..<count {
        let trait = trait(ofName: name)
        for index in 0..<position where earlier[index].trait == trait || trait == nil || earlier[index].trait == nil {
          guard isSameName(earlier[index].name, name) else { continue }
          duplicates.append(name)
          break
        }
        earlier.initializeElement(at: position, to: (name, trait))
        name = tape.next(after: name + 1)
      }
    }
  }

  /// Returns what equal names have in common: length, first and last byte. Returns nil for a name with escapes, which
  /// has to be decoded first.
  private func trait(ofName name: Int) -> Int? {
    guard !tape.hasEscapes(at: name) else { return nil }
    let range = tape.byteRange(at: name)
    return range.count << 16 | Int(bytes[range.lowerBound + 1]) << 8 | Int(bytes[range.upperBound - 2])
  }

  /// Returns whether two member names are equal once decoded.
  private func isSameName(_ first: Int, _ second: Int) -> Bool {
    if tape.hasEscapes(at: first) || tape.hasEscapes(at: second) {
      return nameBytes(at: first).elementsEqual(nameBytes(at: second))
    }
    let (left, right) = (tape.byteRange(at: first), tape.byteRange(at: second))
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { bytes[$0] == bytes[$1] }
  }

  /// Returns the decoded bytes of the member name at `index`.
  func nameBytes(at index: Int) -> ArraySlice<UInt8> {
    let range = tape.byteRange(at: index)
    let raw = bytes[range.lowerBound + 1..<range.upperBound - 1]
    return tape.hasEscapes(at: index) ? raw.withUnsafeBufferPointer { unescaped($0)[...] } : raw
  }
}

/// A name that is compared byte by byte: `String` treats composed and decomposed characters as equal.
private struct NameBytes: Hashable {
  let bytes: ArraySlice<UInt8>

  func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
