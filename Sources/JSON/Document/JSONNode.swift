/// A value of a document: a lightweight handle that keeps the document alive.
///
/// Two nodes are equal if they are at the same position of the same document, regardless of their values.
package struct JSONNode: Sendable {
  package let document: JSONDocument
  /// The value's first word on the tape.
  let index: Int

  package var kind: JSONKind { document.tape.kind(at: index) }

  /// The position of the value in the text: strings with their quotes, containers with their brackets.
  package var byteRange: Range<Int> { document.tape.byteRange(at: index) }

  /// The source text of the value.
  package var text: String { String(decoding: document.bytes[byteRange], as: UTF8.self) }

  package var isNull: Bool { kind == .null }

  /// True or false; nil for any other value.
  package var boolean: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The decoded text of a string; nil for any other value. An unpaired surrogate is decoded as U+FFFD.
  package var string: String? {
    guard kind == .string else { return nil }
    let range = byteRange
    return document.bytes[range.lowerBound + 1..<range.upperBound - 1].withUnsafeBufferPointer {
      decodedText($0, hasEscapes: document.tape.hasEscapes(at: index))
    }
  }

  /// Returns the position in the text of a byte of the decoded string; that of the closing quote if there are no more.
  /// Only for strings.
  package func position(ofDecodedOffset offset: Int) -> Int {
    let range = byteRange
    return document.bytes.withUnsafeBufferPointer { bytes in
      var (at, decoded) = (range.lowerBound + 1, 0)
      while decoded < offset, at < range.upperBound - 1 {
        let (source, length) = bytes[at] == ASCII.backslash ? lengths(ofEscapeAt: at, in: bytes) : (1, 1)
        at += source
        decoded += length
      }
      return at
    }
  }

  /// The exact text of a number; nil for any other value.
  package var numberText: String? { kind == .number ? text : nil }

  /// The text of a scalar: a decoded string, a number as written, `true` or `false`; nil for null, arrays and objects.
  package var scalarText: String? {
    switch kind {
    case .string: string
    case .number, .true, .false: text
    case .null, .array, .object: nil
    }
  }

  /// The number of values and names, including itself; arrays and objects count twice. Takes constant time.
  package var size: Int { document.tape.wordCount(at: index) }

  /// The number of elements or members; 0 for scalars.
  package var count: Int { document.tape.count(at: index) }
}

extension JSONNode: Equatable {
  package static func == (left: JSONNode, right: JSONNode) -> Bool {
    left.document === right.document && left.index == right.index
  }
}

extension JSONNode: Hashable {
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(document))
    hasher.combine(index)
  }
}

extension JSONNode {
  /// The value of the member `name`, the last one if there are several; nil if there is none or this is not an object.
  ///
  /// Names are compared byte by byte, in time linear in the number of members. To look up many names use `members`.
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

  /// Returns how many members of an object have that name. Duplicates are allowed (RFC 8259 §4), but ambiguous.
  package func memberCount(named name: String) -> Int {
    guard kind == .object else { return 0 }
    let tape = document.tape
    var name = name
    return name.withUTF8 { wanted in
      var found = 0
      var nameIndex = tape.firstChild(of: index)
      for _ in 0..<count {
        if isName(at: nameIndex, equalTo: wanted) { found += 1 }
        nameIndex = tape.next(after: nameIndex + 1)
      }
      return found
    }
  }

  /// The element `position` of an array, counted from 0; nil if out of range or if this is not an array.
  ///
  /// Takes time linear in `position`. To visit all elements use `elements`.
  package subscript(position: Int) -> JSONNode? {
    guard kind == .array, position >= 0, position < count else { return nil }
    var element = document.tape.firstChild(of: index)
    for _ in 0..<position { element = document.tape.next(after: element) }
    return JSONNode(document: document, index: element)
  }

  /// The elements of an array, in order; empty for any other value.
  package var elements: JSONElements { JSONElements(of: self) }

  /// The members of an object, in source order and including duplicates; empty for any other value.
  package var members: JSONMembers { JSONMembers(of: self) }

  /// Compares a name in place, decoding it only if it has escapes.
  private func isName(at nameIndex: Int, equalTo wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    let tape = document.tape
    if tape.hasEscapes(at: nameIndex) { return document.nameBytes(at: nameIndex).elementsEqual(wanted) }
    let range = tape.byteRange(at: nameIndex)
    guard range.count - 2 == wanted.count else { return false }
    return document.bytes[range.lowerBound + 1..<range.upperBound - 1].elementsEqual(wanted)
  }
}

/// The elements of an array.
package struct JSONElements: Sequence, Sendable {
  private let array: JSONNode

  init(of node: JSONNode) { array = node }

  package var underestimatedCount: Int { array.kind == .array ? array.count : 0 }

  /// nil if there are none.
  package var first: JSONNode? {
    var iterator = makeIterator()
    return iterator.next()
  }

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

extension JSONNode {
  /// The source text of the value without whitespace between tokens, and therefore without line breaks.
  package var compactText: String {
    var compact: [UInt8] = []
    compact.reserveCapacity(byteRange.count)
    var isInString = false
    var isEscaped = false
    for byte in document.bytes[byteRange] {
      if isInString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte <= UInt8(ascii: " ") {
        continue
      }
      compact.append(byte)
    }
    return String(decoding: compact, as: UTF8.self)
  }
}

/// The members of an object.
package struct JSONMembers: Sequence, Sendable {
  /// A member: its decoded name, the node of the name (for its position in the text), and its value.
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

/// The kinds of JSON values (RFC 8259 §3), with `true` and `false` kept apart.
package enum JSONKind: UInt8, Sendable {
  case null
  case `false`
  case `true`
  case number
  case string
  case array
  case object
}
