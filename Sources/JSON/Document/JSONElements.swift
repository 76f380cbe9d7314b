/// The elements of an array.
package struct JSONElements: Sequence, Sendable {
  private let array: JSONNode

  init(of node: JSONNode) { array = node }

  package var underestimatedCount: Int { array.kind == .array ? array.count : 0 }

  package func makeIterator() -> Iterator {
    Iterator(
      document: array.document, index: array.document.tape.firstChild(of: array.index), remaining: underestimatedCount)
  }

  package struct Iterator: IteratorProtocol {
    let document: JSONDocument
    var index: Int
    var remaining: Int

    package mutating func next() -> JSONNode? {
      guard remaining > 0 else { return nil }
      remaining -= 1
      defer { index = document.tape.next(after: index) }
      return JSONNode(document: document, index: index)
    }
  }
}
