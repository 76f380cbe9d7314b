/// The members of an object.
package struct JSONMembers: Sequence, Sendable {
  /// A member: its decoded name, the node of the name (for its place in the text), and its value.
  package typealias Element = (name: String, key: JSONNode, value: JSONNode)

  private let object: JSONNode

  init(of node: JSONNode) { object = node }

  package var underestimatedCount: Int { object.kind == .object ? object.count : 0 }

  package func makeIterator() -> Iterator {
    Iterator(
      document: object.document, index: object.document.tape.firstChild(of: object.index),
      remaining: underestimatedCount)
  }

  package struct Iterator: IteratorProtocol {
    let document: JSONDocument
    var index: Int
    var remaining: Int

    package mutating func next() -> Element? {
      guard remaining > 0 else { return nil }
      remaining -= 1
      let key = JSONNode(document: document, index: index)
      let value = JSONNode(document: document, index: index + 1)
      index = document.tape.next(after: value.index)
      return (key.string ?? "", key, value)
    }
  }
}
