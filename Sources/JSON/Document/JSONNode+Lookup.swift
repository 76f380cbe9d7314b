extension JSONNode {
  /// The value of the member `name`, the last one where the name occurs several times; nil if there is none or this is no object.
  ///
  /// Names are compared byte by byte; time grows with the number of members. To look up many names use `members`.
  package subscript(name: String) -> JSONNode? {
    guard kind == .object else { return nil }
    let tape = document.tape
    var name = name
    return name.withUTF8 { wanted in
      var found: JSONNode?
      var nameIndex = tape.firstChild(of: index)
      for _ in 0..<count {
        let valueIndex = nameIndex + 1
        if isName(at: nameIndex, equalTo: wanted) { found = JSONNode(document: document, index: valueIndex) }
        nameIndex = tape.next(after: valueIndex)
      }
      return found
    }
  }

  /// The element `position` of an array, counted from 0; nil out of range or if this is no array.
  ///
  /// Time grows with `position`. To visit all elements use `elements`.
  package subscript(position: Int) -> JSONNode? {
    guard kind == .array, position >= 0, position < count else { return nil }
    var element = document.tape.firstChild(of: index)
    for _ in 0..<position { element = document.tape.next(after: element) }
    return JSONNode(document: document, index: element)
  }

  /// The elements of an array, in order; empty for any other value.
  package var elements: JSONElements { JSONElements(of: self) }

  /// The members of an object, in source order and with repeated names; empty for any other value.
  package var members: JSONMembers { JSONMembers(of: self) }

  /// Compares a name as it stands in the text, and decodes it only if it has escapes.
  private func isName(at nameIndex: Int, equalTo wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    let tape = document.tape
    if tape.hasEscapes(at: nameIndex) { return document.nameBytes(at: nameIndex).elementsEqual(wanted) }
    let range = tape.byteRange(at: nameIndex)
    guard range.count - 2 == wanted.count else { return false }
    return document.bytes[range.lowerBound + 1..<range.upperBound - 1].elementsEqual(wanted)
  }
}
