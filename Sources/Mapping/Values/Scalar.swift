import JSON
import Quotes

/// What a value came to, before it is taken as a number, a text or a time.
enum Scalar {
  /// The exchange's own characters, in the body of the answer: valid only while the row is read.
  case bytes(UnsafeBufferPointer<UInt8>)
  case text(String)
  case number(Decimal)
  case container(isArray: Bool, isEmpty: Bool)
  case missing(Missing)
}

extension Scalar {
  /// What a path led to.
  ///
  /// - Parameter body: the text that the place is in.
  init(_ result: PathResult, in body: UnsafeBufferPointer<UInt8>) {
    guard case .slot(let slot) = result else {
      if case .several = result { self = .missing(.pathMany) } else { self = .missing(.noAnswer("too-large")) }
      return
    }
    switch slot.kind {
    case .missing: self = .missing(.pathMiss)
    case .null: self = .missing(.jsonNull)
    case .array, .object:
      let isEmpty = body[slot.range].dropFirst().dropLast().allSatisfy { $0 <= 0x20 }
      self = .container(isArray: slot.kind == .array, isEmpty: isEmpty)
    case .string where slot.hasEscapes:
      self = .text(decodedString(Array(body[slot.range]), slot: slot.rebased))
    case .string, .number, .true, .false: self = .bytes(UnsafeBufferPointer(rebasing: body[slot.range]))
    }
  }

  /// The same, valid for as long as one likes.
  var copied: Scalar {
    if case .bytes(let bytes) = self { .text(String(decoding: bytes, as: UTF8.self)) } else { self }
  }

  /// True for nothing and null; several nodes at once are something.
  var isNothing: Bool {
    switch self {
    case .missing(.pathMany): false
    case .missing: true
    default: false
    }
  }

  /// Whether it is the exchange's own characters, and they are those of `text`, byte by byte. No text is made for that.
  ///
  /// - Parameter orMore: whether others may follow.
  func isText(_ text: String, orMore: Bool = false) -> Bool {
    guard case .bytes(let bytes) = self, orMore ? bytes.count >= text.utf8.count : bytes.count == text.utf8.count else {
      return false
    }
    var text = text
    return text.withUTF8 { text in text.indices.allSatisfy { bytes[$0] == text[$0] } }
  }

  /// The text that conditions compare; nil for arrays, objects and nothing.
  var comparedText: String? {
    switch self {
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .text(let text): text
    case .number(let number): number.shortest
    case .container, .missing: nil
    }
  }
}
