/// One value of a document: a light handle that keeps the document alive.
///
/// Two nodes are equal if they are the same place of the same document, whatever they say.
package struct JSONNode: Sendable {
  package let document: JSONDocument
  /// The value's first word on the tape.
  let index: Int

  package var kind: JSONKind { document.tape.kind(at: index) }

  /// Where the value stands in the text: strings with their quotes, containers with their brackets.
  package var byteRange: Range<Int> { document.tape.byteRange(at: index) }

  /// The value's own source text.
  package var text: String { String(decoding: document.bytes[byteRange], as: UTF8.self) }

  package var isNull: Bool { kind == .null }

  /// True or false, nil for any other value.
  package var boolean: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The decoded text of a string, nil for any other value. Half a surrogate pair reads as U+FFFD.
  package var string: String? {
    guard kind == .string else { return nil }
    let range = byteRange
    return decodedText(
      document.bytes[range.lowerBound + 1..<range.upperBound - 1], hasEscapes: document.tape.hasEscapes(at: index))
  }

  /// The exact text of a number, nil for any other value.
  package var numberText: String? { kind == .number ? text : nil }

  /// The text of a scalar: a string decoded, a number as it is written, `true` or `false`; nil for null, arrays and objects.
  package var scalarText: String? {
    switch kind {
    case .string: string
    case .number, .true, .false: text
    case .null, .array, .object: nil
    }
  }

  /// The number of elements or members, 0 for scalars.
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
